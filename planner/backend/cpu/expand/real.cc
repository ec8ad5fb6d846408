// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Real nodes. An even count of reals is taken as half as many complex numbers, whose transform is untangled; an odd count has imaginary
// parts of 0 beside it.
//
// Direction   r2c backward is the conjugate of r2c forward, and c2r takes the conjugate of what it is given: no arithmetic knows of it.
// Source      H. V. Sorensen et al., IEEE Trans. ASSP 35 (1987) 849.
#include "planner/backend/cpu/expand/real.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "planner/backend/cpu/expand/line_groups.h"
#include "planner/backend/cpu/expand/node.h"
#include "planner/backend/cpu/expand/real_codelet.h"
#include "planner/facts/group_bytes.h"

namespace ulpfft {
namespace {

std::int64_t unit_of(const Problem& problem, bool reals) {
  return reals || problem.layout == ArrayLayout::kSplit ? 1 : 2;
}

// The lines of an array of the caller, strides in reals.
ArrayLines lines_of(const Scope& scope, bool output) {
  const Problem& problem = scope.problem;
  ArrayLines lines;
  lines.base.array = output ? ArrayId::kOut : ArrayId::kIn;
  const std::int64_t unit = unit_of(problem, scope.holds_reals(lines.base.array));
  for (const Dimension& d : problem.dims) lines.dims.push_back(unit * (output ? d.out_stride : d.in_stride));
  for (const Dimension& d : problem.batch) lines.batch.push_back(unit * (output ? d.out_stride : d.in_stride));
  return lines;
}

bool is_even(std::int64_t n) { return n % 2 == 0; }
std::int64_t child_length(std::int64_t n) { return is_even(n) ? n / 2 : n; }

class RealLine {
 public:
  RealLine(Scope& scope, const Node& node) : scope_(scope), child_(node.children[0]), n_(node.n) {}

  void expand(const Place& place) {
    const auto bytes = static_cast<std::int64_t>(real_bytes(scope_.program.compute));
    const std::int64_t lines = std::max<std::int64_t>(1, kRealGroupBytes / (2 * child_length(n_) * bytes));
    const bool forward = scope_.problem.kind == Kind::kR2C;
    Place merged = place;
    merge_loops(merged.loops);
    for_groups(scope_, merged, lines, [&](const Place& group) {
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

  // Reals as half as many complex numbers.
  static Lines paired(Lines lines) {
    lines.end.im_offset = lines.end.stride;
    lines.end.stride *= 2;
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
    if (count(group) > 1) place.loops.push_back({count(group), in.step, out.step});
    expand_node(scope_, child_, place);
  }

  // A line pass of `points` over the lines of a group.
  void add_pass(PassKind kind, const Place& group, const Lines& in, const Lines& out, std::int64_t points, double scale, int table = -1) {
    Pass pass;
    pass.args.axes[0] = {count(group), in.step, out.step, 0};
    pass.args.scale = scale;
    pass.table = table;
    scope_.add_line_pass(kind, scope_.line_edge(in.end, n_), scope_.line_edge(out.end, n_), points, std::move(pass));
  }

  void untangled(const Place& group) {
    const Lines out = lines_out(group);
    add_child(group, paired(lines_in(group)), out, false, group.scale);
    add_pass(PassKind::kUntangle, group, out, conjugated(out), n_ / 2, 1.0, scope_.add_table(RealTwiddles{n_, true}));
  }

  void tangled(const Place& group) {
    const Lines out = paired(lines_out(group));
    add_pass(PassKind::kTangle, group, conjugated(lines_in(group)), out, n_ / 2, group.scale, scope_.add_table(RealTwiddles{n_, false}));
    add_child(group, out, out, true, 1.0);
  }

  void halved(const Place& group) {
    const Lines work = take_work(group);
    add_pass(PassKind::kFromReals, group, lines_in(group), work, n_, group.scale);
    add_child(group, work, work, false, 1.0);
    add_pass(PassKind::kHalf, group, work, conjugated(lines_out(group)), n_ / 2 + 1, 1.0);
  }

  void mirrored(const Place& group) {
    const Lines work = take_work(group);
    add_pass(PassKind::kMirror, group, conjugated(lines_in(group)), work, n_, group.scale);
    add_child(group, work, work, true, 1.0);
    add_pass(PassKind::kToReals, group, work, lines_out(group), n_, 1.0);
  }

  Scope& scope_;
  const Node& child_;
  const std::int64_t n_;
};

bool streams(const Node& node) { return node.stream || std::any_of(node.children.begin(), node.children.end(), streams); }

void check_real(const Scope& scope, const Node& node) {
  if (node.kind == Node::Kind::kN) return;  // one codelet, whose absence refuses it
  if (node.kind != Node::Kind::kReal) scope.refuse("The last length of a transform of real numbers has a real node, or is one codelet");
  if (node.children.size() != 1) scope.refuse("real has one child");
  const Node& child = node.children[0];
  if (child.kind == Node::Kind::kReal || child.kind == Node::Kind::kCols || child.kind == Node::Kind::kRank)
    scope.refuse("The child of real transforms one complex line");
  if (node_length(child) != child_length(node.n)) {
    scope.refuse("real(" + std::to_string(node.n) + ") needs a child of length " + std::to_string(child_length(node.n)) + ", not " +
                 std::to_string(node_length(child)));
  }
  if (streams(node)) scope.refuse("Nothing streams inside real: its passes come back to what they wrote");
}

// All dimensions of the problem, the last one by its real node.
class RealDimensions {
 public:
  RealDimensions(Scope& scope, const std::vector<const Node*>& nodes)
      : scope_(scope),
        problem_(scope.problem),
        nodes_(nodes),
        last_(nodes.size() - 1),
        in_(lines_of(scope, false)),
        out_(lines_of(scope, true)),
        scale_(rounded_scale(scope)),
        lines_(scope.scope_points / static_cast<double>(problem_.dims[last_].length)) {
    for (std::size_t d = 0; d < last_; ++d) {
      if (problem_.dims[d].length > 1) others_.push_back(d);
    }
    for (std::size_t b = 0; b < problem_.batch.size(); ++b) {
      if (problem_.batch[b].length > 1) batch_.push_back({problem_.batch[b].length, in_.batch[b], out_.batch[b]});
    }
  }

  // The last dimension goes to the spectrum, where the others follow in place.
  void forward() {
    add_last(in_, out_, batch_, scale_);
    add_others(out_, out_, batch_in_place(), 1.0);
  }

  // The other dimensions go to a spectrum in the workspace, so that the input is kept, and the last one from there.
  void backward() {
    if (others_.empty()) return add_last(in_, out_, batch_, scale_);
    if (problem_.placement == Placement::kInPlace) {  // the output array holds the spectrum meanwhile
      ArrayLines spectrum = in_;
      spectrum.base.array = ArrayId::kOut;
      add_others(in_, spectrum, batch_in_place(), scale_);
      return add_last(spectrum, out_, batch_, 1.0);
    }
    Place around;
    around.loops = batch_;
    merge_loops(around.loops);
    const std::size_t opened = scope_.open_loops(around, around.loops.size());
    const ArrayLines work = take_spectrum();
    add_others(in_, work, {}, scale_);
    add_last(work, out_, {}, 1.0);
    scope_.close_loops(opened);
  }

 private:
  std::int64_t row() const { return problem_.dims[last_].length / 2 + 1; }
  bool is_backward() const { return (problem_.direction == Direction::kBackward) == (problem_.kind == Kind::kR2C); }

  ArrayLines take_spectrum() {
    ArrayLines work;
    work.dims.resize(problem_.dims.size());
    std::int64_t stride = 2;
    for (std::size_t d = problem_.dims.size(); d-- > 0;) {
      work.dims[d] = stride;
      stride *= d == last_ ? row() : problem_.dims[d].length;
    }
    const Area area = scope_.allocate(stride);
    work.base.array = area.array;
    work.base.offset = area.offset;
    return work;
  }

  // Loops of the batch over the spectrum of the caller alone.
  std::vector<LoopAround> batch_in_place() const {
    std::vector<LoopAround> loops = batch_;
    const bool output = problem_.kind == Kind::kR2C;
    for (LoopAround& loop : loops) (output ? loop.in_stride : loop.out_stride) = output ? loop.out_stride : loop.in_stride;
    return loops;
  }

  void add_last(const ArrayLines& source, const ArrayLines& target, std::vector<LoopAround> loops, double scale) {
    Place place;
    place.n = problem_.dims[last_].length;
    place.in = source.base;
    place.out = target.base;
    place.in.stride = source.dims[last_];
    place.out.stride = target.dims[last_];
    place.scale = scale;
    place.loops = std::move(loops);
    for (const std::size_t d : others_) place.loops.push_back({problem_.dims[d].length, source.dims[d], target.dims[d]});
    // Half of the error of a complex transform whose result is real lies in the imaginary parts, which are left out.
    const bool leaves_half = problem_.kind == Kind::kC2R && !is_even(place.n);
    if (nodes_[last_]->kind == Node::Kind::kN) {
      scope_.scope_points = lines_ * static_cast<double>(place.n);
      const bool r2c = problem_.kind == Kind::kR2C;
      (r2c ? place.out : place.in).swap = problem_.direction == Direction::kBackward;
      return expand_real_codelet(scope_, r2c ? RealTransform::kR2C : RealTransform::kC2R, place);
    }
    scope_.scope_points = lines_ * static_cast<double>(child_length(place.n)) * (leaves_half ? 2 : 1);
    const Scope::Level before = scope_.level();
    RealLine(scope_, *nodes_[last_]).expand(place);
    scope_.leave(before);
  }

  void add_others(const ArrayLines& source, const ArrayLines& target, const std::vector<LoopAround>& batch, double scale) {
    scope_.scope_points = lines_ * static_cast<double>(row());
    std::size_t done = 0;
    for (std::size_t i = others_.size(); i-- > 0; ++done) {
      const std::size_t d = others_[i];
      const ArrayLines& from = done == 0 ? source : target;
      Place place;
      place.n = problem_.dims[d].length;
      place.in = from.base;
      place.out = target.base;
      place.in.stride = from.dims[d];
      place.out.stride = target.dims[d];
      place.in.swap = is_backward() && done == 0;
      place.out.swap = is_backward() && i == 0;
      place.scale = done == 0 ? scale : 1.0;
      place.loops = batch;
      for (const std::size_t other : others_) {
        if (other != d) place.loops.push_back({problem_.dims[other].length, from.dims[other], target.dims[other]});
      }
      if (row() > 1) place.loops.push_back({row(), from.dims[last_], target.dims[last_]});
      merge_loops(place.loops);
      expand_node(scope_, *nodes_[d], place);
    }
  }

  Scope& scope_;
  const Problem& problem_;
  const std::vector<const Node*>& nodes_;
  const std::size_t last_;
  const ArrayLines in_, out_;
  const double scale_;
  const double lines_;  // along the last length, of all transforms
  std::vector<std::size_t> others_;  // dimensions longer than 1 but the last
  std::vector<LoopAround> batch_;
};

}  // namespace

void expand_real_dimensions(Scope& scope, const std::vector<const Node*>& nodes) {
  const Node& last = *nodes.back();
  check_real(scope, last);
  for (std::size_t d = 0; d + 1 < nodes.size(); ++d) {
    if (nodes[d]->kind == Node::Kind::kReal) scope.refuse("Only the last length has a real node");
  }
  RealDimensions dimensions(scope, nodes);
  scope.problem.kind == Kind::kR2C ? dimensions.forward() : dimensions.backward();
}

}  // namespace ulpfft
