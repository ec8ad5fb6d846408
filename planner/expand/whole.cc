// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Nodes that are one call: a codelet in registers, on scalar lanes, or of two bodies over a tile on the stack.
#include <algorithm>

#include "planner/convert/array_shape.h"
#include "planner/expand/plan_builder.h"
#include "planner/table/find_codelet.h"

namespace ulpfft {

std::size_t PlanBuilder::take_inner_loops(const Place& place, Operands& args, std::int64_t& transforms) {
  const std::size_t inner = std::min<std::size_t>(3, place.loops.size());
  const std::size_t opened = open_loops(place, place.loops.size() - inner);
  transforms = 1;
  for (std::size_t i = 0; i < inner; ++i) {
    const LoopAround& loop = place.loops[place.loops.size() - inner + i];
    transforms *= loop.count;
    // A single loop runs over the axis, which threads can share.
    if (i + 1 == inner && inner > 1) {
      args.lanes = loop.count;
      args.in.lane_stride = loop.in_stride;
      args.out.lane_stride = loop.out_stride;
    } else {
      args.axes[i] = {loop.count, loop.in_stride, loop.out_stride, 0};
    }
  }
  return opened;
}

void PlanBuilder::emit_n(const Node& node, const Place& place) {
  const CodeletInfo& codelet = require(PassKind::kWhole, node.n, TwiddleForm::kNone);
  Pass pass;
  Operands& args = pass.args;
  args.in = line_edge(place.in, place.n);
  args.out = line_edge(place.out, place.n);
  args.scale = place.scale;
  std::int64_t butterflies = 1;
  const std::size_t opened = take_inner_loops(place, args, butterflies);
  program_.bare = butterflies == 1 && place.in.shift == 0 && place.out.shift == 0 && place.scale == 1.0 &&
               (args.in.layout == Layout::kPaired || !place.in.swap) && problem_.dims.size() == 1 && place.in.array == ArrayId::kIn &&
               place.out.array == ArrayId::kOut;
  PassUse use;
  use.butterflies = butterflies;
  pass.parallel = args.axes[0].count > 1;
  add_pass(codelet, pass, args.axes[0].count, use);
  close_loops(opened);
}

namespace {

// Two passes in one call: nothing is stored between them, and the second has no form of its own.
bool is_pair(const Node& node) {
  return node.kind == Node::Kind::kDit && node.passes.size() == 2 && node.passes[0].format.empty() && node.passes[1].form == TwiddleForm::kStandard;
}

}  // namespace

const CodeletInfo* PlanBuilder::packed_codelet(const Node& node, const Place& place) const {
  const bool two = node.kind == Node::Kind::kDit;
  if (two && !is_pair(node)) return nullptr;
  if (!interleaved(place.in) || !interleaved(place.out) || place.in.stride != 2 || place.out.stride != 2) return nullptr;
  return find_codelet(cache_, codelets_, PassKind::kPacked, program_.compute, two ? node.passes[0].radix : node.n, TwiddleForm::kNone, two ? node.passes[1].radix : 0);
}

bool PlanBuilder::emit_packed(const Node& node, const Place& place) {
  const CodeletInfo* codelet = packed_codelet(node, place);
  if (codelet == nullptr) return false;
  const bool two = codelet->second != nullptr;
  const std::int64_t r1 = codelet->body->radix, r2 = two ? codelet->second->radix : 0;
  Pass pass;
  Operands& args = pass.args;
  args.in = line_edge(place.in, place.n);
  args.out = line_edge(place.out, place.n);
  args.scale = place.scale;
  args.out.non_temporal = node.stream && !rewrites(place);
  if (node.stream) args.ahead = fetch_later(place, 0);
  PassUse use;
  const std::size_t opened = take_inner_loops(place, args, use.butterflies);
  TwiddleRequest request;
  request.body = two ? codelet->second : codelet->body;
  request.length = request.end = two ? r1 : 1;
  request.lanes = two ? packed_numbers(lanes_, static_cast<int>(r1), static_cast<int>(r2)) : 1;
  request.packed = place.in.swap && place.out.swap ? -1 : 1;
  pass.table = add_table(request);
  program_.direct = use.butterflies == 1 && problem_.dims.size() == 1 && place.in.array == ArrayId::kIn && place.out.array == ArrayId::kOut &&
                 place.in.offset == 0 && place.out.offset == 0 && place.in.shift == 0 && place.out.shift == 0 && place.scale == 1.0 &&
                 place.in.swap == place.out.swap;
  use.lanes = request.lanes;
  pass.parallel = args.axes[0].count > 1;
  add_pass(*codelet, pass, args.axes[0].count, use);
  close_loops(opened);
  return true;
}

bool PlanBuilder::has_loops(const Node& node) const {
  if (find_codelet(cache_, codelets_, PassKind::kFirst, program_.compute, node.passes[0].radix, TwiddleForm::kNone) == nullptr) return false;
  return std::all_of(node.passes.begin() + 1, node.passes.end(), [&](const PassSpec& pass) {
    return find_codelet(cache_, codelets_, PassKind::kTwiddled, program_.compute, pass.radix, pass.form) != nullptr;
  });
}

bool PlanBuilder::emit_packed_apart(const Node& node, const Place& place) {
  Node pair = node;
  pair.stream = false;
  Place dense;
  dense.n = place.n;
  dense.in.array = dense.out.array = ArrayId::kFirstWork;
  if (place.in.stored != nullptr || place.out.keeps || packed_codelet(pair, dense) == nullptr || has_loops(node)) return false;
  const std::size_t opened = open_loops(place, place.loops.size());
  const Area area = allocate(2 * place.n);
  const LineEnd line{area.array, area.offset};
  Pass move;
  move.rows = add_rows({.kind = RowOrder::Kind::kNatural, .count = place.n});
  Pass gather = move;
  gather.args.scale = place.scale;
  add_line_pass(PassKind::kGather, line_edge(place.in, place.n), line_edge(line, place.n), place.n, gather);
  dense.in = dense.out = line;
  emit_packed(pair, dense);
  add_line_pass(PassKind::kScatter, line_edge(line, place.n), line_edge(place.out, place.n), place.n, move);
  close_loops(opened);
  return true;
}

bool PlanBuilder::emit_packed_fused(const Node& node, const Place& place) {
  const CodeletInfo* const fused = packed_fused_codelet(node, place);
  if (fused == nullptr) return false;
  const std::int64_t r1 = node.passes[0].radix, r2 = node.passes[1].radix;
  const CodeletInfo& wide = *find_codelet(cache_, codelets_, PassKind::kPacked, program_.compute, r1, TwiddleForm::kNone, r2);
  Pass pass;
  Operands& args = pass.args;
  pass.op = Compute{fused, place.in.blocks};
  args.in = line_edge(place.in, place.n);
  args.out = line_edge(place.out, place.n);
  args.scale = place.scale;
  args.out.non_temporal = node.stream && !rewrites(place);
  if (node.stream) args.ahead = fetch_later(place, 0);
  PassUse use;
  const std::size_t opened = take_inner_loops(place, args, use.butterflies);
  TwiddleRequest request;
  request.body = wide.second;
  request.length = request.end = r1;
  request.lanes = packed_numbers(lanes_, static_cast<int>(r1), static_cast<int>(r2));
  request.packed = place.in.swap && place.out.swap ? -1 : 1;
  pass.table = add_table(request);
  const bool bare = use.butterflies == 1 && args.scale == 1.0 && place.in.offset == 0 && place.out.offset == 0 && place.in.shift == 0 &&
                    place.out.array == ArrayId::kOut && place.in.swap == place.out.swap;
  program_.direct_fused = bare && fused->direct != nullptr;
  use.user_bits = storage_bits(place.in.format);
  use.lanes = request.lanes;
  pass.parallel = args.axes[0].count > 1;
  add_pass(wide, pass, args.axes[0].count, use);
  close_loops(opened);
  return true;
}

const CodeletInfo* PlanBuilder::whole_two_codelet(const Node& node, const Place& place) const {
  if (!is_pair(node) || !interleaved(place.in) || !interleaved(place.out) || place.in.stride != 2 || place.out.stride != 2) return nullptr;
  const std::int64_t r1 = node.passes[0].radix, r2 = node.passes[1].radix;
  if (place.in.shift % r2 != 0 || place.out.shift % r1 != 0) return nullptr;
  if ((place.in.shift != 0 || place.out.shift != 0) && !whole_two_shifts(static_cast<int>(r1), static_cast<int>(r2))) return nullptr;
  return find_codelet(cache_, codelets_, PassKind::kWholeTwo, program_.compute, r1, TwiddleForm::kNone, r2);
}

bool PlanBuilder::emit_whole_two(const Node& node, const Place& place) {
  const CodeletInfo* codelet = whole_two_codelet(node, place);
  if (codelet == nullptr) return false;
  const std::int64_t r1 = codelet->body->radix, r2 = codelet->second->radix;
  const bool shifts = place.in.shift != 0 || place.out.shift != 0;
  const std::size_t inner = std::min<std::size_t>(1, place.loops.size());
  const std::size_t opened = open_loops(place, place.loops.size() - inner);
  Pass pass;
  Operands& args = pass.args;
  args.in = edge_of(place.in, 2 * r2, 2);
  args.out = edge_of(place.out, 2 * r1, 2);
  args.scale = place.scale;
  if (shifts) {
    args.in.offset += 2 * place.in.shift;
    args.out.offset += 2 * place.out.shift;
    args.in.wrap = args.out.wrap = -2 * place.n;
    args.in.wrap_point = static_cast<std::int32_t>(r1 - place.in.shift / r2);
    args.out.wrap_point = static_cast<std::int32_t>(r2 - place.out.shift / r1);
  }
  args.out.non_temporal = node.stream && !rewrites(place);
  if (node.stream) args.ahead = fetch_later(place, 0);
  if (inner == 1) args.axes[0] = {place.loops.back().count, place.loops.back().in_stride, place.loops.back().out_stride, 0};
  const int lanes = whole_two_lanes(lanes_, static_cast<int>(r1), static_cast<int>(r2));
  TwiddleRequest request;
  request.body = codelet->second;
  request.length = request.end = r1;
  request.lanes = lanes;
  request.lane_order = true;
  request.lanes_per_block = std::min(lanes, lanes_per_block_);
  pass.table = add_table(request);
  PassUse use;
  use.butterflies = args.axes[0].count;
  use.lanes = lanes;
  pass.parallel = args.axes[0].count > 1;
  add_pass(*codelet, pass, args.axes[0].count, use);
  close_loops(opened);
  return true;
}

}  // namespace ulpfft
