// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The folder of libraries with FFTW's names, and the environment in which the loader takes them for FFTW's.
#ifndef ULPFFT_TOOLS_ULPFFT_RUN_FFTW_FOLDER_H_
#define ULPFFT_TOOLS_ULPFFT_RUN_FFTW_FOLDER_H_

#include <string>

namespace ulpfft_tool {

// `given`, else ULPFFT_FFTW3_FOLDER, else the one beside the library that this tool runs on: of an installation, or of a build.
// Absolute. Throws Failure where it has no such libraries, or the loader cannot be told its name.
std::string find_fftw_folder(const std::string& given);

// For programs that this process starts from now on, and for those that they start.
void switch_environment(const std::string& folder);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_RUN_FFTW_FOLDER_H_
