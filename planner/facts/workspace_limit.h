// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a plan that the planner chooses may take beside the caller's arrays.
#ifndef ULPFFT_PLANNER_FACTS_WORKSPACE_LIMIT_H_
#define ULPFFT_PLANNER_FACTS_WORKSPACE_LIMIT_H_

#include "planner/program/plan_facts.h"
#include "wisdom/problem.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// One transform that fits L2 (1 MiB on the machines measured) may take as much as itself and some padding for each thread of the problem,
// six times that where it is a convolution. Narrow arrays add nothing but, of short transforms, what completes kStoredGroupBytes. Another
// transform is added by conversions between f32 and f64, by narrow arrays with nodes other than dit and n or with an mx scheme, by rows that
// are encoded with one scale, and as the spectrum of a chain. An mx scheme adds one more, which it sums up from. A prescale takes a real for each
// transform of a group. What saves traffic to memory takes more, and serves longer ones. Panels of
// columns hold as many transforms as they have columns, as do groups of transforms whose narrow numbers lie beside each other's
// (stored_columns.h). What lies unused between two threads does not count.
//
// Recipes of n, dit, cols and rank nodes keep the limit however they are cut; tests hold the builder to that. Nothing is refused for it.
bool within_workspace_limit(const Problem& problem, const Recipe& recipe, const PlanFacts& plan);

// Decompositions for other lengths, of which a search looks only at recipes that keep the limit: four, whose matrix pays beyond L2, and a
// convolution where the length has codelets. Such a length has recipes of dit or n, and one with a large prime has convolutions without four.
bool is_chosen_by_workspace(const Problem& problem, const Recipe& recipe);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_WORKSPACE_LIMIT_H_
