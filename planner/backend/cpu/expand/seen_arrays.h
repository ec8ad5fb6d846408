// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The two arrays of a problem with real numbers on a side, as its passes see them.
//
// A side in the type of the arithmetic is the array of the caller. Any other side is an array of the workspace, where a group of transforms
// is decoded before the passes or encoded after them. If both sides are converted, they are one array of the workspace: rows of real
// numbers begin where the rows of their spectrum begin.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SEEN_ARRAYS_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SEEN_ARRAYS_H_

#include <functional>
#include <vector>

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

struct SeenArrays {
  ArrayLines in, out;             // strides in reals; `batch` is empty
  std::vector<LoopAround> batch;  // the transforms that the passes compute together
};

// Calls expand_passes(arrays) for each group of transforms, inside the loops over all groups and between the conversions of each.
void expand_between(Scope& scope, const std::function<void(const SeenArrays&)>& expand_passes);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SEEN_ARRAYS_H_
