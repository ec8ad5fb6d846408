// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A program that is to run on the libraries of the FFTW folder: where it is, and whether they can take FFTW's place in it.
#ifndef ULPFFT_TOOLS_ULPFFT_RUN_PROGRAM_H_
#define ULPFFT_TOOLS_ULPFFT_RUN_PROGRAM_H_

#include <string>

namespace ulpfft_tool {

// The file that a shell starts by this word. Throws Failure.
std::string find_program(const std::string& word);

// Throws Failure with the reason where FFTW cannot be replaced in the program at `path`; of a script, in its interpreter. What a
// program opens only as it runs is not known. Returns a remark on a part that keeps its FFTW, or "".
std::string require_replaceable(const std::string& path);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_RUN_PROGRAM_H_
