// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The workspace that a plan may take if the planner chooses it.
#ifndef ULPFFT_PLANNER_FACTS_WORKSPACE_LIMIT_H_
#define ULPFFT_PLANNER_FACTS_WORKSPACE_LIMIT_H_

#include "planner/program/plan_facts.h"
#include "wisdom/problem.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// Whether a plan keeps the limit of its workspace. There is a limit for transforms of one dimension that fit L2 (1 MiB on the machines
// measured) and do not go by panels of columns. Longer transforms may take more, because that saves traffic to memory. The limit counts,
// for each thread of the problem:
// - one transform and some padding; six transforms if the length needs a convolution; each of them `most_scratch` times (Machine, in
//   backend/backend.h);
// - one transform more for the spectrum of a chain, for conversions between f32 and f64, for narrow arrays with nodes other than dit and n
//   or with an mx scheme, and for rows that are encoded with one scale;
// - one transform more that an mx scheme sums from;
// - where a scheme transforms lines side by side, SchemeFamily::group_bytes;
// - where arrays are converted, a group of transforms: kStoredGroupBytes, or of narrow ones the transforms whose numbers lie beside each
//   other (side.h); a group of bytes includes the first transform where the passes need no copy of it;
// - where there is a prescale, a real for each transform of a group.
// Memory that lies unused between two threads does not count.
//
// All recipes of n, dit, cols and rank nodes keep the limit; tests hold the builder to that. No recipe of a caller is refused for it.
bool within_workspace_limit(const Problem& problem, const Recipe& recipe, const PlanFacts& plan, double most_scratch);

// Whether a search considers a recipe only if it keeps the limit: four, whose matrix pays beyond L2, and a convolution where the length has
// codelets. Such a length has recipes of dit or n, and a length with a large prime has convolutions without four.
bool is_chosen_by_workspace(const Problem& problem, const Recipe& recipe);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_WORKSPACE_LIMIT_H_
