// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How the two arrays of a problem are converted, one of which at least is not of the type of the arithmetic: in the pass, staged, or apart.
// It is decided here, before anything is expanded, because it says how many transforms lie in the workspace at a time.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_ENDS_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_ENDS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/stored_side.h"

namespace ulpfft {

struct SettledEnds {
  StoredSide in, out;
  std::vector<Dimension> batch;  // without dimensions of one transform; neighbours that step evenly at both ends are one
  bool tiles = false;     // the first pass of a dit stages the input; the output is encoded from where its last pass works
  bool by_lines = false;  // lines of real numbers are decoded a group at a time (decoded_lines.h)
  bool streams = false;   // nodes of dit do: so do conversions apart
  std::int64_t most_across = 0;  // transforms that lie side by side in a group, as in the arrays; 0: they do not
  std::int64_t together = 1;     // transforms of a group
  std::int64_t row = 0;          // reals from a row of a transform in the workspace to the next
  std::int64_t work = 0;         // reals that a transform takes there; 0: none

  // Whether both arrays hold reals of the arithmetic. What is not of the sides is left out then, but for chains.
  bool are_wide() const { return in.how == Converted::kNone && out.how == Converted::kNone; }
};

std::vector<Dimension> merged_batch(const Problem& problem);
// For complex numbers. `order`: the dimensions that are transformed.
SettledEnds settle_ends(Scope& scope, const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order);
// With real numbers on a side, or rows that differ on the two; `line`: the node of the last length.
SettledEnds settle_real_ends(const Scope& scope, const Node& line);
// For planes whose columns `columns` transforms. None: they cannot convert them, which is refused where they `must`.
std::optional<SettledEnds> settle_plane_ends(const Scope& scope, const Node& columns, bool must);
// Whether panels of a row of numbers, so many codes each, begin and end with bytes and blocks.
bool panels_fit(const Storage& storage, std::int64_t panel, std::int64_t row, std::int64_t codes);
// A side by itself: as it is, staged by the sweeps of `node`, or apart. Of real numbers `node` transforms pairs.
StoredSide stored_side(const Scope& scope, const Node& node, bool output);
// The side as panels that stage it address it.
std::shared_ptr<const NarrowRows> narrow_side(const Scope& scope, const StoredSide& side);
// What the program tells of it.
void tell_end(Scope& scope, const StoredSide& side);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_ENDS_H_
