// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/expand/between.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "planner/backend/cpu/expand/line_groups.h"
#include "planner/backend/cpu/expand/stored.h"

namespace ulpfft {

// A loop over `count` times `steps` transforms of a batch dimension, each of which stands for some of the whole batch.
static void open_transforms(Scope& scope, const Dimension& d, std::int64_t count, std::int64_t steps, std::int64_t transforms,
                            const SettledEnds& ends) {
  const StoredSide &in = ends.in, &out = ends.out;
  const std::int64_t in_step = steps * d.in_stride, out_step = steps * d.out_stride;
  const bool exponents = scope.sides.by_groups() || !scope.back.empty();
  scope.begin_parallel(count, {{ArrayId::kIn, in_step * in.unit},
                                {ArrayId::kOut, out_step * out.unit},
                                {ArrayId::kInScales, in_step * in.scale_bytes},
                                {ArrayId::kOutScales, out_step * out.scale_bytes},
                                {ArrayId::kExponents, exponents ? transforms * static_cast<std::int64_t>(sizeof(std::int32_t)) : 0}});
}

void for_transforms(Scope& scope, const SettledEnds& ends, const std::function<void(std::int64_t first, std::int64_t transforms)>& part) {
  const std::vector<Dimension>& batch = ends.batch;
  const std::int64_t size = ends.together;
  std::int64_t inner = batch_count(scope.problem);  // transforms in one iteration
  std::size_t opened = 0;
  for (; opened + 1 < batch.size(); ++opened) {
    inner /= batch[opened].length;
    open_transforms(scope, batch[opened], batch[opened].length, 1, inner, ends);
  }
  const auto open = [&](std::int64_t groups) { open_transforms(scope, batch.back(), groups, size, size, ends); };
  in_groups(scope, batch.empty() ? 1 : batch.back().length, size, open, part);
  scope.close_loops(opened);
}

namespace {

class Between {
 public:
  Between(Scope& scope, const SettledEnds& ends, const std::function<void(SeenArrays&)>& expand_passes)
      : scope_(scope), problem_(scope.problem), ends_(ends), in_(ends.in), out_(ends.out), expand_passes_(expand_passes) {
    if (!ends.batch.empty()) group_.loop = ends.batch.back();
  }

  void expand() {
    if (ends_.are_wide() && scope_.back.empty()) {
      SeenArrays arrays{lines_of_caller(in_), lines_of_caller(out_), {}, loops_of_caller()};
      return expand_passes_(arrays);
    }
    tell_end(scope_, in_);
    tell_end(scope_, out_);
    group_.streams = ends_.streams;
    for_transforms(scope_, ends_, [this](std::int64_t first, std::int64_t transforms) { expand_group(first, transforms); });
  }

 private:
  ArrayLines lines_of_caller(const StoredSide& side) const {
    ArrayLines lines;
    lines.base.array = side.array;
    lines.dims.reserve(problem_.dims.size());
    for (const Dimension& d : problem_.dims) lines.dims.push_back(side.unit * side.stride(d));
    lines.step = side.unit * side.stride(group_.loop);
    return lines;
  }
  std::vector<LoopAround> loops_of_caller() const {
    std::vector<LoopAround> loops;
    for (const Dimension& d : problem_.batch) {
      if (d.length > 1) loops.push_back({d.length, in_.unit * d.in_stride, out_.unit * d.out_stride});
    }
    return loops;
  }

  // The transforms of a group in the workspace.
  ArrayLines lines_of_work(bool real) const {
    ArrayLines lines;
    lines.base.array = group_.work.array;
    lines.base.offset = group_.work.offset;
    lines.dims.resize(problem_.dims.size());
    std::int64_t stride = group_.across ? 2 * group_.transforms : real ? 1 : 2;
    lines.dims.back() = stride;
    stride = group_.across ? stride * problem_.dims.back().length : ends_.row;
    for (std::size_t d = problem_.dims.size() - 1; d-- > 0;) {
      lines.dims[d] = stride;
      stride *= problem_.dims[d].length;
    }
    lines.step = group_.across ? 2 : stride;
    return lines;
  }

  ArrayLines lines_of_group(const StoredSide& side) {
    if (side.by_panels()) {  // one line, to which the loops have moved
      ArrayLines line;
      line.base.array = side.array;
      line.dims = {side.real_in_passes() ? 1 : 2};
      return line;
    }
    if (!side.direct()) return lines_of_work(side.real_in_passes());
    ArrayLines lines = lines_of_caller(side);
    lines.base.offset = group_.first * lines.step;
    if (!side.fused()) return lines;
    lines.base.format = side.format;
    if (!side.rows) return lines;
    lines.dims = {2};
    lines.base.blocks = add_block_rows(scope_, side, group_);
    return lines;
  }

  // What a dit reads by way of tiles, or leaves in the array of the group.
  void take_tiles(SeenArrays& arrays) {
    arrays.out.base.keeps = !out_.direct();
    if (in_.direct()) return;
    add_stored_rows(scope_, in_, group_);
    arrays.in = {};
    arrays.in.base.stored = scope_.program.stored_rows.back().get();
    arrays.in.base.stored_work = group_.work.array;
    arrays.in.dims = {2};
  }

  // Whether a side of another wide type is converted line by line: adjacent reals go as pairs.
  bool has_lines(const StoredSide& side) const {
    if (side.by_groups || side.power) return false;
    return !side.real || (side.row % 2 == 0 && side.stride(problem_.dims.back()) == 1);
  }

  // The passes scale, and exchange re and im: a conversion that does is no loop over whole vectors.
  void add_lines(const StoredSide& side) {
    const ArrayLines user = lines_of_caller(side), work = lines_of_work(side.real);
    const ArrayLines &from = side.output ? work : user, &to = side.output ? user : work;
    LineEnd in = from.base, out = to.base;
    in.stride = side.real ? 2 : from.dims.back();
    out.stride = side.real ? 2 : to.dims.back();
    (side.output ? out : in).offset += group_.first * user.step;
    std::vector<LoopAround> loops;
    if (group_.transforms > 1) loops.push_back({group_.transforms, from.step, to.step});
    for (std::size_t d = 0; d + 1 < problem_.dims.size(); ++d) {
      if (problem_.dims[d].length > 1) loops.push_back({problem_.dims[d].length, from.dims[d], to.dims[d]});
    }
    const PassKind kind = side.output ? PassKind::kEncode : PassKind::kDecode;
    const std::int64_t points = side.real ? side.row / 2 : side.row;
    scope_.add_line_pass(kind, scope_.line_edge(in, points), scope_.line_edge(out, points), points, {}, loops);
  }

  void convert(const StoredSide& side) {
    if (side.how != Converted::kApart) return;
    has_lines(side) ? add_lines(side) : add_stored_rows(scope_, side, group_);
  }

  void expand_group(std::int64_t first, std::int64_t transforms) {
    const Scope::Level before = scope_.level();
    const std::int64_t count = group_.loop.length;
    group_.first = first;
    group_.transforms = transforms;
    group_.repeats = transforms == ends_.together && count > 2 * transforms;
    group_.across = transforms > 1 && ends_.most_across > 0;
    group_.tiles = ends_.tiles;
    group_.row_step = group_.across ? 2 * transforms : ends_.row;
    group_.work = ends_.work > 0 ? scope_.allocate(ends_.work * transforms) : Area();
    if (scope_.program.prescale_target != 0) group_.undo = scope_.allocate_beside(group_.work, transforms);
    SeenArrays arrays;
    arrays.first = first;
    arrays.by_lines = ends_.by_lines ? &in_ : nullptr;
    convert(in_);
    arrays.in = lines_of_group(in_);
    arrays.out = lines_of_group(out_);
    if (ends_.tiles) take_tiles(arrays);
    if (!scope_.back.empty()) arrays.spectrum = lines_of_work(false);
    if (transforms > 1) arrays.batch = {{transforms, arrays.in.step, arrays.out.step}};
    scope_.next_line = out_.power && in_.direct() && transforms == 1 && count > 1 ? arrays.in.step : 0;
    expand_passes_(arrays);
    convert(out_);
    scope_.leave(before);
  }

  Scope& scope_;
  const Problem& problem_;
  const SettledEnds& ends_;
  const StoredSide &in_, &out_;
  const std::function<void(SeenArrays&)>& expand_passes_;
  StoredGroup group_;
};

}  // namespace

void expand_between(Scope& scope, const SettledEnds& ends, const std::function<void(SeenArrays&)>& expand_passes) {
  Between(scope, ends, expand_passes).expand();
}

}  // namespace ulpfft
