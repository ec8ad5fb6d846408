// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The last length of one transform by its real node, from real numbers of the caller to their spectrum in `target`. Groups of lines are
// decoded into the workspace, and transformed while they are in L1.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_DECODED_LINES_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_DECODED_LINES_H_

#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/stored_side.h"

namespace ulpfft {

void expand_decoded_lines(Scope& scope, const StoredSide& side, const Node& node, const ArrayLines& target, double scale);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_DECODED_LINES_H_
