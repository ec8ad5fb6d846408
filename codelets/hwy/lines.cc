// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The passes without a generated body, once per instruction set.
//
// Points that are adjacent interleaved complex numbers go through whole vectors; every other placement through a tile of one vector, so
// that there is one arithmetic.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "codelets/contract/line_passes.h"
#include "codelets/contract/line_sink.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codelets/hwy/lines.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "codelets/hwy/collect.h"
#include "codelets/hwy/lanes-inl.h"
#include "codelets/hwy/points-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

template <class D>
HWY_INLINE void multiply(hn::Vec<D>& x, hn::Vec<D>& y, hn::Vec<D> c, hn::Vec<D> s) {
  const auto re = hn::NegMulAdd(y, s, hn::Mul(x, c));
  y = hn::MulAdd(y, c, hn::Mul(x, s));
  x = re;
}

// What is done to points beside their product: they are scaled first, and re and im are exchanged at an end.
template <typename T>
struct Turned {
  T scale = 1;
  bool in = false, out = false;
};

// W interleaved points times W interleaved table values.
template <bool kTurned = false, class D, typename T>
HWY_INLINE void multiply_points(D d, const T* in, const T* table, T* out, Turned<T> turned = {}) {
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  hn::Vec<D> x, y, c, s, a, b;
  deinterleave(d, hn::LoadU(d, in), hn::LoadU(d, in + kW), x, y);
  deinterleave(d, hn::LoadU(d, table), hn::LoadU(d, table + kW), c, s);
  if constexpr (kTurned) {
    if (turned.in) std::swap(x, y);
    x = hn::Mul(x, hn::Set(d, turned.scale));
    y = hn::Mul(y, hn::Set(d, turned.scale));
  }
  multiply<D>(x, y, c, s);
  if constexpr (kTurned) {
    if (turned.out) std::swap(x, y);
  }
  interleave(d, x, y, a, b);
  hn::StoreU(a, d, out);
  hn::StoreU(b, d, out + kW);
}

// The same between interleaved points and planes.
template <bool kFromPlanes, class D, typename T>
HWY_INLINE void multiply_planes(D d, const T* re, const T* im, const T* table, T scale, T* out_re, T* out_im) {
  hn::Vec<D> x, y, c, s;
  if constexpr (kFromPlanes) {
    x = hn::LoadU(d, re);
    y = hn::LoadU(d, im);
  } else {
    hn::LoadInterleaved2(d, re, x, y);
  }
  hn::LoadInterleaved2(d, table, c, s);
  x = hn::Mul(x, hn::Set(d, scale));
  y = hn::Mul(y, hn::Set(d, scale));
  multiply<D>(x, y, c, s);
  if constexpr (kFromPlanes) {
    hn::StoreInterleaved2(x, y, d, out_re);
  } else {
    hn::StoreU(x, d, out_re);
    hn::StoreU(y, d, out_im);
  }
}

// The last vector begins early enough to be whole: the ends are apart. In vectors of a half where points do not fill one.
template <typename T, bool kFromPlanes, int kV>
HWY_NOINLINE void multiply_planes_line(const PassArgs& args, Ends<T> from, Ends<T> to, const T* table) {
  if constexpr (kV > 1) {
    if (args.lanes < kV) return multiply_planes_line<T, kFromPlanes, kV / 2>(args, from, to, table);
  }
  const hn::CappedTag<T, kV> d;
  const T scale = static_cast<T>(args.scale);
  constexpr int kIn = kFromPlanes ? 1 : 2, kOut = 3 - kIn;
  for (std::int64_t at = 0; at < args.lanes; at += kV) {
    const std::int64_t j = std::min<std::int64_t>(at, args.lanes - kV);
    multiply_planes<kFromPlanes>(d, from.re + kIn * j, from.im + kIn * j, table + 2 * j, scale, to.re + kOut * j, to.im + kOut * j);
  }
}

// Whether both parts of a line are adjacent reals of their own.
inline bool has_planes(const Edge& edge) {
  return edge.layout == Layout::kPaired && edge.point_stride == 1 && !edge.swap && edge.wrap == 0;
}

// Whether the numbers of a line are dense pairs of reals.
inline bool has_pairs(const Edge& edge) { return edge.layout == Layout::kPaired && edge.im_offset == 1 && edge.point_stride == 2; }

inline bool is_adjacent(const Edge& edge) { return has_pairs(edge) && !edge.swap; }

// Whether points j .. j + count - 1 lie on one side of the wrap.
inline bool is_unbroken(const Edge& edge, std::int64_t j, std::int64_t count) {
  return edge.wrap == 0 || j + count <= edge.wrap_point || j >= edge.wrap_point;
}

template <typename T>
void multiply_line(const PassArgs& args, Ends<T> from, Ends<T> to, const T* table) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  const bool adjacent_in = is_adjacent(args.in) && args.scale == 1.0;
  const bool adjacent_out = is_adjacent(args.out);
  HWY_ALIGN T tile[2 * kW];
  HWY_ALIGN T factors[2 * kW];
  std::int64_t j = 0;
  if (has_planes(args.in) && adjacent_out && args.out.wrap == 0 && args.pad == 0)
    return multiply_planes_line<T, true, kW>(args, from, to, table);
  if (is_adjacent(args.in) && args.in.wrap == 0 && has_planes(args.out) && args.pad == 0)
    return multiply_planes_line<T, false, kW>(args, from, to, table);
  if (adjacent_in && adjacent_out && args.in.wrap == 0 && args.out.wrap == 0) {
    for (; j + kW <= args.lanes; j += kW) multiply_points(d, from.re + 2 * j, table + 2 * j, to.re + 2 * j);
  } else if (has_pairs(args.in) && has_pairs(args.out) && args.in.wrap == 0 && args.out.wrap == 0) {
    const Turned<T> turned{static_cast<T>(args.scale), args.in.swap, args.out.swap};
    const T* const in = std::min(from.re, from.im);
    T* const out = std::min(to.re, to.im);
    for (; j + kW <= args.lanes; j += kW) multiply_points<true>(d, in + 2 * j, table + 2 * j, out + 2 * j, turned);
  }
  for (; j < args.lanes; j += kW) {
    const std::int64_t count = std::min<std::int64_t>(kW, args.lanes - j);
    const T* in = from.re + point_offset(args.in, j);
    const T* values = table + 2 * j;
    if (!adjacent_in || count < kW || !is_unbroken(args.in, j, count)) {
      for (std::int64_t l = 0; l < count; ++l) {
        const std::int64_t at = point_offset(args.in, j + l);
        tile[2 * l] = from.re[at] * static_cast<T>(args.scale);
        tile[2 * l + 1] = from.im[at] * static_cast<T>(args.scale);
      }
      for (std::int64_t l = 2 * count; l < 2 * kW; ++l) tile[l] = T(0);
      in = tile;
    }
    if (count < kW) {
      std::copy(values, values + 2 * count, factors);
      std::fill(factors + 2 * count, factors + 2 * kW, T(0));
      values = factors;
    }
    if (adjacent_out && count == kW && is_unbroken(args.out, j, count)) {
      multiply_points(d, in, values, to.re + point_offset(args.out, j));
      continue;
    }
    multiply_points(d, in, values, tile);
    for (std::int64_t l = 0; l < count; ++l) {
      const std::int64_t at = point_offset(args.out, j + l);
      to.re[at] = tile[2 * l];
      to.im[at] = tile[2 * l + 1];
    }
  }
  if (args.pad > 0) zero_padding(args, to);
}

template <typename T>
void pointwise(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const T* table = static_cast<const T*>(args.table) + buffers.number * args.number_stride;
  for_each_line(args, first, count, [&](std::int64_t i, std::int64_t o, std::int64_t t) HWY_ATTR {
    multiply_line<T>(args, {from.re + i, from.im + i}, {to.re + o, to.im + o}, table + t);
  });
}

template <typename T>
void convolve(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const Ends<T> data = resolve<T>(args.in, buffers);
  const T* table = static_cast<const T*>(args.table);
  for_each_line(args, first, count, [&](std::int64_t at, std::int64_t, std::int64_t) HWY_ATTR {
    const Ends<T> line{data.re + at, data.im + at};
    const std::int64_t dc = point_offset(args.in, args.lanes);
    const T sum_re = line.re[0], sum_im = line.im[0];
    multiply_line<T>(args, line, line, table);
    line.re[0] += line.re[dc];
    line.im[0] += line.im[dc];
    line.re[dc] += sum_re;
    line.im[dc] += sum_im;
  });
}

// ---- twist: complex numbers as units, C = W / 2 of them in a vector

// Row k of one vector of columns, multiplied by lo[k] hi; a: the lower columns, b: the upper, interleaved.
template <class D, typename T>
HWY_INLINE void twist_row(D d, const T* re, const T* im, const T* lo, hn::Vec<D> hi_c, hn::Vec<D> hi_s, hn::Vec<D>& a, hn::Vec<D>& b) {
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  auto c = hn::Load(d, lo), s = hn::Load(d, lo + kW);
  multiply<D>(c, s, hi_c, hi_s);
  auto x = hn::LoadU(d, re), y = hn::LoadU(d, im);
  multiply<D>(x, y, c, s);
  interleave(d, x, y, a, b);
}

#if !ULPFFT_HWY_SIZELESS
// `count` rows, a multiple of C, of a vector of columns, to one block: transposed, C rows at a time.
template <bool kStreams, class D, typename T>
HWY_INLINE void twist_transposed(D d, const T* re, const T* im, std::int64_t stride, const T* lo, const T* hi, std::int64_t count, T* q,
                                 std::int64_t lane_stride) {
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  constexpr int kC = kW / 2;
  const auto hi_c = hn::Load(d, hi), hi_s = hn::Load(d, hi + kW);
  for (std::int64_t k = 0; k < count; k += kC, re += kC * stride, im += kC * stride, lo += 2 * kW * kC, q += kW) {
    hn::Vec<D> a[kC], b[kC];
    HWY_UNROLL(8)
    for (int r = 0; r < kC; ++r) twist_row(d, re + r * stride, im + r * stride, lo + 2 * kW * r, hi_c, hi_s, a[r], b[r]);
    transpose_points(d, a);
    transpose_points(d, b);
    HWY_UNROLL(8)
    for (int r = 0; r < kC; ++r) kStreams ? hn::Stream(a[r], d, q + r * lane_stride) : hn::StoreU(a[r], d, q + r * lane_stride);
    HWY_UNROLL(8)
    for (int r = 0; r < kC; ++r) kStreams ? hn::Stream(b[r], d, q + (kC + r) * lane_stride) : hn::StoreU(b[r], d, q + (kC + r) * lane_stride);
  }
}
#endif

// The rows go in runs of one value of hi and one block of the output: a division for each row took half of the time.
template <typename T>
void twist(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  [[maybe_unused]] constexpr int kC = kW / 2;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const Twist& t = args.twist;
  const Edge& in = args.in;
  const Edge& out = args.out;
  const std::int64_t pairs = t.split + (t.rows + t.split - 1) / t.split;
  const T* table = static_cast<const T*>(args.table) + buffers.number * args.number_stride;
  const std::int64_t end = std::min(t.end, t.rows);
  [[maybe_unused]] const bool transposes = out.point_stride == 2;
  const bool rows_whole = out.lane_stride == 2;
  const std::int64_t steps = rows_whole ? out.point_stride : out.lane_stride;
  const bool streams = out.non_temporal && reinterpret_cast<std::uintptr_t>(to.re) % (kW * sizeof(T)) == 0 && steps % kW == 0 && t.block_stride % kW == 0;
  HWY_ALIGN T tile[2 * kW];
  for (std::int64_t l = 0; l < args.lanes; l += kW, table += 2 * kW * pairs) {
    const std::int64_t lanes = std::min<std::int64_t>(kW, args.lanes - l);
    T* block = to.re + l * out.lane_stride;
    std::int64_t inside = 0;  // of the block
    const T* lo = table + 2 * kW * (t.begin % t.split);
    const T* hi = table + 2 * kW * (t.split + t.begin / t.split);
    std::int64_t left = t.split - t.begin % t.split;  // rows of this hi
    for (std::int64_t k = t.begin; k < end;) {
      const std::int64_t run = std::min({left, t.block - inside, end - k});
      const T* const re = from.re + l * in.lane_stride + k * in.point_stride;
      const T* const im = from.im + l * in.lane_stride + k * in.point_stride;
      T* const q = block + inside * out.point_stride;
      std::int64_t done = 0;
#if !ULPFFT_HWY_SIZELESS
      if (transposes && lanes == kW) {
        done = run / kC * kC;
        // Whole vectors: of a block, if not of its transposed columns, every run but the last begins at one.
        if (streams && 2 * inside % kW == 0) {
          twist_transposed<true>(d, re, im, in.point_stride, lo, hi, done, q, out.lane_stride);
        } else {
          twist_transposed<false>(d, re, im, in.point_stride, lo, hi, done, q, out.lane_stride);
        }
      }
#endif
      for (; done < run; ++done) {
        hn::Vec<D> a, b;
        twist_row(d, re + done * in.point_stride, im + done * in.point_stride, lo + 2 * kW * done, hn::Load(d, hi), hn::Load(d, hi + kW), a, b);
        T* const row = q + done * out.point_stride;
        if (streams && rows_whole && lanes == kW) {
          hn::Stream(a, d, row);
          hn::Stream(b, d, row + kW);
          continue;
        }
        T* const p = rows_whole && lanes == kW ? row : tile;
        hn::StoreU(a, d, p);
        hn::StoreU(b, d, p + kW);
        if (p == row) continue;
        for (std::int64_t c = 0; c < lanes; ++c) {
          row[c * out.lane_stride] = tile[2 * c];
          row[c * out.lane_stride + 1] = tile[2 * c + 1];
        }
      }
      k += run;
      lo += 2 * kW * run;
      if ((left -= run) == 0) {
        left = t.split;
        lo = table;
        hi += 2 * kW;
      }
      if ((inside += run) == t.block) {
        inside = 0;
        block += t.block_stride;
      }
    }
  }
}

// ---- conversions between the wide formats

template <typename S, typename T>
HWY_INLINE void convert_reals(const S* HWY_RESTRICT from, T* HWY_RESTRICT to, std::int64_t count) {
  // Lanes of the wider type.
  constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<double>());
  const hn::CappedTag<S, kLanes> ds;
  const hn::CappedTag<T, kLanes> dt;
  std::int64_t i = 0;
  const std::int64_t step = kLanes;
  for (; i + step <= count; i += step) {
    if constexpr (sizeof(S) < sizeof(T)) {
      hn::StoreU(hn::PromoteTo(dt, hn::LoadU(ds, from + i)), dt, to + i);
    } else {
      hn::StoreU(hn::DemoteTo(dt, hn::LoadU(ds, from + i)), dt, to + i);
    }
  }
  for (; i < count; ++i) to[i] = static_cast<T>(from[i]);
}

// C: the arithmetic, which is the scale.
template <typename S, typename T, typename C>
void convert(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  if (!is_adjacent(args.in) || !is_adjacent(args.out) || args.scale != 1.0 || args.in.wrap != 0 || args.out.wrap != 0) {
    move_line<S, T, C, Move::kStraight>(args, buffers, first, count);
    return;
  }
  const Ends<S> from = resolve<S>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  for_each_line(args, first, count, [&](std::int64_t i, std::int64_t o, std::int64_t) HWY_ATTR { convert_reals(from.re + i, to.re + o, 2 * args.lanes); });
}

// ---- moves in order between parts that lie apart and interleaved numbers

inline bool has_parts(const Edge& edge) { return edge.layout == Layout::kSplit && edge.point_stride == 1 && edge.wrap == 0; }
inline bool has_numbers(const Edge& edge) {
  return edge.layout == Layout::kPaired && edge.im_offset == 1 && edge.point_stride == 2 && edge.wrap == 0;
}

template <typename T>
HWY_NOINLINE void join_parts(std::int64_t points, T scale, const T* re, const T* im, T* to) {
  const hn::ScalableTag<T> d;
  const std::int64_t w = static_cast<std::int64_t>(hn::Lanes(d));
  const auto factor = hn::Set(d, scale);
  std::int64_t j = 0;
  for (; j + w <= points; j += w) {
    hn::StoreInterleaved2(hn::Mul(hn::LoadU(d, re + j), factor), hn::Mul(hn::LoadU(d, im + j), factor), d, to + 2 * j);
  }
  for (; j < points; ++j) {
    to[2 * j] = re[j] * scale;
    to[2 * j + 1] = im[j] * scale;
  }
}

template <typename T>
HWY_NOINLINE void part_numbers(std::int64_t points, T scale, const T* from, T* re, T* im) {
  const hn::ScalableTag<T> d;
  const std::int64_t w = static_cast<std::int64_t>(hn::Lanes(d));
  const auto factor = hn::Set(d, scale);
  std::int64_t j = 0;
  for (; j + w <= points; j += w) {
    hn::Vec<decltype(d)> x, y;
    hn::LoadInterleaved2(d, from + 2 * j, x, y);
    hn::StoreU(hn::Mul(x, factor), d, re + j);
    hn::StoreU(hn::Mul(y, factor), d, im + j);
  }
  for (; j < points; ++j) {
    re[j] = from[2 * j] * scale;
    im[j] = from[2 * j + 1] * scale;
  }
}

template <typename T, Move kMove>
void move_rows(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const bool joins = has_parts(args.in) && has_numbers(args.out), parts = has_numbers(args.in) && has_parts(args.out);
  if (args.rows != nullptr || args.pad != 0 || !(joins || parts)) return move_line<T, T, T, kMove>(args, buffers, first, count);
  const Ends<T> from = resolve<T>(args.in, buffers), to = resolve<T>(args.out, buffers);
  const T scale = static_cast<T>(args.scale);
  for_each_line(args, first, count, [&](std::int64_t i, std::int64_t o, std::int64_t) {
    Ends<T> in{from.re + i, from.im + i}, out{to.re + o, to.im + o};
    if (joins) {
      if (args.out.swap) std::swap(in.re, in.im);
      join_parts(args.lanes, scale, in.re, in.im, std::min(out.re, out.im));
    } else {
      if (args.in.swap) std::swap(out.re, out.im);
      part_numbers(args.lanes, scale, std::min(in.re, in.im), out.re, out.im);
    }
  });
}

template <typename T, typename Other>
void add_lines(CodeletSink& sink) {
  constexpr ComputeType kCompute = kComputeTypeOf<T>;
  add_line(sink, PassKind::kTwist, kCompute, &twist<T>);
  add_line(sink, PassKind::kGather, kCompute, &move_rows<T, Move::kGather>);
  add_line(sink, PassKind::kScatter, kCompute, &move_rows<T, Move::kScatter>);
  add_line(sink, PassKind::kPointwise, kCompute, &pointwise<T>);
  add_line(sink, PassKind::kConvolve, kCompute, &convolve<T>);
  add_line(sink, PassKind::kDecode, kCompute, &convert<Other, T, T>);
  add_line(sink, PassKind::kEncode, kCompute, &convert<T, Other, T>);
}

void collect_lines(CodeletSink& sink) {
  add_lines<float, double>(sink);
  add_lines<double, float>(sink);
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulpfft {

void collect_hwy_lines(std::int64_t target, CodeletSink& sink);
void collect_hwy_lines(std::int64_t target, CodeletSink& sink) { ULPFFT_HWY_SWITCH(target, collect_lines(sink)) }

}  // namespace ulpfft
#endif
