// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/files/input_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <system_error>

#include "wisdom/error.h"

namespace ulpfft {

void refuse_content(const std::string& path, const std::string& field, const std::string& why, FileRange range,
                    ulpfft_status status) {
  throw PlanError(status, field, path + ": " + (field.empty() ? "" : field + ": ") + why, range.begin, range.end);
}

void refuse_file(const std::string& path, const std::string& what, int error) {
  throw PlanError(ULPFFT_IO, "path", path + ": " + what + ": " + std::generic_category().message(error) + ".");
}

// O_NONBLOCK: opening a named pipe must not wait for its writer.
InputFile::InputFile(const std::string& path) : path_(path), file_(open_file(path, O_RDONLY | O_NONBLOCK)) {
  if (file_.get() == -1) refuse_file(path, "cannot be opened", errno);
  struct stat facts = {};
  if (::fstat(file_.get(), &facts) != 0) refuse_file(path, "cannot be read", errno);
  if (!S_ISREG(facts.st_mode)) throw PlanError(ULPFFT_IO, "path", path + ": is not a regular file.");
  size_ = static_cast<std::size_t>(facts.st_size);
}

void InputFile::read(std::size_t begin, std::span<std::byte> into, const char* field) const {
  while (!into.empty()) {
    const std::size_t most = std::min<std::size_t>(into.size(), std::size_t{1} << 30);
    const ssize_t got = retried([&] { return ::pread(file_.get(), into.data(), most, static_cast<off_t>(begin)); });
    if (got < 0) refuse_file(path_, std::string(field) + ": reading failed", errno);
    if (got == 0) refuse_content(path_, field, "the file ends " + std::to_string(into.size()) + " bytes early.", {begin, begin});
    into = into.subspan(static_cast<std::size_t>(got));
    begin += static_cast<std::size_t>(got);
  }
}

}  // namespace ulpfft
