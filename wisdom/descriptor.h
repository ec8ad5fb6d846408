// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A file descriptor that is closed at the end, and calls that a signal may interrupt.
#ifndef ULPFFT_WISDOM_DESCRIPTOR_H_
#define ULPFFT_WISDOM_DESCRIPTOR_H_

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

namespace ulpfft {

// Repeats a call that a signal interrupted.
template <typename Call>
auto retried(Call call) {
  while (true) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~File() {
    if (descriptor_ != -1) ::close(descriptor_);
  }
  int get() const { return descriptor_; }
  // For a written file, whose errors may come at the end; not repeated on EINTR, since Linux has closed it then.
  bool close() { return ::close(std::exchange(descriptor_, -1)) == 0 || errno == EINTR; }

 private:
  int descriptor_;
};

// The descriptor is -1, and errno says why, where there is none.
inline File open_file(const std::string& path, int flags, mode_t mode = 0) {
  return File(retried([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); }));
}

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_DESCRIPTOR_H_
