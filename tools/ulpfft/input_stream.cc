// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/input_stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/failure.h"

namespace ulpfft_tool {
namespace {

constexpr const char* kStandardInput = "-";
constexpr std::size_t kPiece = std::size_t{1} << 20;

// Open for reading as long as it lives; the standard input stays open.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : is_ours_(path != kStandardInput), number_(is_ours_ ? open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {
    if (number_ < 0) throw Failure(path + ": cannot be opened: " + std::strerror(errno) + ".");
  }
  ~Descriptor() {
    if (is_ours_) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  bool is_ours_;
  int number_;
};

}  // namespace

bool is_stream(const std::string& path) {
  struct stat facts {};
  return path == kStandardInput || (stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode));
}

std::vector<std::byte> read_stream(const std::string& path) {
  const Descriptor stream(path);
  std::vector<std::byte> bytes;
  for (std::size_t size = 0;;) {
    if (bytes.size() - size < kPiece) bytes.resize(2 * bytes.size() + kPiece);
    const ssize_t got = read(stream.number(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path, "data", std::string("reading failed: ") + std::strerror(errno) + ".");
    size += static_cast<std::size_t>(got);
    if (got > 0) continue;
    bytes.resize(size);
    return bytes;
  }
}

}  // namespace ulpfft_tool
