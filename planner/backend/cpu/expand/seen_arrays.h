// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The arrays of a group as its passes see them; strides in their units.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SEEN_ARRAYS_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SEEN_ARRAYS_H_

#include <cstdint>
#include <vector>

#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/stored_side.h"

namespace ulpfft {

struct SeenArrays {
  ArrayLines in, out;
  ArrayLines spectrum;            // of a chain: in the workspace
  std::vector<LoopAround> batch;  // the transforms that the passes compute together
  std::int64_t first = 0;         // of these: its number among the transforms of the loop that is open
  // Of one transform whose input the passes decode: they read groups of its lines by expand_decoded_lines(). Null: `in` is read.
  const StoredSide* by_lines = nullptr;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SEEN_ARRAYS_H_
