// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Real nodes. An even count of reals is taken as half as many complex numbers, whose transform is untangled; an odd count has imaginary
// parts of 0 beside it.
//
// Direction   r2c backward is the conjugate of r2c forward, and c2r takes the conjugate of what it is given: no arithmetic knows of it.
// Source      H. V. Sorensen et al., IEEE Trans. ASSP 35 (1987) 849.
#include "planner/backend/cpu/expand/real_line.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "planner/backend/cpu/expand/line_groups.h"
#include "planner/backend/cpu/expand/node.h"
#include "planner/backend/cpu/expand/real_codelet.h"
#include "planner/backend/cpu/expand/real_parts.h"
#include "planner/backend/cpu/expand/real_rows.h"
#include "planner/facts/group_bytes.h"
#include "planner/facts/node_facts.h"

namespace ulpfft {

std::int64_t child_length(std::int64_t n) { return n % 2 == 0 ? n / 2 : n; }

// The length that the child of a real node has, in rows or not.
static std::int64_t child_length(const Node& node) { return node.m != 0 ? node.m : child_length(node.n); }

namespace {

bool is_even(std::int64_t n) { return n % 2 == 0; }

class RealLine {
 public:
  RealLine(Scope& scope, const Node& node) : scope_(scope), child_(node.children[0]), n_(node.n) {}

  // `forward`: from real numbers to their spectrum. `first`: the lines are the input of the transform.
  void expand(const Place& place, bool forward, bool first) {
    const auto bytes = static_cast<std::int64_t>(real_bytes(scope_.program.compute));
    const std::int64_t lines = std::max<std::int64_t>(1, kRealGroupBytes / (2 * child_length(n_) * bytes));
    Place merged = place;
    merge_loops(merged.loops);
    for_groups(scope_, merged, lines, [&](const Place& group) {
      scope_.rounds_input = first;
      if (forward) is_even(n_) ? untangled(group) : halved(group);
      else is_even(n_) ? tangled(group) : mirrored(group);
    });
  }

 private:
  // Where the lines of a group are, and how far apart they lie.
  struct Lines {
    LineEnd end;
    std::int64_t step;
  };
  static Lines lines_in(const Place& group) { return {group.in, group.loops.empty() ? 0 : group.loops[0].in_stride}; }
  static Lines lines_out(const Place& group) { return {group.out, group.loops.empty() ? 0 : group.loops[0].out_stride}; }
  static std::int64_t count(const Place& group) { return group.loops.empty() ? 1 : group.loops[0].count; }
  Lines take_work(const Place& group) {
    const Area area = scope_.allocate(2 * n_ * count(group));
    return {{area.array, area.offset}, 2 * n_};
  }

  // Reals as half as many complex numbers. Their shift is even.
  static Lines paired(Lines lines) {
    lines.end.im_offset = lines.end.stride;
    lines.end.stride *= 2;
    lines.end.shift /= 2;
    return lines;
  }
  static bool has_shifted_pairs(const Lines& lines) { return lines.end.shift % 2 != 0; }
  static Lines not_shifted(Lines lines) {
    lines.end.shift = 0;
    return lines;
  }
  static Lines shifted(Lines lines, std::int64_t shift) {
    lines.end.shift = shift;
    return lines;
  }
  // The spectrum of a problem that runs backward is conjugated: passes of real lines take swap for that.
  Lines conjugated(Lines lines) const {
    lines.end.swap = scope_.problem.direction == Direction::kBackward;
    return lines;
  }

  // The child over the lines of a group; `swap` runs it backward.
  void add_child(const Place& group, Lines in, Lines out, bool swap, double scale) {
    in.end.swap = out.end.swap = swap;
    Place place;
    place.n = child_length(n_);
    place.in = std::move(in.end);
    place.out = std::move(out.end);
    place.scale = scale;
    place.transformed = group.transformed;
    if (count(group) > 1) place.loops.push_back({count(group), in.step, out.step});
    expand_node(scope_, child_, place);
  }

  // A line pass of `points` over the lines of a group.
  void add_pass(PassKind kind, const Place& group, const Lines& in, const Lines& out, std::int64_t points, double scale, int table = -1) {
    Pass pass;
    pass.args.scale = scale;
    pass.table = table;
    const LoopAround lines{count(group), in.step, out.step};
    scope_.add_line_pass(kind, scope_.line_edge(in.end, n_), scope_.line_edge(out.end, n_), points, std::move(pass), loops_of(lines));
  }

  // Copies n reals from real `from` of each line to real `to`.
  void add_copy(const Place& group, Lines in, std::int64_t from, Lines out, std::int64_t to, std::int64_t n) {
    in.end.offset += from * in.end.stride;
    out.end.offset += to * out.end.stride;
    add_pass(PassKind::kToReals, group, in, out, n, 1.0);
  }
  // Real j of a line lies at (j + n/2) mod n of the shifted one.
  void add_rotation(const Place& group, const Lines& in, const Lines& out) {
    add_copy(group, in, n_ / 2, out, 0, n_ / 2);
    add_copy(group, in, 0, out, n_ / 2, n_ / 2);
  }
  Lines take_reals(const Place& group) {
    const Area area = scope_.allocate(n_ * count(group));
    return {{.array = area.array, .offset = area.offset, .stride = 1}, n_};
  }

  void untangled(const Place& group) {
    Lines in = lines_in(group);
    const Lines out = lines_out(group);
    if (has_shifted_pairs(in)) {
      const Lines reals = take_reals(group);
      add_rotation(group, not_shifted(in), reals);
      in = reals;
    }
    add_child(group, paired(in), out, false, group.scale);
    const int table = scope_.add_table(RealTwiddles{n_, true, scope_.scheme.element});
    add_pass(PassKind::kUntangle, group, out, conjugated(out), n_ / 2, 1.0, table);
  }

  // A spectrum in the workspace is tangled where it lies, so that the output is written once.
  void tangled(const Place& group) {
    const Lines in = lines_in(group), out = lines_out(group);
    const Lines reals = has_shifted_pairs(out) ? take_reals(group) : out;
    const Lines pairs = paired(reals);
    const Lines work = is_work(group.in.array) && group.in.array != group.out.array ? in : not_shifted(pairs);
    add_pass(PassKind::kTangle, group, conjugated(in), work, n_ / 2, group.scale,
             scope_.add_table(RealTwiddles{n_, false, scope_.scheme.element}));
    scope_.rounds_input = false;
    add_child(group, work, pairs, true, 1.0);
    if (has_shifted_pairs(out)) add_rotation(group, reals, not_shifted(out));
  }

  void halved(const Place& group) {
    const Lines work = take_work(group);
    const Lines in = lines_in(group);
    add_pass(PassKind::kFromReals, group, not_shifted(in), work, n_, group.scale);
    scope_.grown /= 2;  // half of the parts are 0
    // In rounded schemes a change of sign is an operation. The transform of the other sign has the conjugate without it.
    const bool turns = scope_.scheme.element != nullptr && scope_.problem.direction == Direction::kBackward;
    const Lines out = lines_out(group);
    add_child(group, shifted(work, in.end.shift), work, turns, 1.0);
    add_pass(PassKind::kHalf, group, work, turns ? out : conjugated(out), n_ / 2 + 1, 1.0);
  }

  void mirrored(const Place& group) {
    const Lines work = take_work(group);
    add_pass(PassKind::kMirror, group, conjugated(lines_in(group)), work, n_, group.scale);
    const Lines out = lines_out(group);
    const std::size_t begin = scope_.program.passes.size();
    add_child(group, work, shifted(work, out.end.shift), true, 1.0);
    keep_real_parts(scope_, begin, 1, 1);
    add_pass(PassKind::kToReals, group, work, not_shifted(out), n_, 1.0);
  }

  Scope& scope_;
  const Node& child_;
  const std::int64_t n_;
};

}  // namespace

void check_real_line(const Scope& scope, const Node& node) {
  if (node.kind == Node::Kind::kN) return;  // one codelet, whose absence refuses it
  if (node.kind != Node::Kind::kReal) scope.refuse("The last length of a transform of real numbers has a real node, or is one codelet");
  if (node.children.size() != 1) scope.refuse("real has one child");
  const Node& child = node.children[0];
  if (child.kind == Node::Kind::kReal || child.kind == Node::Kind::kCols || child.kind == Node::Kind::kRank)
    scope.refuse("The child of real transforms one complex line");
  if (node.m != 0) check_real_rows(scope, node);
  if (node_length(child) != child_length(node)) {
    scope.refuse("real(" + std::to_string(node.n) + ") needs a child of length " + std::to_string(child_length(node)) + ", not " +
                 std::to_string(node_length(child)));
  }
  if (streams(node)) scope.refuse("Nothing streams inside real: its passes come back to what they wrote");
}

static void expand_real_node(Scope& scope, const Node& node, Place place, bool forward, bool first) {
  const double lines = static_cast<double>(transform_points(scope.problem) / place.n * batch_count(scope.problem));
  if (node.kind == Node::Kind::kN) {
    scope.scope_points = lines * static_cast<double>(place.n);
    (forward ? place.out : place.in).swap = scope.problem.direction == Direction::kBackward;
    return expand_real_codelet(scope, forward ? RealTransform::kR2C : RealTransform::kC2R, place);
  }
  if (node.m != 0) return expand_real_rows(scope, node, std::move(place), forward, first);
  scope.scope_points = lines * static_cast<double>(child_length(place.n));
  const Scope::Level level = scope.level();
  RealLine(scope, node).expand(place, forward, first);
  scope.leave(level);
}

void expand_real_line(Scope& scope, const Node& node, Place place, bool forward, bool first) {
  const double grown = scope.grown * static_cast<double>(place.n) * (forward ? 0.5 : 2.0);
  expand_real_node(scope, node, std::move(place), forward, first);
  scope.grown = grown;
}

}  // namespace ulpfft
