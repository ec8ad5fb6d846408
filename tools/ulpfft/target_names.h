// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Instruction sets as people call them: the library's avx3 is AVX-512.
#ifndef ULPFFT_TOOLS_ULPFFT_TARGET_NAMES_H_
#define ULPFFT_TOOLS_ULPFFT_TARGET_NAMES_H_

#include <string>

namespace ulpfft_tool {

// "avx3 (AVX-512)"; other names stay as they are. Of the name of a machine that ends so, too: "x86.25.17.avx3 (AVX-512)".
std::string show_target(const std::string& name);

// The library's name: "avx3" of "avx512", "AVX-512" and the like, small letters of others.
std::string own_target_name(std::string name);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_TARGET_NAMES_H_
