// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Real nodes in rows: real(RxM; a), whose R M reals are an odd count.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_ROWS_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_ROWS_H_

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// Refuses what cannot be expanded.
void check_real_rows(const Scope& scope, const Node& node);
// As expand_real_line().
void expand_real_rows(Scope& scope, const Node& node, Place place, bool forward, bool first);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_ROWS_H_
