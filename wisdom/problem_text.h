// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The text form of a problem, the same in API, tool, wisdom and describe().
//
//   [c2c|r2c|c2r|r2r] LENGTHS[*BATCH] STORAGE[->STORAGE] [kinds=K,...] [inverse] [centered] [scale=none|ortho|1/n|X] [max_error=X] [scheme=S]
//   [backend=B] [threads=T] [inplace] [split] [destroy_input] [in_strides=S,...] [out_strides=S,...] [batch_strides=IN...,OUT...]
//   [intermediate=F] [chain=mul|user] [prescale=none|amax|X] [max_workspace=one|BYTES]
//
// STORAGE = NAME, of a block format NAME[:bLENGTH][:RULE], e.g. mxfp8_e4m3:b8:floor; overrides that say what the format says anyway are
// not printed.
// LENGTHS = INT{xINT}, BATCH = INT{xINT}; INT and BYTES are digits, or in short 2^20, 64k, 1M (k = 1024, M = k k). Words are separated by
// spaces; options follow the storage in any order, each at most once. Printing keeps the order above, has digits alone and leaves defaults
// out, so equal problems print equal texts.
// Strides that are not given are dense (row-major, batch outside), as set_dense_strides() sets them. batch_strides lists the in strides of
// all batch dimensions, then their out strides. threads=0 is read as 1, max_error=0 is no limit; neither is printed.
// K = dct1 .. dct4, dst1 .. dst4, r2hc, hc2r, dht, one per length; FFTW's names (redft00, ...) and hartley are read as well.
#ifndef ULPFFT_WISDOM_PROBLEM_TEXT_H_
#define ULPFFT_WISDOM_PROBLEM_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "wisdom/problem.h"

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
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};
TextRange field_range(std::string_view text, std::string_view field);

// The wisdom key: as print_problem, but without direction and scale (design, invariant 2). One scale stays: scale=ortho of kinds of r2r
// that it gives weights (has_weights), because the weights of one codelet are passes of their own. destroy_input stays where plans use it
// (works_in_input). Placement, max_error and threads stay: each changes which recipe is chosen. A key is itself a problem text:
// problem_key(parse_problem(key)) == key.
std::string problem_key(const Problem& problem);

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_PROBLEM_TEXT_H_
