// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bytes in the order in which they come, from a file, the standard input ("-"), a FIFO or a device. Throws Failure.
#ifndef ULPFFT_TOOLS_ULPFFT_SIGNAL_BYTE_STREAM_H_
#define ULPFFT_TOOLS_ULPFFT_SIGNAL_BYTE_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ulpfft_tool::signals {

class ByteStream {
 public:
  explicit ByteStream(std::string path);
  ~ByteStream();
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  const std::string& path() const { return path_; }
  // Of a regular file, and how many are left of it.
  std::optional<std::int64_t> size() const { return size_; }
  std::optional<std::int64_t> left() const;
  double changed() const { return changed_; }  // seconds since 1970; 0: no regular file

  // Up to this many bytes as soon as there are any; 0 at the end.
  std::size_t read_some(std::span<std::byte> into);
  bool read_whole(std::span<std::byte> into);  // false where it ends before
  bool skip(std::uint64_t bytes);
  // The first bytes, which are read again afterwards. Fewer where there are no more.
  std::vector<std::byte> peek(std::size_t bytes);

 private:
  std::string path_;
  bool is_ours_;
  int descriptor_;
  std::optional<std::int64_t> size_;
  double changed_ = 0;
  std::int64_t done_ = 0;
  std::vector<std::byte> peeked_;  // to be read first
};

}  // namespace ulpfft_tool::signals

#endif  // ULPFFT_TOOLS_ULPFFT_SIGNAL_BYTE_STREAM_H_
