// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From a recipe to a program.
//
// Checks every precondition (codelets exist, radices multiply to the length, lanes fit) and throws PlanError otherwise, so a recipe
// from wisdom, a user or a fuzzer can be slow but never wrong.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_EXPAND_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_EXPAND_H_

#include "planner/program/program.h"
#include "planner/table/table_cache.h"
#include "wisdom/problem.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// `problem` has passed check(). Work arrays are not placed yet, and nothing is shared among threads; `threads` says how many groups of
// transforms are worth making.
Program expand(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache, int threads);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_EXPAND_H_
