// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Lines that go through several passes together.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_LINE_GROUPS_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_LINE_GROUPS_H_

#include <algorithm>
#include <cstdint>

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// Calls part(place) for groups of up to `lines` lines along the innermost loop of a place; the other loops are opened around it.
template <typename Part>
void for_groups(Scope& scope, Place place, std::int64_t lines, const Part& part) {
  if (place.loops.empty()) return part(place);
  const std::size_t outer = scope.open_loops(place, place.loops.size() - 1);
  const LoopAround loop = place.loops.back();
  lines = std::clamp<std::int64_t>(lines, 1, loop.count);
  const std::int64_t groups = loop.count / lines, rest = loop.count % lines;
  const double grown = scope.grown;
  const auto add = [&](std::int64_t count) {
    scope.grown = grown;
    const Scope::Level before = scope.level();
    place.loops.clear();
    if (count > 1) place.loops.push_back({count, loop.in_stride, loop.out_stride});
    part(place);
    scope.leave(before);
  };
  Place around = place;
  around.loops = {{groups, lines * loop.in_stride, lines * loop.out_stride}};
  const std::size_t opened = groups > 1 ? scope.open_loops(around, 1) : 0;
  add(lines);
  scope.close_loops(opened);
  if (rest > 0) {
    place.in.offset += groups * lines * loop.in_stride;
    place.out.offset += groups * lines * loop.out_stride;
    add(rest);
  }
  scope.close_loops(outer);
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_LINE_GROUPS_H_
