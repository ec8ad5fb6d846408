// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Storages as words: two in one word, "i16->f32", or "i16:f32", which no shell takes apart; the rules behind a block format.
#ifndef ULPFFT_TOOLS_ULPFFT_STORAGE_PAIR_H_
#define ULPFFT_TOOLS_ULPFFT_STORAGE_PAIR_H_

#include <string>
#include <string_view>

#include "ulpfft/ulpfft.h"

namespace ulpfft_tool {

// Whether floor, ceil, rceil, even and fit choose the scales of a block format; te, torchao and search choose all others.
bool has_power_scales(const ulpfft_format& block);

// `word` with "->" between its storages; a storage alone stays as it is, "mxfp8_e4m3:b8:floor" too.
std::string with_arrow(std::string_view word);

// UsageError where the word [begin, begin + word.size()) of `text` ends in '-', because the shell took the '>' behind it.
void refuse_cut_arrow(std::string_view word, const std::string& text, std::size_t begin);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_STORAGE_PAIR_H_
