// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Two dimensions with something narrow.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_PLANES_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_PLANES_H_

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// rank with something narrow; false where the ordinary way has to do.
bool expand_planes(Scope& scope, const std::vector<const Node*>& nodes);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_PLANES_H_
