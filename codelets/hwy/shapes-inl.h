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

// Dual-select bodies are named with the standard body that straddling groups fall back to; others are their own standard.
template <class Body, class Standard>
constexpr bool is_dual_select() {
  return !std::is_same_v<Body, Standard>;
}

// One chunk; kExchange: a dual-select body, whose points are loaded as the path word says.
template <class Body, bool kExchange, class D, class Table, class Out>
HWY_INLINE void run_twiddled(D d, const PlanarIn<D>& in, const Table& table, Out& out, const std::uint32_t* path) {
  if constexpr (kExchange) {
    const ExchangeIn<D> exchange{in.d, in.re, in.im, in.stride, *path};
    Body::run(d, exchange, table, out);
  } else {
    (void)path;
    Body::run(d, in, table, out);
  }
}

inline bool is_adjacent_interleaved(const Edge& edge) {
  return edge.layout == Layout::kPaired && edge.im_offset == 1 && edge.lane_stride == 2;
}

// ---- tiles of adjacent lanes: see fill_tile and empty_tile for others

// By whole vectors, the last of which begins early enough to be whole.
template <int kMost, class T>
HWY_INLINE void copy_reals(const T* from, T* to, std::int64_t count) {
  const hn::CappedTag<T, kMost> d;
  if (count >= kMost) {
    std::int64_t i = 0;
    for (; i + kMost <= count; i += kMost) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
    if (i < count) hn::StoreU(hn::LoadU(d, from + count - kMost), d, to + count - kMost);
  } else if constexpr (kMost > 1) {
    copy_reals<kMost / 2>(from, to, count);
  }
}

// re and im stay as they are: a swap is left to the port.
template <class T, int kW>
HWY_NOINLINE void fill_adjacent(T* tile, const Edge& edge, const T* from, int points, std::int64_t lanes) {
  for (int j = 0; j < points; ++j) copy_reals<kW>(from + point_offset(edge, j), tile + 2 * kW * j, 2 * lanes);
}

// What vector_out made of a tile. Planar: W reals re, W reals im.
template <class T, int kW>
HWY_NOINLINE void empty_lanes(const T* tile, const Edge& edge, Ends<T> to, int points, std::int64_t lanes) {
  if (edge.planar) {
    for (int j = 0; j < points; ++j, tile += 2 * kW) {
      copy_reals<kW>(tile, to.re + j * edge.point_stride, lanes);
      copy_reals<kW>(tile + kW, to.im + j * edge.point_stride, lanes);
    }
  } else if (is_adjacent_interleaved(edge)) {
    T* const first = HWY_MIN(to.re, to.im);
    for (int j = 0; j < points; ++j, tile += 2 * kW) copy_reals<kW>(tile, first + point_offset(edge, j), 2 * lanes);
  } else {
    empty_tile<T>(tile, kW, edge, to, points, lanes);
  }
}

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
template <int kRadix, int kW, bool kOrder>
constexpr int output_of_lane(int begin, int l, int e) {
  const int k = begin + (kOrder ? index_of_lane(l, kW, e) : l);
  return k < kRadix ? k : kRadix - 1;
}

// Stores the rows of one chunk; vector g of a row holds the outputs from vector_begin() on. kOrder: lanes of a row follow lane order.
// Rows of planes have their outputs side by side, others their vectors.
template <class D, int kRadix, bool kOrder>
HWY_INLINE void store_rows(D d, RowsOut<D, kRadix>& y, hn::TFromD<D>* re, hn::TFromD<D>* im, const std::int64_t* row_at,
                           std::int64_t group_stride, bool planes) {
  constexpr int kW = lanes_of<D>();
  constexpr int kE = std::min<int>(kW, 16 / static_cast<int>(sizeof(hn::TFromD<D>)));
  constexpr int kVectors = vectors_of(kRadix, kW);  // a call in the condition would lose g++ for Arm the annotation
  HWY_UNROLL(16)
  for (int g = 0; g < kVectors; ++g) {
    const int begin = vector_begin(g, kRadix, kW);
    const std::int64_t at = kRadix % kW != 0 && planes ? begin : g * group_stride;
#if ULPFFT_HWY_SIZELESS
    const auto row = [begin](int l) HWY_ATTR { return output_of_lane<kRadix, kW, kOrder>(begin, l, kE) * kW; };
    transpose_memory(d, [&](int l) HWY_ATTR { return y.re + row(l); }, [&](int l) HWY_ATTR { return re + row_at[l] + at; });
    transpose_memory(d, [&](int l) HWY_ATTR { return y.im + row(l); }, [&](int l) HWY_ATTR { return im + row_at[l] + at; });
#else
    hn::Vec<D> v[kW];
    HWY_UNROLL(16)
    for (int l = 0; l < kW; ++l) v[l] = y.re[output_of_lane<kRadix, kW, kOrder>(begin, l, kE)];
    transpose(d, v);
    HWY_UNROLL(16)
    for (int l = 0; l < kW; ++l) hn::StoreU(v[l], d, re + row_at[l] + at);
    HWY_UNROLL(16)
    for (int l = 0; l < kW; ++l) v[l] = y.im[output_of_lane<kRadix, kW, kOrder>(begin, l, kE)];
    transpose(d, v);
    HWY_UNROLL(16)
    for (int l = 0; l < kW; ++l) hn::StoreU(v[l], d, im + row_at[l] + at);
#endif
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
      DeinterleaveIn<D> in{d,     HWY_MIN(from.re, from.im) + i, args.in.point_stride, args.in.wrap, args.in.wrap_point,
                           false, args.in.swap,                  static_cast<T>(args.scale)};
      if (HWY_UNLIKELY(!adjacent || partial)) {
        if (adjacent) {
          fill_adjacent<T, kW>(tile, args.in, in.p, kRadix, args.lanes);
        } else {
          fill_tile<T>(tile, kW, args.in, {from.re + i, from.im + i}, kRadix, std::min<std::int64_t>(kW, args.lanes));
          in.swap = false;
        }
        in.p = tile;
        in.stride = 2 * kW;
        in.wrap_point = INT32_MAX;
      }
      in.special = in.swap || args.scale != 1.0;
      RowsOut<D, kRadix> y;
      Body::run(d, in, none, y);
      std::int64_t row_at[kW];
      for (int c = 0; c < kW; ++c) row_at[c] = short_rows ? c * kW : o0 + static_cast<std::int64_t>(rows[c]) * args.row_stride;
      T* const re = short_rows ? tile : to.re;
      T* const im = short_rows ? tile + kW * kW : to.im;
      if (HWY_LIKELY(args.out.lane_order)) {
        store_rows<D, kRadix, true>(d, y, re, im, row_at, args.out.point_stride, planes);
      } else {
        store_rows<D, kRadix, false>(d, y, re, im, row_at, args.out.point_stride, planes);
      }
      if (short_rows) copy_rows<T, kRadix, kW>(tile, rows, args.row_stride, {to.re + o0, to.im + o0});
    }
  }
}

// ---- out ports of vectors

// The port for one chunk at `to`; chunks that cannot be stored directly go to a tile, for empty_chunk().
template <bool kColumns, class D, class T>
HWY_INLINE VectorOut<D, kColumns> vector_out(D d, const Edge& edge, Ends<T> to, bool direct, bool index_order, T* tile) {
  if (HWY_LIKELY(direct)) {
    return {d,           edge.planar ? to.re : HWY_MIN(to.re, to.im), edge.point_stride, edge.wrap,   edge.wrap_point,
            edge.planar, edge.swap || index_order,                    edge.swap,         index_order, to.im - to.re};
  }
  const bool swap = edge.swap && is_adjacent_interleaved(edge);
  return {d, tile, 2 * lanes_of<D>(), 0, INT32_MAX, edge.planar, swap || index_order, swap, index_order, lanes_of<D>()};
}

// Writes a tile of whole vectors past the caches.
template <class T>
HWY_NOINLINE void stream_tile(const T* tile, const Edge& edge, T* to, int points) {
  const hn::ScalableTag<T> d;
  constexpr int kW = lanes_of<decltype(d)>();
  for (int j = 0; j < points; ++j, tile += 2 * kW) {
    T* const q = to + point_offset(edge, j);
    hn::Stream(hn::Load(d, tile), d, q);
    hn::Stream(hn::Load(d, tile + kW), d, q + kW);
  }
}

// Whether the chunks of a pass are stored past the caches: all of them begin at whole vectors, but for those that overlap another.
template <class T>
HWY_NOINLINE bool streams_out(const PassArgs& args, Ends<T> to) {
  if (!args.out.non_temporal || args.out.planar || !is_adjacent_interleaved(args.out)) return false;
  constexpr std::size_t kW = lanes_of<hn::ScalableTag<T>>();
  const Edge& out = args.out;
  const std::int64_t strides = out.point_stride | out.wrap | args.axes[0].out_stride | args.axes[1].out_stride |
                               (args.rows != nullptr ? args.row_stride : 0);
  return ((reinterpret_cast<std::uintptr_t>(HWY_MIN(to.re, to.im)) / sizeof(T)) | static_cast<std::uintptr_t>(strides)) % kW == 0 &&
         reinterpret_cast<std::uintptr_t>(to.re) % sizeof(T) == 0;
}

// Writes a chunk of `lanes` lanes that vector_out() sent to a tile.
template <class T>
HWY_NOINLINE void empty_chunk(const T* tile, const Edge& edge, Ends<T> to, int points, std::int64_t lanes, bool streams) {
  constexpr int kW = lanes_of<hn::ScalableTag<T>>();
  T* const first = HWY_MIN(to.re, to.im);
  if (streams && lanes >= kW && reinterpret_cast<std::uintptr_t>(first) % (kW * sizeof(T)) == 0) {
    stream_tile<T>(tile, edge, first, points);
  } else {
    empty_lanes<T, kW>(tile, edge, to, points, std::min<std::int64_t>(kW, lanes));
  }
}

// Where the lines begin that a pass fetches; null if it does not.
template <class T>
inline const T* begin_ahead(const PassArgs& args, const Buffers& buffers) {
  return args.ahead.fetches ? static_cast<const T*>(buffers.slot[static_cast<int>(args.ahead.slot)].re) + args.ahead.offset : nullptr;
}

// Fetches what a later iteration reads beside one chunk: `points` runs of a vector of complex numbers.
template <class T>
HWY_INLINE void fetch_ahead(const T* from, std::int64_t stride, int points) {
  for (int j = 0; j < points; ++j) fetch_run<T>(from + j * stride);
}

// ---- passes with twiddles, lanes are k

// Rows shorter than a vector spill over those after them, which come later and set that right; what would spill over the end goes
// through the tile. kExchange: a dual-select body; its straddling groups are left out.
template <class T, class Body, bool kExchange = false>
void twiddled(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = lanes_of<D>();
  constexpr int kRadix = Body::kRadix;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const bool streams = streams_out<T>(args, to);
  const bool direct_edge = !streams && (args.out.planar || is_adjacent_interleaved(args.out));
  const T* const ahead = begin_ahead<T>(args, buffers);
  const bool index_order = !args.in.lane_order;
  // Without rows: one of all lanes, whose last vector may be partial.
  const std::int64_t row = args.row != 0 ? args.row : args.lanes;
  const std::int64_t row_lanes = vectors_of(row, kW) * kW;
  const std::int64_t last = args.row > kW ? row - kW : INT64_MAX;
  const std::int64_t end = args.row > kW ? INT64_MAX : args.lanes / row_lanes * row + args.lanes % row_lanes;
  HWY_ALIGN T tile[kRadix * kW * 2];
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    const T* table = static_cast<const T*>(args.table);
    std::int64_t i = a0 * args.axes[0].in_stride;
    std::int64_t row_k = 0;
    for (std::int64_t rows = args.lanes; rows > 0; rows -= row_lanes, row_k += row) {
      for (std::int64_t l = 0; l < row_lanes; l += kW, table += Body::kTableValues * kW, i += kW * args.in.lane_stride) {
        if (kExchange && args.paths[l / kPathGroup] == kStraddle) continue;
        const std::int64_t k = row_k + HWY_MIN(l, last);
        const std::int64_t o = a0 * args.axes[0].out_stride + k * args.out.lane_stride;
        if (HWY_UNLIKELY(ahead != nullptr)) fetch_ahead(ahead + a0 * args.ahead.axis_stride + 2 * k, args.ahead.point_stride, kRadix);
        const PlanarIn<D> in{d, from.re + i, from.im + i, args.in.point_stride};
        const bool direct = direct_edge && end - k >= kW;
        VectorOut<D, false> out = vector_out<false>(d, args.out, Ends<T>{to.re + o, to.im + o}, direct, index_order, tile);
        run_twiddled<Body, kExchange>(d, in, VectorTable<D>{d, table}, out, args.paths + (kExchange ? l / kPathGroup : 0));
        if (HWY_UNLIKELY(!direct)) empty_chunk<T>(tile, args.out, {to.re + o, to.im + o}, kRadix, row_k + row - k, streams);
      }
    }
  }
}

// Runs of straddling groups are passes of the standard body over a part of the lanes: a copy of that body in here cost 4 % of all
// codelets' text.
template <class T>
HWY_NOINLINE bool run_straddling(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, int table_values, PassFn standard) {
  PassArgs part = args;
  bool all = true;
  for (std::int64_t begin = 0, end = 0; begin < args.lanes; begin = end) {
    end = begin + kPathGroup;
    if (args.paths[begin / kPathGroup] != kStraddle) {
      all = false;
      continue;
    }
    while (end < args.lanes && args.paths[end / kPathGroup] == kStraddle) end += kPathGroup;
    part.lanes = std::min(end, args.lanes) - begin;
    part.in.offset = args.in.offset + begin * args.in.lane_stride;
    part.out.offset = args.out.offset + begin * args.out.lane_stride;
    part.ahead.offset = args.ahead.offset + 2 * begin;
    part.table = static_cast<const T*>(args.table) + begin * table_values;
    standard(part, buffers, first, count);
  }
  return all;
}

template <class T, class Body, class Standard>
void twiddled_dual_select(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  if (!run_straddling<T>(args, buffers, first, count, Body::kTableValues, &twiddled<T, Standard>)) {
    twiddled<T, Body, true>(args, buffers, first, count);
  }
}

// ---- lanes are columns

// With a row list, position a0 goes to row rows[a0]; without, where axes[0] says. Input that is exchanged or scaled goes through the
// tile: in n-D transforms that is the business of the rows, which come first.
template <class T, class Body>
void columns(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = lanes_of<D>();
  constexpr int kRadix = Body::kRadix;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const bool direct_in = is_adjacent_interleaved(args.in) && !args.in.swap && args.scale == 1.0;
  const bool streams = streams_out<T>(args, to);
  const bool direct_out = !streams && is_adjacent_interleaved(args.out);
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
        DeinterleaveIn<D, true, false> in{d, from.re + i, args.in.point_stride, args.in.wrap, args.in.wrap_point, false, false, T(1)};
        if (HWY_UNLIKELY(!direct_in || lanes < kW)) {
          if (direct_in) {
            fill_adjacent<T, kW>(tile, args.in, from.re + i, kRadix, lanes);
          } else {
            fill_tile<T>(tile, kW, args.in, {from.re + i, from.im + i}, kRadix, lanes, static_cast<T>(args.scale));
          }
          in.p = tile;
          in.stride = 2 * kW;
          in.wrap_point = INT32_MAX;
        }
        // Panels are padded to whole vectors, so planar chunks are stored whole.
        const bool direct = args.out.planar || (direct_out && lanes == kW);
        VectorOut<D, true> out = vector_out<true>(d, args.out, Ends<T>{to.re + o, to.im + o}, direct, false, tile);
        Body::run(d, in, none, out);
        if (HWY_UNLIKELY(!direct)) empty_chunk<T>(tile, args.out, {to.re + o, to.im + o}, kRadix, lanes, streams);
      }
    }
  }
}

// Every position of axes[1] is one k, so no path straddles here.
template <class T, class Body, bool kExchange>
void columns_twiddled(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = lanes_of<D>();
  constexpr int kRadix = Body::kRadix;
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const bool streams = streams_out<T>(args, to);
  const bool direct_out = !streams && is_adjacent_interleaved(args.out);
  HWY_ALIGN T tile[kRadix * kW * 2];
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      const BroadcastTable<D> table{d, static_cast<const T*>(args.table) + a1 * args.axes[1].table_stride};
      const std::uint32_t* path = args.paths + (kExchange ? a1 * args.path_stride : 0);
      const std::int64_t i0 = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride;
      const std::int64_t o0 = a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride;
      for (std::int64_t l = 0; l < args.lanes; l += kW) {
        const std::int64_t i = i0 + l * args.in.lane_stride;
        const std::int64_t o = o0 + l * args.out.lane_stride;
        const std::int64_t lanes = std::min<std::int64_t>(kW, args.lanes - l);
        const PlanarIn<D> in{d, from.re + i, from.im + i, args.in.point_stride};
        const bool direct = args.out.planar || (direct_out && lanes == kW);
        VectorOut<D, true> out = vector_out<true>(d, args.out, Ends<T>{to.re + o, to.im + o}, direct, false, tile);
        run_twiddled<Body, kExchange>(d, in, table, out, path);
        if (HWY_UNLIKELY(!direct)) empty_chunk<T>(tile, args.out, {to.re + o, to.im + o}, kRadix, lanes, streams);
      }
    }
  }
}

// ---- one transform of two factors in one call

// Writes a line past the caches and fetches the next input beside it.
template <class T>
HWY_NOINLINE void stream_line(const T* line, T* to, std::int64_t reals, const T* ahead) {
  const hn::ScalableTag<T> d;
  constexpr int kW = lanes_of<decltype(d)>();
  for (std::int64_t i = 0; i < reals; i += 2 * kW) {
    if (ahead != nullptr) fetch_run(ahead + i);
    hn::Stream(hn::Load(d, line + i), d, to + i);
    hn::Stream(hn::Load(d, line + i + kW), d, to + i + kW);
  }
}

template <class T, class First, class Second>
void whole_two(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
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
  constexpr bool kWraps = whole_two_shifts(kR1, kR2);
  const bool special = args.in.swap || args.scale != 1.0;
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    const T* p = HWY_MIN(from.re, from.im) + a0 * args.axes[0].in_stride;
    T* const place = HWY_MIN(to.re, to.im) + a0 * args.axes[0].out_stride;
    T* const q = HWY_UNLIKELY(streams) ? line : place;
    for (int c = 0; c < kR2; c += kW) {
      const DeinterleaveIn<D, kWraps> in{d, p + 2 * c, 2 * kR2, args.in.wrap, args.in.wrap_point, special, args.in.swap, static_cast<T>(args.scale)};
      RowsOut<D, kR1> y;
      First::run(d, in, none, y);
      std::int64_t row_at[kW];
      HWY_UNROLL(16)
      for (int l = 0; l < kW; ++l) row_at[l] = (c + column_of_lane(l, kW)) * kR1;
      store_rows<D, kR1, true>(d, y, tile, tile + kR1 * kR2, row_at, kW, false);
    }
    const T* table = static_cast<const T*>(args.table);
    for (int k = 0; k < kR1; k += kW, table += Second::kTableValues * kW) {
      const PlanarIn<D> in{d, tile + k, tile + kR1 * kR2 + k, kR1};
      VectorOut<D, false, false, kWraps> out{d,     q + 2 * k,     2 * kR1,       args.out.wrap, args.out.wrap_point,
                                             false, args.out.swap, args.out.swap, false,         0};
      Second::run(d, in, VectorTable<D>{d, table}, out);
    }
    if (HWY_UNLIKELY(streams)) {
      stream_line<T>(line, place, 2 * kR1 * kR2, ahead == nullptr ? nullptr : ahead + a0 * args.ahead.axis_stride);
    }
  }
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
template <class T, class Body>
void add_columns(CodeletSink& sink, const BodyFacts& body) {
  sink.add(PassKind::kColumns, kComputeTypeOf<T>, body, &columns<T, Body>);
}
template <class T, class Body, class Standard = Body>
void add_twiddled(CodeletSink& sink, const BodyFacts& body) {
  if constexpr (is_dual_select<Body, Standard>()) {
    sink.add(PassKind::kTwiddled, kComputeTypeOf<T>, body, &twiddled_dual_select<T, Body, Standard>);
  } else {
    sink.add(PassKind::kTwiddled, kComputeTypeOf<T>, body, &twiddled<T, Body>);
  }
}
template <class T, class Body, class Standard = Body>
void add_columns_twiddled(CodeletSink& sink, const BodyFacts& body) {
  sink.add(PassKind::kColumnsTwiddled, kComputeTypeOf<T>, body, &columns_twiddled<T, Body, is_dual_select<Body, Standard>()>);
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
