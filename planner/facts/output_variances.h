// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How random numbers spread over the outputs of a transform: first and last ones of some kinds have twice the mean square of the others.
#ifndef ULPFFT_PLANNER_FACTS_OUTPUT_VARIANCES_H_
#define ULPFFT_PLANNER_FACTS_OUTPUT_VARIANCES_H_

#include <vector>

#include "planner/convert/side.h"
#include "wisdom/problem.h"

namespace ulpfft {

// Outputs, their real and imaginary parts apart, that have one mean square.
struct OutputClass {
  double share;     // of all of them
  double variance;  // mean square over that of an output by the gain of the problem, for independent inputs of one variance
};

// The classes of a problem out of r2c and r2r; of others one class of variance 1. Shares add up to 1.
std::vector<OutputClass> output_variances(const Problem& problem, const Sides& sides);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_OUTPUT_VARIANCES_H_
