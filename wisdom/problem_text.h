// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The text form of a problem, the same in API, tool, wisdom and describe(). include/ulpfft/c/problem.h has its grammar; each word is a row of
// problem_fields.h.
//
// Options stand in any order, each at most once. Printing keeps the order of the rows, has numbers in digits alone, and leaves out defaults
// and overrides that say what a format says anyway, so equal problems print equal texts.
// Strides that are not given are dense, as set_dense_strides() sets them. threads=0 is read as 1, max_error=0 is no limit; neither is printed.
#ifndef ULPFFT_WISDOM_PROBLEM_TEXT_H_
#define ULPFFT_WISDOM_PROBLEM_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "wisdom/problem.h"
#include "wisdom/text_reader.h"

namespace ulpfft {

inline constexpr std::size_t kMaxProblemText = 256;

// The word of a kind, e.g. "r2c".
std::string_view name_of(Kind kind);

// Throws PlanError (ULPFFT_INVALID_TEXT, with the byte range of the word at fault). Does not call check().
Problem parse_problem(std::string_view text);
// Throws when the text would exceed kMaxProblemText.
std::string print_problem(const Problem& problem);

// Byte range of the word of a problem text that set a field, e.g. "lengths[1]", so that an error of check() can underline it.
// {0, 0} when the field has its default, or the text does not parse.
TextRange field_range(std::string_view text, std::string_view field);

// The wisdom key: as print_problem, but without the fields whose rows leave them out, direction and scale among them (design, invariant 2).
// One scale stays: scale=ortho of kinds of r2r that it gives weights (has_weights), because the weights of one codelet are passes of their
// own. destroy_input stays where plans use it (works_in_input). A key is itself a problem text: problem_key(parse_problem(key)) == key.
std::string problem_key(const Problem& problem);

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_PROBLEM_TEXT_H_
