// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/expand/real.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "planner/backend/cpu/expand/between.h"
#include "planner/backend/cpu/expand/decoded_lines.h"
#include "planner/backend/cpu/expand/node.h"
#include "planner/backend/cpu/expand/real_chain.h"
#include "planner/backend/cpu/expand/real_line.h"
#include "planner/backend/cpu/expand/real_parts.h"

namespace ulpfft {

// Refuses nodes that are not those of real numbers; `nodes` by dimension.
static void check_real(const Scope& scope, const std::vector<const Node*>& nodes) {
  check_real_line(scope, *nodes.back());
  for (std::size_t d = 0; d + 1 < nodes.size(); ++d) {
    if (nodes[d]->kind == Node::Kind::kReal) scope.refuse("Only the last length has a real node");
  }
}

namespace {

// All dimensions of the problem, the last one by its real node.
class RealDimensions {
 public:
  RealDimensions(Scope& scope, const std::vector<const Node*>& nodes, double points, const SeenArrays& arrays)
      : scope_(scope),
        problem_(scope.problem),
        nodes_(nodes),
        last_(nodes.size() - 1),
        in_(arrays.in),
        out_(arrays.out),
        by_lines_(arrays.by_lines),
        scale_(rounded_scale(scope)),
        lines_(points / static_cast<double>(problem_.dims[last_].length)),
        batch_(arrays.batch) {
    for (std::size_t d = 0; d < last_; ++d) {
      if (problem_.dims[d].length > 1) others_.push_back(d);
    }
  }

  // The last dimension goes to the spectrum, where the others follow in place.
  void forward() {
    if (by_lines_ != nullptr) {
      expand_decoded_lines(scope_, *by_lines_, *nodes_[last_], out_, scale_);
      transformed_ = problem_.dims[last_].length;
    } else {
      add_last(in_, out_, batch_, scale_);
    }
    add_others(out_, out_, batch_in_place(), 1.0);
  }

  // The other dimensions go to a spectrum in the workspace, so that the input is kept, and the last one from there.
  void backward() {
    if (others_.empty()) return add_last(in_, out_, batch_, scale_);
    if (is_work(in_.base.array)) {  // a copy of the input
      add_others(in_, in_, batch_in_place(), scale_);
      return add_last(in_, out_, batch_, 1.0);
    }
    if (problem_.placement == Placement::kInPlace || problem_.destroy_input) {  // the spectrum stays where it is
      ArrayLines spectrum = in_;
      if (problem_.placement == Placement::kInPlace) spectrum.base.array = ArrayId::kOut;
      add_others(in_, spectrum, batch_in_place(), scale_);
      return add_last(spectrum, out_, batch_, 1.0);
    }
    Place around;
    around.in.array = in_.base.array;
    around.out.array = out_.base.array;
    around.loops = batch_;
    merge_loops(around.loops);
    const std::size_t opened = scope_.open_loops(around, around.loops.size());
    ArrayLines spectrum = is_work(out_.base.array) ? out_ : take_spectrum();
    spectrum.dims[last_] = 2;
    add_others(in_, spectrum, {}, scale_);
    add_last(spectrum, out_, {}, 1.0);
    scope_.close_loops(opened);
  }

 private:
  std::int64_t row() const { return problem_.dims[last_].length / 2 + 1; }
  bool from_reals() const { return scope_.sides.in.real; }  // else to them
  bool is_backward() const { return (problem_.direction == Direction::kBackward) == from_reals(); }

  // c2r leaves out the imaginary parts of points 0 and n/2, and counts the other points twice. This is their part of the squares.
  double left_out() const {
    const std::int64_t n = problem_.dims[last_].length;
    return !from_reals() ? (n % 2 == 0 ? 2.0 : 1.0) / static_cast<double>(n) : 0.0;
  }

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
    for (LoopAround& loop : loops) (from_reals() ? loop.in_stride : loop.out_stride) = from_reals() ? loop.out_stride : loop.in_stride;
    return loops;
  }

  void add_last(const ArrayLines& source, const ArrayLines& target, std::vector<LoopAround> loops, double scale) {
    Place place;
    place.n = problem_.dims[last_].length;
    place.in = source.base;
    place.out = target.base;
    place.in.stride = source.dims[last_];
    place.out.stride = target.dims[last_];
    place.in.shift = scope_.sides.in.turn;
    place.out.shift = scope_.sides.out.turn;
    place.scale = scale;
    place.transformed = transformed_;
    transformed_ *= place.n;
    place.loops = std::move(loops);
    for (const std::size_t d : others_) place.loops.push_back({problem_.dims[d].length, source.dims[d], target.dims[d]});
    expand_real_line(scope_, *nodes_[last_], place, from_reals(), from_reals() || others_.empty());
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
      place.in.shift = place.out.shift = problem_.centered ? place.n / 2 : 0;
      place.in.swap = is_backward() && done == 0;
      place.out.swap = is_backward() && i == 0;
      place.scale = done == 0 ? scale : 1.0;
      place.transformed = transformed_;
      transformed_ *= place.n;
      place.loops = batch;
      for (const std::size_t other : others_) {
        if (other != d) place.loops.push_back({problem_.dims[other].length, from.dims[other], target.dims[other]});
      }
      if (row() > 1) place.loops.push_back({row(), from.dims[last_], target.dims[last_]});
      merge_loops(place.loops);
      scope_.rounds_input = !from_reals() && done == 0;
      const std::size_t begin = scope_.program.passes.size();
      expand_node(scope_, *nodes_[d], place);
      // Lines of points 0 and n/2 are symmetric when the other dimensions are done.
      keep_real_parts(scope_, begin, left_out(), i == 0 ? 1 : 0);
    }
  }

  Scope& scope_;
  const Problem& problem_;
  const std::vector<const Node*>& nodes_;
  const std::size_t last_;
  const ArrayLines in_, out_;
  const StoredSide* const by_lines_;
  const double scale_;
  const double lines_;  // along the last length, of all transforms
  std::int64_t transformed_ = 1;     // length that was before
  std::vector<LoopAround> batch_;
  std::vector<std::size_t> others_;  // dimensions longer than 1 but the last
};

}  // namespace

void expand_real_dimensions(Scope& scope, const std::vector<const Node*>& nodes) {
  check_real(scope, nodes);
  if (!scope.back.empty()) {
    check_real(scope, scope.back);
    return expand_real_chain(scope, nodes);
  }
  const double points = scope.scope_points;
  expand_between(scope, settle_real_ends(scope, *nodes.back()), [&](const SeenArrays& arrays) {
    RealDimensions dimensions(scope, nodes, points, arrays);
    scope.sides.in.real ? dimensions.forward() : dimensions.backward();
  });
}

}  // namespace ulpfft
