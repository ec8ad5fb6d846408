// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A help text in lines that fit.
#ifndef ULPFFT_TOOLS_ULPFFT_WRAPPED_HELP_H_
#define ULPFFT_TOOLS_ULPFFT_WRAPPED_HELP_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace ulpfft_tool {

// No line has more than `columns` letters, but for words that have. Descriptions continue below where they began, examples below their
// command, and commands behind a backslash.
std::string wrapped_help(std::string_view text, std::size_t columns);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_WRAPPED_HELP_H_
