// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From a recipe to a program, in stages. Each takes the program as the one before left it.
#ifndef ULPFFT_PLANNER_LOWER_PIPELINE_H_
#define ULPFFT_PLANNER_LOWER_PIPELINE_H_

#include <functional>

#include "planner/backend/backend.h"

namespace ulpfft {

// Is called after each stage.
using StageVisitor = std::function<void(const Stage& stage, const Program& program)>;

// `problem` has passed check(). Enough for counts and estimates: no table is made. `visit` sees the stages of this program, not those of
// Program::with_exponents.
Program make_program(const Problem& problem, const Recipe& recipe, const Machine& machine, TableCache& cache,
                     const StageVisitor& visit = {});

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_LOWER_PIPELINE_H_
