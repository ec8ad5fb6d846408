// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/expand/real_codelet.h"

#include <algorithm>
#include <string>
#include <utility>

#include "planner/table/find_codelet.h"

namespace ulpfft {
namespace {

// Vectors hold lines of the innermost loop: lines whose neighbours are adjacent reals, else those of the longest loop where the last one is
// too short to fill them.
void put_lanes_inside(std::vector<LoopAround>& loops, int lanes) {
  const auto beside = std::find_if(loops.begin(), loops.end(), [](const LoopAround& loop) {
    return loop.in_stride == 1 && loop.out_stride == 1;
  });
  if (beside != loops.end()) {
    std::rotate(beside, beside + 1, loops.end());
    return;
  }
  if (loops.empty() || loops.back().count >= lanes) return;
  const auto shorter = [](const LoopAround& a, const LoopAround& b) { return a.count < b.count; };
  std::swap(*std::max_element(loops.begin(), loops.end(), shorter), loops.back());
}

}  // namespace

void expand_real_codelet(Scope& scope, RealTransform transform, Place place) {
  const CodeletInfo* const codelet = find_real_codelet(scope.codelets, transform, scope.scheme.compute, place.n);
  if (codelet == nullptr) {
    scope.refuse("There is no codelet of this transform of " + std::to_string(place.n) + " reals on target " + scope.codelets.target);
  }
  if (place.in.shift != 0 || place.out.shift != 0) {
    scope.refuse("A codelet of real numbers does not shift; a centered problem has a real node along its last length");
  }
  merge_loops(place.loops);
  put_lanes_inside(place.loops, scope.lanes);
  Pass pass;
  Operands& args = pass.args;
  args.in = scope.line_edge(place.in, place.n);
  args.out = scope.line_edge(place.out, place.n);
  args.scale = place.scale;
  PassUse use;
  use.butterflies = 1;
  scope.add_in_loops(*codelet, place.loops, std::move(pass), use);
}

}  // namespace ulpfft
