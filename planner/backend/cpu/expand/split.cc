// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms in split schemes: passes that are matrix products, from one work array to another (codelets/contract/split_pass.h).
//
// A group of lines goes through the passes together, so that short lines fill vectors. The first pass reads the array of the place, and the
// last one writes it. Passes between them go to and fro between two work arrays. The norms of lines lie beside these.
#include "planner/backend/cpu/expand/split.h"

#include <algorithm>
#include <limits>
#include <string>

#include "planner/backend/cpu/expand/line_groups.h"
#include "planner/scheme/split.h"
#include "planner/scheme/split_counts.h"

namespace ulpfft {
namespace {

class SplitLines {
 public:
  SplitLines(Scope& scope, const std::vector<PassSpec>& passes, const Place& place, const LoopAround& loop)
      : scope_(scope), scheme_(std::get<SplitScheme>(scope.scheme.constants)), passes_(passes), place_(place), loop_(loop) {
    has_norms_ = scheme_.norm == SplitNorm::kLine || scheme_.norm == SplitNorm::kWhole;
  }

  void expand() {
    const Scope::Level before = scope_.level();
    allocate();
    View from = scope_.line_edge(place_.in, place_.n);
    std::int64_t from_step = loop_.in_stride;
    if (has_norms_) add_norms(from);
    std::int64_t length = 1;
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      const bool last = i + 1 == passes_.size();
      Pass pass;
      pass.args.in = from;
      pass.args.out = last ? scope_.line_edge(place_.out, place_.n) : work_[i % 2];
      pass.args.axes[1] = {loop_.count, from_step, last ? loop_.out_stride : place_.n, 0};
      pass.args.scale = i == 0 ? place_.scale : 1.0;
      from = pass.args.out;
      from_step = place_.n;
      add_pass(i, length, last ? 0 : passes_[i + 1].radix, std::move(pass));
      length *= passes_[i].radix;
    }
    scope_.leave(before);
  }

 private:
  void allocate() {
    const std::int64_t plane = place_.n * loop_.count;
    Area area;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, passes_.size() - 1); ++i) {
      area = i == 0 ? scope_.allocate(2 * plane) : scope_.allocate_beside(area, 2 * plane);
      View& view = work_[i];
      view.array = area.array;
      view.offset = area.offset;
      view.im_offset = plane;
      view.planar = true;
      view.point_stride = view.lane_stride = 1;
    }
    if (!has_norms_) return;
    std::int64_t most = 1;
    for (const PassSpec& pass : passes_) most = std::max(most, SplitUnits(place_.n, pass.radix).of_line);
    area = passes_.size() > 1 ? scope_.allocate_beside(area, 2 * most * loop_.count) : scope_.allocate(2 * most * loop_.count);
    norms_ = area.array;
    norms_at_[0] = area.offset;
    norms_at_[1] = area.offset + most * loop_.count;
  }

  void add_norms(const View& from) {
    SplitProducts op;
    op.points = place_.n;
    op.finds_norms = true;
    op.norms = norms_;
    op.norms_out = norms_at_[0];
    op.norms_written = 1;
    Pass pass;
    pass.args.in = from;
    pass.args.out = from;
    pass.args.scale = place_.scale;
    pass.args.axes[0] = {loop_.count, loop_.in_stride, loop_.in_stride, 0};
    pass.parallel = loop_.count > 1;
    pass.op = op;
    add(std::move(pass), loop_.count, 0, 0.5);
  }

  void add_pass(std::size_t i, std::int64_t length, std::int64_t next, Pass pass) {
    SplitProducts op;
    op.radix = passes_[i].radix;
    op.length = length;
    op.points = place_.n;
    op.next = next;
    const SplitUnits units(place_.n, op.radix);
    if (has_norms_) {
      op.norms = norms_;
      op.norms_in = norms_at_[i % 2];
      op.norms_out = norms_at_[(i + 1) % 2];
      op.norms_read = i == 0 ? 1 : SplitUnits(place_.n, passes_[i - 1].radix).of_line;
      op.norms_written = next == 0 ? 0 : units.of_line;
    }
    const SplitPass outline = split_pass(scheme_, op.radix, length, place_.n, next);
    pass.args.axes[0].count = units.count(loop_.count);
    pass.parallel = pass.args.axes[0].count > 1;
    const std::int64_t extent = pass.args.axes[0].count;
    pass.op = op;
    const double points = static_cast<double>(place_.n) * static_cast<double>(loop_.count) * static_cast<double>(scope_.loop_calls);
    add(std::move(pass), extent, 1, split_nanoseconds(outline) / kPointwiseNs);
    scope_.grown *= static_cast<double>(passes_[i].radix);
    const SplitCounts counts = split_counts(outline);
    const double columns = points / static_cast<double>(op.radix);
    scope_.program.muls += columns * static_cast<double>(counts.products + counts.norms + counts.twiddles);
    scope_.program.adds += columns * static_cast<double>(counts.sums + counts.twiddles / 2);
  }

  // `conversion`: the cost over that of products with an array.
  void add(Pass pass, std::int64_t extent, double share, double conversion) {
    PassUse use;
    use.lanes = place_.n * loop_.count;
    use.butterflies = share > 0 ? use.lanes : 0;
    use.working_set = 16.0 * static_cast<double>(use.lanes);
    use.direct = true;
    use.conversion = conversion;
    // The codelet stands for the time alone.
    Program& program = scope_.program;
    const double adds = program.adds, muls = program.muls, fmas = program.fmas;
    scope_.add_pass(scope_.require_line(PassKind::kPointwise), std::move(pass), extent, use);
    program.adds = adds;
    program.muls = muls;
    program.fmas = fmas;
  }

  static constexpr double kPointwiseNs = 3;  // of a vector of 16 numbers

  Scope& scope_;
  const SplitScheme& scheme_;
  const std::vector<PassSpec>& passes_;
  const Place& place_;
  const LoopAround loop_;  // lines that are transformed together
  bool has_norms_ = false;
  View work_[2];
  ArrayId norms_ = ArrayId::kNone;
  std::int64_t norms_at_[2] = {};
};

void check(const Scope& scope, const std::vector<PassSpec>& passes, const Place& place) {
  if (place.n > std::numeric_limits<std::int32_t>::max()) scope.refuse("Split schemes transform at most 2^31 - 1 points");
  std::string list;
  for (const std::int64_t radix : split_radices()) list += (list.empty() ? "" : ", ") + std::to_string(radix);
  for (const PassSpec& pass : passes) {
    if (!pass.format.empty()) scope.refuse("Intermediate formats are not part of split schemes, which keep f32 or f64 between passes");
    if (pass.starts_group) scope.refuse("Passes of split schemes go over the whole line, without '/'");
    if (pass.form != TwiddleForm::kStandard) scope.refuse("Split schemes multiply by standard twiddles only");
    if (has_split_pass(pass.radix)) continue;
    scope.refuse("Split schemes have no pass of radix " + std::to_string(pass.radix) + "; there are " + list);
  }
}

}  // namespace

void expand_split(Scope& scope, const std::vector<PassSpec>& passes, const Place& place) {
  check(scope, passes, place);
  // Both work arrays of a group.
  const std::int64_t line_bytes = 4 * static_cast<std::int64_t>(real_bytes(scope.program.compute)) * place.n;
  const std::int64_t all = place.loops.empty() ? 1 : place.loops.back().count;
  const std::int64_t most = scope.scheme.mixes_batches ? all : scope.scheme.family->group_bytes / line_bytes;
  for_groups(scope, place, most, [&](const Place& group) {
    SplitLines(scope, passes, group, group.loops.empty() ? LoopAround{1, 0, 0} : group.loops.back()).expand();
  });
}

}  // namespace ulpfft
