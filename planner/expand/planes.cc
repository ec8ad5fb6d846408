// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// rank([|format; ]cols(...); node) with something narrow: planes whose rows go into a matrix, and whose columns come from it. Without a
// format: where cols streams.
//
// Narrow arrays of the caller are decoded by groups of rows and encoded by panels of columns. The matrix is one transform of workspace, or
// its codes: then rows of a group are transformed in a buffer and encoded, and panels decode them.
#include "planner/expand/planes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "planner/expand/columns.h"
#include "planner/expand/node.h"
#include "planner/expand/scope.h"
#include "planner/expand/staging.h"
#include "planner/expand/stored.h"
#include "planner/facts/group_bytes.h"

namespace ulpfft {

// Rows of a plane, from or to dense reals; the first of them are row `first` + `rows` * number.
static void add_coded_rows(Scope& scope, const NarrowArray& array, bool encodes, std::int64_t first, std::int64_t rows, std::int64_t row_step, std::int64_t points,
                                 bool numbered, const Area& reals) {
  auto coded = std::make_shared<CodedColumns>();
  coded->array = array;
  coded->step = coded_place(array, row_step);
  coded->origin = coded->step * first + CodedPlace{array.code_offset, array.scale_offset};
  if (numbered) coded->number = coded->step * rows;
  coded->args.lanes = points;
  coded->chunk = rows;
  coded->tile_offset = reals.offset;
  Pass pass;
  pass.op = ConvertRows{{coded, array.codes_array, array.scales_array, reals.array}, encodes};
  Operands& args = pass.args;
  args.in.array = encodes ? reals.array : array.codes_array;
  args.out.array = encodes ? array.codes_array : reals.array;
  args.lanes = points;
  PassUse use;
  use.lanes = points;
  use.butterflies = rows * points;
  use.working_set = 4.0 * static_cast<double>(use.butterflies) * static_cast<double>(real_bytes(scope.program.compute));
  scope.add_pass(scope.require_line(encodes ? PassKind::kEncode : PassKind::kDecode), std::move(pass), 1, use);
}

static void expand_plane(Scope& scope, const Node& root, const StoredSide& in, const StoredSide& out) {
  const std::vector<Dimension>& dims = scope.problem.dims;
  const std::int64_t n0 = dims[0].length, n1 = dims[1].length;
  const Node& columns = root.children[0];
  const Node& child = columns.children[0];
  const bool backward = scope.problem.direction == Direction::kBackward;
  const bool narrow = !root.format.empty();
  NarrowArray coded;
  if (narrow) coded = coded_matrix(scope, root.format, n0, n1);
  coded.whole_rows = false;
  const Area matrix = narrow ? Area{coded.codes_array, 0} : scope.allocate(2 * n0 * n1);
  const std::int64_t panel = std::min(columns.panel, n1);
  const auto fits = [&](const Storage& storage) {
    const std::int64_t aligned = run_alignment(storage);
    return aligned != 0 && (panel == n1 || 2 * panel % aligned == 0);
  };
  if (narrow && !fits(coded.storage)) scope.refuse("Blocks of '" + root.format + "' do not divide panels of " + std::to_string(panel) + " columns");

  // Rows.
  const std::int64_t group = std::clamp<std::int64_t>(kStoredGroupBytes / (2 * n1 * static_cast<std::int64_t>(real_bytes(scope.program.compute))), 1, n0);
  const auto emit_rows = [&](std::int64_t first, std::int64_t rows, bool numbered) {
    const Scope::Level before = scope.level();
    const Area buffer = in.coded || narrow ? scope.allocate(2 * n1 * rows) : Area();
    Place place;
    place.n = n1;
    place.out = narrow ? LineEnd{buffer.array, buffer.offset} : LineEnd{matrix.array, matrix.offset + 2 * n1 * first};
    if (in.coded) {
      add_coded_rows(scope, in.narrow, false, first, rows, in.row_step, n1, numbered, buffer);
      place.in = {buffer.array, buffer.offset};
      place.loops = {{rows, 2 * n1, 2 * n1}};
    } else {
      place.in.array = ArrayId::kIn;
      place.in.offset = first * in.unit * dims[0].in_stride;
      place.in.stride = in.unit * dims[1].in_stride;
      place.loops = {{rows, in.unit * dims[0].in_stride, 2 * n1}};
    }
    place.in.swap = backward;
    place.in.shift = place.out.shift = scope.problem.centered ? n1 / 2 : 0;
    place.scale = rounded_scale(scope);
    if (rows == 1) place.loops.clear();
    expand_node(scope, root.children[1], place);
    if (narrow) add_coded_rows(scope, coded, true, first, rows, coded.row_reals, n1, numbered, buffer);
    scope.leave(before);
  };
  scope.base_length = 1;
  const bool encodes = std::exchange(scope.stores_narrow, narrow);
  const std::int64_t groups = n0 / group;
  scope.begin_parallel(groups, {{ArrayId::kIn, in.coded ? 0 : group * in.unit * dims[0].in_stride}, {matrix.array, narrow ? 0 : 2 * n1 * group}})
      .numbered = true;
  emit_rows(0, group, true);
  scope.end_repeat();
  if (n0 % group != 0) emit_rows(groups * group, n0 % group, false);

  scope.stores_narrow = encodes;

  // Columns.
  scope.base_length = n1;
  const bool takes = out.coded && fits(out.shape.storage);
  StoredGroup copy;  // of the result; over a wide matrix, which panels may overwrite with theirs
  if (!takes && !out.direct) copy.work = narrow ? scope.allocate(2 * n0 * n1) : matrix;
  const std::size_t reserved = scope.body().size();
  if (takes) scope.add_pass(scope.require_line(PassKind::kEncode), {}, 1, {});
  Place place;
  place.n = n0;
  place.in = {matrix.array, matrix.offset, 2 * n1, false, scope.problem.centered ? n0 / 2 : 0, narrow ? &coded : nullptr};
  place.out.shift = place.in.shift;
  place.out.swap = backward;
  place.scale = std::ldexp(1.0, scope.power_after(n1));
  LoopAround lane{n1, 2, 2};
  if (takes) {
    place.out.coded = &out.narrow;
    place.out.stride = out.row_step;
  } else if (out.direct) {
    place.out.stride = out.unit * dims[0].out_stride;
    lane.out_stride = out.unit * dims[1].out_stride;
  } else {
    place.out.array = copy.work.array;
    place.out.offset = copy.work.offset;
    place.out.stride = 2 * n1;
  }
  place.streams = columns.stream && (takes || out.direct);
  place.fetches = columns.stream;
  const std::int64_t panels = n1 / panel;
  place.in.number_reals = 2 * panel;
  place.out.number_reals = 2 * panel;
  scope.begin_parallel(panels, {{matrix.array, narrow || place.out.array == matrix.array ? 0 : 2 * panel}, {place.out.array, takes ? 0 : panel * lane.out_stride}})
      .numbered = true;
  expand_panel(scope, child, place, lane, panel, panel);
  scope.end_repeat();
  if (n1 % panel != 0) {
    place.in.number_reals = place.out.number_reals = 0;
    place.in.offset += panels * panel * 2;
    place.out.offset += panels * panel * (takes ? 2 : lane.out_stride);
    expand_panel(scope, child, place, lane, n1 % panel, panel);
  }
  if (takes) look_ahead_of(scope, reserved);
  if (!takes && !out.direct) add_stored_rows(scope, out, copy);
}

bool expand_planes(Scope& scope, const std::vector<const Node*>& nodes) {
  const Node& root = scope.recipe.root;
  const std::vector<Dimension>& dims = scope.problem.dims;
  const bool must = !root.format.empty();
  const bool columns = nodes.size() == 2 && nodes[0]->kind == Node::Kind::kCols && nodes[0]->children.size() == 1 && nodes[0]->panel >= 1 &&
                       (nodes[0]->children[0].kind == Node::Kind::kDit || nodes[0]->children[0].kind == Node::Kind::kN);
  if (!columns || dims[0].length < 2 || dims[1].length < 2) {
    if (must) scope.refuse("A narrow array lies between two dimensions, the first of them cols of n or dit");
    return false;
  }
  StoredSide in = stored_side(scope, *nodes[0], false), out = stored_side(scope, *nodes[0], true);
  for (StoredSide* side : {&in, &out}) {
    if (side->shape.wide && !side->direct) {
      if (must) scope.refuse("Around a narrow array, wide ones have the type of the arithmetic");
      return false;
    }
    if (side->shape.wide) continue;
    const Dimension& last = dims.back();
    side->coded = !side->shape.split && (side->output ? last.out_stride : last.in_stride) == 1 && (!side->output || run_alignment(side->shape.storage) != 0);
    if (!side->coded && !side->output) {
      if (must) scope.refuse("Around a narrow array, narrow input is interleaved rows of adjacent numbers");
      return false;
    }
    side->narrow = coded_side(scope, *side);
    side->row_step = (side->output ? dims[0].out_stride : dims[0].in_stride) * (side->shape.rows ? side->shape.row_reals : 2);
  }
  std::size_t opened = 0;
  for (std::size_t b = 0; b < scope.problem.batch.size(); ++b) {
    std::int64_t inner = 1;
    for (std::size_t i = b + 1; i < scope.problem.batch.size(); ++i) inner *= scope.problem.batch[i].length;
    if (scope.problem.batch[b].length == 1) continue;
    open_transforms(scope, scope.problem.batch[b], scope.problem.batch[b].length, 1, inner, in, out);
    ++opened;
  }
  const Scope::Level before = scope.level();
  expand_plane(scope, root, in, out);
  scope.leave(before);
  for (; opened > 0; --opened) scope.end_repeat();
  return true;
}

}  // namespace ulpfft
