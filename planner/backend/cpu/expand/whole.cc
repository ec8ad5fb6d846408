// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Nodes that are one call: a codelet in registers, on scalar lanes, or of two bodies over a tile on the stack.
#include "planner/backend/cpu/expand/whole.h"

#include <algorithm>

#include "planner/backend/cpu/expand/scope.h"
#include "planner/convert/storage_by_name.h"
#include "planner/table/find_codelet.h"

namespace ulpfft {

void expand_n(Scope& scope, const Node& node, const Place& place) {
  const CodeletInfo& codelet = scope.require(PassKind::kWhole, node.n, TwiddleForm::kNone);
  Pass pass;
  Operands& args = pass.args;
  args.in = scope.line_edge(place.in, place.n);
  args.out = scope.line_edge(place.out, place.n);
  args.scale = place.scale;
  PassUse use;
  use.butterflies = 1;
  scope.add_in_loops(codelet, place.loops, std::move(pass), use);
}

namespace {

// Two passes in one call: nothing is stored between them, and the second has no form of its own.
bool is_pair(const Node& node) {
  return node.kind == Node::Kind::kDit && node.passes.size() == 2 && node.passes[0].format.empty() &&
         node.passes[1].form == TwiddleForm::kStandard;
}

}  // namespace

const CodeletInfo* packed_codelet(const Scope& scope, const Node& node, const Place& place) {
  const bool two = node.kind == Node::Kind::kDit;
  if (two && !is_pair(node)) return nullptr;
  if (!scope.interleaved(place.in) || !scope.interleaved(place.out) || place.in.stride != 2 || place.out.stride != 2) return nullptr;
  return find_codelet(scope.cache, scope.codelets, PassKind::kPacked, scope.program.compute, two ? node.passes[0].radix : node.n,
                      TwiddleForm::kNone, two ? node.passes[1].radix : 0);
}

// A codelet of kPacked, whatever converts at its ends; `user_bits`: of a real at a narrow one.
static void add_packed(Scope& scope, const Node& node, const Place& place, const CodeletInfo& codelet, double user_bits) {
  const bool two = codelet.second != nullptr;
  const std::int64_t r1 = codelet.body->radix, r2 = two ? codelet.second->radix : 0;
  Pass pass;
  pass.op = Compute{.blocks = place.in.blocks};
  Operands& args = pass.args;
  args.in = scope.line_edge(place.in, place.n);
  args.out = scope.line_edge(place.out, place.n);
  args.scale = place.scale;
  args.out.non_temporal = node.stream && !scope.rewrites(place);
  if (node.stream) args.ahead = scope.fetch_later(place, 0);
  TwiddleRequest request;
  request.body = two ? codelet.second : codelet.body;
  request.length = request.end = two ? r1 : 1;
  request.lanes = packed_numbers(scope.lanes, static_cast<int>(r1), two ? static_cast<int>(r2) : 1);
  request.packed = place.in.swap && place.out.swap ? -1 : 1;
  pass.table = scope.add_table(request);
  PassUse use;
  use.butterflies = 1;
  use.user_bits = user_bits;
  use.lanes = request.lanes;
  scope.add_in_loops(codelet, place.loops, std::move(pass), use);
}

bool expand_packed(Scope& scope, const Node& node, const Place& place) {
  const CodeletInfo* const codelet = packed_codelet(scope, node, place);
  if (codelet != nullptr) add_packed(scope, node, place, *codelet, 0);
  return codelet != nullptr;
}

// Whether another loop than that in registers expands the node.
bool has_loops(const Scope& scope, const Node& node) {
  if (node.kind == Node::Kind::kN) {
    return find_codelet(scope.cache, scope.codelets, PassKind::kWhole, scope.program.compute, node.n, TwiddleForm::kNone) != nullptr;
  }
  if (find_codelet(scope.cache, scope.codelets, PassKind::kFirst, scope.program.compute, node.passes[0].radix, TwiddleForm::kNone) ==
      nullptr)
    return false;
  return std::all_of(node.passes.begin() + 1, node.passes.end(), [&](const PassSpec& pass) {
    return find_codelet(scope.cache, scope.codelets, PassKind::kTwiddled, scope.program.compute, pass.radix, pass.form) != nullptr;
  });
}

// Whether whole vectors move between the array and interleaved numbers: its parts are adjacent reals of their own.
static bool is_in_parts(const Scope& scope, const LineEnd& end) { return !scope.interleaved(end) && end.stride == 1; }

bool expand_packed_apart(Scope& scope, const Node& node, const Place& place) {
  Node pair = node;
  pair.stream = false;
  Place dense;
  dense.n = place.n;
  dense.in.array = dense.out.array = ArrayId::kFirstWork;
  if (place.in.stored != nullptr || place.out.keeps || packed_codelet(scope, pair, dense) == nullptr) return false;
  const bool in_parts = node.kind == Node::Kind::kDit && !node.stream && is_in_parts(scope, place.in) && is_in_parts(scope, place.out) &&
                        place.in.shift == 0 && place.out.shift == 0;
  // Two passes over parts take 1.3 to 2.5 times as long as a pair in registers between two moves.
  if (has_loops(scope, node) && !in_parts) return false;
  const std::size_t opened = scope.open_loops(place, place.loops.size());
  const Area area = scope.allocate(2 * place.n);
  const LineEnd line{area.array, area.offset};
  Pass gather;
  gather.args.scale = place.scale;
  scope.add_line_pass(PassKind::kGather, scope.line_edge(place.in, place.n), scope.line_edge(line, place.n), place.n, gather);
  dense.in = dense.out = line;
  expand_packed(scope, pair, dense);
  scope.add_line_pass(PassKind::kScatter, scope.line_edge(line, place.n), scope.line_edge(place.out, place.n), place.n, {});
  scope.close_loops(opened);
  return true;
}

const CodeletInfo* packed_fused_codelet(const Scope& scope, const Node& node, const Place& place) {
  const std::vector<PassSpec>& passes = node.passes;
  if (passes.size() != 2 || passes[1].form != TwiddleForm::kStandard) return nullptr;
  if (place.in.format.empty() || !scope.interleaved(place.in) || !scope.interleaved(place.out) || place.in.stride != 2 ||
      place.out.stride != 2)
    return nullptr;
  const std::int64_t r1 = passes[0].radix, r2 = passes[1].radix;
  if (find_codelet(scope.cache, scope.codelets, PassKind::kPacked, scope.program.compute, r1, TwiddleForm::kNone, r2) == nullptr)
    return nullptr;
  if (place.in.blocks != nullptr) {  // a vector lies in one block
    const std::int64_t length = place.in.blocks->storage.length;
    if (length == 0 || length % scope.lanes != 0 || 2 * r2 % scope.lanes != 0 || 2 * place.n / length < scope.lanes ||
        place.in.shift != 0 || place.out.shift != 0 || place.in.swap != place.out.swap) {
      return nullptr;
    }
  }
  return find_fused(scope.codelets, PassKind::kPacked, scope.program.compute, r1, TwiddleForm::kNone, r2, place.in.format,
                    place.out.format);
}

bool expand_packed_fused(Scope& scope, const Node& node, const Place& place) {
  if (packed_fused_codelet(scope, node, place) == nullptr) return false;
  const std::int64_t r1 = node.passes[0].radix, r2 = node.passes[1].radix;
  const CodeletInfo& wide =
      *find_codelet(scope.cache, scope.codelets, PassKind::kPacked, scope.program.compute, r1, TwiddleForm::kNone, r2);
  add_packed(scope, node, place, wide, storage_bits(place.in.format));
  return true;
}

const CodeletInfo* whole_two_codelet(const Scope& scope, const Node& node, const Place& place) {
  if (!is_pair(node) || !scope.interleaved(place.in) || !scope.interleaved(place.out) || place.in.stride != 2 || place.out.stride != 2)
    return nullptr;
  const std::int64_t r1 = node.passes[0].radix, r2 = node.passes[1].radix;
  if (place.in.shift % r2 != 0 || place.out.shift % r1 != 0) return nullptr;
  if ((place.in.shift != 0 || place.out.shift != 0) && !whole_two_shifts(static_cast<int>(r1), static_cast<int>(r2))) return nullptr;
  return find_codelet(scope.cache, scope.codelets, PassKind::kWholeTwo, scope.program.compute, r1, TwiddleForm::kNone, r2);
}

bool expand_whole_two(Scope& scope, const Node& node, const Place& place) {
  const CodeletInfo* codelet = whole_two_codelet(scope, node, place);
  if (codelet == nullptr) return false;
  const std::int64_t r1 = codelet->body->radix, r2 = codelet->second->radix;
  const bool shifts = place.in.shift != 0 || place.out.shift != 0;
  Pass pass;
  Operands& args = pass.args;
  args.in = scope.edge_of(place.in, 2 * r2, 2);
  args.out = scope.edge_of(place.out, 2 * r1, 2);
  args.scale = place.scale;
  if (shifts) {
    args.in.offset += 2 * place.in.shift;
    args.out.offset += 2 * place.out.shift;
    args.in.wrap = args.out.wrap = -2 * place.n;
    args.in.wrap_point = static_cast<std::int32_t>(r1 - place.in.shift / r2);
    args.out.wrap_point = static_cast<std::int32_t>(r2 - place.out.shift / r1);
  }
  args.out.non_temporal = node.stream && !scope.rewrites(place);
  if (node.stream) args.ahead = scope.fetch_later(place, 0);
  const int lanes = whole_two_lanes(scope.lanes, static_cast<int>(r1), static_cast<int>(r2));
  TwiddleRequest request;
  request.body = codelet->second;
  request.length = request.end = r1;
  request.lanes = lanes;
  request.lane_order = true;
  request.lanes_per_block = std::min(lanes, scope.lanes_per_block);
  pass.table = scope.add_table(request);
  PassUse use;
  use.butterflies = 1;
  use.lanes = lanes;
  scope.add_in_loops(*codelet, place.loops, std::move(pass), use);
  return true;
}

}  // namespace ulpfft
