// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms in split schemes.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SPLIT_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SPLIT_H_

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// Of split schemes.
void expand_split(Scope& scope, const std::vector<PassSpec>& passes, const Place& place);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SPLIT_H_
