// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes that convert the transforms of a group, between an array of the caller and the workspace.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STORED_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STORED_H_

#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/stored_side.h"

namespace ulpfft {

// What goes around one group of transforms.
struct StoredGroup {
  std::int64_t first = 0;  // transforms of the innermost batch loop that came before
  std::int64_t transforms = 1;
  bool repeats = false;    // another group of the same size follows
  bool streams = false;    // codes of the output go past the caches, codes of a later input are fetched
  Dimension loop;          // the innermost batch loop; length 1: there is none
  bool across = false;     // neighbouring numbers are of different transforms
  bool tiles = false;      // see takes_tiles()
  Area work;
  std::int64_t row_step = 0;  // reals between rows of `work`
  // Of a part of one transform: so many lines along dimension `along` from `first_line` on; 0: whole transforms.
  std::int64_t lines = 0, first_line = 0;
  std::size_t along = 0;
  Area undo;               // of prescaled transforms: an int32_t each, in the place of a real
};

// How an input in blocks is decoded by the first pass of a group.
const BlockRows* add_block_rows(Scope& scope, const StoredSide& side, const StoredGroup& group);
// Adds the pass that converts a narrow side of a group, and the one that looks after its exponents.
void add_stored_rows(Scope& scope, const StoredSide& side, const StoredGroup& group);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STORED_H_
