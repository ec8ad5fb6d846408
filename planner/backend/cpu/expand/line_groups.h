// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Iterations of a loop that go through several passes together.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_LINE_GROUPS_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_LINE_GROUPS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// Calls part(range) for ranges that together are the data of a pass, or of several.
template <typename Range, typename Part>
void for_ranges(Scope& scope, const std::vector<Range>& ranges, const Part& part) {
  const double grown = scope.grown;
  for (const Range& range : ranges) {
    scope.grown = grown;
    part(range);
  }
}

// Calls part(first, count) for `count` iterations in groups of `size`: once inside the loop over groups that open(groups) begins, if there
// are several, and once for those that are left.
template <typename Open, typename Part>
void in_groups(Scope& scope, std::int64_t count, std::int64_t size, const Open& open, const Part& part) {
  const double grown = scope.grown;
  const std::int64_t groups = count / size, rest = count % size;
  if (groups > 1) open(groups);
  part(0, size);
  if (groups > 1) scope.end_repeat();
  if (rest == 0) return;
  scope.grown = grown;
  part(groups * size, rest);
}

// Calls part(place) for groups of up to `lines` lines along the innermost loop of a place; the other loops are opened around it.
template <typename Part>
void for_groups(Scope& scope, const Place& place, std::int64_t lines, const Part& part) {
  if (place.loops.empty()) return part(place);
  const std::size_t outer = scope.open_loops(place, place.loops.size() - 1);
  const LoopAround loop = place.loops.back();
  lines = std::clamp<std::int64_t>(lines, 1, loop.count);
  const auto open = [&](std::int64_t groups) { scope.open_loop(place, {groups, lines * loop.in_stride, lines * loop.out_stride}); };
  in_groups(scope, loop.count, lines, open, [&](std::int64_t first, std::int64_t count) {
    const Scope::Level before = scope.level();
    Place group = place;
    group.in.offset += first * loop.in_stride;
    group.out.offset += first * loop.out_stride;
    group.loops.clear();
    if (count > 1) group.loops.push_back({count, loop.in_stride, loop.out_stride});
    part(group);
    scope.leave(before);
  });
  scope.close_loops(outer);
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_LINE_GROUPS_H_
