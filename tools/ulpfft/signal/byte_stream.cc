// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/signal/byte_stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "tools/ulpfft/failure.h"

namespace ulpfft_tool::signals {

ByteStream::ByteStream(std::string path)
    : path_(std::move(path)),
      is_ours_(path_ != "-"),
      descriptor_(is_ours_ ? open(path_.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {
  if (descriptor_ < 0) throw Failure(path_ + ": cannot be opened: " + std::strerror(errno) + ".");
  struct stat facts {};
  const bool known = fstat(descriptor_, &facts) == 0;
  if (known && S_ISDIR(facts.st_mode)) {
    if (is_ours_) close(descriptor_);
    throw Failure(path_ + ": is a folder.");
  }
  if (!known || !S_ISREG(facts.st_mode) || !is_ours_) return;
  size_ = facts.st_size;
  changed_ = static_cast<double>(facts.st_mtime);
}

ByteStream::~ByteStream() {
  if (is_ours_) close(descriptor_);
}

std::optional<std::int64_t> ByteStream::left() const {
  if (!size_) return {};
  return *size_ - done_;
}

std::size_t ByteStream::read_some(std::span<std::byte> into) {
  if (!peeked_.empty()) {
    const std::size_t now = std::min(into.size(), peeked_.size());
    std::copy_n(peeked_.begin(), now, into.begin());
    peeked_.erase(peeked_.begin(), peeked_.begin() + static_cast<std::ptrdiff_t>(now));
    done_ += static_cast<std::int64_t>(now);
    return now;
  }
  for (;;) {
    const ssize_t got = read(descriptor_, into.data(), std::min<std::size_t>(into.size(), std::size_t{1} << 30));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Failure(path_ + ": data: reading failed: " + std::strerror(errno) + ".");
    done_ += got;
    return static_cast<std::size_t>(got);
  }
}

bool ByteStream::read_whole(std::span<std::byte> into) {
  while (!into.empty()) {
    const std::size_t got = read_some(into);
    if (got == 0) return false;
    into = into.subspan(got);
  }
  return true;
}

bool ByteStream::skip(std::uint64_t bytes) {
  std::array<std::byte, 4096> unused;
  for (; bytes > 0; bytes -= std::min<std::uint64_t>(bytes, unused.size())) {
    if (!read_whole(std::span(unused).first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, unused.size())))))
      return false;
  }
  return true;
}

std::vector<std::byte> ByteStream::peek(std::size_t bytes) {
  std::vector<std::byte> first(bytes);
  std::size_t size = 0;
  while (size < bytes) {
    const std::size_t got = read_some(std::span(first).subspan(size));
    if (got == 0) break;
    size += got;
  }
  first.resize(size);
  peeked_.insert(peeked_.begin(), first.begin(), first.end());
  done_ -= static_cast<std::int64_t>(size);
  return first;
}

}  // namespace ulpfft_tool::signals
