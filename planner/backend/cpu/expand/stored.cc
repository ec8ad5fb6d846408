// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/expand/stored.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>

#include "codelets/registry.h"
#include "planner/backend/cpu/expand/scope.h"
#include "planner/convert/storage_by_name.h"
#include "planner/convert/stored_rows.h"
#include "planner/facts/conversion_cost.h"
#include "planner/facts/group_bytes.h"
#include "planner/facts/prescale_target.h"

namespace ulpfft {

const BlockRows* add_block_rows(Scope& scope, const StoredSide& side, const StoredGroup& group) {
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
  rows->row_step = group.row_step;
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

}  // namespace ulpfft
