// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Lanes as columns.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_COLUMNS_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_COLUMNS_H_

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

std::int64_t panel_pitch(const Scope& scope, std::int64_t panel);
// One panel of `lanes` columns (node: n or dit); the lane loop is taken out of place.loops already. With `keep` the result stays
// planar there, else it goes to place.out.
void expand_panel(Scope& scope, const Node& node, const Place& place, const LoopAround& lane, std::int64_t lanes, std::int64_t panel,
                  const Panel* keep = nullptr);
void expand_cols(Scope& scope, const Node& node, Place place);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_COLUMNS_H_
