// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// dit nodes, of lines and of panels of columns.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_DIT_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_DIT_H_

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

std::vector<std::int64_t> radices_of(const std::vector<PassSpec>& passes);

void check_dit(const Scope& scope, const Node& node);
void expand_dit(Scope& scope, const Node& node, const Place& place);
void expand_panel_dit(Scope& scope, const Node& node, const Place& place, const LoopAround& lane, std::int64_t lanes, const Panel& work,
                      bool keep);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_DIT_H_
