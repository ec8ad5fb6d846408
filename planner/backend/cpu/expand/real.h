// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms of real numbers: real nodes, or codelets, along the last length, complex ones along the others.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_H_

#include <vector>

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// Adds the passes of a problem of kind r2c or c2r. `nodes` has one node for each dimension; the last one is real. Others are refused.
void expand_real_dimensions(Scope& scope, const std::vector<const Node*>& nodes);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_H_
