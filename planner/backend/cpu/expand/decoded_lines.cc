// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/expand/decoded_lines.h"

#include <algorithm>
#include <cstdint>

#include "planner/backend/cpu/expand/line_groups.h"
#include "planner/backend/cpu/expand/real_line.h"
#include "planner/backend/cpu/expand/stored.h"
#include "planner/facts/group_bytes.h"

namespace ulpfft {
namespace {

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
    group_.row_step = is_work(target.base.array) ? target.dims[group_.along] : 2 * (problem_.dims.back().length / 2 + 1);
  }

  void expand() {
    for (const std::size_t d : others_) open(d, problem_.dims[d].length, 1);
    const auto real = static_cast<std::int64_t>(real_bytes(scope_.program.compute));
    const std::int64_t bytes = 2 * child_length(problem_.dims.back().length) * real;
    const std::int64_t count = problem_.dims[group_.along].length;
    std::int64_t lines = std::clamp<std::int64_t>(kRealGroupBytes / bytes, 1, count);  // those of a real node
    if (scope_.threads > 1) lines = std::clamp<std::int64_t>(count / (4 * scope_.threads), 1, lines);
    in_groups(scope_, count, lines, [&](std::int64_t groups) { open(group_.along, groups, lines); },
              [&](std::int64_t first, std::int64_t some) { expand_group(first, some); });
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
  std::vector<std::size_t> others_;  // dimensions longer than 1 but the last and that of the groups
  StoredGroup group_;
};

}  // namespace

void expand_decoded_lines(Scope& scope, const StoredSide& side, const Node& node, const ArrayLines& target, double scale) {
  DecodedLines(scope, side, node, target, scale).expand();
}

}  // namespace ulpfft
