// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Narrow storage around wide arithmetic: a group of transforms is decoded into the workspace, transformed there, and encoded from there.
//
// Chains of any storage go the same way, with their spectrum there. A side that is wide is read or written by the passes themselves, unless
// it is not the arithmetic's type: then a line pass converts it.
#include "planner/backend/cpu/expand/stored.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>

#include "codelets/registry.h"
#include "planner/backend/cpu/expand/chain.h"
#include "planner/backend/cpu/expand/line_packing.h"
#include "planner/backend/cpu/expand/node.h"
#include "planner/backend/cpu/expand/scope.h"
#include "planner/convert/storage_by_name.h"
#include "planner/convert/stored_rows.h"
#include "planner/facts/conversion_cost.h"
#include "planner/facts/group_bytes.h"
#include "planner/facts/prescale_target.h"

namespace ulpfft {
static void expand_stored_group(Scope& scope, const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order,
                                const StoredSide& in, const StoredSide& out, const StoredGroup& group);

void open_transforms(Scope& scope, const Dimension& d, std::int64_t count, std::int64_t iterations, std::int64_t transforms,
                     const StoredSide& in, const StoredSide& out) {
  const std::int64_t in_step = iterations * d.in_stride, out_step = iterations * d.out_stride;
  const bool exponents = scope.sides.by_groups() || !scope.back.empty();
  scope.begin_parallel(count, {{ArrayId::kIn, in_step * in.unit},
                                {ArrayId::kOut, out_step * out.unit},
                                {ArrayId::kInScales, in_step * in.scale_bytes},
                                {ArrayId::kOutScales, out_step * out.scale_bytes},
                                {ArrayId::kExponents, exponents ? transforms * static_cast<std::int64_t>(sizeof(std::int32_t)) : 0}});
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

// Where neither side is direct, the dit nodes that stream are replaced by copies in `own` that do not: passes stream only what they read or
// write of the caller's arrays. Returns whether one streams.
static bool settle_streams(std::vector<const Node*>& nodes, bool direct, std::vector<Node>& own) {
  bool streams = false;
  for (const Node*& node : nodes) {
    if (node->kind != Node::Kind::kDit || !node->stream) continue;
    streams = true;
    if (direct) continue;
    own.push_back(*node);
    own.back().stream = false;
    node = &own.back();
  }
  return streams;
}

// Whether a group needs a work array of its own: what is fused into one sweep needs no spectrum.
static bool needs_copy(const Scope& scope, const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order,
                       const StoredSide& in, const StoredSide& out) {
  if (!(in.by_panels() || in.direct()) || !(out.by_panels() || out.direct())) return true;
  return !scope.back.empty() && (order.size() > 1 || !chain_is_fused(scope, *nodes[order[0]], *scope.back[order[0]], order));
}

void expand_stored(Scope& scope, const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order) {
  const std::vector<Dimension> batch = merged_batch(scope.problem);
  std::vector<std::int64_t> inner(batch.size() + 1, 1);  // transforms in one iteration
  for (std::size_t b = batch.size(); b-- > 0;) inner[b] = inner[b + 1] * batch[b].length;
  StoredGroup group;
  if (!batch.empty()) group.loop = batch.back();
  const std::int64_t count = group.loop.length, reals = 2 * transform_points(scope.problem);
  const SettledEnds ends = settle_ends(scope, nodes, count);
  const StoredSide &in = ends.in, &out = ends.out;
  std::size_t opened = 0;
  for (; opened + 1 < batch.size(); ++opened) open_transforms(scope, batch[opened], batch[opened].length, 1, inner[opened + 1], in, out);

  const bool is_chain = !scope.back.empty();
  scope.keeps_spectrum = is_chain && reals * static_cast<std::int64_t>(real_bytes(scope.program.compute)) < kSpectrumStreams;
  const bool copies = needs_copy(scope, nodes, order, in, out);
  group.tiles = ends.by_lines;
  const std::int64_t size = ends.together;
  std::vector<Node> own;
  own.reserve(2 * nodes.size());
  std::vector<const Node*> inner_nodes = nodes;
  const bool there_streams = settle_streams(inner_nodes, in.direct() || out.direct(), own);
  const bool back_streams = settle_streams(scope.back, in.direct() || out.direct(), own);
  group.streams = there_streams || back_streams;
  const double grown = scope.grown;
  const auto expand_group = [&](std::int64_t first, std::int64_t transforms) {
    scope.grown = grown;
    const Scope::Level before = scope.level();
    group.repeats = transforms == size && count > 2 * size;
    group.first = first;
    group.transforms = transforms;
    group.across = transforms > 1 && ends.most_across > 0;
    scope.next_line = out.power && in.direct() && transforms == 1 && count > 1 ? in.unit * group.loop.in_stride : 0;
    if (group.tiles) {
      if (!out.direct()) group.work = scope.allocate(kept_reals(*inner_nodes[0]));
    } else if (copies) {
      group.work = scope.allocate(reals * transforms);
    }
    if (scope.program.prescale_target != 0) group.undo = scope.allocate_beside(group.work, transforms);
    expand_stored_group(scope, inner_nodes, order, in, out, group);
    scope.leave(before);
  };
  const std::int64_t whole = count / size;
  if (whole > 1) open_transforms(scope, group.loop, whole, size, size, in, out);
  expand_group(0, size);
  if (whole > 1) scope.end_repeat();
  if (count % size != 0) expand_group(whole * size, count % size);
  for (; opened > 0; --opened) scope.end_repeat();
}

static const BlockRows* add_block_rows(Scope& scope, const StoredSide& side, const StoredGroup& group) {
  auto rows = std::make_shared<BlockRows>();
  rows->storage = side.storage;
  rows->decode = scope.codec_of(side.storage, side.format).decode;
  rows->row_bytes = side.outer_bytes;
  rows->row_scale_bytes = side.scale_bytes;
  rows->shift = std::countr_zero(static_cast<std::uint32_t>(rows->storage.length));
  rows->scale_offset = group.first * group.loop.in_stride * rows->row_scale_bytes;
  if (group.streams) rows->fetch = std::max<std::int64_t>(1, kFetchAhead / rows->row_bytes) * group.loop.in_stride * rows->row_bytes;
  scope.program.block_rows.push_back(std::move(rows));
  return scope.program.block_rows.back().get();
}

static std::shared_ptr<StoredRows> stored_rows(const Scope& scope, const StoredSide& side, const StoredGroup& group) {
  const std::vector<Dimension>& dims = scope.problem.dims;
  const Dimension& last = dims.back();
  auto rows = std::make_shared<StoredRows>();
  static_cast<Codec&>(*rows) = side.wide ? wide_codec(side.storage, real_bytes(scope.program.compute) == 8)
                                         : scope.codec_of(side.storage, side.format);
  if (side.power) rows->power = powers_of(scope.codelets, !rows->is_f64);
  rows->prescale_target = scope.program.prescale_target;
  rows->undo_offset = group.undo.offset * static_cast<std::int64_t>(real_bytes(scope.program.compute));
  const FormatInfo* const element = scope.scheme.element;
  // An infinity of the scheme stays one.
  if (element != nullptr && std::string_view(side.format) == element->name) rows->rounding = Rounding::kNearest;
  rows->output = side.output;
  rows->split = side.split;
  rows->work_offset = group.work.offset;
  const NarrowPlace row_bytes{side.outer_bytes, side.scale_bytes};
  const auto add_loop = [&](std::int64_t count, std::int64_t step) {
    if (count == 1) return;
    const StoredRows::Loop loop{count, row_bytes * step};
    if (!rows->loops.empty() && rows->loops.back().step == loop.step * count) {
      rows->loops.back() = {rows->loops.back().count * count, loop.step};
    } else {
      rows->loops.push_back(loop);
    }
  };
  const std::int64_t row = side.row;
  if (!group.across) add_loop(group.transforms, side.stride(group.loop));
  if (group.lines > 0) {
    add_loop(group.lines, side.stride(dims[group.along]));
  } else {
    for (std::size_t d = 0; d + (group.across ? 0 : 1) < dims.size(); ++d) add_loop(dims[d].length, side.stride(dims[d]));
  }
  if (rows->loops.empty()) rows->loops.push_back({});
  rows->across = group.across;
  rows->row_points = group.across ? group.transforms : row;
  rows->element_reals = side.real_in_passes() ? 1 : 2;
  rows->row_step = group.row_step != 0 ? group.row_step : 2 * rows->row_points;
  rows->code_stride = group.across || side.rows || row == 1 ? 1 : side.stride(last);
  rows->transforms = group.transforms;
  rows->transform_points = group.lines > 0 ? group.lines * row : stored_points(scope.problem, side.output);
  const std::int64_t first =
      group.first * side.stride(group.loop) + (group.lines > 0 ? group.first_line * side.stride(dims[group.along]) : 0);
  rows->origin = row_bytes * first;
  rows->exponent_offset = group.first;
  rows->piece_points = rows->row_points;
  const std::int64_t aligned = run_alignment(side.storage);
  if (scope.threads > 1 && aligned != 0 && row > kPiecePoints && !group.across && group.lines == 0) {
    rows->piece_points = kPiecePoints;  // a multiple of every alignment: blocks have at most 64 reals
    rows->pieces = (row + kPiecePoints - 1) / kPiecePoints;
  }
  // Apart from each other, codes neither fill lines nor are they lines to fetch.
  if (group.streams && rows->code_stride == 1) {
    rows->streams = side.output;
    if (!side.output && group.repeats) rows->fetch = group.transforms * side.stride(group.loop) * side.outer_bytes;
  }
  if (side.windowed) {
    rows->multiply = window_products_of(scope.codelets, !rows->is_f64);
    rows->window_row = row;
    rows->window_rows = rows->transform_points / row;
  }
  rows->is_plain = !side.split && rows->code_stride == 1 && rows->pieces == 1 && rows->loops.size() == 1;
  rows->is_line = dims.size() == 1 && rows->pieces == 1 && !group.across;
  return rows;
}

// Adds the pass that converts a narrow side of a group, and the one that looks after its exponents.
void add_stored_rows(Scope& scope, const StoredSide& side, const StoredGroup& group) {
  std::shared_ptr<StoredRows> rows = stored_rows(scope, side, group);
  if (group.tiles && side.output) {
    const std::int64_t im_offset = placed(scope.program, group.work.array).im_offset;
    rows->im_offset = im_offset;
    rows->shift = scope.problem.centered ? rows->transform_points / 2 : 0;
    if (im_offset != 1 && scope.problem.direction == Direction::kBackward) {  // re and im change places
      rows->work_offset += im_offset;
      rows->im_offset = -im_offset;
    }
  }
  scope.program.streams = scope.program.streams || rows->streams;

  using Work = ConvertGroup::Work;
  const auto add = [&](Work work, std::int64_t count, std::int64_t points) {
    Pass pass;
    pass.op = ConvertGroup{work, rows.get()};
    pass.parallel = count > 1;
    Operands& args = pass.args;
    args.in.array = side.output ? group.work.array : ArrayId::kIn;
    args.out.array = side.output ? ArrayId::kOut : group.work.array;
    args.in.point_stride = args.out.point_stride = 2;
    args.out.non_temporal = rows->streams;
    args.lanes = points / count;
    PassUse use;
    use.lanes = std::max<std::int64_t>(1, points / count);
    use.butterflies = points;
    if (side.real_in_passes()) {  // codelets and their costs know complex numbers
      use.lanes = (use.lanes + 1) / 2;
      use.butterflies = (points + 1) / 2;
    }
    use.working_set = 4.0 * static_cast<double>(use.lanes) * static_cast<double>(real_bytes(scope.program.compute));
    use.conversion = relative_cost(rows->storage, side.output);
    use.user_bits = storage_bits(side.storage);
    if (side.windowed && work == Work::kDecode) {
      pass.table = scope.add_table(window_of(scope.problem));
      use.conversion += kWindowCost;
      const std::int64_t reals = rows->element_reals + (rows->window_rows > 1 ? 1 : 0);  // several factors are one
      scope.program.muls += static_cast<double>(points * reals) * static_cast<double>(scope.loop_calls);
    }
    scope.add_pass(scope.require_line(side.output ? PassKind::kEncode : PassKind::kDecode), std::move(pass), count, use);
  };
  const std::int64_t points = rows->transform_points * group.transforms;
  const std::int64_t units = points / rows->row_points * rows->pieces;
  if (group.tiles && !side.output) {
    if (scope.program.prescale_target != 0) add(Work::kFindPrescale, 1, points);
  } else if (group.tiles) {
    if (!rows->is_line) add(Work::kFitKept, 1, 0);
    add(Work::kEncodeKept, rows->pieces, points);
  } else if (side.output) {
    if (!rows->is_line) add(Work::kChooseExponents, group.transforms, 0);
    add(Work::kEncode, units, points);
  } else {
    add(Work::kDecode, units, points);
    if (!rows->is_line) add(Work::kApplyExponents, group.transforms, 0);
  }
  scope.program.stored_rows.push_back(std::move(rows));
}

// A side of the caller as the passes see it; its batch is the loop of the group.
static ArrayLines lines_of_side(Scope& scope, const StoredSide& side, const StoredGroup& group) {
  ArrayLines lines;
  lines.base.array = side.array;
  if (side.fused()) lines.base.format = (side.output ? scope.program.out : scope.program.in).format;
  for (const Dimension& d : scope.problem.dims) lines.dims.push_back(side.unit * side.stride(d));
  lines.batch = {side.unit * side.stride(group.loop)};
  lines.base.offset = group.first * lines.batch[0];
  lines.base.swap = scope.problem.direction == Direction::kBackward;
  if (side.fused() && side.rows) {
    lines.dims = {2};
    lines.base.blocks = add_block_rows(scope, side, group);
  }
  if (!side.by_panels()) return lines;
  lines.base.offset = 0;  // a group is one transform, to which the loops have moved
  lines.dims = {2};
  return lines;
}

// The dense transforms of a group in the workspace.
static ArrayLines lines_of_work(const Scope& scope, const StoredGroup& group) {
  const std::vector<Dimension>& dims = scope.problem.dims;
  ArrayLines lines;
  lines.base.array = group.work.array;
  lines.base.offset = group.work.offset;
  lines.base.swap = scope.problem.direction == Direction::kBackward;
  lines.dims.resize(dims.size());
  std::int64_t dense = group.across ? 2 * group.transforms : 2;
  for (std::size_t d = dims.size(); d-- > 0;) {
    lines.dims[d] = dense;
    dense *= dims[d].length;
  }
  lines.batch = {group.across ? 2 : 2 * transform_points(scope.problem)};
  return lines;
}

// Converts a side between the caller's array and `work`: a wide side of another type line by line, others as the group says.
static void convert_side(Scope& scope, const StoredSide& side, const ArrayLines& work, const StoredGroup& group) {
  if (side.by_groups) return add_stored_rows(scope, side, group);
  const std::vector<Dimension>& dims = scope.problem.dims;
  const ArrayLines user = lines_of_side(scope, side, group);
  const ArrayLines &from = side.output ? work : user, &to = side.output ? user : work;
  Place lines;
  lines.in = from.base;
  lines.out = to.base;
  lines.in.swap = lines.out.swap = false;
  if (group.transforms > 1) lines.loops.push_back({group.transforms, from.batch[0], to.batch[0]});
  for (std::size_t d = 0; d + 1 < dims.size(); ++d) {
    if (dims[d].length > 1) lines.loops.push_back({dims[d].length, from.dims[d], to.dims[d]});
  }
  expand_conversion(scope, side.output ? PassKind::kEncode : PassKind::kDecode, lines, from.dims.back(), to.dims.back(), 1.0);
}

static void expand_stored_group(Scope& scope, const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order,
                                const StoredSide& in, const StoredSide& out, const StoredGroup& group) {
  const ArrayLines work = lines_of_work(scope, group);
  const bool reads = in.direct() || in.by_panels() || group.tiles, writes = out.direct() || out.by_panels();
  if (!reads) convert_side(scope, in, work, group);
  ArrayLines first_source = reads ? lines_of_side(scope, in, group) : work;
  ArrayLines target = writes ? lines_of_side(scope, out, group) : work;
  if (group.tiles) {
    if (!in.direct()) {
      add_stored_rows(scope, in, group);
      first_source.base.stored = scope.program.stored_rows.back().get();
      first_source.base.stored_work = group.work.array;
      first_source.base.offset = 0;
      first_source.dims = {2};
    }
    target.base.keeps = !out.direct();
  }
  if (!scope.back.empty()) expand_chain(scope, nodes, order, first_source, work, target, {group.first, group.transforms});
  std::int64_t transformed = 1;
  for (std::size_t i = 0; i < order.size() && scope.back.empty(); ++i) {
    const bool first = i == 0;
    const ArrayLines& source = first ? first_source : target;
    std::vector<LoopAround> loops;
    if (group.transforms > 1) loops.push_back({group.transforms, source.batch[0], target.batch[0]});
    expand_dimension(scope, *nodes[order[i]], order[i], source, target, rounded_scale(scope), first, i + 1 == order.size(),
                     std::move(loops), transformed);
  }
  if (!writes) convert_side(scope, out, work, group);
}

}  // namespace ulpfft
