// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A part of a pass, and a pass that reads or writes a tile in place of an array.
//
// Slices   slice_pass() makes the pass for positions begin .. begin + count - 1 of one variable. Slices of ranges that partition the
//          variable write together, in any order, the bits that the whole pass writes. A slice of axes[0] runs positions 0 .. count - 1.
// Tiles    redirect_in() and redirect_out() send one end to a tile of interleaved numbers. The pass exchanges re and im as before, so that
//          a tile holds numbers as the array does.
// Loops    Each function writes only the fields that it changes, so that a loop over slices copies the pass once. A slice moves both
//          ends: the loop redirects after it slices.
#ifndef ULPFFT_CODELETS_CONTRACT_PASS_SLICE_H_
#define ULPFFT_CODELETS_CONTRACT_PASS_SLICE_H_

#include <cstdint>

#include "codelets/contract/codelet.h"
#include "codelets/contract/step.h"

namespace ulpfft {

// The variable that a pass is cut along, and where a slice may begin.
//   kOuter   axes[0]: anywhere
//   kInner   axes[1]: anywhere. kWholeTwo, kFirst and kTwiddled have no such loop.
//   kLanes   PassArgs::lanes: at whole vectors.
//            kFirst: the last slice has at least one whole vector, because the last vector of the row list begins early.
//            Dual-select kTwiddled: at whole groups of kPathGroup, and not inside a run of groups that straddle: a run has one table.
//            Line passes, rounded passes, and passes with PassArgs::row are not cut along lanes.
//   kRows    Twist::rows: at whole blocks
// Passes that decode blocks (PassArgs::blocks), and those of mx schemes, are not cut.
enum class PassVariable : std::uint8_t { kOuter, kInner, kLanes, kRows };

struct PassRange {
  PassVariable variable;
  std::int64_t begin;
  std::int64_t count;
};

// Facts of the codelet that PassArgs leaves out.
struct PassShape {
  PassKind kind;
  std::int64_t real_bytes;       // size of a value of PassArgs::table
  std::int64_t lane_values = 0;  // table values of a lane of kTwiddled (those of the body) or kTwist (two for each lo and hi); else 0
};

// `part`, a copy of `whole` or an earlier slice of it along the same variable, becomes the slice of `range`.
inline void slice_pass(PassArgs& part, const PassArgs& whole, const PassShape& shape, const PassRange& range) {
  const std::int64_t begin = range.begin;
  const auto move_table = [&](std::int64_t values) {
    if (whole.table != nullptr) part.table = static_cast<const char*>(whole.table) + begin * values * shape.real_bytes;
  };
  switch (range.variable) {
    case PassVariable::kOuter: {
      const Axis& axis = whole.axes[0];
      const bool has_list = shape.kind == PassKind::kColumns && whole.rows != nullptr;
      if (has_list) part.rows = whole.rows + begin;
      part.axes[0].count = range.count;
      part.in.offset = whole.in.offset + begin * axis.in_stride;
      part.out.offset = whole.out.offset + (has_list ? 0 : begin * axis.out_stride);
      part.ahead.offset = whole.ahead.offset + begin * whole.ahead.axis_stride;
      move_table(axis.table_stride);
      return;
    }
    case PassVariable::kInner: {
      const Axis& axis = whole.axes[1];
      part.axes[1].count = range.count;
      part.in.offset = whole.in.offset + begin * axis.in_stride;
      part.out.offset = whole.out.offset + begin * axis.out_stride;
      if (whole.paths != nullptr) part.paths = whole.paths + begin * whole.path_stride;
      move_table(axis.table_stride);
      return;
    }
    case PassVariable::kLanes:
      part.lanes = range.count;
      part.in.offset = whole.in.offset + begin * whole.in.lane_stride;
      if (shape.kind == PassKind::kFirst) {
        part.rows = whole.rows + begin;
      } else {
        part.out.offset = whole.out.offset + begin * whole.out.lane_stride;
      }
      if (shape.kind == PassKind::kTwiddled && whole.paths != nullptr) part.paths = whole.paths + begin / kPathGroup;
      part.ahead.offset = whole.ahead.offset + begin * whole.ahead.lane_stride;
      move_table(shape.lane_values);
      return;
    case PassVariable::kRows:
      part.twist.begin = whole.twist.begin + begin;
      part.twist.end = part.twist.begin + range.count;
      part.out.offset = whole.out.offset + begin / whole.twist.block * whole.twist.block_stride;
      return;
  }
}

// Where a tile lies: re of lane l of point j of axis position (a0, a1) is real number offset + a0 * outer_stride + a1 * inner_stride +
// j * point_stride + l * lane_stride of the slot, and im the next one.
struct PassTile {
  Slot slot = Slot::kWork0;
  std::int64_t offset = 0;
  std::int64_t point_stride = 0;
  std::int64_t lane_stride = 2;
  std::int64_t outer_stride = 0;
  std::int64_t inner_stride = 0;
};

// The edge is not planar. A tile has no wrap.
inline void redirect_edge(Edge& edge, const PassTile& tile) {
  edge.slot = tile.slot;
  edge.layout = Layout::kPaired;
  edge.im_offset = 1;
  edge.offset = tile.offset;
  edge.point_stride = tile.point_stride;
  edge.lane_stride = tile.lane_stride;
  edge.wrap = 0;
  edge.wrap_point = INT32_MAX;
}

// PassArgs::ahead keeps its place.
inline void redirect_in(PassArgs& pass, const PassTile& tile) {
  redirect_edge(pass.in, tile);
  pass.axes[0].in_stride = tile.outer_stride;
  pass.axes[1].in_stride = tile.inner_stride;
}

// The pass has no row list. A tile stays in the caches.
inline void redirect_out(PassArgs& pass, const PassTile& tile) {
  redirect_edge(pass.out, tile);
  pass.out.non_temporal = false;
  pass.axes[0].out_stride = tile.outer_stride;
  pass.axes[1].out_stride = tile.inner_stride;
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_PASS_SLICE_H_
