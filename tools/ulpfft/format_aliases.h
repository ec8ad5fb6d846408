// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Formats by the names that other programs give them: fp16, half, complex64, cs16, ...
#ifndef ULPFFT_TOOLS_ULPFFT_FORMAT_ALIASES_H_
#define ULPFFT_TOOLS_ULPFFT_FORMAT_ALIASES_H_

#include <string>
#include <string_view>

namespace ulpfft_tool {

// `text` with every such name in it replaced by the library's: "cs16->half:b8" becomes "i16->f16:b8", "rounded:half/float"
// "rounded:f16/f32". Other words stay as they are. Complex names mean the format of their parts: complex64 is f32.
std::string with_own_format_names(std::string_view text);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_FORMAT_ALIASES_H_
