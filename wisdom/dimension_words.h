// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Lengths and strides of a problem as the C interface has them and as words of its text.
#ifndef ULPFFT_WISDOM_DIMENSION_WORDS_H_
#define ULPFFT_WISDOM_DIMENSION_WORDS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wisdom/problem_fields.h"

namespace ulpfft {

// `count` dimensions without strides, at least `least`. Throws PlanError.
std::vector<Dimension> dimensions_from_c(int count, int least, std::string_view count_field, const std::int64_t* lengths,
                                         std::string_view field);
// Null leaves the strides as they are.
void strides_from_c(const std::int64_t* from, std::vector<Dimension>& to, std::int64_t Dimension::*stride);

void read_strides(TextReader& reader, TextRange value, std::vector<Dimension>& dims, std::int64_t Dimension::*stride,
                  std::string_view word);
void read_batch_strides(TextReader& reader, TextRange value, Problem& to);
// Dense strides are left out.
void print_strides(PrintedWords& to, std::string word, std::int64_t Dimension::*stride);
void print_batch_strides(PrintedWords& to);

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_DIMENSION_WORDS_H_
