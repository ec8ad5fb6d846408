// The loop shapes: hand-written loops that run generated bodies over the lanes of a pass.
//
// A chunk is one vector of lanes. Every shape has one copy of its body: where lanes are not adjacent, or too few for a vector, the
// chunk goes through a tile on the stack and the body's ports point there. See PassKind for what each shape computes.
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "codelets/contract/body_constant.h"
#include "codelets/contract/codelet_sink.h"
#include "codelets/hwy/ports-inl.h"

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

template <class D>
constexpr int lanes_of() {
  return static_cast<int>(hn::MaxLanes(D()));
}

// Dual-select bodies come with the standard body that straddling groups fall back to; others are their own standard.
template <class Body, class Standard>
constexpr bool is_dual_select() {
  return !std::is_same_v<Body, Standard>;
}

template <class Body, class Standard, class D, class Table, class Out>
HWY_INLINE void run_twiddled(D d, const PlanarIn<D>& in, const Table& table, Out& out, const std::uint32_t* path) {
  if constexpr (is_dual_select<Body, Standard>()) {
    if (*path == kStraddle) {
      Standard::run(d, in, table, out);
    } else {
      const ExchangeIn<D> exchange{in.d, in.re, in.im, in.stride, *path};
      Body::run(d, exchange, table, out);
    }
  } else {
    (void)path;
    Body::run(d, in, table, out);
  }
}

inline bool is_adjacent_interleaved(const Edge& edge) {
  return edge.layout == Layout::kPaired && edge.im_offset == 1 && edge.lane_stride == 2;
}

// ---- one transform, scalar lanes

template <class T, class Body>
void whole(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::CappedTag<T, 1> d;
  using D = decltype(d);
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const bool special = args.scale != 1.0;
  const NoTable none;
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      for (std::int64_t l = 0; l < args.lanes; ++l) {
        const std::int64_t i = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride + l * args.in.lane_stride;
        const std::int64_t o = a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride + l * args.out.lane_stride;
        const ScalarIn<std::remove_const_t<D>> in{
            d, from.re + i, from.im + i, args.in.point_stride, args.in.wrap, args.in.wrap_point, special, static_cast<T>(args.scale)};
        ScalarOut<std::remove_const_t<D>> out{d, to.re + o, to.im + o, args.out.point_stride, args.out.wrap, args.out.wrap_point};
        Body::run(d, in, none, out);
      }
    }
  }
}

// ---- first pass: columns in lanes, rows out

// Stores the rows of one chunk. kOrder: lanes of a row follow lane order.
template <class D, int kRadix, bool kOrder>
HWY_INLINE void store_rows(D d, RowsOut<D, kRadix>& y, hn::TFromD<D>* re, hn::TFromD<D>* im, const std::int64_t* row_at,
                           std::int64_t group_stride) {
  constexpr int kW = lanes_of<D>();
  constexpr int kE = std::min<int>(kW, 16 / static_cast<int>(sizeof(hn::TFromD<D>)));
  HWY_UNROLL(8)
  for (int g = 0; g < kRadix / kW; ++g) {
    hn::Vec<D> v[kW];
    HWY_UNROLL(16)
    for (int l = 0; l < kW; ++l) v[l] = y.re[g * kW + (kOrder ? index_of_lane(l, kW, kE) : l)];
    transpose(d, v);
    HWY_UNROLL(16)
    for (int l = 0; l < kW; ++l) hn::StoreU(v[l], d, re + row_at[l] + g * group_stride);
    HWY_UNROLL(16)
    for (int l = 0; l < kW; ++l) v[l] = y.im[g * kW + (kOrder ? index_of_lane(l, kW, kE) : l)];
    transpose(d, v);
    HWY_UNROLL(16)
    for (int l = 0; l < kW; ++l) hn::StoreU(v[l], d, im + row_at[l] + g * group_stride);
  }
}

template <class T, class Body, class D, bool kOrder>
HWY_INLINE void first_in_order(D d, const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  constexpr int kW = lanes_of<D>();
  constexpr int kRadix = Body::kRadix;
  constexpr bool kTransposed = kRadix % kW == 0;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const bool direct = is_adjacent_interleaved(args.in);
  const NoTable none;
  HWY_ALIGN T tile[kRadix * kW * 2];
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      const std::int64_t i0 = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride;
      const std::int64_t o0 = a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride;
      const std::uint32_t* rows = args.rows;
      for (std::int64_t l = 0; l < args.lanes; l += kW, rows += kW) {
        const std::int64_t i = i0 + l * args.in.lane_stride;
        DeinterleaveIn<D> in{d,      HWY_MIN(from.re, from.im) + i, args.in.point_stride, args.in.wrap, args.in.wrap_point,
                             false, args.in.swap,                  static_cast<T>(args.scale)};
        in.special = args.in.swap || args.scale != 1.0;
        if (HWY_UNLIKELY(!direct || args.lanes - l < kW)) {
          fill_tile<T>(tile, kW, args.in, {from.re + i, from.im + i}, kRadix, std::min<std::int64_t>(kW, args.lanes - l));
          in.p = tile;
          in.stride = 2 * kW;
          in.wrap_point = INT32_MAX;
          in.swap = false;
          in.special = args.scale != 1.0;
        }
        RowsOut<D, kRadix> y;
        Body::run(d, in, none, y);
        if constexpr (kTransposed) {
          if (HWY_LIKELY(args.lanes - l >= kW)) {
            std::int64_t row_at[kW];
            for (int c = 0; c < kW; ++c) row_at[c] = o0 + static_cast<std::int64_t>(rows[c]) * args.row_stride;
            store_rows<D, kRadix, kOrder>(d, y, to.re, to.im, row_at, args.out.point_stride);
            continue;
          }
        }
        // Rows that are no whole vectors: through a tile, column by column.
        HWY_ALIGN T re[kRadix * kW];
        HWY_ALIGN T im[kRadix * kW];
        for (int k = 0; k < kRadix; ++k) {
          hn::Store(y.re[k], d, re + k * kW);
          hn::Store(y.im[k], d, im + k * kW);
        }
        for (int c = 0; c < kW; ++c) {
          if (rows[c] == kNoRow) continue;
          const std::int64_t at = o0 + static_cast<std::int64_t>(rows[c]) * args.row_stride;
          for (int k = 0; k < kRadix; ++k) {
            const int from_k = kTransposed ? k / kW * kW + (kOrder ? index_of_lane(k % kW, kW, std::min<int>(kW, 16 / sizeof(T))) : k % kW) : k;
            const std::int64_t to_k = kTransposed ? k / kW * args.out.point_stride + k % kW : k;
            to.re[at + to_k] = re[from_k * kW + c];
            to.im[at + to_k] = im[from_k * kW + c];
          }
        }
      }
    }
  }
}

template <class T, class Body>
void first_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  if constexpr (Body::kRadix % lanes_of<D>() == 0) {
    if (args.out.lane_order) {
      first_in_order<T, Body, D, true>(d, args, buffers, first, count);
      return;
    }
  }
  first_in_order<T, Body, D, false>(d, args, buffers, first, count);
}

// ---- passes with twiddles, lanes are k

// Copies the first `lanes` lanes of every point between planar memory and a full-width planar tile: re of all points, then im.
template <class T, int kRadix, int kW>
HWY_NOINLINE void fill_planar(T* tile, const T* re, const T* im, std::int64_t stride, std::int64_t lanes) {
  for (int j = 0; j < kRadix; ++j) {
    for (std::int64_t l = 0; l < lanes; ++l) tile[j * kW + l] = re[j * stride + l];
    for (std::int64_t l = 0; l < lanes; ++l) tile[(kRadix + j) * kW + l] = im[j * stride + l];
    for (std::int64_t l = lanes; l < kW; ++l) tile[j * kW + l] = tile[(kRadix + j) * kW + l] = T(0);
  }
}
template <class T, int kRadix, int kW>
HWY_NOINLINE void empty_planar(const T* tile, T* re, T* im, std::int64_t stride, std::int64_t lanes) {
  for (int j = 0; j < kRadix; ++j) {
    for (std::int64_t l = 0; l < lanes; ++l) re[j * stride + l] = tile[j * kW + l];
    for (std::int64_t l = 0; l < lanes; ++l) im[j * stride + l] = tile[(kRadix + j) * kW + l];
  }
}

template <class T, class Body, class Standard>
void middle_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = lanes_of<D>();
  constexpr int kRadix = Body::kRadix;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  HWY_ALIGN T tile[kRadix * kW * 2];
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    const T* table = static_cast<const T*>(args.table);
    for (std::int64_t l = 0; l < args.lanes; l += kW, table += Body::kTableValues * kW) {
      const std::int64_t i = a0 * args.axes[0].in_stride + l * args.in.lane_stride;
      const std::int64_t o = a0 * args.axes[0].out_stride + l * args.out.lane_stride;
      PlanarIn<D> in{d, from.re + i, from.im + i, args.in.point_stride};
      PlanarOut<D> out{d, to.re + o, to.im + o, args.out.point_stride};
      const bool partial = args.lanes - l < kW;
      if (HWY_UNLIKELY(partial)) {
        fill_planar<T, kRadix, kW>(tile, in.re, in.im, in.stride, args.lanes - l);
        in = {d, tile, tile + kRadix * kW, kW};
        out = {d, tile, tile + kRadix * kW, kW};
      }
      run_twiddled<Body, Standard>(d, in, VectorTable<D>{d, table}, out, args.paths + (is_dual_select<Body, Standard>() ? l / kPathGroup : 0));
      if (HWY_UNLIKELY(partial)) {
        empty_planar<T, kRadix, kW>(tile, to.re + o, to.im + o, args.out.point_stride, args.lanes - l);
      }
    }
  }
}

template <class T, class Body, class Standard>
void last_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = lanes_of<D>();
  constexpr int kRadix = Body::kRadix;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const bool direct = is_adjacent_interleaved(args.out);
  const bool index_order = !args.in.lane_order;
  HWY_ALIGN T tile[kRadix * kW * 2];
  HWY_ALIGN T out_tile[kRadix * kW * 2];
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    const T* table = static_cast<const T*>(args.table);
    for (std::int64_t l = 0; l < args.lanes; l += kW, table += Body::kTableValues * kW) {
      const std::int64_t i = a0 * args.axes[0].in_stride + l * args.in.lane_stride;
      const std::int64_t o = a0 * args.axes[0].out_stride + l * args.out.lane_stride;
      PlanarIn<D> in{d, from.re + i, from.im + i, args.in.point_stride};
      InterleaveOut<D, false> out{d,     HWY_MIN(to.re, to.im) + o, args.out.point_stride, args.out.wrap, args.out.wrap_point,
                                  false, args.out.swap,             index_order};
      out.special = args.out.swap || index_order;
      const bool partial = args.lanes - l < kW;
      if (HWY_UNLIKELY(partial)) {
        fill_planar<T, kRadix, kW>(tile, in.re, in.im, in.stride, args.lanes - l);
        in = {d, tile, tile + kRadix * kW, kW};
      }
      if (HWY_UNLIKELY(partial || !direct)) {
        out = {d, out_tile, 2 * kW, 0, INT32_MAX, index_order, false, index_order};
      }
      run_twiddled<Body, Standard>(d, in, VectorTable<D>{d, table}, out, args.paths + (is_dual_select<Body, Standard>() ? l / kPathGroup : 0));
      if (HWY_UNLIKELY(partial || !direct)) {
        empty_tile<T>(out_tile, kW, args.out, {to.re + o, to.im + o}, kRadix, std::min<std::int64_t>(kW, args.lanes - l));
      }
    }
  }
}

// ---- lanes are columns

template <class T, class Body>
void columns_whole(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = lanes_of<D>();
  constexpr int kRadix = Body::kRadix;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const bool direct_in = is_adjacent_interleaved(args.in);
  const bool direct_out = is_adjacent_interleaved(args.out);
  const NoTable none;
  HWY_ALIGN T tile[kRadix * kW * 2];
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      for (std::int64_t l = 0; l < args.lanes; l += kW) {
        const std::int64_t i = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride + l * args.in.lane_stride;
        const std::int64_t o = a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride + l * args.out.lane_stride;
        const std::int64_t lanes = std::min<std::int64_t>(kW, args.lanes - l);
        DeinterleaveIn<D> in{d,     HWY_MIN(from.re, from.im) + i, args.in.point_stride, args.in.wrap, args.in.wrap_point,
                             false, args.in.swap,                  static_cast<T>(args.scale)};
        in.special = args.in.swap || args.scale != 1.0;
        InterleaveOut<D, true> out{d, HWY_MIN(to.re, to.im) + o, args.out.point_stride, args.out.wrap, args.out.wrap_point,
                                   args.out.swap, args.out.swap, false};
        if (HWY_UNLIKELY(!direct_in || lanes < kW)) {
          fill_tile<T>(tile, kW, args.in, {from.re + i, from.im + i}, kRadix, lanes);
          in.p = tile;
          in.stride = 2 * kW;
          in.wrap_point = INT32_MAX;
          in.swap = false;
          in.special = args.scale != 1.0;
        }
        const bool through_tile = !direct_out || lanes < kW;
        if (HWY_UNLIKELY(through_tile)) out = {d, tile, 2 * kW, 0, INT32_MAX, false, false, false};
        Body::run(d, in, none, out);
        if (HWY_UNLIKELY(through_tile)) empty_tile<T>(tile, kW, args.out, {to.re + o, to.im + o}, kRadix, lanes);
      }
    }
  }
}

template <class T, class Body>
void columns_first(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = lanes_of<D>();
  constexpr int kRadix = Body::kRadix;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const bool direct = is_adjacent_interleaved(args.in);
  const NoTable none;
  HWY_ALIGN T tile[kRadix * kW * 2];
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    const std::int64_t row_at = static_cast<std::int64_t>(args.rows[a0]) * args.row_stride;
    for (std::int64_t l = 0; l < args.lanes; l += kW) {
      const std::int64_t i = a0 * args.axes[0].in_stride + l * args.in.lane_stride;
      const std::int64_t o = row_at + l * args.out.lane_stride;
      const std::int64_t lanes = std::min<std::int64_t>(kW, args.lanes - l);
      DeinterleaveIn<D> in{d,     HWY_MIN(from.re, from.im) + i, args.in.point_stride, args.in.wrap, args.in.wrap_point,
                           false, args.in.swap,                  static_cast<T>(args.scale)};
      in.special = args.in.swap || args.scale != 1.0;
      if (HWY_UNLIKELY(!direct || lanes < kW)) {
        fill_tile<T>(tile, kW, args.in, {from.re + i, from.im + i}, kRadix, lanes);
        in.p = tile;
        in.stride = 2 * kW;
        in.wrap_point = INT32_MAX;
        in.swap = false;
        in.special = args.scale != 1.0;
      }
      PlanarOut<D> out{d, to.re + o, to.im + o, args.out.point_stride};
      Body::run(d, in, none, out);
    }
  }
}

// Panels are padded to whole vectors, so these two never see a partial chunk on their planar side.
template <class T, class Body, class Standard>
void columns_middle(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = lanes_of<D>();
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      const BroadcastTable<D> table{d, static_cast<const T*>(args.table) + a1 * args.axes[1].table_stride};
      const std::uint32_t* path = args.paths + (is_dual_select<Body, Standard>() ? a1 * args.path_stride : 0);
      const std::int64_t i0 = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride;
      const std::int64_t o0 = a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride;
      for (std::int64_t l = 0; l < args.lanes; l += kW) {
        const std::int64_t i = i0 + l * args.in.lane_stride;
        const std::int64_t o = o0 + l * args.out.lane_stride;
        const PlanarIn<D> in{d, from.re + i, from.im + i, args.in.point_stride};
        PlanarOut<D> out{d, to.re + o, to.im + o, args.out.point_stride};
        run_twiddled<Body, Standard>(d, in, table, out, path);
      }
    }
  }
}

template <class T, class Body, class Standard>
void columns_last(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = lanes_of<D>();
  constexpr int kRadix = Body::kRadix;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const bool direct = is_adjacent_interleaved(args.out);
  HWY_ALIGN T tile[kRadix * kW * 2];
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      const BroadcastTable<D> table{d, static_cast<const T*>(args.table) + a1 * args.axes[1].table_stride};
      const std::uint32_t* path = args.paths + (is_dual_select<Body, Standard>() ? a1 * args.path_stride : 0);
      const std::int64_t i0 = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride;
      const std::int64_t o0 = a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride;
      for (std::int64_t l = 0; l < args.lanes; l += kW) {
        const std::int64_t i = i0 + l * args.in.lane_stride;
        const std::int64_t o = o0 + l * args.out.lane_stride;
        const std::int64_t lanes = std::min<std::int64_t>(kW, args.lanes - l);
        const PlanarIn<D> in{d, from.re + i, from.im + i, args.in.point_stride};
        InterleaveOut<D, true> out{d, HWY_MIN(to.re, to.im) + o, args.out.point_stride, args.out.wrap, args.out.wrap_point,
                                   args.out.swap, args.out.swap, false};
        const bool through_tile = !direct || lanes < kW;
        if (HWY_UNLIKELY(through_tile)) out = {d, tile, 2 * kW, 0, INT32_MAX, false, false, false};
        run_twiddled<Body, Standard>(d, in, table, out, path);
        if (HWY_UNLIKELY(through_tile)) empty_tile<T>(tile, kW, args.out, {to.re + o, to.im + o}, kRadix, lanes);
      }
    }
  }
}

// ---- one transform of two factors in one call

template <class T, class First, class Second>
void whole_two(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  constexpr int kR1 = First::kRadix;
  constexpr int kR2 = Second::kRadix;
  constexpr WholeTwoShape kShape = whole_two_shape(lanes_of<hn::ScalableTag<T>>(), kR1, kR2);
  using D1 = hn::CappedTag<T, kShape.first_lanes>;
  using D2 = hn::CappedTag<T, kShape.second_lanes>;
  const D1 d1;
  const D2 d2;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const NoTable none;
  HWY_ALIGN T tile[kR1 * kR2 * 2];
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    const T* p = HWY_MIN(from.re, from.im) + a0 * args.axes[0].in_stride;
    T* q = HWY_MIN(to.re, to.im) + a0 * args.axes[0].out_stride;
    for (int c = 0; c < kR2; c += kShape.first_lanes) {
      const DeinterleaveIn<D1> in{d1, p + 2 * c, 2 * kR2, args.in.wrap, args.in.wrap_point, args.in.swap || args.scale != 1.0,
                                  args.in.swap, static_cast<T>(args.scale)};
      RowsOut<D1, kR1> y;
      First::run(d1, in, none, y);
      std::int64_t row_at[kShape.first_lanes];
      HWY_UNROLL(16)
      for (int l = 0; l < kShape.first_lanes; ++l) row_at[l] = (c + column_of_lane(l, kShape.first_lanes)) * kR1;
      store_rows<D1, kR1, kShape.lane_order()>(d1, y, tile, tile + kR1 * kR2, row_at, kShape.first_lanes);
    }
    const T* table = static_cast<const T*>(args.table);
    for (int k = 0; k < kR1; k += kShape.second_lanes, table += Second::kTableValues * kShape.second_lanes) {
      const PlanarIn<D2> in{d2, tile + k, tile + kR1 * kR2 + k, kR1};
      const bool special = args.out.swap || !kShape.lane_order();
      InterleaveOut<D2, false> out{d2, q + 2 * k, 2 * kR1, args.out.wrap, args.out.wrap_point, special, args.out.swap,
                                   !kShape.lane_order()};
      Second::run(d2, in, VectorTable<D2>{d2, table}, out);
    }
  }
}

// ---- entries of a table

template <class T, class Body>
void add_whole(CodeletSink& sink, const BodyFacts& body) {
  sink.add(PassKind::kWhole, kComputeTypeOf<T>, body, &whole<T, Body>);
}
template <class T, class Body>
void add_first(CodeletSink& sink, const BodyFacts& body) {
  sink.add(PassKind::kFirst, kComputeTypeOf<T>, body, &first_pass<T, Body>);
}
template <class T, class Body>
void add_columns_whole(CodeletSink& sink, const BodyFacts& body) {
  sink.add(PassKind::kColumnsWhole, kComputeTypeOf<T>, body, &columns_whole<T, Body>);
}
template <class T, class Body>
void add_columns_first(CodeletSink& sink, const BodyFacts& body) {
  sink.add(PassKind::kColumnsFirst, kComputeTypeOf<T>, body, &columns_first<T, Body>);
}
template <class T, class Body, class Standard = Body>
void add_middle(CodeletSink& sink, const BodyFacts& body) {
  sink.add(PassKind::kMiddle, kComputeTypeOf<T>, body, &middle_pass<T, Body, Standard>);
}
template <class T, class Body, class Standard = Body>
void add_last(CodeletSink& sink, const BodyFacts& body) {
  sink.add(PassKind::kLast, kComputeTypeOf<T>, body, &last_pass<T, Body, Standard>);
}
template <class T, class Body, class Standard = Body>
void add_columns_middle(CodeletSink& sink, const BodyFacts& body) {
  sink.add(PassKind::kColumnsMiddle, kComputeTypeOf<T>, body, &columns_middle<T, Body, Standard>);
}
template <class T, class Body, class Standard = Body>
void add_columns_last(CodeletSink& sink, const BodyFacts& body) {
  sink.add(PassKind::kColumnsLast, kComputeTypeOf<T>, body, &columns_last<T, Body, Standard>);
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
