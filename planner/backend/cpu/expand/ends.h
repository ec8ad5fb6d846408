// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How the two arrays of a problem are converted, one of which at least is not of the type of the arithmetic: in the pass, staged, or apart.
// It is decided here, before anything is expanded, because it says how many transforms lie in the workspace at a time.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_ENDS_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_ENDS_H_

#include <memory>
#include <vector>

#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/stored_side.h"

namespace ulpfft {

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
