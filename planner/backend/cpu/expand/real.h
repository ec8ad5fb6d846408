// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms of real numbers: real nodes, or codelets, along the last length, complex ones along the others.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_H_

#include <vector>

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// How many complex numbers the child of a real node transforms.
std::int64_t child_length(std::int64_t n);
// The last length by its node, from real numbers to their spectrum where `forward`, else from it. A spectrum in the workspace that is read
// does not remain. `first`: the lines are the input of the transform.
void expand_real_line(Scope& scope, const Node& node, Place place, bool forward, bool first);
// Refuses a node that is not one of a line of real numbers.
void check_real_line(const Scope& scope, const Node& node);
// Refuses nodes that are not those of real numbers; `nodes` by dimension.
void check_real(const Scope& scope, const std::vector<const Node*>& nodes);
// Of a problem of kind r2c or c2r; `nodes` by dimension, the last one is real.
void expand_real_dimensions(Scope& scope, const std::vector<const Node*>& nodes);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_H_
