// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The error that a plan states before it is measured: the squares of the rms errors of its roundings, added as if these were independent.
#ifndef ULPFFT_PLANNER_FACTS_PREDICTED_ERROR_H_
#define ULPFFT_PLANNER_FACTS_PREDICTED_ERROR_H_

#include <map>
#include <string>

#include "planner/convert/side.h"
#include "planner/program/program.h"
#include "wisdom/problem.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// Sets predicted_error, and for an mx scheme mx_errors. `blocks` remembers the errors of block formats (see output_quantisation).
void predict_error(const Problem& problem, const Sides& sides, const Recipe& recipe, Program& program,
                   std::map<std::string, double>& blocks);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_PREDICTED_ERROR_H_
