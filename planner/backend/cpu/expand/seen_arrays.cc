// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/expand/seen_arrays.h"

#include <algorithm>
#include <cstdint>

#include "planner/backend/cpu/expand/stored.h"
#include "planner/facts/group_bytes.h"

namespace ulpfft {
namespace {

class Between {
 public:
  Between(Scope& scope, const std::function<void(const SeenArrays&)>& expand_passes)
      : scope_(scope),
        problem_(scope.problem),
        expand_passes_(expand_passes),
        batch_(merged_batch(problem_)),
        in_(whole_side(scope, false)),
        out_(whole_side(scope, true)) {
    for (const bool output : {false, true}) {
      const std::int64_t reals = holds_reals(problem_, output) ? 1 : 2;
      row_ = std::max(row_, reals * stored_length(problem_, problem_.dims.back(), output));
    }
    row_ += row_ % 2;
    lines_ = transform_points(problem_) / problem_.dims.back().length;
  }

  void expand() {
    tell_end(scope_, in_);
    tell_end(scope_, out_);
    if (in_.direct() && out_.direct()) return expand_passes_({lines_of_caller(in_), lines_of_caller(out_), loops_of_caller()});
    std::vector<std::int64_t> inner(batch_.size() + 1, 1);  // transforms in one iteration
    for (std::size_t b = batch_.size(); b-- > 0;) inner[b] = inner[b + 1] * batch_[b].length;
    std::size_t opened = 0;
    for (; opened + 1 < batch_.size(); ++opened) {
      open_transforms(scope_, batch_[opened], batch_[opened].length, 1, inner[opened + 1], in_, out_);
    }
    if (!batch_.empty()) group_.loop = batch_.back();
    const std::int64_t count = group_.loop.length, size = group_size(count), whole = count / size;
    if (whole > 1) open_transforms(scope_, group_.loop, whole, size, size, in_, out_);
    expand_group(0, size);
    if (whole > 1) scope_.end_repeat();
    if (count % size != 0) expand_group(whole * size, count % size);
    for (; opened > 0; --opened) scope_.end_repeat();
  }

 private:
  static StoredSide whole_side(const Scope& scope, bool output) {
    StoredSide side;
    side.shape = array_shape(scope.problem, output);
    side.output = output;
    const bool prescaled = scope.program.prescale_target != 0;
    if (!prescaled && (output ? scope.problem.storage_out : scope.problem.storage_in) == scope.working) side.how = Converted::kNone;
    side.array = output ? ArrayId::kOut : ArrayId::kIn;
    side.unit = !side.shape.wide || prescaled ? side.shape.outer_bytes : side.shape.element_reals();
    return side;
  }

  // As many transforms as leave half of L1 to the passes.
  std::int64_t group_size(std::int64_t transforms) const {
    const std::int64_t bytes = row_ * lines_ * static_cast<std::int64_t>(real_bytes(scope_.program.compute));
    const std::int64_t group = std::clamp<std::int64_t>(kStoredGroupBytes / bytes, 1, transforms);
    return scope_.threads > 1 ? std::clamp<std::int64_t>(transforms / (4 * scope_.threads), 1, group) : group;
  }

  ArrayLines lines_of_caller(const StoredSide& side) const {
    ArrayLines lines;
    lines.base.array = side.array;
    for (const Dimension& d : problem_.dims) lines.dims.push_back(side.unit * (side.output ? d.out_stride : d.in_stride));
    return lines;
  }
  std::vector<LoopAround> loops_of_caller() const {
    std::vector<LoopAround> loops;
    for (const Dimension& d : problem_.batch) {
      if (d.length > 1) loops.push_back({d.length, in_.unit * d.in_stride, out_.unit * d.out_stride});
    }
    return loops;
  }

  ArrayLines lines_of_work(bool output) const {
    ArrayLines lines;
    lines.base.array = group_.work.array;
    lines.base.offset = group_.work.offset;
    lines.dims.resize(problem_.dims.size());
    std::int64_t stride = row_;
    for (std::size_t d = problem_.dims.size() - 1; d-- > 0;) {
      lines.dims[d] = stride;
      stride *= problem_.dims[d].length;
    }
    lines.dims.back() = holds_reals(problem_, output) ? 1 : 2;
    return lines;
  }

  ArrayLines lines_of_group(const StoredSide& side) const {
    if (!side.direct()) return lines_of_work(side.output);
    ArrayLines lines = lines_of_caller(side);
    lines.base.offset = group_.first * group_step(side);
    return lines;
  }
  // Reals from a transform to the next.
  std::int64_t group_step(const StoredSide& side) const {
    if (!side.direct()) return row_ * lines_;
    return side.unit * (side.output ? group_.loop.out_stride : group_.loop.in_stride);
  }

  void expand_group(std::int64_t first, std::int64_t transforms) {
    const Scope::Level before = scope_.level();
    group_.first = first;
    group_.transforms = transforms;
    group_.row_step = row_;
    group_.work = scope_.allocate(row_ * lines_ * transforms);
    if (scope_.program.prescale_target != 0) group_.undo = scope_.allocate_beside(group_.work, transforms);
    SeenArrays arrays{lines_of_group(in_), lines_of_group(out_), {}};
    if (transforms > 1) arrays.batch.push_back({transforms, group_step(in_), group_step(out_)});
    if (!in_.direct()) add_stored_rows(scope_, in_, group_);
    expand_passes_(arrays);
    if (!out_.direct()) add_stored_rows(scope_, out_, group_);
    scope_.leave(before);
  }

  Scope& scope_;
  const Problem& problem_;
  const std::function<void(const SeenArrays&)>& expand_passes_;
  const std::vector<Dimension> batch_;
  const StoredSide in_, out_;
  StoredGroup group_;
  std::int64_t row_ = 1;    // reals of a row in the workspace, of either side
  std::int64_t lines_ = 1;  // rows of a transform
};

}  // namespace

void expand_between(Scope& scope, const std::function<void(const SeenArrays&)>& expand_passes) { Between(scope, expand_passes).expand(); }

}  // namespace ulpfft
