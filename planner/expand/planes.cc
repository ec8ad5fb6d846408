// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// rank([|format; ]cols(...); node) with something narrow: planes whose rows go into a matrix, and whose columns come from it. Without a
// format: where cols streams.
//
// Narrow arrays of the caller are decoded by groups of rows and encoded by panels of columns. The matrix is one transform of workspace, or
// its codes: then rows of a group are transformed in a buffer and encoded, and panels decode them.
#include <algorithm>
#include <cmath>
#include <utility>

#include "planner/expand/stored_side.h"
#include "planner/facts/group_bytes.h"

namespace ulpfft {

void PlanBuilder::add_coded_rows(const NarrowArray& array, bool encodes, std::int64_t first, std::int64_t rows, std::int64_t row_step, std::int64_t points,
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
  use.working_set = 4.0 * static_cast<double>(use.butterflies) * static_cast<double>(real_bytes(program_.compute));
  add_pass(require_line(encodes ? PassKind::kEncode : PassKind::kDecode), std::move(pass), 1, use);
}

void PlanBuilder::emit_plane(const Node& root, const StoredSide& in, const StoredSide& out) {
  const std::vector<Dimension>& dims = problem_.dims;
  const std::int64_t n0 = dims[0].length, n1 = dims[1].length;
  const Node& columns = root.children[0];
  const Node& child = columns.children[0];
  const bool backward = problem_.direction == Direction::kBackward;
  const bool narrow = !root.format.empty();
  NarrowArray coded;
  if (narrow) coded = coded_matrix(root.format, n0, n1);
  coded.whole_rows = false;
  const Area matrix = narrow ? Area{coded.codes_array, 0} : allocate(2 * n0 * n1);
  const std::int64_t panel = std::min(columns.panel, n1);
  const auto fits = [&](const Storage& storage) {
    const std::int64_t aligned = run_alignment(storage);
    return aligned != 0 && (panel == n1 || 2 * panel % aligned == 0);
  };
  if (narrow && !fits(coded.storage)) refuse("Blocks of '" + root.format + "' do not divide panels of " + std::to_string(panel) + " columns");

  // Rows.
  const std::int64_t group = std::clamp<std::int64_t>(kStoredGroupBytes / (2 * n1 * static_cast<std::int64_t>(real_bytes(program_.compute))), 1, n0);
  const auto emit_rows = [&](std::int64_t first, std::int64_t rows, bool numbered) {
    const Level before = level();
    const Area buffer = in.coded || narrow ? allocate(2 * n1 * rows) : Area();
    Place place;
    place.n = n1;
    place.out = narrow ? LineEnd{buffer.array, buffer.offset} : LineEnd{matrix.array, matrix.offset + 2 * n1 * first};
    if (in.coded) {
      add_coded_rows(in.narrow, false, first, rows, in.row_step, n1, numbered, buffer);
      place.in = {buffer.array, buffer.offset};
      place.loops = {{rows, 2 * n1, 2 * n1}};
    } else {
      place.in.array = ArrayId::kIn;
      place.in.offset = first * in.unit * dims[0].in_stride;
      place.in.stride = in.unit * dims[1].in_stride;
      place.loops = {{rows, in.unit * dims[0].in_stride, 2 * n1}};
    }
    place.in.swap = backward;
    place.in.shift = place.out.shift = problem_.centered ? n1 / 2 : 0;
    place.scale = rounded_scale();
    if (rows == 1) place.loops.clear();
    emit_node(root.children[1], place);
    if (narrow) add_coded_rows(coded, true, first, rows, coded.row_reals, n1, numbered, buffer);
    leave(before);
  };
  base_length_ = 1;
  const bool encodes = std::exchange(stores_narrow_, narrow);
  const std::int64_t groups = n0 / group;
  begin_parallel(groups, {{ArrayId::kIn, in.coded ? 0 : group * in.unit * dims[0].in_stride}, {matrix.array, narrow ? 0 : 2 * n1 * group}})
      .numbered = true;
  emit_rows(0, group, true);
  end_repeat();
  if (n0 % group != 0) emit_rows(groups * group, n0 % group, false);

  stores_narrow_ = encodes;

  // Columns.
  base_length_ = n1;
  const bool takes = out.coded && fits(out.shape.storage);
  StoredGroup copy;  // of the result; over a wide matrix, which panels may overwrite with theirs
  if (!takes && !out.direct) copy.work = narrow ? allocate(2 * n0 * n1) : matrix;
  const std::size_t reserved = body().size();
  if (takes) add_pass(require_line(PassKind::kEncode), {}, 1, {});
  Place place;
  place.n = n0;
  place.in = {matrix.array, matrix.offset, 2 * n1, false, problem_.centered ? n0 / 2 : 0, narrow ? &coded : nullptr};
  place.out.shift = place.in.shift;
  place.out.swap = backward;
  place.scale = std::ldexp(1.0, power_after(n1));
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
  begin_parallel(panels, {{matrix.array, narrow || place.out.array == matrix.array ? 0 : 2 * panel}, {place.out.array, takes ? 0 : panel * lane.out_stride}})
      .numbered = true;
  emit_panel(child, place, lane, panel, panel);
  end_repeat();
  if (n1 % panel != 0) {
    place.in.number_reals = place.out.number_reals = 0;
    place.in.offset += panels * panel * 2;
    place.out.offset += panels * panel * (takes ? 2 : lane.out_stride);
    emit_panel(child, place, lane, n1 % panel, panel);
  }
  if (takes) look_ahead_of(reserved);
  if (!takes && !out.direct) add_stored_rows(out, copy);
}

bool PlanBuilder::emit_planes(const std::vector<const Node*>& nodes) {
  const Node& root = recipe_.root;
  const std::vector<Dimension>& dims = problem_.dims;
  const bool must = !root.format.empty();
  const bool columns = nodes.size() == 2 && nodes[0]->kind == Node::Kind::kCols && nodes[0]->children.size() == 1 && nodes[0]->panel >= 1 &&
                       (nodes[0]->children[0].kind == Node::Kind::kDit || nodes[0]->children[0].kind == Node::Kind::kN);
  if (!columns || dims[0].length < 2 || dims[1].length < 2) {
    if (must) refuse("A narrow array lies between two dimensions, the first of them cols of n or dit");
    return false;
  }
  StoredSide in = stored_side(*nodes[0], false), out = stored_side(*nodes[0], true);
  for (StoredSide* side : {&in, &out}) {
    if (side->shape.wide && !side->direct) {
      if (must) refuse("Around a narrow array, wide ones have the type of the arithmetic");
      return false;
    }
    if (side->shape.wide) continue;
    const Dimension& last = dims.back();
    side->coded = !side->shape.split && (side->output ? last.out_stride : last.in_stride) == 1 && (!side->output || run_alignment(side->shape.storage) != 0);
    if (!side->coded && !side->output) {
      if (must) refuse("Around a narrow array, narrow input is interleaved rows of adjacent numbers");
      return false;
    }
    side->narrow = coded_side(*side);
    side->row_step = (side->output ? dims[0].out_stride : dims[0].in_stride) * (side->shape.rows ? side->shape.row_reals : 2);
  }
  std::size_t opened = 0;
  for (std::size_t b = 0; b < problem_.batch.size(); ++b) {
    std::int64_t inner = 1;
    for (std::size_t i = b + 1; i < problem_.batch.size(); ++i) inner *= problem_.batch[i].length;
    if (problem_.batch[b].length == 1) continue;
    open_transforms(problem_.batch[b], problem_.batch[b].length, 1, inner, in, out);
    ++opened;
  }
  const Level before = level();
  emit_plane(root, in, out);
  leave(before);
  for (; opened > 0; --opened) end_repeat();
  return true;
}

}  // namespace ulpfft
