// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Files to write and their folders, looked at before the work: what is wrong with them then costs no time.
#ifndef ULPFFT_TOOLS_ULPFFT_FOLDERS_H_
#define ULPFFT_TOOLS_ULPFFT_FOLDERS_H_

#include <string>
#include <vector>

namespace ulpfft_tool {

// Throws Failure, e.g. "The folder /nonexist does not exist.", where a file of this name cannot be made for want of its folder. An empty
// path means no file.
void require_folder_of(const std::string& path);

// Whether there is something of that name; links are followed. Throws Failure where that cannot be known, e.g. for links in a loop.
bool is_there(const std::string& path);

// Throws Failure where one of the files `beside` an output, which the user did not name, would replace one of these inputs.
void refuse_to_replace(const std::vector<std::string>& inputs, const std::string& output, const std::vector<std::string>& beside);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_FOLDERS_H_
