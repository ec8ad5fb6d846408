// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/expand/seen_arrays.h"

#include <algorithm>
#include <cstdint>

#include "planner/backend/cpu/expand/real_line.h"
#include "planner/backend/cpu/expand/stored.h"
#include "planner/facts/group_bytes.h"

namespace ulpfft {
namespace {

std::int64_t row_of_spectrum(const Problem& problem) { return 2 * (problem.dims.back().length / 2 + 1); }

// Reals of a row in the workspace, of either side: that of r2r is even.
std::int64_t row_of_work(const Problem& problem) {
  const std::int64_t n = problem.dims.back().length;
  if (problem.kind == Kind::kCzt) return 2 * std::max(n, stored_length(problem, problem.dims.back(), true));
  return problem.kinds.empty() ? row_of_spectrum(problem) : n + n % 2;
}

class Between {
 public:
  Between(Scope& scope, const Node& line, const std::function<void(const SeenArrays&)>& expand_passes)
      : scope_(scope),
        problem_(scope.problem),
        expand_passes_(expand_passes),
        batch_(merged_batch(problem_)),
        row_(row_of_work(problem_)),
        lines_(transform_points(problem_) / problem_.dims.back().length),
        in_(stored_side(scope, line, false)),
        out_(stored_side(scope, line, true)) {
    if (problem_.kinds.empty() && in_.real && !in_.direct() && !in_.changed) settle_reals(line);
  }

  void expand() {
    tell_end(scope_, in_);
    tell_end(scope_, out_);
    if (in_.direct() && out_.direct()) return expand_passes_({lines_of_caller(in_), lines_of_caller(out_), loops_of_caller(), 0});
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
  // Of an input of real numbers: whether the passes convert it, those of a child that transforms pairs or groups of lines.
  void settle_reals(const Node& line) {
    const bool beside = out_.direct() && scope_.back.empty();  // what is decoded would be a copy beside the caller's spectrum
    const std::int64_t bytes = row_ * lines_ * static_cast<std::int64_t>(real_bytes(scope_.program.compute));
    if (lines_ > 1) {
      by_lines_ = bytes > (beside ? kStoredGroupBytes : kDecodedInPlace);
      if (by_lines_) in_.how = Converted::kStaged;
    } else if (line.kind == Node::Kind::kReal && bytes > (beside ? kDecodedBeside : kDecodedInPlace)) {
      in_ = stored_side(scope_, line.children[0], false);
    }
  }
  bool takes_one() const { return by_lines_ || in_.by_panels(); }

  // As many transforms as leave half of L1 to the passes.
  std::int64_t group_size(std::int64_t transforms) const {
    if (takes_one()) return 1;
    const std::int64_t bytes = row_ * lines_ * static_cast<std::int64_t>(real_bytes(scope_.program.compute));
    const std::int64_t group = std::clamp<std::int64_t>(group_bytes(out_.power) / bytes, 1, transforms);
    return scope_.threads > 1 ? std::clamp<std::int64_t>(transforms / (4 * scope_.threads), 1, group) : group;
  }

  ArrayLines lines_of_caller(const StoredSide& side) const {
    ArrayLines lines;
    lines.base.array = side.array;
    for (const Dimension& d : problem_.dims) lines.dims.push_back(side.unit * side.stride(d));
    return lines;
  }
  std::vector<LoopAround> loops_of_caller() const {
    std::vector<LoopAround> loops;
    for (const Dimension& d : problem_.batch) {
      if (d.length > 1) loops.push_back({d.length, in_.unit * d.in_stride, out_.unit * d.out_stride});
    }
    return loops;
  }

  ArrayLines lines_of_work(const Side& side) const {
    ArrayLines lines;
    lines.base.array = group_.work.array;
    lines.base.offset = group_.work.offset;
    lines.dims.resize(problem_.dims.size());
    std::int64_t stride = row_;
    for (std::size_t d = problem_.dims.size() - 1; d-- > 0;) {
      lines.dims[d] = stride;
      stride *= problem_.dims[d].length;
    }
    lines.dims.back() = side.real_in_passes() ? 1 : 2;
    return lines;
  }

  ArrayLines lines_of_group(const StoredSide& side) const {
    if (side.by_panels()) {  // one line, to which the loops have moved; in reals
      ArrayLines line;
      line.base.array = side.array;
      line.dims = {1};
      return line;
    }
    if (!side.direct()) return lines_of_work(side);
    ArrayLines lines = lines_of_caller(side);
    lines.base.offset = group_.first * group_step(side);
    return lines;
  }
  // Reals from a transform to the next.
  std::int64_t group_step(const StoredSide& side) const {
    if (!side.direct()) return row_ * lines_;
    return side.unit * side.stride(group_.loop);
  }

  void expand_group(std::int64_t first, std::int64_t transforms) {
    scope_.grown = grown_;
    const Scope::Level before = scope_.level();
    group_.first = first;
    group_.transforms = transforms;
    group_.row_step = row_;
    const bool decodes = in_.how == Converted::kApart, encodes = out_.how == Converted::kApart;
    if (decodes || encodes) group_.work = scope_.allocate(row_ * lines_ * transforms);
    if (scope_.program.prescale_target != 0) group_.undo = scope_.allocate_beside(group_.work, transforms);
    SeenArrays arrays{lines_of_group(in_), lines_of_group(out_), {}, first, by_lines_ ? &in_ : nullptr};
    scope_.next_line = out_.power && in_.direct() && transforms == 1 && group_.loop.length > 1 && lines_ == 1 ? group_step(in_) : 0;
    if (transforms > 1) arrays.batch.push_back({transforms, group_step(in_), group_step(out_)});
    if (decodes) add_stored_rows(scope_, in_, group_);
    expand_passes_(arrays);
    if (encodes) add_stored_rows(scope_, out_, group_);
    scope_.leave(before);
  }

  Scope& scope_;
  const Problem& problem_;
  const std::function<void(const SeenArrays&)>& expand_passes_;
  const std::vector<Dimension> batch_;
  const std::int64_t row_;    // reals of a row in the workspace
  const std::int64_t lines_;  // rows of a transform
  StoredSide in_;
  const StoredSide out_;  // of real numbers that are staged by a last sweep: 2^20 f32->i16 1.20, 2^24 1.11 of what is encoded apart
  bool by_lines_ = false;     // see SeenArrays
  const double grown_ = scope_.grown;
  StoredGroup group_;
};

// One transform whose lines are decoded a group at a time.
class DecodedLines {
 public:
  DecodedLines(Scope& scope, const StoredSide& side, const Node& node, const ArrayLines& target, double scale)
      : scope_(scope), problem_(scope.problem), side_(side), node_(node), target_(target), scale_(scale) {
    for (std::size_t d = 0; d + 1 < problem_.dims.size(); ++d) {
      if (problem_.dims[d].length > 1) others_.push_back(d);
    }
    group_.along = others_.back();
    others_.pop_back();
    group_.row_step = is_work(target.base.array) ? target.dims[group_.along] : row_of_spectrum(problem_);
  }

  void expand() {
    for (const std::size_t d : others_) open(d, problem_.dims[d].length, 1);
    const auto real = static_cast<std::int64_t>(real_bytes(scope_.program.compute));
    const std::int64_t bytes = 2 * child_length(problem_.dims.back().length) * real;
    const std::int64_t count = problem_.dims[group_.along].length;
    std::int64_t lines = std::clamp<std::int64_t>(kRealGroupBytes / bytes, 1, count);  // those of a real node
    if (scope_.threads > 1) lines = std::clamp<std::int64_t>(count / (4 * scope_.threads), 1, lines);
    const std::int64_t groups = count / lines;
    open(group_.along, groups, lines);
    expand_group(0, lines);
    scope_.end_repeat();
    if (count % lines != 0) expand_group(groups * lines, count % lines);
    scope_.close_loops(others_.size());
  }

 private:
  void open(std::size_t d, std::int64_t count, std::int64_t steps) {
    const std::int64_t stride = steps * problem_.dims[d].in_stride;
    scope_.begin_parallel(count, {{ArrayId::kIn, stride * side_.unit},
                                  {ArrayId::kInScales, stride * side_.scale_bytes},
                                  {target_.base.array, steps * target_.dims[d]}});
  }

  // A spectrum in the workspace lies where its lines are decoded.
  void expand_group(std::int64_t first, std::int64_t lines) {
    scope_.grown = grown_;
    const Scope::Level before = scope_.level();
    const std::int64_t offset = target_.base.offset + first * target_.dims[group_.along];
    group_.first_line = first;
    group_.lines = lines;
    group_.work = is_work(target_.base.array) ? Area{target_.base.array, offset} : scope_.allocate(lines * group_.row_step);
    add_stored_rows(scope_, side_, group_);
    const Dimension& last = problem_.dims.back();
    Place place;
    place.n = last.length;
    place.in = {.array = group_.work.array, .offset = group_.work.offset, .stride = 1, .shift = side_.turn};
    place.out = target_.base;
    place.out.offset = offset;
    place.out.stride = target_.dims.back();
    place.scale = scale_;
    if (lines > 1) place.loops = {{lines, group_.row_step, target_.dims[group_.along]}};
    expand_real_line(scope_, node_, place, true, true);
    scope_.leave(before);
  }

  Scope& scope_;
  const Problem& problem_;
  const StoredSide& side_;
  const Node& node_;
  const ArrayLines& target_;
  const double scale_;
  const double grown_ = scope_.grown;
  std::vector<std::size_t> others_;  // dimensions longer than 1 but the last and that of the groups
  StoredGroup group_;
};

}  // namespace

void expand_between(Scope& scope, const Node& line, const std::function<void(const SeenArrays&)>& expand_passes) {
  Between(scope, line, expand_passes).expand();
}

void expand_decoded_lines(Scope& scope, const StoredSide& side, const Node& node, const ArrayLines& target, double scale) {
  DecodedLines(scope, side, node, target, scale).expand();
}

}  // namespace ulpfft
