// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Narrow storage between the passes of a recipe ("|"): where it is, and which part of the scale is applied by then.
//
// Scale   mantissa * 2^e, 1 <= |mantissa| < 2. What is stored after length L of n is transformed carries 2^E, E = e * log2 L / log2 n
//         rounded to nearest (halves up; logarithms rounded down to integers), so that numbers neither outgrow a small range nor sink in
//         it. The mantissa and the first of these powers belong to the first load; each reader multiplies by what is missing until the
//         next.
#ifndef ULPFFT_PLANNER_CONVERT_INTERMEDIATE_H_
#define ULPFFT_PLANNER_CONVERT_INTERMEDIATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/contract/storage.h"
#include "wisdom/problem.h"
#include "wisdom/recipe.h"

namespace ulpfft {

struct Intermediate {
  std::int64_t length = 1;     // transformed before it is stored
  std::string format;
  std::int64_t row_reals = 0;  // of rows that begin a new block
  int power = 0;               // E
  int next = 0;                // that of the next one, or e
  // The mean square of what is stored, over that of a complex transform of this length.
  double gain = 1;
};

// In the order of execution; lengths grow. The numbers of a real node are pairs of reals, and so are those of its intermediates.
std::vector<Intermediate> intermediates_of(const Problem& problem, const Node& root);

// What a "|" names; throws PlanError.
Storage intermediate_storage(const std::string& name);

// e.
int scale_power(const Problem& problem);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_INTERMEDIATE_H_
