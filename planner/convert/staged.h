// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A pass one end of which is narrow, run slice by slice: each slice is decoded into a tile before the pass reads it, or encoded from one
// after the pass has written it, so that no wide copy of the array exists. The tile stays in L1.
//
//   StagedPanel   rows of panels and matrices, by a tile in the workspace
//   StagedLine    a line, some of its columns at a time, by a tile on the stack
#ifndef ULPFFT_PLANNER_CONVERT_STAGED_H_
#define ULPFFT_PLANNER_CONVERT_STAGED_H_

#include <cstdint>

#include "codelets/contract/step.h"

namespace ulpfft {

struct Staged {
  PassFn run = nullptr;    // of the pass; null: rows are converted, and that is all
  PassArgs args;           // its edge at the narrow array is replaced by one at the tile
  std::int64_t radix = 1;  // points of a butterfly
  std::int64_t chunk = 1;  // positions, or columns of a line, in a slice
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_STAGED_H_
