// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/expand/ends.h"

#include <algorithm>

#include "codelets/registry.h"
#include "planner/backend/cpu/expand/fused.h"
#include "planner/backend/cpu/expand/whole.h"
#include "planner/convert/side.h"
#include "planner/facts/group_bytes.h"
#include "planner/facts/node_facts.h"

namespace ulpfft {

static std::int64_t most_across(const Scope& scope) {
  if (!scope.scheme.family->side_by_side) return 0;
  return transforms_across(scope.problem, scope.sides, 2 * static_cast<std::int64_t>(real_bytes(scope.program.compute)));
}

// Whether a node that is the whole transform needs no work array.
static bool in_one_call(const Scope& scope, const Node& node, const StoredSide& in, const StoredSide& out) {
  if (node.kind != Node::Kind::kDit) return node.kind == Node::Kind::kN;
  Place place;
  place.in.array = in.direct() ? ArrayId::kIn : ArrayId::kFirstWork;
  place.out.array = out.direct() ? ArrayId::kOut : ArrayId::kFirstWork;
  place.in.shift = place.out.shift = scope.problem.centered ? node_length(node) / 2 : 0;
  return packed_codelet(scope, node, place) != nullptr || whole_two_codelet(scope, node, place) != nullptr;
}

// Whether its passes read tiles of a narrow side, and leave what is encoded where they work: no second array of a transform.
static bool takes_tiles(const Scope& scope, const Node& node, const StoredSide& in, const StoredSide& out) {
  if (!scope.scheme.family->tiles || scope.sides.in.windowed) return false;
  if (!scope.back.empty() || scope.problem.dims.size() != 1 || node.kind != Node::Kind::kDit || most_across(scope) > 0)
    return false;
  if (2 * transform_points(scope.problem) * 2 * static_cast<std::int64_t>(real_bytes(scope.program.compute)) <= kStoredGroupBytes ||
      in_one_call(scope, node, in, out))
    return false;
  // A row with one scale is encoded as one.
  return (in.direct() || in.by_groups) && (out.direct() || (out.by_groups && !out.power && run_alignment(out.storage) != 0)) &&
         !(in.direct() && out.direct());
}

static std::int64_t group_size(const Scope& scope, std::int64_t transforms, bool one_call) {
  if (scope.scheme.mixes_batches) return transforms;  // bits would depend on groups, and those on threads
  const std::int64_t points = transform_points(scope.problem);
  const std::int64_t scratch = one_call || !scope.back.empty() ? 0 : 1;  // beside the group
  const std::int64_t whole = (scope.back.empty() ? group_bytes(scope.sides) : kChainGroupBytes) /
                             (2 * points * static_cast<std::int64_t>(real_bytes(scope.program.compute)));
  std::int64_t group = std::min(std::max<std::int64_t>(1, whole - scratch), transforms);
  if (const std::int64_t most = most_across(scope); most > group) {
    const std::int64_t groups = (transforms + most - 1) / most;
    group = (transforms + groups - 1) / groups;  // as many each
  }
  // Enough groups for the threads.
  if (scope.threads > 1) group = std::clamp<std::int64_t>(transforms / (4 * scope.threads), 1, group);
  return group;
}

// Whether the sweeps of a node read or write a narrow array of the problem themselves.
static bool sweeps_take(const Scope& scope, const Node& node, const Side& side) {
  if (scope.problem.dims.size() != 1 || node.kind != Node::Kind::kFour || node.children.size() != 2 || node.panel < 1 || node.n < 2 ||
      node.m < 2)
    return false;
  if ((side.wide && !side.power) || (side.half && side.power) || side.split) return false;
  if (!runs_on_columns(node.children[0]) || (side.output && !runs_on_columns(node.children[1]))) return false;
  const Dimension& d = scope.problem.dims[0];
  if (side.stride(d) != 1) return false;
  const std::int64_t numbers = side.real_in_passes() ? 2 : 1;  // of the array, in a number of the node
  const std::int64_t first = scope.problem.centered ? d.length / 2 : 0;
  if (d.length % numbers != 0 || first % numbers != 0) return false;
  // Panels begin and end with bytes and blocks.
  const std::int64_t aligned = run_alignment(side.storage);
  const std::int64_t row = side.output ? node.n : node.m;
  const std::int64_t shift = first / numbers % row;
  const std::int64_t codes = side.power ? 1 : 2;  // of a number of the node
  return aligned != 0 && codes * row % aligned == 0 && codes * std::min(node.panel, row) % aligned == 0 && codes * shift % aligned == 0;
}

StoredSide stored_side(const Scope& scope, const Node& node, bool output) {
  StoredSide side{scope.sides[output]};
  if (!side.by_groups && side.format == scope.working) side.how = Converted::kNone;
  side.array = output ? ArrayId::kOut : ArrayId::kIn;
  side.unit = side.by_groups ? side.outer_bytes : side.element_reals();
  if (scope.back.empty() && !side.changed && sweeps_take(scope, node, side)) {
    side.how = Converted::kStaged;
    side.narrow = narrow_side(scope, side);
  }
  return side;
}

std::shared_ptr<const NarrowRows> narrow_side(const Scope& scope, const StoredSide& side) {
  auto array = std::make_shared<NarrowRows>();
  if (side.wide) {
    static_cast<Codec&>(*array) = wide_codec(side.storage, real_bytes(scope.program.compute) == 8);
  } else {
    static_cast<Codec&>(*array) = scope.codec_of(side.storage, side.format);
  }
  if (side.power) array->power = powers_of(scope.codelets, !array->is_f64);
  array->user = true;
  array->whole_rows = false;
  array->row_reals = side.row_reals;
  array->row_bytes = code_bytes(side.storage, side.row_reals);
  array->row_scale_bytes = side.scale_bytes;
  return array;
}

void tell_end(Scope& scope, const StoredSide& side) {
  CallerArray& array = side.output ? scope.program.out : scope.program.in;
  array.storage = scope.problem.storage(side.output);
  array.how = side.how;
  array.narrow = side.narrow;
}

SettledEnds settle_ends(Scope& scope, const std::vector<const Node*>& nodes, std::int64_t count) {
  SettledEnds ends;
  ends.in = stored_side(scope, *nodes[0], false);
  ends.out = stored_side(scope, *nodes[0], true);
  take_fused(scope, *nodes[0], ends.in, ends.out);
  const StoredSide &in = ends.in, &out = ends.out;
  ends.by_lines = takes_tiles(scope, *nodes[0], in, out);
  if (!in.fused() && !out.fused()) ends.most_across = most_across(scope);
  const bool passes_only = in.direct() && out.direct() && scope.back.empty();
  const bool one_each = in.by_panels() || out.by_panels() || ends.by_lines;
  ends.together = passes_only ? count : one_each ? 1 : group_size(scope, count, in_one_call(scope, *nodes[0], in, out));
  if (ends.by_lines && !in.direct()) ends.in.how = Converted::kStaged;
  tell_end(scope, in);
  tell_end(scope, out);
  return ends;
}

}  // namespace ulpfft
