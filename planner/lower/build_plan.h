// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From a recipe to an executable: the only way a plan comes to exist, whoever proposed the recipe.
//
// Checks every precondition (codelets exist, radices multiply to the length, lanes fit) and throws PlanError otherwise, so a recipe
// from wisdom, a user or a fuzzer can be slow but never wrong.
#ifndef ULPFFT_PLANNER_LOWER_BUILD_PLAN_H_
#define ULPFFT_PLANNER_LOWER_BUILD_PLAN_H_

#include <cstdint>
#include <memory>

#include "planner/lower/pipeline.h"

namespace ulpfft {

// make_program() (pipeline.h), linked.
std::unique_ptr<Executable> build_plan(const Problem& problem, const Recipe& recipe, const Machine& machine, TableCache& cache);

// Of the set of codelets a recipe uses, whatever the strides, and of the narrow formats; changes when any of their arithmetic does.
std::uint64_t recipe_digest(const Problem& problem, const Recipe& recipe, const PlanFacts& plan);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_LOWER_BUILD_PLAN_H_
