// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The addresses of one end of a pass, and the slow generic copies between an edge and a tile.
//
// A pass whose lanes are not adjacent, or too few to fill a vector, runs its body on a tile; these functions fill and empty it.
// `scale` multiplies what a fill reads. Tiles are interleaved: re of lane l of point j at tile[(j * lanes_per_row + l) * 2], im after it.
#ifndef ULPFFT_CODELETS_CONTRACT_ENDS_H_
#define ULPFFT_CODELETS_CONTRACT_ENDS_H_

#include <cstdint>
#include <utility>

#include "codelets/contract/step.h"

namespace ulpfft {

template <typename T>
struct Ends {
  T* re;
  T* im;
};

// Address of point 0, lane 0 of the first axis position. Edge::swap is not applied.
template <typename T>
inline Ends<T> parts_of(const Edge& edge, const Buffers& buffers) {
  const SlotAddress& slot = buffers.slot[static_cast<int>(edge.slot)];
  T* const re = static_cast<T*>(slot.re) + edge.offset;
  return {re, edge.layout == Layout::kSplit ? static_cast<T*>(slot.im) + edge.offset : re + edge.im_offset};
}

// The same address with Edge::swap applied.
template <typename T>
inline Ends<T> resolve(const Edge& edge, const Buffers& buffers) {
  Ends<T> ends = parts_of<T>(edge, buffers);
  if (edge.swap) std::swap(ends.re, ends.im);
  return ends;
}

inline std::int64_t point_offset(const Edge& edge, std::int64_t j) {
  return j * edge.point_stride + (j >= edge.wrap_point ? edge.wrap : 0);
}

// Not inlined: they are the rare path of every loop shape.
template <typename T>
[[gnu::noinline]] void fill_tile(T* tile, std::int64_t row_lanes, const Edge& edge, Ends<T> from, int points, std::int64_t lanes, T scale = T(1)) {
  for (int j = 0; j < points; ++j) {
    const std::int64_t at = point_offset(edge, j);
    T* row = tile + j * row_lanes * 2;
    for (std::int64_t l = 0; l < lanes; ++l) {
      row[2 * l] = from.re[at + l * edge.lane_stride] * scale;
      row[2 * l + 1] = from.im[at + l * edge.lane_stride] * scale;
    }
    for (std::int64_t l = lanes; l < row_lanes; ++l) row[2 * l] = row[2 * l + 1] = T(0);
  }
}

template <typename T>
[[gnu::noinline]] void empty_tile(const T* tile, std::int64_t row_lanes, const Edge& edge, Ends<T> to, int points, std::int64_t lanes) {
  for (int j = 0; j < points; ++j) {
    const std::int64_t at = point_offset(edge, j);
    const T* row = tile + j * row_lanes * 2;
    for (std::int64_t l = 0; l < lanes; ++l) {
      to.re[at + l * edge.lane_stride] = row[2 * l];
      to.im[at + l * edge.lane_stride] = row[2 * l + 1];
    }
  }
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_ENDS_H_
