// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How the two arrays of a problem are converted, one of which at least is not of the type of the arithmetic: in the pass, staged, or apart.
// It is decided here, before anything is expanded, because it says how many transforms lie in the workspace at a time.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_ENDS_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_ENDS_H_

#include <memory>
#include <vector>

#include "planner/backend/cpu/expand/scope.h"
#include "planner/convert/array_shape.h"

namespace ulpfft {

// One side of the problem.
struct StoredSide {
  ArrayShape shape;
  bool output = false;
  Converted how = Converted::kApart;
  std::shared_ptr<const NarrowRows> narrow;  // of panels that stage it; null: none do
  std::int64_t row_step = 0;                 // of planes: reals between rows
  ArrayId array = ArrayId::kIn;
  std::int64_t unit = 2;  // what a stride of 1 outside the rows is, in units of the array (unit_bytes)

  // Passes address the array, whether codelets convert it or not.
  bool direct() const { return how == Converted::kNone || how == Converted::kInThePass; }
  bool fused() const { return how == Converted::kInThePass; }
  bool by_panels() const { return narrow != nullptr; }
};

struct SettledEnds {
  StoredSide in, out;
  bool by_lines = false;         // the first pass of a dit stages the input; the output is encoded from where its last pass works
  std::int64_t most_across = 0;  // transforms that lie side by side in a group, as in the arrays; 0: they do not
  std::int64_t together = 1;     // transforms of a group
};

// `count`: transforms of the innermost batch loop.
SettledEnds settle_ends(Scope& scope, const std::vector<const Node*>& nodes, std::int64_t count);
// A side by itself: as it is, staged by the sweeps of `node`, or apart. Of real numbers `node` transforms pairs.
StoredSide stored_side(const Scope& scope, const Node& node, bool output);
// The side as panels that stage it address it.
std::shared_ptr<const NarrowRows> narrow_side(const Scope& scope, const StoredSide& side);
// What the program tells of it.
void tell_end(Scope& scope, const StoredSide& side);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_ENDS_H_
