// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Line passes that only move points, element by element: every backend's gather and scatter, and the slow path of the others.
#ifndef ULPFFT_CODELETS_CONTRACT_LINE_PASSES_H_
#define ULPFFT_CODELETS_CONTRACT_LINE_PASSES_H_

#include <cstdint>

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

enum class Move { kStraight, kGather, kScatter };

template <typename S, typename T, typename C, Move kMove>
void move_line(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const Ends<S> from = resolve<S>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const C scale = static_cast<C>(args.scale);
  for_each_line(args, first, count, [&](std::int64_t i, std::int64_t o, std::int64_t) {
    const Ends<S> line_in{from.re + i, from.im + i};
    const Ends<T> line_out{to.re + o, to.im + o};
    for (std::int64_t j = 0; j < args.lanes; ++j) {
      const std::int64_t source = kMove == Move::kGather ? args.rows[j] : j;
      const std::int64_t target = kMove == Move::kScatter ? args.rows[j] : j;
      move_point(args.in, line_in, source, args.out, line_out, target, scale);
    }
    for (std::int64_t j = args.lanes; j < args.lanes + args.pad; ++j) {
      const std::int64_t at = point_offset(args.out, j);
      line_out.re[at] = line_out.im[at] = T(0);
    }
  });
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_LINE_PASSES_H_
