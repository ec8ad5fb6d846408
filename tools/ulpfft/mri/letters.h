// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Words in a picture: small letters, digits, the marks of format names and the capitals of units (MHz, dBFS), as dots.
#ifndef ULPFFT_TOOLS_ULPFFT_MRI_LETTERS_H_
#define ULPFFT_TOOLS_ULPFFT_MRI_LETTERS_H_

#include <string_view>

#include "tools/ulpfft/demo/picture.h"

namespace ulpfft_tool {

inline constexpr int kLetterWidth = 6;   // of which the last column is empty
inline constexpr int kLetterHeight = 9;  // of which two rows are below the line

// Black on what is there; every dot is a square of `size` pixels. A letter that has no dots here is drawn as a box. What lies outside the picture is left out.
void draw_text(Picture& picture, int left, int top, int size, std::string_view text);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MRI_LETTERS_H_
