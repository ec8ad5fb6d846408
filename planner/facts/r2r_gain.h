// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How much r2r transforms amplify random numbers.
#ifndef ULPFFT_PLANNER_FACTS_R2R_GAIN_H_
#define ULPFFT_PLANNER_FACTS_R2R_GAIN_H_

#include <cstdint>

#include "wisdom/problem.h"

namespace ulpfft {

// The mean square of an output over the sum of the squared inputs, without the scale of the problem, for independent inputs of one
// variance: of a line of n reals, and of all dimensions of a problem. It is 1 of problems other than r2r, as of complex transforms.
double r2r_gain(R2rKind kind, std::int64_t n);
double r2r_gain(const Problem& problem);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_R2R_GAIN_H_
