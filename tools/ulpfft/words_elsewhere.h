// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Problems in the words of NumPy, SciPy and FFTW: rfft, idct, backward, norm=ortho, ... The library is given its own.
#ifndef ULPFFT_TOOLS_ULPFFT_WORDS_ELSEWHERE_H_
#define ULPFFT_TOOLS_ULPFFT_WORDS_ELSEWHERE_H_

#include <string>
#include <string_view>
#include <vector>

namespace ulpfft_tool {

// Whether a word names a kind of transform: c2c, r2c, ..., one of NumPy's functions, or a kind of r2r such as dct2.
bool is_kind_word(std::string_view word);

// The words of a problem, the kind first if there is one, in those of the library. Inverse transforms that NumPy or SciPy name are scaled
// as there, by 1/n, unless a word says otherwise: "irfft 1000 f32" is "c2r 1000 f32 scale=1/n". A problem without a storage is in f32.
void use_own_words(std::vector<std::string>& words);

// Whether plans take this as a word, e.g. "threads" for threads=2 or "inverse"; `has_value`: which of the two.
bool is_word_of_problem(const std::string& name, bool& has_value);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_WORDS_ELSEWHERE_H_
