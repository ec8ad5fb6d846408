// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Line passes that only move points, element by element: every backend's gather and scatter, and the slow path of the others.
#ifndef ULPFFT_CODELETS_CONTRACT_LINE_PASSES_H_
#define ULPFFT_CODELETS_CONTRACT_LINE_PASSES_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "codelets/contract/ends.h"

namespace ulpfft {

// Calls line(in offset, out offset, table offset) for every position of the axes.
template <typename Line>
inline void for_each_line(const PassArgs& args, std::int64_t first, std::int64_t count, const Line& line) {
  const Axis &outer = args.axes[0], &inner = args.axes[1];
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < inner.count; ++a1) {
      line(a0 * outer.in_stride + a1 * inner.in_stride, a0 * outer.out_stride + a1 * inner.out_stride, a0 * outer.table_stride + a1 * inner.table_stride);
    }
  }
}

// S: real of the in edge, T: of the out edge, C: of the arithmetic, which is the scale.
template <typename S, typename T, typename C>
inline void move_point(const Edge& in, Ends<S> from, std::int64_t j, const Edge& out, Ends<T> to, std::int64_t k, C scale) {
  const std::int64_t i = point_offset(in, j);
  const std::int64_t o = point_offset(out, k);
  to.re[o] = static_cast<T>(static_cast<C>(from.re[i]) * scale);
  to.im[o] = static_cast<T>(static_cast<C>(from.im[i]) * scale);
}

// The points after a line become 0. Adjacent ones are filled: with an index for each point, 101 points in f32 by a convolution of 256
// took 1.3 times as long. Not inlined: loops over points beside it would lose registers.
template <typename T>
[[gnu::noinline]] void zero_padding(const PassArgs& args, Ends<T> to) {
  const Edge& edge = args.out;
  const std::int64_t end = args.lanes + args.pad;
  if (edge.layout == Layout::kPaired && edge.im_offset == 1 && edge.point_stride == 2) {
    T* const first = std::min(to.re, to.im);
    const std::int64_t wrap = std::clamp<std::int64_t>(edge.wrap_point, args.lanes, end);
    std::fill(first + 2 * args.lanes, first + 2 * wrap, T(0));
    std::fill(first + 2 * wrap + edge.wrap, first + 2 * end + edge.wrap, T(0));
    return;
  }
  for (std::int64_t j = args.lanes; j < end; ++j) {
    const std::int64_t at = point_offset(edge, j);
    to.re[at] = to.im[at] = T(0);
  }
}

enum class Move { kStraight, kGather, kScatter };

// Whether the parts of a number lie side by side, re first.
inline bool is_interleaved(const Edge& edge) { return edge.layout == Layout::kPaired && edge.im_offset == 1 && !edge.swap; }

// Adjacent interleaved numbers, four at a time: their addresses need no product.
template <typename T, Move kMove>
inline void move_adjacent(const std::uint32_t* rows, std::int64_t count, const T* from, T* to) {
  const auto move = [&](std::int64_t j) {
    const std::int64_t source = kMove == Move::kGather ? rows[j] : j;
    const std::int64_t target = kMove == Move::kScatter ? rows[j] : j;
    std::memcpy(to + 2 * target, from + 2 * source, 2 * sizeof(T));
  };
  std::int64_t j = 0;
  for (; j + 4 <= count; j += 4) {
    move(j);
    move(j + 1);
    move(j + 2);
    move(j + 3);
  }
  for (; j < count; ++j) move(j);
}

// Not inlined into the loops around it, which would take registers from it: rader's 1009 points in f64 took 1.25 times as long. Where no end
// wraps the compiler knows: they took 1.14 times as long with the question at every point. Interleaved numbers move as one.
template <typename S, typename T, typename C, Move kMove>
[[gnu::noinline]] void move_points(const PassArgs& args, Ends<S> from, Ends<T> to) {
  const C scale = static_cast<C>(args.scale);
  const std::uint32_t* const rows = args.rows;
  const auto move = [&](const Edge& in, const Edge& out) {
    for (std::int64_t j = 0; j < args.lanes; ++j) {
      move_point(in, from, kMove == Move::kGather ? rows[j] : j, out, to, kMove == Move::kScatter ? rows[j] : j, scale);
    }
  };
  if (args.in.wrap != 0 || args.out.wrap != 0) return move(args.in, args.out);
  if constexpr (std::is_same_v<S, T>) {
    if (args.scale == 1.0 && is_interleaved(args.in) && is_interleaved(args.out)) {
      // Values of their own: what memcpy stores might be `args`.
      const std::int64_t count = args.lanes, in_stride = args.in.point_stride, out_stride = args.out.point_stride;
      if (in_stride == 2 && out_stride == 2) return move_adjacent<T, kMove>(rows, count, from.re, to.re);
      for (std::int64_t j = 0; j < count; ++j) {
        const std::int64_t source = kMove == Move::kGather ? rows[j] : j;
        const std::int64_t target = kMove == Move::kScatter ? rows[j] : j;
        std::memcpy(to.re + target * out_stride, from.re + source * in_stride, 2 * sizeof(T));
      }
      return;
    }
  }
  Edge in, out;  // known not to wrap
  in.point_stride = args.in.point_stride;
  out.point_stride = args.out.point_stride;
  move(in, out);
}

template <typename S, typename T, typename C, Move kMove>
void move_line(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const Ends<S> from = resolve<S>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  for_each_line(args, first, count, [&](std::int64_t i, std::int64_t o, std::int64_t) {
    const Ends<S> line_in{from.re + i, from.im + i};
    const Ends<T> line_out{to.re + o, to.im + o};
    if (kMove == Move::kStraight || args.rows != nullptr) move_points<S, T, C, kMove>(args, line_in, line_out);
    else move_points<S, T, C, Move::kStraight>(args, line_in, line_out);
    if (args.pad > 0) zero_padding(args, line_out);
  });
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_LINE_PASSES_H_
