// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A real transform that is one codelet over its lines.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_CODELET_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_CODELET_H_

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// The lines of a place, by a codelet of place.n reals. LineEnd::swap is Edge::swap as kReal takes it; strides count reals. Refuses a length
// that has none, and shifts.
void expand_real_codelet(Scope& scope, RealTransform transform, Place place);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_CODELET_H_
