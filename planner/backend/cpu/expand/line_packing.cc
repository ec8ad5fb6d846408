// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/expand/line_packing.h"

#include <algorithm>

#include "planner/facts/group_bytes.h"

namespace ulpfft {
namespace {

// Reals from one plane to the other of a work array.
std::int64_t plane_of(std::int64_t reals) {
  const std::int64_t plane = align_up(reals, 16) + 16;
  return plane % 1024 == 0 ? plane + 16 : plane;
}

}  // namespace

LinePacking pack_line(const Scope& scope, const Node& node, const Place& place) {
  LinePacking p;
  const std::int64_t n = place.n, w = scope.lanes;
  p.lanes = w;
  p.radix = node.passes[0].radix;
  p.columns = n / p.radix;
  p.rows = p.columns < w || place.in.shift % p.columns != 0 ? p.columns + 1 : p.columns;
  // Paths of dual-select follow k in groups, which padding vectors would straddle.
  const bool paths = std::any_of(node.passes.begin(), node.passes.end(), [](const PassSpec& pass) { return selects_path(pass.form); });
  const std::int64_t row_lanes = w * vectors_of(p.radix, static_cast<int>(w));
  const std::int64_t split_k = place.out.shift % (n / node.passes.back().radix);
  const bool keeps = place.out.keeps;
  const auto element = static_cast<std::int64_t>(2 * real_bytes(scope.program.compute));
  // The last vectors of padded rows overlap, which stores past the caches would write twice: 1000*200 f32 1.22 times the time.
  const double scratch = n <= kL2Bytes / element && !node.stream ? scope.most_scratch : 1;
  const std::int64_t most = static_cast<std::int64_t>(scratch * static_cast<double>(n)) + kWorkspacePadding;
  p.padded = !keeps && p.radix % w != 0 && !paths && split_k % p.radix == 0 && p.rows * row_lanes <= most;
  p.blocks = p.padded || (p.radix % w == 0 && split_k % w == 0 && (!keeps || p.rows == p.columns));
  p.planar_out = !scope.interleaved(place.out) && place.out.stride == 1 && place.out.shift == 0;
  p.lane_order = p.blocks && !p.planar_out && w > 1;
  p.unit = p.blocks ? 2 : 1;
  p.row = p.blocks ? 2 * row_lanes : p.radix;
  p.im_offset = p.blocks ? w : plane_of(p.rows * p.radix);
  // A shifted last pass stores elsewhere than it reads.
  p.is_output = !node.stream && p.blocks && !p.padded && p.rows == p.columns && place.loops.empty() && place.out.stride == 2 &&
                place.out.shift == 0 && scope.interleaved(place.out);
  p.leaves = keeps && !p.blocks;
  return p;
}

std::int64_t kept_reals(const Node& node) {
  const std::int64_t n = node_length(node), r1 = node.passes[0].radix;
  return std::max(2 * n, 2 * plane_of(n + r1));
}

}  // namespace ulpfft
