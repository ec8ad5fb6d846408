// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How many operations a pass of a split scheme does, counted from its scheme and radix.
#ifndef ULPFFT_PLANNER_SCHEME_SPLIT_COUNTS_H_
#define ULPFFT_PLANNER_SCHEME_SPLIT_COUNTS_H_

#include <cstdint>

#include "codelets/contract/split_pass.h"

namespace ulpfft {

// Of a column of `radix` complex numbers, in real operations. Radix 2 and 4 multiply nothing: their matrices have 1, -1, i and -i
// alone. Slices of these radices are added together, as whole numbers.
struct SplitCounts {
  std::int64_t products = 0;  // of parts with numbers of the matrix, and of sums of slices with their weights
  std::int64_t sums = 0;      // additions and subtractions
  std::int64_t splits = 0;    // roundings to parts
  std::int64_t norms = 0;     // products with a norm and with its inverse
  std::int64_t twiddles = 0;  // products with twiddles, where a pass follows; half of them sums come with them
};
SplitCounts split_counts(const SplitPass& pass);

// Nanoseconds for 16 points with vectors of 512 bits (AVX-512, Zen 4): what estimates compare recipes by.
double split_nanoseconds(const SplitPass& pass);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SCHEME_SPLIT_COUNTS_H_
