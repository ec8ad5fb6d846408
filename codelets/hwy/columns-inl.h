// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Loop shapes whose lanes are columns: panels of four, cols and strided batches.
//
// A chunk is one vector of columns. What stays in a panel and what leaves it have bodies of their own: one for both, whose port asks at
// every store, took 1.1 to 1.2 times as long in L2. Common bodies also have one for input that is exchanged, scaled or shifted. Partial
// vectors and the rest go through a tile on the stack, which doubles the stores that wait for memory.
#include <algorithm>
#include <cstdint>

#include "codelets/contract/codelet_sink.h"
#include "codelets/hwy/shapes-inl.h"

#if defined(ULPFFT_CODELETS_HWY_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_COLUMNS_INL_H_
#undef ULPFFT_CODELETS_HWY_COLUMNS_INL_H_
#else
#define ULPFFT_CODELETS_HWY_COLUMNS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

// What a body has a copy for, beside kPlanar, which does everything by way of a tile. More of them cost more text than they save time.
enum class ColumnsPath { kPlanar, kSpecialIn, kDirectOut };
constexpr bool is_common(int radix) { return radix == 4 || radix == 5 || radix == 8; }
constexpr bool has_direct_out(int radix, bool exchange) { return is_common(radix) && !exchange; }
// Bodies without twiddles of 16 and 32 points keep a dimension of a plane or cube in registers, where there are 32 of these: by way of a tile
// 16x16x16 f32 takes 1.33 times as long, 32x32 f32 1.10, 32x32x32 f64 1.06, for 32 KB.
constexpr bool has_direct_columns(int radix, int vector_bytes) {
  return has_direct_out(radix, false) || (vector_bytes == 64 && (radix == 16 || radix == 32));
}
constexpr bool has_special_in(int radix) { return is_common(radix) || radix == 16; }

// Interleaved, in the order DeinterleaveIn leaves, perhaps past the caches; `special`: wrap or swap.
template <class D>
struct ColumnsOut {
  using T = hn::TFromD<D>;
  D d;
  T* p;
  std::int64_t stride, wrap;
  std::int32_t wrap_point;
  bool special, swap, streams;
  HWY_INLINE void store(int j, hn::Vec<D> x, hn::Vec<D> y) const {
    T* q = p + j * stride;
    if (HWY_UNLIKELY(special)) {
      q += j >= wrap_point ? wrap : 0;
      if (swap) {
        const auto t = x;
        x = y;
        y = t;
      }
    }
    hn::Vec<D> a, b;
    interleave(d, x, y, a, b);
    if (streams) {
      hn::Stream(a, d, q);
      hn::Stream(b, d, q + hn::MaxLanes(D()));
    } else {
      hn::StoreU(a, d, q);
      hn::StoreU(b, d, q + hn::MaxLanes(D()));
    }
    keep_order();
  }
};

template <class D, class T>
HWY_INLINE ColumnsOut<D> columns_out(D d, const Edge& edge, Ends<T> to, bool streams) {
  return {d, HWY_MIN(to.re, to.im), edge.point_stride, edge.wrap, edge.wrap_point, edge.swap || wraps(edge), edge.swap, streams};
}

// Writes a planar tile of `lanes` columns to an edge that is not.
template <class T>
HWY_NOINLINE void empty_columns(T* tile, const Edge& edge, Ends<T> to, int points, std::int64_t lanes, bool streams) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = lanes_of<D>();
  const bool adjacent = is_adjacent_interleaved(edge);
  const bool whole = adjacent && lanes == kW;
  const bool swap = edge.swap && adjacent;
  const ColumnsOut<D> out = whole ? columns_out(d, edge, to, streams) : ColumnsOut<D>{d, tile, 2 * kW, 0, INT32_MAX, swap, swap, false};
  T* p = tile;
  for (int j = 0; j < points; ++j, p += 2 * kW) out.store(j, hn::Load(d, p), hn::Load(d, p + kW));
  if (!whole) empty_chunk<T>(tile, edge, to, points, lanes, streams);
}

// With a row list, position a0 goes to row rows[a0]; without, where axes[0] says.
template <class T, class Body, ColumnsPath kPath>
HWY_INLINE void columns_loop(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = lanes_of<D>();
  constexpr int kRadix = Body::kRadix;
  constexpr bool kSpecial = kPath == ColumnsPath::kSpecialIn;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const bool special = args.in.swap || args.scale != 1.0;
  const bool adjacent = is_adjacent_interleaved(args.in);
  const bool direct_in = adjacent && (kSpecial || !(special || wraps(args.in)));
  const bool streams = streams_out<T>(args, to);
  const T* const ahead = begin_ahead<T>(args, buffers);
  const NoTable none;
  HWY_ALIGN T tile[kRadix * kW * 2];
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    const std::int64_t o0 = args.rows != nullptr ? static_cast<std::int64_t>(args.rows[a0]) * args.row_stride : a0 * args.axes[0].out_stride;
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      for (std::int64_t l = 0; l < args.lanes; l += kW) {
        const std::int64_t i = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride + l * args.in.lane_stride;
        const std::int64_t o = o0 + a1 * args.axes[1].out_stride + l * args.out.lane_stride;
        const std::int64_t lanes = std::min<std::int64_t>(kW, args.lanes - l);
        if (HWY_UNLIKELY(ahead != nullptr)) fetch_ahead(ahead + a0 * args.ahead.axis_stride + 2 * l, args.ahead.point_stride, kRadix);
        DeinterleaveIn<D, kSpecial, kSpecial> in{d, HWY_MIN(from.re, from.im) + i, args.in.point_stride, args.in.wrap, args.in.wrap_point,
                                                 special, args.in.swap, static_cast<T>(args.scale)};
        if (HWY_UNLIKELY(!direct_in || lanes < kW)) {
          if (adjacent && !special) {
            fill_adjacent<T, kW>(tile, args.in, from.re + i, kRadix, lanes);
          } else {
            fill_tile<T>(tile, kW, args.in, {from.re + i, from.im + i}, kRadix, lanes, static_cast<T>(args.scale));
          }
          in.p = tile;
          in.stride = 2 * kW;
          in.wrap_point = INT32_MAX;
          in.special = false;
        }
        if constexpr (kPath == ColumnsPath::kDirectOut) {
          ColumnsOut<D> out = columns_out(d, args.out, Ends<T>{to.re + o, to.im + o}, streams);
          Body::run(d, in, none, out);
        } else {
          const bool planar = args.out.planar;
          PlanarOut<D> out{d, planar ? to.re + o : tile, planar ? to.im + o : tile + kW, planar ? args.out.point_stride : 2 * kW};
          Body::run(d, in, none, out);
          if (HWY_UNLIKELY(!planar)) empty_columns<T>(tile, args.out, {to.re + o, to.im + o}, kRadix, lanes, streams);
        }
      }
    }
  }
}

template <class T, class Body, ColumnsPath kPath>
HWY_NOINLINE void columns_by(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  columns_loop<T, Body, kPath>(args, buffers, first, count);
}

// Every position of axes[1] is one k, so no path straddles here.
template <class T, class Body, bool kExchange, bool kDirect>
HWY_INLINE void columns_twiddled_loop(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = lanes_of<D>();
  constexpr int kRadix = Body::kRadix;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const bool streams = streams_out<T>(args, to);
  HWY_ALIGN T tile[kDirect ? 1 : kRadix * kW * 2];
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      const BroadcastTable<D> table{d, static_cast<const T*>(args.table) + a1 * args.axes[1].table_stride};
      const std::uint32_t* path = args.paths + (kExchange ? a1 * args.path_stride : 0);
      const std::int64_t i0 = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride;
      const std::int64_t o0 = a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride;
      for (std::int64_t l = 0; l < args.lanes; l += kW) {
        const std::int64_t i = i0 + l * args.in.lane_stride;
        const std::int64_t o = o0 + l * args.out.lane_stride;
        const PlanarIn<D> in{d, from.re + i, from.im + i, args.in.point_stride};
        if constexpr (kDirect) {
          ColumnsOut<D> out = columns_out(d, args.out, Ends<T>{to.re + o, to.im + o}, streams);
          run_twiddled<Body, kExchange>(d, in, table, out, path);
        } else {
          const bool planar = args.out.planar;
          PlanarOut<D> out{d, planar ? to.re + o : tile, planar ? to.im + o : tile + kW, planar ? args.out.point_stride : 2 * kW};
          run_twiddled<Body, kExchange>(d, in, table, out, path);
          if (HWY_UNLIKELY(!planar)) empty_columns<T>(tile, args.out, {to.re + o, to.im + o}, kRadix, std::min<std::int64_t>(kW, args.lanes - l), streams);
        }
      }
    }
  }
}

template <class T, class Body>
HWY_NOINLINE void columns_twiddled_out(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  columns_twiddled_loop<T, Body, false, true>(args, buffers, first, count);
}

// Whether every chunk leaves interleaved and whole.
inline bool leaves_directly(const PassArgs& args, int lanes) {
  return !args.out.planar && is_adjacent_interleaved(args.out) && args.lanes % lanes == 0;
}

template <class T, class Body>
void columns(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const bool special = args.in.swap || args.scale != 1.0 || wraps(args.in);
  if constexpr (has_special_in(Body::kRadix)) {
    if (special) return columns_by<T, Body, ColumnsPath::kSpecialIn>(args, buffers, first, count);
  }
  constexpr int kW = lanes_of<hn::ScalableTag<T>>();
  if constexpr (has_direct_columns(Body::kRadix, kW * static_cast<int>(sizeof(T)))) {
    if (leaves_directly(args, kW)) return columns_by<T, Body, ColumnsPath::kDirectOut>(args, buffers, first, count);
  }
  columns_loop<T, Body, ColumnsPath::kPlanar>(args, buffers, first, count);
}

template <class T, class Body, bool kExchange>
void columns_twiddled(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  if constexpr (has_direct_out(Body::kRadix, kExchange)) {
    if (leaves_directly(args, lanes_of<hn::ScalableTag<T>>())) return columns_twiddled_out<T, Body>(args, buffers, first, count);
  }
  columns_twiddled_loop<T, Body, kExchange, false>(args, buffers, first, count);
}

// ---- entries of a table

template <class T, class Body>
void add_columns(CodeletSink& sink, const BodyFacts& body) {
  sink.add(PassKind::kColumns, kComputeTypeOf<T>, body, &columns<T, Body>);
}
template <class T, class Body, class Standard = Body>
void add_columns_twiddled(CodeletSink& sink, const BodyFacts& body) {
  sink.add(PassKind::kColumnsTwiddled, kComputeTypeOf<T>, body, &columns_twiddled<T, Body, is_dual_select<Body, Standard>()>);
}
#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
