// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes that decode narrow input or encode narrow output themselves.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_FUSED_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_FUSED_H_

#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/stored_side.h"

namespace ulpfft {

// Whether 'decode' and 'encode' are said of what can be converted by passes at all; whether this target has them is no fault.
void check_flags(const Scope& scope, const Node& node, bool root);

// The sides that the passes of `node` convert themselves: those of which the recipe says so and the target has the passes.
void take_fused(Scope& scope, const Node& node, StoredSide& in, StoredSide& out);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_FUSED_H_
