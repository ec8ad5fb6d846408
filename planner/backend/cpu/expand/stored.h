// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Narrow storage around wide arithmetic, and what plan building knows of the two arrays of a problem, one of which at least goes through
// the workspace.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STORED_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STORED_H_

#include "planner/backend/cpu/expand/ends.h"
#include "planner/backend/cpu/expand/scope.h"

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
  std::int64_t row_step = 0;  // reals between rows of `work`; 0: rows of complex numbers are dense
  // Of a part of one transform: so many lines along dimension `along` from `first_line` on; 0: whole transforms.
  std::int64_t lines = 0, first_line = 0;
  std::size_t along = 0;
  Area undo;               // of prescaled transforms: an int32_t each, in the place of a real
};

// Of the problem; neighbouring dimensions that step evenly at both ends are one.
std::vector<Dimension> merged_batch(const Problem& problem);

// A repeat over `count` times `iterations` transforms of a batch dimension, each of which stands for some of the whole batch.
void open_transforms(Scope& scope, const Dimension& d, std::int64_t count, std::int64_t iterations, std::int64_t transforms,
                     const StoredSide& in, const StoredSide& out);
void expand_stored(Scope& scope, const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order);
void add_stored_rows(Scope& scope, const StoredSide& side, const StoredGroup& group);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STORED_H_
