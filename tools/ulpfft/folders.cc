// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/folders.h"

#include <filesystem>
#include <system_error>

#include "tools/ulpfft/failure.h"

namespace ulpfft_tool {

void require_folder_of(const std::string& path) {
  if (path.empty()) return;
  std::filesystem::path whole(path);
  if (!whole.has_filename()) whole = whole.parent_path();  // "folder/" is made in the folder above
  const std::filesystem::path folder = whole.has_parent_path() ? whole.parent_path() : std::filesystem::path(".");
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(folder, failure);
  const std::string name = folder.string();
  if (failure && status.type() == std::filesystem::file_type::none)
    throw Failure(name + ": " + failure.message() + ": " + path + " cannot be written.");
  if (!std::filesystem::exists(status)) throw Failure("The folder " + name + " does not exist: " + path + " cannot be written.");
  if (!std::filesystem::is_directory(status)) throw Failure(name + " is not a folder: " + path + " cannot be written.");
}

bool is_there(const std::string& path) {
  std::error_code failure;
  const bool found = std::filesystem::exists(path, failure);
  if (failure) throw Failure(path + ": " + failure.message() + ".");
  return found;
}

void refuse_to_replace(const std::vector<std::string>& inputs, const std::string& output, const std::vector<std::string>& beside) {
  for (const std::string& input : inputs) {
    for (const std::string& file : beside) {
      std::error_code failure;
      if (!std::filesystem::equivalent(input, file, failure)) continue;
      throw Failure(output + ": " + file + " would be written beside it, and that is " +
                    (input == file ? "the input" : "the input " + input) + ": give the output another name.");
    }
  }
}

}  // namespace ulpfft_tool
