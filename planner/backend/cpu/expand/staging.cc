// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Narrow storage between passes, as steps.
#include "planner/backend/cpu/expand/staging.h"

#include <algorithm>

#include "codelets/registry.h"
#include "planner/backend/cpu/expand/scope.h"
#include "planner/convert/underflow.h"
#include "wisdom/error.h"

namespace ulpfft {

void add_stage(Scope& scope, const PassSpec& pass, std::int64_t length, std::int64_t block, std::int64_t n, const View& work,
               StoredStage layout) {
  const Storage storage = intermediate_storage(pass.format);
  if (storage.scale != nullptr && storage.length == 0)
    scope.refuse("'" + pass.format + "' between passes of dit needs blocks of some length, not of whole rows");
  if (storage.scale != nullptr && block != n && 2 * block % storage.length != 0) {
    scope.refuse("Behind '/' a pass works on " + std::to_string(block) + " points, which blocks of '" + pass.format + "' do not divide");
  }
  auto stage = std::make_shared<StoredStage>(std::move(layout));
  const ConversionEntry& conversion = scope.conversion_of(storage, pass.format);
  stage->storage = storage;
  stage->decode = conversion.decode;
  stage->encode = conversion.encode;
  stage->is_f64 = conversion.is_f64;
  stage->to_zero = largest_to_zero(*storage.element);
  stage->points = block;
  stage->exponent = scope.power_after(scope.base_length * length);
  Pass added;
  added.op = RoundStage{stage.get()};
  Operands& args = added.args;
  args.in = args.out = work;
  args.lanes = static_cast<std::int64_t>(stage->columns.size());
  PassUse use;
  use.lanes = args.lanes;
  use.butterflies = block * use.lanes;
  use.working_set = 2.0 * static_cast<double>(use.butterflies) * static_cast<double>(real_bytes(scope.program.compute));
  scope.add_pass(scope.require_line(PassKind::kEncode), std::move(added), (block + kStagePoints - 1) / kStagePoints, use);
  scope.program.stored_stages.push_back(std::move(stage));
}

CodedPlace coded_place(const CodedArray& array, std::int64_t reals) {
  const std::int64_t rows = reals / array.row_reals, inside = reals % array.row_reals;
  CodedPlace place{rows * array.row_bytes + inside * array.storage.element->bits / 8, rows * array.row_scale_bytes};
  if (array.storage.scale != nullptr && inside != 0) place.scales += inside / array.storage.length * ((array.storage.scale->bits + 7) / 8);
  return place;
}

Pass& add_panel_pass(Scope& scope, const CodeletInfo& codelet, Pass pass, std::int64_t extent, PassUse use, const LineEnd* in,
                                  const LineEnd* out) {
  const Scope::Level before = scope.level();
  const Operands& args = pass.args;
  const std::int64_t bytes = static_cast<std::int64_t>(real_bytes(scope.program.compute));
  const int radix = codelet.body->radix;
  const auto stage = [&](const LineEnd& end, std::int64_t positions, std::int64_t skip) {
    Staging staging;
    staging.codes = end.coded->codes_array;
    staging.scales = end.coded->scales_array;
    auto columns = std::make_shared<CodedColumns>();
    columns->array = *end.coded;
    const bool output = &end == out;
    const View& view = output ? args.out : args.in;
    columns->origin = coded_place(*end.coded, view.offset - skip) + CodedPlace{end.coded->code_offset, end.coded->scale_offset};
    columns->number = coded_place(*end.coded, end.number_reals);
    columns->step = coded_place(*end.coded, output ? args.axes[1].out_stride : args.axes[0].in_stride);
    columns->point = coded_place(*end.coded, view.point_stride);
    columns->wrap = coded_place(*end.coded, view.wrap);
    columns->radix = radix;
    columns->skip = skip;
    const std::int64_t row = skip + 2 * args.lanes;
    columns->chunk = std::clamp<std::int64_t>(kTileBytes / (radix * row * bytes), 1, positions);
    const Area tile = scope.allocate(radix * columns->chunk * row);
    staging.tile = tile.array;
    columns->streams = output && args.out.non_temporal;
    const std::int64_t aligned = run_alignment(end.coded->storage);
    const bool apart = !(end.coded->joins && row == end.coded->row_reals);  // else rows are one already
    columns->joins = aligned != 0 && row % aligned == 0 && (columns->streams || (end.coded->storage.scale != nullptr && apart));
    columns->most_rows = columns->chunk;
    // Codes have at most half the bits of a real, scales an eighth.
    if (columns->streams || columns->joins) columns->codes_offset = scope.allocate_beside(tile, columns->chunk * row).offset;
    staging.how = std::move(columns);
    return staging;
  };
  const auto bits = [](const CodedArray& array) {
    return static_cast<double>(array.row_bytes + array.row_scale_bytes) * 8 / static_cast<double>(array.row_reals);
  };
  StagedPanel staged;
  if (out != nullptr && out->coded != nullptr) {
    staged.out = stage(*out, args.axes[1].count, 0);
    use.out_bits = bits(*out->coded);
  }
  if (in != nullptr && in->coded != nullptr) {
    staged.in = stage(*in, extent, in->coded->whole_rows ? in->offset % in->coded->row_reals : 0);
    use.in_bits = bits(*in->coded);
  }
  if (staged.in.how != nullptr || staged.out.how != nullptr) pass.op = std::move(staged);
  Pass& added = scope.add_pass(codelet, std::move(pass), extent, use);
  scope.leave(before);
  return added;
}

NarrowArray coded_matrix(Scope& scope, const std::string& name, std::int64_t rows, std::int64_t points) {
  NarrowArray matrix;
  matrix.storage = intermediate_storage(name);
  const ConversionEntry& conversion = scope.conversion_of(matrix.storage, name);
  matrix.decode = conversion.decode;
  matrix.encode = conversion.encode;
  matrix.is_f64 = conversion.is_f64;
  matrix.to_zero = largest_to_zero(*matrix.storage.element);
  matrix.row_reals = 2 * points;
  matrix.row_bytes = code_bytes(matrix.storage, matrix.row_reals);
  matrix.row_scale_bytes = scale_bytes(matrix.storage, matrix.row_reals);
  const std::int64_t aligned = run_alignment(matrix.storage);
  matrix.joins = aligned != 0 && matrix.row_reals % aligned == 0;
  const std::int64_t bytes = static_cast<std::int64_t>(real_bytes(scope.program.compute));
  std::int64_t codes = 0, scales = 0;
  if (__builtin_mul_overflow(rows, matrix.row_bytes, &codes) || __builtin_mul_overflow(rows, matrix.row_scale_bytes, &scales)) {
    scope.refuse("The workspace would exceed 2^62 bytes");
  }
  const Area area = scope.allocate(codes / bytes + 1);
  const Area beside = scope.allocate_beside(area, scales / bytes + 1);
  scope.program.arrays.back().narrow = true;
  matrix.codes_array = matrix.scales_array = area.array;
  matrix.code_offset = 0;
  matrix.scale_offset = beside.offset * bytes;
  return matrix;
}

void add_coded_twist(Scope& scope, Pass pass, PassUse use, const NarrowArray& matrix, std::int64_t number_reals) {
  const Operands& args = pass.args;
  auto columns = std::make_shared<CodedColumns>();
  columns->array = matrix;
  columns->origin = coded_place(matrix, args.out.offset) + CodedPlace{matrix.code_offset, matrix.scale_offset};
  columns->number = coded_place(matrix, number_reals);
  columns->step = {matrix.row_bytes, matrix.row_scale_bytes};
  columns->point = coded_place(matrix, args.twist.block_stride);
  const Area tile = scope.allocate(args.lanes * matrix.row_reals);
  columns->streams = args.out.non_temporal;
  columns->most_rows = args.lanes;
  if (columns->streams) columns->codes_offset = scope.allocate_beside(tile, args.lanes * matrix.row_reals).offset;
  use.out_bits = static_cast<double>(matrix.row_bytes + matrix.row_scale_bytes) * 8 / static_cast<double>(matrix.row_reals);
  pass.op = StagedTwist{{std::move(columns), matrix.codes_array, matrix.scales_array, tile.array}};
  scope.add_pass(scope.require_line(PassKind::kTwist), std::move(pass), 1, use);
}

bool sweeps_take(const Scope& scope, const Node& node, const ArrayShape& shape, bool output) {
  const auto on_columns = [](const Node& child) { return child.kind == Node::Kind::kN || child.kind == Node::Kind::kDit; };
  if (scope.problem.dims.size() != 1 || node.kind != Node::Kind::kFour || node.children.size() != 2 || node.panel < 1 || node.n < 2 ||
      node.m < 2)
    return false;
  if (shape.wide || shape.split || !on_columns(node.children[0]) || (output && !on_columns(node.children[1]))) return false;
  const Dimension& d = scope.problem.dims[0];
  if ((output ? d.out_stride : d.in_stride) != 1) return false;
  // Panels begin and end with bytes and blocks.
  const std::int64_t aligned = run_alignment(shape.storage);
  const std::int64_t row = output ? node.n : node.m;
  const std::int64_t shift = scope.problem.centered ? d.length / 2 % row : 0;
  return aligned != 0 && 2 * row % aligned == 0 && 2 * std::min(node.panel, row) % aligned == 0 && 2 * shift % aligned == 0;
}

void look_ahead_of(Scope& scope, std::size_t reserved) {
  const std::vector<Item>& passes = scope.body();
  auto ahead = std::make_shared<std::vector<Item>>(passes.begin() + static_cast<std::ptrdiff_t>(reserved) + 1, passes.end());
  // The copies of what encodes for the caller only look, and stages between passes do not count again.
  const auto looking = [](Staging& staging) {
    if (staging.how == nullptr) return;
    auto copy = std::make_shared<CodedColumns>(*staging.how);
    copy->looks = copy->array.user;
    staging.how = std::move(copy);
  };
  const auto change = [&](const auto& self, std::vector<Item>& items) -> void {
    for (Item& item : items) {
      if (Loop* loop = item.loop()) {
        self(self, loop->body);
      } else if (item.pass() == nullptr) {
        continue;
      } else if (auto* staged = std::get_if<StagedPanel>(&item.pass()->op)) {
        looking(staged->in);
        looking(staged->out);
      } else if (auto* round = std::get_if<RoundStage>(&item.pass()->op)) {
        auto copy = std::make_shared<StoredStage>(*round->stage);
        copy->counts = false;
        round->stage = copy.get();
        scope.program.stored_stages.push_back(std::move(copy));
      }
    }
  };
  change(change, *ahead);
  scope.body()[reserved].pass()->op = FindExponent{std::move(ahead)};
}

}  // namespace ulpfft
