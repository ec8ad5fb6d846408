// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// chain nodes of real numbers.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_CHAIN_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_CHAIN_H_

#include <vector>

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// The nodes there; those back are the scope's. The last of each is a line of real numbers (check_real_line).
void expand_real_chain(Scope& scope, const std::vector<const Node*>& nodes);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_CHAIN_H_
