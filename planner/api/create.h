// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A plan for a problem, taken from wisdom or found by a search, which wisdom then remembers.
#ifndef ULPFFT_PLANNER_API_CREATE_H_
#define ULPFFT_PLANNER_API_CREATE_H_

#include <memory>

#include "planner/api/context.h"
#include "planner/api/request.h"
#include "planner/plan/plan.h"

namespace ulpfft {

// Completes the problem first. Throws PlanError.
std::unique_ptr<ulpfft_plan> create_plan(ulpfft_context& context, Problem problem, const PlanRequest& request);

// `problem` is complete. Nothing is searched. Where the problem has a max_error, the error of the recipe is measured.
// `options` may have a progress callback, which long work on tables asks.
std::unique_ptr<ulpfft_plan> plan_from_recipe(ulpfft_context& context, const Problem& problem, const Recipe& recipe,
                                              SearchOptions options = SearchOptions());

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_API_CREATE_H_
