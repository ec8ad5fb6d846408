// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Starting a program in this process's place, or waiting for it.
#ifndef ULPFFT_TOOLS_ULPFFT_RUN_PROCESS_H_
#define ULPFFT_TOOLS_ULPFFT_RUN_PROCESS_H_

#include <string>
#include <vector>

namespace ulpfft_tool {

// Becomes the program, so that its status, signals and terminal are its own. Throws Failure.
[[noreturn]] void become(const std::string& path, const std::vector<std::string>& words);

// Starts it and returns how it ended, as waitpid() tells. Meanwhile an interrupt is the program's, and requests to end are passed
// on to it.
int run_and_wait(const std::string& path, const std::vector<std::string>& words);

// Ends as the program did: by its status, or by the signal that ended it.
[[noreturn]] void end_like(int how);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_RUN_PROCESS_H_
