// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A file that is read, and errors that name it with the field and the bytes at fault.
//
// Errors   PlanError. The message is "PATH: FIELD: WHY", the field is FIELD, and the text range is that of the bytes at fault.
#ifndef ULPFFT_PLANNER_FILES_INPUT_FILE_H_
#define ULPFFT_PLANNER_FILES_INPUT_FILE_H_

#include <cstddef>
#include <span>
#include <string>

#include "ulpfft/ulpfft.h"
#include "wisdom/descriptor.h"

namespace ulpfft {

// Bytes of a file that an error is about.
struct FileRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// What the file holds is wrong.
[[noreturn]] void refuse_content(const std::string& path, const std::string& field, const std::string& why, FileRange range = {},
                                 ulpfft_status status = ULPFFT_INVALID_TEXT);
// The system refuses: "PATH: WHAT: <errno>."
[[noreturn]] void refuse_file(const std::string& path, const std::string& what, int error);

// A regular file. Threads may read it at once.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  const std::string& path() const { return path_; }
  std::size_t size() const { return size_; }
  // All of it, or an error that names the field.
  void read(std::size_t begin, std::span<std::byte> into, const char* field) const;

 private:
  std::string path_;
  File file_;
  std::size_t size_ = 0;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FILES_INPUT_FILE_H_
