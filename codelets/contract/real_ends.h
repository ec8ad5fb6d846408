// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The ends of kReal, and the slow copies between them and a tile.
//
// An end is one or two parts: its reals, or re and im of its numbers. Rows of a tile hold a real or a part of all lines side by side:
// real j is row j; re of number k is row 2k, and im row 2k + 1.
#ifndef ULPFFT_CODELETS_CONTRACT_REAL_ENDS_H_
#define ULPFFT_CODELETS_CONTRACT_REAL_ENDS_H_

#include <cstdint>

#include "codelets/contract/codelet.h"
#include "codelets/contract/ends.h"

namespace ulpfft {

// Points first .. first + count - 1 of one part: point j lies at `at` + j * stride, its row is j * row_step + row. `negated`: every point;
// `alternates`: those of odd index.
template <typename T>
struct RealPart {
  T* at = nullptr;
  std::int64_t stride = 0;
  int first = 0;
  int count = 0;
  int row = 0;
  int row_step = 1;
  bool negated = false;
  bool alternates = false;
  bool negates(int j) const { return negated || (alternates && j % 2 != 0); }
};

template <typename T>
struct RealEnd {
  RealPart<T> parts[2];  // the second is empty at a real end
  int rows = 0;
  bool is_complex = false;
};

// The longest line of a body.
inline constexpr int kMostReals = 64;

// One end of a transform of n reals whose line begins at `line` (parts_of(), moved).
template <typename T>
inline RealEnd<T> real_end(const Edge& edge, Ends<T> line, int n, bool is_complex) {
  RealEnd<T> end;
  end.is_complex = is_complex;
  if (!is_complex) {
    end.rows = n;
    end.parts[0] = {.at = line.re, .stride = edge.point_stride, .count = n, .alternates = edge.swap};
    return end;
  }
  const int points = half_points(n);
  end.rows = 2 * points;
  end.parts[0] = {.at = line.re, .stride = edge.point_stride, .count = points, .row_step = 2};
  end.parts[1] = {.at = line.im, .stride = edge.point_stride, .count = points, .row = 1, .row_step = 2, .negated = edge.swap};
  if (edge.half_complex) {
    end.parts[1].at = line.re + n * edge.point_stride;
    end.parts[1].stride = -edge.point_stride;
    end.parts[1].first = 1;
    end.parts[1].count = (n - 1) / 2;
  }
  return end;
}

// `lane_stride`: between lines. `row_lanes`: reals of a row.
template <typename T>
[[gnu::noinline]] void fill_real_rows(T* tile, std::int64_t row_lanes, const RealPart<T>& part, std::int64_t lane_stride,
                                      std::int64_t lanes, T scale) {
  for (int j = part.first; j < part.first + part.count; ++j) {
    T* const row = tile + (j * part.row_step + part.row) * row_lanes;
    const T* const from = part.at + j * part.stride;
    const T factor = part.negates(j) ? -scale : scale;
    for (std::int64_t l = 0; l < lanes; ++l) row[l] = from[l * lane_stride] * factor;
  }
}

template <typename T>
[[gnu::noinline]] void empty_real_rows(const T* tile, std::int64_t row_lanes, const RealPart<T>& part, std::int64_t lane_stride,
                                       std::int64_t lanes, int n) {
  for (int j = part.first; j < part.first + part.count; ++j) {
    const T* const row = tile + (j * part.row_step + part.row) * row_lanes;
    T* const to = part.at + j * part.stride;
    // The im part that is 0 stays +0.
    const bool negates = part.negates(j) && !(part.row == 1 && is_real_point(j, n));
    for (std::int64_t l = 0; l < lanes; ++l) to[l * lane_stride] = negates ? -row[l] : row[l];
  }
}

// The loops of a pass: those outside, and the innermost one that has more than one iteration.
struct RealLoops {
  std::int64_t outer = 1, middle = 1, lines = 1;
  std::int64_t in_step = 0, out_step = 0;  // between lines
};
inline RealLoops real_loops(const PassArgs& args, std::int64_t count) {
  // A batch has one loop, which is then the inner one.
  if (args.axes[1].count == 1 && args.lanes == 1) return {1, 1, count, args.axes[0].in_stride, args.axes[0].out_stride};
  return {count, args.axes[1].count, args.lanes, args.in.lane_stride, args.out.lane_stride};
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_REAL_ENDS_H_
