// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Lanes as columns: cols nodes, and the panels that cols and four are made of.
#include "planner/backend/cpu/expand/columns.h"

#include <algorithm>
#include <cstdlib>

#include "planner/backend/cpu/expand/dit.h"
#include "planner/backend/cpu/expand/line_groups.h"
#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

static void expand_panel_codelet(Scope& scope, const Node& node, const Place& place, const LoopAround& lane, std::int64_t lanes,
                                 const Panel* keep);

std::int64_t panel_pitch(const Scope& scope, std::int64_t panel) {
  // A power of two of bytes between the points of a butterfly would meet in few cache sets. One line more is enough, and leaves more of L2.
  const std::int64_t bytes = static_cast<std::int64_t>(real_bytes(scope.program.compute));
  std::int64_t pitch = align_up(panel, scope.lanes) * 2;
  if (pitch * bytes % 256 == 0) pitch += align_up(kBufferAlignment / bytes, scope.lanes);
  return pitch;
}

void expand_panel(Scope& scope, const Node& node, const Place& place, const LoopAround& lane, std::int64_t lanes, std::int64_t panel,
                             const Panel* keep) {
  if (node.kind == Node::Kind::kN) {
    expand_panel_codelet(scope, node, place, lane, lanes, keep);
  } else if (keep != nullptr) {
    expand_panel_dit(scope, node, place, lane, lanes, *keep, true);
  } else {
    const Scope::Level before = scope.level();
    const std::int64_t pitch = panel_pitch(scope, panel);
    expand_panel_dit(scope, node, place, lane, lanes, {scope.allocate(place.n * pitch), pitch}, false);
    scope.leave(before);
  }
}

static void expand_panel_codelet(Scope& scope, const Node& node, const Place& place, const LoopAround& lane, std::int64_t lanes,
                                 const Panel* keep) {
  Pass pass;
  Operands& args = pass.args;
  args.in = scope.line_edge(place.in, place.n);
  args.in.lane_stride = lane.in_stride;
  args.out = scope.line_edge(place.out, place.n);
  args.out.lane_stride = lane.out_stride;
  if (keep != nullptr) {
    args.out = View();
    args.out.array = keep->area.array;
    args.out.offset = keep->area.offset;
    args.out.planar = true;
    args.out.im_offset = scope.lanes;
    args.out.lane_stride = 2;
    args.out.point_stride = keep->pitch;
  }
  args.out.non_temporal = place.streams && keep == nullptr;
  args.scale = place.scale;
  args.lanes = lanes;
  PassUse use;
  use.butterflies = use.lanes = lanes;
  use.direct = lane.in_stride == 2 && scope.interleaved(place.in) && !place.in.swap && place.scale == 1.0 &&
               (keep != nullptr || (lane.out_stride == 2 && scope.interleaved(place.out)));
  use.working_set =
      4.0 * static_cast<double>(place.n) * static_cast<double>(lanes) * static_cast<double>(real_bytes(scope.program.compute));
  scope.add_in_loops(scope.require(PassKind::kColumns, node.n, TwiddleForm::kNone), place.loops, std::move(pass), use);
}

void expand_cols(Scope& scope, const Node& node, Place place) {
  if (node.panel < 1) scope.refuse("cols needs a panel of at least one column");
  if (node.children.size() != 1) scope.refuse("cols has one child");
  const Node& child = node.children[0];
  if (child.kind != Node::Kind::kDit && child.kind != Node::Kind::kN) scope.refuse("cols holds an n or a dit node");
  // The lanes are the loop with the smallest strides: neighbouring columns where there are any.
  LoopAround lane{1, 2, 2};
  if (!place.loops.empty()) {
    const auto span = [](const LoopAround& loop) { return std::abs(loop.in_stride) + std::abs(loop.out_stride); };
    std::size_t best = place.loops.size() - 1;
    for (std::size_t i = place.loops.size(); i-- > 0;) {
      if (span(place.loops[i]) < span(place.loops[best])) best = i;
    }
    lane = place.loops[best];
    place.loops.erase(place.loops.begin() + static_cast<std::ptrdiff_t>(best));
  }
  // A codelet needs no work array, so its panels are only what threads share.
  constexpr std::int64_t kCodeletPanels = 16;
  std::int64_t panel = node.panel;
  if (child.kind == Node::Kind::kN) panel = panel > lane.count / kCodeletPanels ? lane.count : panel * kCodeletPanels;
  std::size_t opened = 0;
  if (child.kind == Node::Kind::kDit || lane.count > panel) {
    opened = scope.open_loops(place, place.loops.size());
    place.loops.clear();
  }
  panel = std::min(panel, lane.count);
  place.streams = node.stream && !scope.rewrites(place);
  place.fetches = node.stream;
  const auto open = [&](std::int64_t panels) {
    scope.open_loop(place, {panels, panel * lane.in_stride, panel * lane.out_stride}).panels = true;
  };
  in_groups(scope, lane.count, panel, open, [&](std::int64_t first, std::int64_t lanes) {
    Place part = place;
    part.in.offset += first * lane.in_stride;
    part.out.offset += first * lane.out_stride;
    expand_panel(scope, child, part, lane, lanes, panel);
  });
  scope.close_loops(opened);
}

}  // namespace ulpfft
