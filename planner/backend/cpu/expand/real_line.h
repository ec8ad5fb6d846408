// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Lines of real numbers: a real node, or one codelet.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_LINE_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_LINE_H_

#include <cstdint>

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// How many complex numbers the child of a real node transforms.
std::int64_t child_length(std::int64_t n);
// The last length by its node, from real numbers to their spectrum where `forward`, else from it. A spectrum in the workspace that is read
// does not remain. `first`: the lines are the input of the transform.
void expand_real_line(Scope& scope, const Node& node, Place place, bool forward, bool first);
// Refuses a node that is not one of a line of real numbers.
void check_real_line(const Scope& scope, const Node& node);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_LINE_H_
