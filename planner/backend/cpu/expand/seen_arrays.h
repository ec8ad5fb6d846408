// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The two arrays of a problem whose rows differ on its sides, or hold real numbers, as its passes see them.
//
// A side in the type of the arithmetic is the array of the caller. Any other side is an array of the workspace, where a group of transforms
// is decoded before the passes or encoded after them, with two exceptions (group_bytes.h). The first sweep of four decodes the pairs of one
// long line of real numbers panel by panel (staged.h). Lines of several dimensions are decoded as they are transformed, so that no
// array of the workspace holds all of them beside the caller's spectrum. If both sides are converted, they are one array of the workspace:
// rows of real numbers begin where the rows of their spectrum begin. In a chain both sides are real, and an array of the workspace has room
// for the spectrum between them.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SEEN_ARRAYS_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SEEN_ARRAYS_H_

#include <functional>
#include <vector>

#include "planner/backend/cpu/expand/ends.h"
#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

struct SeenArrays {
  ArrayLines in, out;             // strides in reals; `batch` is empty
  std::vector<LoopAround> batch;  // the transforms that the passes compute together
  std::int64_t first = 0;         // of these: its number among the transforms of the loop that is open
  // Of one transform whose input the passes decode: they read groups of its lines by expand_decoded_lines(). Null: `in` is read.
  const StoredSide* by_lines = nullptr;
};

// The last length of one transform by its real node, from real numbers of the caller to their spectrum in `target`. Groups of lines are
// decoded into the workspace, and transformed while they are in L1.
void expand_decoded_lines(Scope& scope, const StoredSide& side, const Node& node, const ArrayLines& target, double scale);

// Calls expand_passes(arrays) for each group of transforms, inside the loops over all groups and between the conversions of each. `line`:
// the node of the last length.
void expand_between(Scope& scope, const Node& line, const std::function<void(const SeenArrays&)>& expand_passes);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SEEN_ARRAYS_H_
