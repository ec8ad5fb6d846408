// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The loop shapes: hand-written loops that run generated bodies over the lanes of a pass.
//
// A chunk is one vector of lanes. Most shapes have one copy of their body: where lanes are not adjacent, or too few for a vector, the
// chunk goes through a tile on the stack and the body's ports point there. See PassKind for what each shape computes.
#include <algorithm>
#include <cstdint>

#include "codelets/contract/body_constant.h"
#include "codelets/contract/codelet_sink.h"
#include "codelets/hwy/twiddled-inl.h"

#if defined(ULPFFT_CODELETS_HWY_SHAPES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_SHAPES_INL_H_
#undef ULPFFT_CODELETS_HWY_SHAPES_INL_H_
#else
#define ULPFFT_CODELETS_HWY_SHAPES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

// ---- one transform, scalar lanes

// Straight-line code and nothing else, so that every register serves it.
template <class T, class Body>
void whole_body(const void* re, const void* im, std::int64_t stride, void* out_re, void* out_im, std::int64_t out_stride) {
  const hn::CappedTag<T, 1> d;
  using D = hn::CappedTag<T, 1>;
  const NoTable none;
  const ScalarIn<D> in{d, static_cast<const T*>(re), static_cast<const T*>(im), stride};
  ScalarOut<D> out{d, static_cast<T*>(out_re), static_cast<T*>(out_im), out_stride};
  Body::run(d, in, none, out);
}

// Shifts and scales go through a tile.
template <class T>
HWY_NOINLINE void whole_loops(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, int radix, WholeFn body) {
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const bool fill = args.scale != 1.0 || args.in.wrap != 0;
  const bool empty = args.out.wrap != 0;
  T tile[64 * 2];
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      for (std::int64_t l = 0; l < args.lanes; ++l) {
        const std::int64_t i = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride + l * args.in.lane_stride;
        const std::int64_t o = a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride + l * args.out.lane_stride;
        if (fill) fill_tile<T>(tile, 1, args.in, {from.re + i, from.im + i}, radix, 1, static_cast<T>(args.scale));
        body(fill ? tile : from.re + i, fill ? tile + 1 : from.im + i, fill ? 2 : args.in.point_stride, empty ? tile : to.re + o,
             empty ? tile + 1 : to.im + o, empty ? 2 : args.out.point_stride);
        if (empty) empty_tile<T>(tile, 1, args.out, {to.re + o, to.im + o}, radix, 1);
      }
    }
  }
}

template <class T, class Body>
void whole(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  static_assert(Body::kRadix <= 64, "the tile of whole_loops");
  whole_loops<T>(args, buffers, first, count, Body::kRadix, &whole_body<T, Body>);
}

// ---- first pass: columns in lanes, rows out

// Output k of a row that has fewer than the vector: the last is repeated.
template <int kRadix, int kW, bool kOrder = true>
constexpr int output_of_lane(int begin, int l, int e) {
  const int k = begin + (kOrder ? index_of_lane(l, kW, e) : l);
  return k < kRadix ? k : kRadix - 1;
}

#if !ULPFFT_HWY_SIZELESS
// Vectors from lane order. A second copy of what stores rows, in this order, was a third of a first pass's text.
template <class D>
HWY_INLINE void to_index_order(D d, hn::Vec<D>* HWY_RESTRICT v) {
  constexpr int kW = lanes_of<D>();
  HWY_UNROLL(16)
  for (int l = 0; l < kW; ++l) v[l] = to_index_order(d, v[l]);
}
#endif

// kOrder: from lane order; index_order brings vectors out of it.
template <class D, int kRadix, bool kOrder>
HWY_INLINE void store_rows_from(D d, RowsOut<D, kRadix>& y, hn::TFromD<D>* re, hn::TFromD<D>* im, const std::int64_t* row_at,
                           std::int64_t group_stride, bool planes, bool index_order) {
  constexpr int kW = lanes_of<D>();
  constexpr int kE = std::min<int>(kW, 16 / static_cast<int>(sizeof(hn::TFromD<D>)));
  constexpr int kVectors = vectors_of(kRadix, kW);  // a call in the condition would lose g++ for Arm the annotation
  HWY_UNROLL(16)
  for (int g = 0; g < kVectors; ++g) {
    const int begin = vector_begin(g, kRadix, kW);
    const std::int64_t at = kRadix % kW != 0 && planes ? begin : g * group_stride;
#if ULPFFT_HWY_SIZELESS
    const auto row = [=](int l) HWY_ATTR {
      return (index_order ? output_of_lane<kRadix, kW, false>(begin, l, kE) : output_of_lane<kRadix, kW, kOrder>(begin, l, kE)) * kW;
    };
    transpose_memory(d, [&](int l) HWY_ATTR { return y.re + row(l); }, [&](int l) HWY_ATTR { return re + row_at[l] + at; });
    transpose_memory(d, [&](int l) HWY_ATTR { return y.im + row(l); }, [&](int l) HWY_ATTR { return im + row_at[l] + at; });
#else
    hn::Vec<D> v[kW];
    HWY_UNROLL(16)
    for (int l = 0; l < kW; ++l) v[l] = y.re[output_of_lane<kRadix, kW, kOrder>(begin, l, kE)];
    transpose(d, v);
    if (HWY_UNLIKELY(index_order)) to_index_order(d, v);
    HWY_UNROLL(16)
    for (int l = 0; l < kW; ++l) hn::StoreU(v[l], d, re + row_at[l] + at);
    HWY_UNROLL(16)
    for (int l = 0; l < kW; ++l) v[l] = y.im[output_of_lane<kRadix, kW, kOrder>(begin, l, kE)];
    transpose(d, v);
    if (HWY_UNLIKELY(index_order)) to_index_order(d, v);
    HWY_UNROLL(16)
    for (int l = 0; l < kW; ++l) hn::StoreU(v[l], d, im + row_at[l] + at);
#endif
  }
}

// Stores the rows of one chunk; vector g of a row holds the outputs from vector_begin() on, in lane order, or in order of their index.
// Rows of planes have their outputs side by side, others their vectors. Vectors of 16 bytes have a copy for both: it is small, and one for
// both takes 1.03 to 1.05 times as long (SSE4, f32).
template <class D, int kRadix>
HWY_INLINE void store_rows(D d, RowsOut<D, kRadix>& y, hn::TFromD<D>* re, hn::TFromD<D>* im, const std::int64_t* row_at,
                           std::int64_t group_stride, bool planes, bool index_order) {
  if constexpr (!ULPFFT_HWY_SIZELESS && lanes_of<D>() * sizeof(hn::TFromD<D>) <= 16) {
    if (HWY_UNLIKELY(index_order)) {
      store_rows_from<D, kRadix, false>(d, y, re, im, row_at, group_stride, planes, false);
    } else {
      store_rows_from<D, kRadix, true>(d, y, re, im, row_at, group_stride, planes, false);
    }
  } else {
    store_rows_from<D, kRadix, true>(d, y, re, im, row_at, group_stride, planes, index_order);
  }
}

// Rows of planes that are shorter than a vector, from a tile of whole vectors: re of all, then im.
template <class T, int kRadix, int kW>
HWY_NOINLINE void copy_rows(const T* tile, const std::uint32_t* rows, std::int64_t row_stride, Ends<T> to) {
  for (int c = 0; c < kW; ++c) {
    const std::int64_t at = static_cast<std::int64_t>(rows[c]) * row_stride;
    copy_reals<kW>(tile + c * kW, to.re + at, kRadix);
    copy_reals<kW>(tile + (kW + c) * kW, to.im + at, kRadix);
  }
}

template <class T, class Body>
void first_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = lanes_of<D>();
  constexpr int kRadix = Body::kRadix;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const bool adjacent = is_adjacent_interleaved(args.in);
  const bool direct = adjacent && !wraps(args.in);
  const bool partial = args.lanes < kW;
  const bool planes = args.out.lane_stride == 1;
  const bool short_rows = kRadix < kW && planes;
  const NoTable none;
  HWY_ALIGN T tile[std::max(kRadix, kW) * kW * 2];
  if (HWY_UNLIKELY(partial)) std::fill(tile, tile + kRadix * kW * 2, T(0));
  const std::int64_t vectors = vectors_of(args.lanes, kW);
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    const std::int64_t i0 = a0 * args.axes[0].in_stride;
    const std::int64_t o0 = a0 * args.axes[0].out_stride;
    const std::uint32_t* rows = args.rows;
    for (std::int64_t v = 0; v < vectors; ++v, rows += kW) {
      const std::int64_t i = i0 + vector_begin(v, args.lanes, kW) * args.in.lane_stride;
      DeinterleaveIn<D, false> in{d, HWY_MIN(from.re, from.im) + i, args.in.point_stride, 0, INT32_MAX, false, args.in.swap, static_cast<T>(args.scale)};
      if (HWY_UNLIKELY(!direct || partial)) {
        if (adjacent) {
          fill_adjacent<T, kW>(tile, args.in, in.p, kRadix, std::min<std::int64_t>(kW, args.lanes));
        } else {
          fill_tile<T>(tile, kW, args.in, {from.re + i, from.im + i}, kRadix, std::min<std::int64_t>(kW, args.lanes));
          in.swap = false;
        }
        in.p = tile;
        in.stride = 2 * kW;
      }
      in.special = in.swap || args.scale != 1.0;
      RowsOut<D, kRadix> y;
      Body::run(d, in, none, y);
      std::int64_t row_at[kW];
      for (int c = 0; c < kW; ++c) row_at[c] = short_rows ? c * kW : o0 + static_cast<std::int64_t>(rows[c]) * args.row_stride;
      T* const re = short_rows ? tile : to.re;
      T* const im = short_rows ? tile + kW * kW : to.im;
      store_rows<D, kRadix>(d, y, re, im, row_at, args.out.point_stride, planes, !args.out.lane_order);
      if (short_rows) copy_rows<T, kRadix, kW>(tile, rows, args.row_stride, {to.re + o0, to.im + o0});
    }
  }
}

// ---- one transform of two factors in one call

// Writes a line past the caches and fetches the next input beside it.
template <class T>
HWY_NOINLINE void stream_line(const T* line, T* to, std::int64_t reals, const T* ahead, bool brief) {
  const hn::ScalableTag<T> d;
  constexpr int kW = lanes_of<decltype(d)>();
  for (std::int64_t i = 0; i < reals; i += 2 * kW) {
    if (ahead != nullptr) fetch(ahead + i, kRunBytes<T>, brief);
    hn::Stream(hn::Load(d, line + i), d, to + i);
    hn::Stream(hn::Load(d, line + i + kW), d, to + i + kW);
  }
}

// kPlain: neither shift nor exchange nor scale, so no branches at loads and stores.
template <class T, class First, class Second, bool kPlain>
void whole_two_run(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  constexpr int kR1 = First::kRadix;
  constexpr int kR2 = Second::kRadix;
  constexpr int kW = whole_two_lanes(lanes_of<hn::ScalableTag<T>>(), kR1, kR2);
  using D = hn::CappedTag<T, kW>;
  const D d;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const NoTable none;
  HWY_ALIGN T tile[kR1 * kR2 * 2];
  HWY_ALIGN T line[kR1 * kR2 * 2];
  const bool streams = kR1 * kR2 % lanes_of<hn::ScalableTag<T>>() == 0 && args.out.wrap == 0 && streams_out<T>(args, to);
  const T* const ahead = begin_ahead<T>(args, buffers);
  constexpr bool kWraps = !kPlain && whole_two_shifts(kR1, kR2);
  const bool special = args.in.swap || args.scale != 1.0;
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    const T* p = HWY_MIN(from.re, from.im) + a0 * args.axes[0].in_stride;
    T* const place = HWY_MIN(to.re, to.im) + a0 * args.axes[0].out_stride;
    T* const q = HWY_UNLIKELY(streams) ? line : place;
    for (int c = 0; c < kR2; c += kW) {
      const DeinterleaveIn<D, kWraps, !kPlain> in{d, p + 2 * c, 2 * kR2, args.in.wrap, args.in.wrap_point, special, args.in.swap, static_cast<T>(args.scale)};
      RowsOut<D, kR1> y;
      First::run(d, in, none, y);
      std::int64_t row_at[kW];
      HWY_UNROLL(16)
      for (int l = 0; l < kW; ++l) row_at[l] = (c + index_of_lane(l, kW, 16 / static_cast<int>(sizeof(T)))) * kR1;
      store_rows<D, kR1>(d, y, tile, tile + kR1 * kR2, row_at, kW, false, false);
    }
    const T* table = static_cast<const T*>(args.table);
    for (int k = 0; k < kR1; k += kW, table += Second::kTableValues * kW) {
      const PlanarIn<D> in{d, tile + k, tile + kR1 * kR2 + k, kR1};
      if constexpr (kPlain) {
        InterleavedOut<D> out{d, q + 2 * k, 2 * kR1, false, false, false};
        Second::run(d, in, VectorTable<D>{d, table}, out);
      } else {
        VectorOut<D, false, kWraps> out{d,     q + 2 * k,     2 * kR1, args.out.wrap, args.out.wrap_point,
                                               false, args.out.swap || args.out.wrap != 0, args.out.swap, 0};
        Second::run(d, in, VectorTable<D>{d, table}, out);
      }
    }
    if (HWY_UNLIKELY(streams)) {
      stream_line<T>(line, place, 2 * kR1 * kR2, ahead == nullptr ? nullptr : ahead + a0 * args.ahead.axis_stride, args.ahead.brief);
    }
  }
}

// The plain copy pays where vectors have 32 bytes and kPacked, which has no such branches, does not serve: 512 points f32, AVX2 0.92.
template <class T, class First, class Second>
void whole_two(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  constexpr int kW = lanes_of<hn::ScalableTag<T>>();
  if constexpr (kW * sizeof(T) == 32 && !packed_serves(kW, sizeof(T), First::kRadix, Second::kRadix)) {
    if (HWY_LIKELY(!args.in.swap && !args.out.swap && args.scale == 1.0 && args.in.wrap == 0 && args.out.wrap == 0)) {
      whole_two_run<T, First, Second, true>(args, buffers, first, count);
      return;
    }
  }
  whole_two_run<T, First, Second, false>(args, buffers, first, count);
}

// ---- entries of a table

template <class T, class Body>
void add_whole(CodeletSink& sink, const BodyFacts& body) {
  sink.add(PassKind::kWhole, kComputeTypeOf<T>, body, &whole<T, Body>, &whole_body<T, Body>);
}
template <class T, class Body>
void add_first(CodeletSink& sink, const BodyFacts& body) {
  sink.add(PassKind::kFirst, kComputeTypeOf<T>, body, &first_pass<T, Body>);
}
template <class T, class Body, class Standard = Body>
void add_twiddled(CodeletSink& sink, const BodyFacts& body) {
  if constexpr (is_dual_select<Body, Standard>()) {
    sink.add(PassKind::kTwiddled, kComputeTypeOf<T>, body, &twiddled_dual_select<T, Body, Standard>);
  } else {
    sink.add(PassKind::kTwiddled, kComputeTypeOf<T>, body, &twiddled<T, Body>);
  }
}
template <class T, class First, class Second>
void add_whole_two(CodeletSink& sink, const BodyFacts& first, const BodyFacts& second) {
  sink.add_two(kComputeTypeOf<T>, first, second, &whole_two<T, First, Second>);
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
