// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_R2R_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_R2R_H_

#include <vector>

#include "planner/backend/cpu/expand/scope.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// All dimensions of a problem between real numbers, by the nodes of each.
void expand_r2r_dimensions(Scope& scope, const std::vector<const Node*>& nodes);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_R2R_H_
