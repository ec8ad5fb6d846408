// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Nodes of a recipe as passes: one function a kind, each in a file of its own.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_NODE_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_NODE_H_

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

double rounded_scale(const Scope& scope);
// Emits a dimension from array to array, `loops` around the other dimensions. The first one executed scales, and it and the last one
// exchange re and im where their arrays ask for it. `transformed`: the length that was before, which grows by this one.
void expand_dimension(Scope& scope, const Node& node, std::size_t d, const ArrayLines& source, const ArrayLines& target, double scale,
                      bool first, bool last, std::vector<LoopAround> loops, std::int64_t& transformed);
void expand_node(Scope& scope, const Node& node, const Place& place);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_NODE_H_
