// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Folders of files to write, looked at before the work: a folder that is not there then costs no time.
#ifndef ULPFFT_TOOLS_ULPFFT_FOLDERS_H_
#define ULPFFT_TOOLS_ULPFFT_FOLDERS_H_

#include <string>

namespace ulpfft_tool {

// Throws Failure, e.g. "The folder /nonexist does not exist.", where a file of this name cannot be made for want of its folder. An empty
// path means no file.
void require_folder_of(const std::string& path);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_FOLDERS_H_
