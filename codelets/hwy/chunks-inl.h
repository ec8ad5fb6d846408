// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the loop shapes share: the tile a chunk goes through where its lanes are not adjacent or too few, what is stored past the caches,
// what is fetched ahead.
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "codelets/contract/ends.h"
#include "codelets/hwy/ports-inl.h"

#if defined(ULPFFT_CODELETS_HWY_CHUNKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_CHUNKS_INL_H_
#undef ULPFFT_CODELETS_HWY_CHUNKS_INL_H_
#else
#define ULPFFT_CODELETS_HWY_CHUNKS_INL_H_
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

// Whether points of a butterfly lie on both sides of the wrap.
inline bool wraps(const Edge& edge) { return edge.wrap != 0 && edge.wrap_point != INT32_MAX; }

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

// A tile as a port left it. Planar: W reals re, W reals im.
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

// ---- past the caches

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

// Writes a chunk of `lanes` lanes that a shape sent to a tile.
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

// Fetches what is read later beside one chunk: `points` runs of a vector of complex numbers.
template <class T>
HWY_INLINE void fetch_ahead(const T* from, std::int64_t stride, int points) {
  for (int j = 0; j < points; ++j) {
    for (std::int64_t at = 0; at < kRunBytes<T>; at += 64) fetch_line(reinterpret_cast<const char*>(from + j * stride) + at);
  }
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
