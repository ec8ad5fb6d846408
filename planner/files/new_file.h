// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A file that appears under its name when it is complete. Until then it is NAME.part and digits beside it, locked.
#ifndef ULPFFT_PLANNER_FILES_NEW_FILE_H_
#define ULPFFT_PLANNER_FILES_NEW_FILE_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "wisdom/descriptor.h"

namespace ulpfft {

// Throws PlanError (ULPFFT_IO), which names the path.
class NewFile {
 public:
  explicit NewFile(std::string path);
  // Removes what did not get its name.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  // Everything is on the disk, under the other name.
  void finish();
  // After finish().
  void take_name();

 private:
  std::string path_;
  std::string begun_;  // "" where there is nothing to remove
  File file_;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FILES_NEW_FILE_H_
