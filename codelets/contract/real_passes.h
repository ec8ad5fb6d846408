// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes of real transforms as far as all backends share them: the walk over lines, the points without a partner, and the passes that only
// move numbers, element by element.
//
// Edge::swap at an end conjugates there: it is a sign of the im parts, and parts_of() ignores it.
#ifndef ULPFFT_CODELETS_CONTRACT_REAL_PASSES_H_
#define ULPFFT_CODELETS_CONTRACT_REAL_PASSES_H_

#include <algorithm>
#include <cstdint>

#include "codelets/contract/ends.h"
#include "codelets/contract/line_passes.h"

namespace ulpfft {

// What the parts of a number are multiplied by: the scale, and the sign of im.
template <typename T>
struct PartFactors {
  T re;
  T im;
};
template <typename T>
inline PartFactors<T> part_factors(const Edge& edge, double scale) {
  const T factor = static_cast<T>(scale);
  return {factor, edge.swap ? -factor : factor};
}

// Pairs of points (k, h - k), 0 < k < h/2.
constexpr std::int64_t pairs_of(std::int64_t h) { return (h - 1) / 2; }

inline bool has_adjacent_numbers(const Edge& edge) {
  return edge.layout == Layout::kPaired && edge.im_offset == 1 && edge.point_stride == 2;
}
inline bool has_adjacent_reals(const Edge& edge) { return edge.point_stride == 1; }

template <typename T>
using RealLine = void (*)(const PassArgs& args, Ends<T> from, Ends<T> to);
// Runs `line` for every line. Not inlined: all passes and targets share it.
template <typename T>
[[gnu::noinline]] void run_real_lines(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count,
                                      RealLine<T> line) {
  const Ends<T> from = parts_of<T>(args.in, buffers);
  const Ends<T> to = parts_of<T>(args.out, buffers);
  for_each_line(args, first, count, [&](std::int64_t i, std::int64_t o, std::int64_t) {
    line(args, {from.re + i, from.im + i}, {to.re + o, to.im + o});
  });
}

// ---- kUntangle, kTangle

// What the points without a partner become: point 0, point h of X and, of even h, point h/2.
template <typename T>
struct Unpaired {
  T first_re = T(0), first_im = T(0);
  T last = T(0);
  T middle_re = T(0), middle_im = T(0);
};

// The point after another lies `stride` reals on.
template <typename T>
inline Unpaired<T> untangle_unpaired(const T* re, const T* im, std::int64_t stride, PartFactors<T> factors, std::int64_t h) {
  const std::int64_t middle = h / 2 * stride;
  const T x = re[0], y = im[0];
  Unpaired<T> points{.first_re = x + y, .last = x - y};
  if (h % 2 == 0) {
    points.middle_re = re[middle];
    points.middle_im = im[middle] * -factors.im;
  }
  return points;
}

// Not inlined: g++ 12 makes a product, a sum and a difference of such parts one instruction (vfmsubadd) in spite of -ffp-contract=off.
template <typename T>
[[gnu::noinline]] Unpaired<T> tangle_unpaired(const T* re, const T* im, std::int64_t stride, PartFactors<T> factors, std::int64_t h) {
  const std::int64_t middle = h / 2 * stride;
  const T x = re[0] * factors.re, y = re[h * stride] * factors.re;
  Unpaired<T> points{.first_re = x + y, .first_im = x - y};
  if (h % 2 == 0) {
    const T a = re[middle] * factors.re, b = im[middle] * factors.im;
    points.middle_re = a + a;
    points.middle_im = -(b + b);
  }
  return points;
}

template <typename T>
inline void store_unpaired(const Unpaired<T>& points, bool has_last, Ends<T> to, std::int64_t stride, std::int64_t h) {
  const std::int64_t middle = h / 2 * stride, last = h * stride;
  if (h % 2 == 0) {
    to.re[middle] = points.middle_re;
    to.im[middle] = points.middle_im;
  }
  to.re[0] = points.first_re;
  to.im[0] = points.first_im;
  if (has_last) {
    to.re[last] = points.last;
    to.im[last] = T(0);
  }
}

// A whole line of adjacent numbers.
template <typename T>
using PairsFn = void (*)(const T* from, T* to, const T* table, PartFactors<T> factors, std::int64_t h);

template <typename T>
inline void gather_numbers(Ends<T> from, std::int64_t stride, std::int64_t first, std::int64_t count, T* to) {
  for (std::int64_t l = 0; l < count; ++l) {
    to[2 * l] = from.re[(first + l) * stride];
    to[2 * l + 1] = from.im[(first + l) * stride];
  }
}
template <typename T>
inline void scatter_numbers(const T* from, Ends<T> to, std::int64_t stride, std::int64_t first, std::int64_t count) {
  for (std::int64_t l = 0; l < count; ++l) {
    to.re[(first + l) * stride] = from[2 * l];
    to.im[(first + l) * stride] = from[2 * l + 1];
  }
}

// Numbers that are not adjacent, by way of a tile: a line of odd length whose first half are points and whose second half their partners.
// Points 0 and h of the tile are 0 and left there. 31 pairs: with point 0 a power of two, of which vectors are full.
template <typename T>
[[gnu::noinline]] void pass_tiles(const PassArgs& args, Ends<T> from, Ends<T> to, PartFactors<T> factors, PairsFn<T> pairs) {
  constexpr std::int64_t kTile = 31;
  alignas(64) T tile[2 * (2 * kTile + 2)];
  const T* const table = static_cast<const T*>(args.table);
  for (std::int64_t k = 1; k <= pairs_of(args.lanes); k += kTile) {
    const std::int64_t count = std::min(kTile, pairs_of(args.lanes) - k + 1), partner = args.lanes - k - count + 1;
    T* const partners = tile + 2 * (count + 1);
    tile[0] = tile[1] = partners[2 * count] = partners[2 * count + 1] = T(0);
    gather_numbers(from, args.in.point_stride, k, count, tile + 2);
    gather_numbers(from, args.in.point_stride, partner, count, partners);
    pairs(tile, tile, table + 2 * (k - 1), factors, 2 * count + 1);
    scatter_numbers(tile + 2, to, args.out.point_stride, k, count);
    scatter_numbers(partners, to, args.out.point_stride, partner, count);
  }
}

template <typename T>
inline PartFactors<T> pair_factors(const PassArgs& args, bool untangles) {
  return untangles ? part_factors<T>(args.out, 1.0) : part_factors<T>(args.in, args.scale);
}

template <typename T>
[[gnu::noinline]] void run_pairs(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, bool untangles,
                                 PairsFn<T> pairs) {
  const Ends<T> from = parts_of<T>(args.in, buffers);
  const Ends<T> to = parts_of<T>(args.out, buffers);
  const PartFactors<T> factors = pair_factors<T>(args, untangles);
  const bool adjacent = has_adjacent_numbers(args.in) && has_adjacent_numbers(args.out);
  for_each_line(args, first, count, [&](std::int64_t i, std::int64_t o, std::int64_t) {
    if (adjacent) return pairs(from.re + i, to.re + o, static_cast<const T*>(args.table), factors, args.lanes);
    const Ends<T> source{from.re + i, from.im + i}, target{to.re + o, to.im + o};
    const auto pass_unpaired = untangles ? &untangle_unpaired<T> : &tangle_unpaired<T>;
    const Unpaired<T> unpaired = pass_unpaired(source.re, source.im, args.in.point_stride, factors, args.lanes);
    pass_tiles(args, source, target, factors, pairs);
    store_unpaired(unpaired, untangles, target, args.out.point_stride, args.lanes);
  });
}

// ---- moves

// The moves begin at point `begin`; backends that move vectors leave them the rest. Not inlined: they are the slow path of those.

template <typename T>
[[gnu::noinline]] void move_from_reals(const PassArgs& args, Ends<T> from, Ends<T> to, std::int64_t begin) {
  const T scale = static_cast<T>(args.scale);
  for (std::int64_t j = begin; j < args.lanes; ++j) {
    const std::int64_t o = j * args.out.point_stride;
    to.re[o] = from.re[j * args.in.point_stride] * scale;
    to.im[o] = T(0);
  }
}

template <typename T>
[[gnu::noinline]] void move_to_reals(const PassArgs& args, Ends<T> from, Ends<T> to, std::int64_t begin) {
  if (has_adjacent_reals(args.in) && has_adjacent_reals(args.out)) {
    std::copy(from.re + begin, from.re + args.lanes, to.re + begin);
    return;
  }
  for (std::int64_t j = begin; j < args.lanes; ++j) to.re[j * args.out.point_stride] = from.re[j * args.in.point_stride];
}

// im of point 0 is left to the caller.
template <typename T>
[[gnu::noinline]] void move_half(const PassArgs& args, Ends<T> from, Ends<T> to, std::int64_t begin) {
  for (std::int64_t j = begin; j < args.lanes; ++j) {
    const std::int64_t i = j * args.in.point_stride, o = j * args.out.point_stride;
    const T im = from.im[i];
    to.re[o] = from.re[i];
    to.im[o] = args.out.swap ? -im : im;
  }
}

// Points `begin` .. n/2 and their mirror images; begin > 0.
template <typename T>
[[gnu::noinline]] void move_mirror(const PassArgs& args, Ends<T> from, Ends<T> to, std::int64_t begin) {
  const PartFactors<T> factors = part_factors<T>(args.in, args.scale);
  for (std::int64_t k = begin; k <= args.lanes / 2; ++k) {
    const std::int64_t i = k * args.in.point_stride;
    const T re = from.re[i] * factors.re, im = from.im[i] * factors.im;
    const std::int64_t low = k * args.out.point_stride, high = (args.lanes - k) * args.out.point_stride;
    to.re[low] = to.re[high] = re;
    to.im[low] = im;
    to.im[high] = -im;
  }
}
template <typename T>
inline void mirror_first(const PassArgs& args, Ends<T> from, Ends<T> to) {
  to.re[0] = from.re[0] * static_cast<T>(args.scale);
  to.im[0] = T(0);
}

// ---- rows

// Points of a row of kSplitRows or kJoinRows, and of the line: `count` of row `row` from `k` on are those of the line from `point` on, r
// apart. Those of its second half are conjugates of points that go downward.
struct RowRun {
  std::int64_t row, k, count, point;
  bool mirrored;
};

// Calls visit(run) for all points of all rows, in blocks of which a line has few kilobytes: every row comes back to the same points.
template <typename Visit>
inline void for_each_run(std::int64_t n, std::int64_t r, const Visit& visit) {
  constexpr std::int64_t kBlock = 64;
  for (std::int64_t k = 0; k < n / r; k += kBlock) {
    const std::int64_t end = std::min(n / r, k + kBlock);
    for (std::int64_t q = 0; 2 * q < r; ++q) {
      const std::int64_t mirrored = std::clamp((n / 2 - q) / r + 1, k, end);
      if (mirrored > k) visit(RowRun{q, k, mirrored - k, r * k + q, false});
      if (mirrored < end) visit(RowRun{q, mirrored, end - mirrored, n - r * mirrored - q, true});
    }
  }
}

template <typename T>
inline void move_run(Ends<T> from, std::int64_t stride, Ends<T> to, std::int64_t to_stride, std::int64_t count, bool negates) {
  for (std::int64_t k = 0; k < count; ++k) {
    const T re = from.re[k * stride], im = from.im[k * stride];
    to.re[k * to_stride] = re;
    to.im[k * to_stride] = negates ? -im : im;
  }
}

template <typename T>
[[gnu::noinline]] void split_rows(const PassArgs& args, Ends<T> from, Ends<T> to) {
  const std::int64_t in = args.in.point_stride, out = args.out.point_stride;
  for_each_run(args.lanes, args.row, [&](const RowRun& run) {
    const std::int64_t i = run.point * in, o = run.row * args.row_stride + run.k * out, step = (run.mirrored ? -args.row : args.row) * in;
    move_run<T>({from.re + i, from.im + i}, step, {to.re + o, to.im + o}, out, run.count, run.mirrored != args.in.swap);
  });
  to.im[0] = T(0);
}

template <typename T>
[[gnu::noinline]] void join_rows(const PassArgs& args, Ends<T> from, Ends<T> to) {
  const std::int64_t in = args.in.point_stride, out = args.out.point_stride;
  for_each_run(args.lanes, args.row, [&](const RowRun& run) {
    if (run.row == 0 && run.mirrored) return;  // conjugates of numbers of the row itself
    const std::int64_t i = run.row * args.row_stride + run.k * in, o = run.point * out, step = (run.mirrored ? -args.row : args.row) * out;
    move_run<T>({from.re + i, from.im + i}, in, {to.re + o, to.im + o}, step, run.count, run.mirrored != args.out.swap);
  });
  to.im[0] = T(0);
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_REAL_PASSES_H_
