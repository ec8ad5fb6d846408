// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/expand/ends.h"

#include <algorithm>

#include "codelets/registry.h"
#include "planner/backend/cpu/expand/chain.h"
#include "planner/backend/cpu/expand/fused.h"
#include "planner/backend/cpu/expand/line_packing.h"
#include "planner/backend/cpu/expand/real_line.h"
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

// How many transforms of a batch of `count` fill a group of so many bytes beside `scratch` of them.
static std::int64_t group_size(const Scope& scope, const SettledEnds& ends, std::int64_t count, std::int64_t bytes, std::int64_t reals,
                               std::int64_t scratch) {
  const std::int64_t whole = bytes / (reals * static_cast<std::int64_t>(real_bytes(scope.program.compute)));
  std::int64_t group = std::clamp<std::int64_t>(whole - scratch, 1, count);
  if (ends.most_across > group) {
    const std::int64_t groups = (count + ends.most_across - 1) / ends.most_across;
    group = (count + groups - 1) / groups;  // as many each
  }
  // Enough groups for the threads.
  return scope.threads > 1 ? std::clamp<std::int64_t>(count / (4 * scope.threads), 1, group) : group;
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

std::vector<Dimension> merged_batch(const Problem& problem) {
  std::vector<Dimension> batch;
  for (const Dimension& d : problem.batch) {
    if (d.length == 1) continue;
    if (!batch.empty() && batch.back().in_stride == d.length * d.in_stride && batch.back().out_stride == d.length * d.out_stride) {
      batch.back() = {batch.back().length * d.length, d.in_stride, d.out_stride};
    } else {
      batch.push_back(d);
    }
  }
  return batch;
}

// Transforms of the innermost loop of the batch.
static std::int64_t innermost_count(const SettledEnds& ends) { return ends.batch.empty() ? 1 : ends.batch.back().length; }

static bool is_apart(const SettledEnds& ends) { return ends.in.how == Converted::kApart || ends.out.how == Converted::kApart; }

SettledEnds settle_ends(Scope& scope, const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order) {
  const Node& node = *nodes[0];
  const bool is_chain = !scope.back.empty();
  const std::int64_t reals = 2 * transform_points(scope.problem);
  SettledEnds ends{.in = stored_side(scope, node, false), .out = stored_side(scope, node, true), .batch = {}};
  if (ends.are_wide() && !is_chain) return ends;
  ends.batch = merged_batch(scope.problem);
  const std::int64_t count = innermost_count(ends);
  ends.row = 2 * scope.problem.dims.back().length;
  take_fused(scope, node, ends.in, ends.out);
  StoredSide &in = ends.in, &out = ends.out;
  ends.tiles = takes_tiles(scope, node, in, out);
  if (!in.fused() && !out.fused()) ends.most_across = most_across(scope);
  // What is fused into one sweep of a chain needs no spectrum.
  const bool has_spectrum =
      is_chain && (order.size() > 1 || !chain_is_fused(scope, *nodes[order[0]], *scope.back[order[0]], order));
  if (ends.tiles) {
    if (!in.direct()) in.how = Converted::kStaged;
    ends.work = out.direct() ? 0 : kept_reals(node);
  } else if (is_apart(ends) || has_spectrum) {
    ends.work = reals;
  }
  if (in.direct() && out.direct() && !is_chain) {
    ends.together = count;
    return ends;
  }
  // A group of lines of several passes between f32 and f64 gains nothing: 64*64 f64->f32 1.02 of the time of one at a time, 100*64 1.18.
  const bool in_registers = in_one_call(scope, node, in, out);
  const bool one_each = !scope.sides.by_groups() && !is_chain && !in_registers && scope.problem.dims.size() == 1;
  if (in.by_panels() || out.by_panels() || ends.tiles || one_each) return ends;
  // Bits of the scheme would depend on groups, and those on threads.
  ends.together = scope.scheme.mixes_batches ? count
                                             : group_size(scope, ends, count, is_chain ? kChainGroupBytes : group_bytes(scope.sides), reals,
                                                          is_chain || in_registers ? 0 : 1);
  return ends;
}

SettledEnds settle_real_ends(const Scope& scope, const Node& line) {
  const Problem& problem = scope.problem;
  const std::int64_t n = problem.dims.back().length, lines = transform_points(problem) / n;
  const bool r2r = !problem.kinds.empty(), is_chain = !scope.back.empty();
  SettledEnds ends{.in = stored_side(scope, line, false), .out = stored_side(scope, line, true), .batch = {}};
  if (ends.are_wide() && !is_chain) return ends;
  StoredSide& in = ends.in;
  const bool is_zoom = problem.kind == Kind::kCzt;
  ends.row = is_zoom ? 2 * std::max(n, stored_length(problem, problem.dims.back(), true)) : r2r ? n + n % 2 : 2 * (n / 2 + 1);
  const std::int64_t reals = ends.row * lines, bytes = reals * static_cast<std::int64_t>(real_bytes(scope.program.compute));
  if (!r2r && in.real && !in.direct() && !in.changed) {
    const bool beside = ends.out.direct() && !is_chain;  // what is decoded would be a copy beside the caller's spectrum
    if (lines > 1) {
      ends.by_lines = bytes > (beside ? kStoredGroupBytes : kDecodedInPlace);
      if (ends.by_lines) in.how = Converted::kStaged;
    } else if (line.kind == Node::Kind::kReal && bytes > (beside ? kDecodedBeside : kDecodedInPlace)) {
      in = stored_side(scope, line.children[0], false);
    }
  }
  ends.batch = merged_batch(problem);
  const std::int64_t count = innermost_count(ends);
  if (is_apart(ends) || is_chain) ends.work = reals;
  if (ends.by_lines || in.by_panels()) return ends;
  // Wide arrays of a chain: both arrays of a real node are in L1.
  const bool direct = in.direct() && ends.out.direct();
  ends.together = direct ? group_size(scope, ends, count, kRealGroupBytes, lines * 2 * child_length(n), 0)
                         : group_size(scope, ends, count, group_bytes(scope.sides), reals, 0);
  return ends;
}

bool panels_fit(const Storage& storage, std::int64_t panel, std::int64_t row, std::int64_t codes) {
  const std::int64_t aligned = run_alignment(storage);
  return aligned != 0 && (panel >= row || codes * panel % aligned == 0);
}

std::optional<SettledEnds> settle_plane_ends(const Scope& scope, const Node& columns, bool must) {
  const std::vector<Dimension>& dims = scope.problem.dims;
  SettledEnds ends{.in = stored_side(scope, columns, false), .out = stored_side(scope, columns, true),
                   .batch = merged_batch(scope.problem)};
  for (StoredSide* const side : {&ends.in, &ends.out}) {
    if (side->wide && !side->power) {
      if (side->direct()) continue;
      if (must) scope.refuse("Around a narrow array, wide ones have the type of the arithmetic");
      return std::nullopt;
    }
    const bool dense = !side->split && side->stride(dims.back()) == 1;
    if (dense && (!side->output || panels_fit(side->storage, columns.panel, dims.back().length, side->power ? 1 : 2))) {
      side->how = Converted::kStaged;
      side->narrow = narrow_side(scope, *side);
    } else if (!side->output) {
      if (must) scope.refuse("Around a narrow array, narrow input is interleaved rows of adjacent numbers");
      return std::nullopt;
    }
    side->row_step = side->stride(dims[0]) * (side->rows ? side->row_reals * (side->power ? 2 : 1) : 2);
  }
  return ends;
}

}  // namespace ulpfft
