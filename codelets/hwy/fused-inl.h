// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// First and last passes with narrow storage at the outer end, and whole transforms in registers with it at both: see narrow_ports-inl.h.
//
// The fast way is straight-line code for what plans ask in inner loops. What is rare goes by way of a tile of f32: numbers beyond the
// format's range, and of transforms in registers a scale, a circular shift or one swapped end.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "codelets/hwy/narrow_ports-inl.h"
#include "codelets/hwy/packed-inl.h"
#include "codelets/hwy/shapes-inl.h"

#if defined(ULPFFT_CODELETS_HWY_FUSED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_FUSED_INL_H_
#undef ULPFFT_CODELETS_HWY_FUSED_INL_H_
#else
#define ULPFFT_CODELETS_HWY_FUSED_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_FUSED

template <typename C>
HWY_INLINE C* codes_of(const Edge& edge, const Buffers& buffers) {
  return static_cast<C*>(buffers.slot[static_cast<int>(edge.slot)].re) + edge.offset;
}

inline void count_saturated(const Buffers& buffers, std::size_t saturated) {
  if (saturated != 0) std::atomic_ref(buffers.narrow->saturated).fetch_add(static_cast<std::int64_t>(saturated), std::memory_order_relaxed);
}

// Numbers of whole vectors past the caches. Both ends are aligned to one.
template <class C>
HWY_INLINE void stream_codes(const C* from, C* to, std::int64_t codes) {
  const hn::CappedTag<C, 2 * lanes_of<hn::ScalableTag<float>>()> d;
  for (std::int64_t i = 0; i < codes; i += static_cast<std::int64_t>(hn::MaxLanes(d))) hn::Stream(hn::Load(d, from + i), d, to + i);
}

// ---- first pass

template <class Body, class F>
void first_decode(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const hn::ScalableTag<float> d;
  using D = hn::ScalableTag<float>;
  constexpr int kW = lanes_of<D>();
  constexpr int kRadix = Body::kRadix;
  static_assert(kRadix % kW == 0, "rows are whole vectors");
  const typename F::Code* const from = codes_of<const typename F::Code>(args.in, buffers);
  const Ends<float> to = resolve<float>(args.out, buffers);
  const NoTable none;
  const std::int64_t vectors = vectors_of(args.lanes, kW);
  const std::int64_t stride = args.in.point_stride;
  const bool special = args.in.swap || args.scale != 1.0;
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    const typename F::Code* const line = from + a0 * args.axes[0].in_stride;
    const std::int64_t o0 = a0 * args.axes[0].out_stride;
    const std::uint32_t* rows = args.rows;
    for (std::int64_t v = 0; v < vectors; ++v, rows += kW) {
      const NarrowIn<D, F> in{d, line + 2 * vector_begin(v, args.lanes, kW), stride, special, args.in.swap, static_cast<float>(args.scale)};
      RowsOut<D, kRadix> y;
      Body::run(d, in, none, y);
      std::int64_t row_at[kW];
      for (int l = 0; l < kW; ++l) row_at[l] = o0 + static_cast<std::int64_t>(rows[l]) * args.row_stride;
      if constexpr (kRadix < 16 || F::kRowsApart) {
        store_decoded_rows<D, kRadix>(y, to.re, to.im, row_at, args.out.point_stride);
      } else {
        store_rows<D, kRadix>(d, y, to.re, to.im, row_at, args.out.point_stride, false, false);
      }
    }
  }
}

// ---- last pass

// Returns what saturated_stores() does.
template <class Body, class F>
HWY_NOINLINE std::int64_t run_chunks_encode(const Chunks<float>& run, typename F::Code* codes) {
  const hn::ScalableTag<float> d;
  using D = hn::ScalableTag<float>;
  const ChunkEnd<const float> from = run.in;
  const float* const tables = run.table;
  const std::int64_t stride = run.out.stride, step = run.out.step, axis = run.out.axis;
  const std::int64_t count = run.count, chunks = run.chunks, table_step = run.table_step;
  NarrowOut<D, F> out{d, codes, stride, run.swap, none_stored<D, F>()};
  for (std::int64_t a0 = 0; a0 < count; ++a0) {
    const float* table = tables;
    const float* re = from.re + a0 * from.axis;
    const float* im = from.im + a0 * from.axis;
    out.p = codes + a0 * axis;
    for (std::int64_t c = 0; c < chunks; ++c, table += table_step, re += from.step, im += from.step, out.p += step) {
      const PlanarIn<D> in{d, re, im, from.stride};
      Body::run(d, in, VectorTable<D>{d, table}, out);
    }
  }
  return saturated_stores<D, F>(out.most);
}

// What serves all formats whose codes are C.
template <class C>
using RunChunksEncode = std::int64_t (*)(const Chunks<float>&, C*);
template <class C>
using EncodeSaturating = std::size_t (*)(const float*, C*, std::int64_t);

// Codes of reals that may lie beyond the range. Returns how many do.
template <class F>
HWY_NOINLINE std::size_t encode_saturating(const float* reals, typename F::Code* codes, std::int64_t count) {
  const hn::ScalableTag<float> d;
  constexpr std::int64_t kW = lanes_of<decltype(d)>();
  std::size_t saturated = 0;
  std::int64_t i = 0;
  for (; i + kW <= count; i += kW) saturated += F::store_saturating(d, hn::LoadU(d, reals + i), codes + i);
  for (const hn::CappedTag<float, 1> one; i < count; ++i) saturated += F::store_saturating(one, hn::LoadU(one, reals + i), codes + i);
  return saturated;
}

// Chunks that are computed before their codes go past the caches: rows of a chunk are a cache line or half of one. With as many, radix 16
// takes 1.03 to 1.3 times as long as with half of them.
constexpr std::int64_t kStreamedChunks = 4;

// A few chunks after another: what is fetched ahead for, stored past the caches, or, where `interleaved` is given, computed once more.
// Returns what saturated_stores() does.
template <class Code>
HWY_NOINLINE std::int64_t encode_by_parts(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, int radix,
                                  const Chunks<float>& all, bool streams, RunChunksEncode<Code> fast, RunChunks<float> interleaved,
                                  EncodeSaturating<Code> saturating) {
  constexpr int kW = lanes_of<hn::ScalableTag<float>>();
  HWY_ALIGN Code codes[kStreamedChunks * kMostTwiddled * kW * 2];
  HWY_ALIGN float tile[kMostTwiddled * kW * 2];
  Code* const to = codes_of<Code>(args.out, buffers);
  const char* const ahead = args.ahead.fetches ? reinterpret_cast<const char*>(begin_ahead<float>(args, buffers)) : nullptr;
  const std::int64_t stride = args.out.point_stride;
  bool beyond = false;
  std::int64_t saturated = 0;
  const auto add = [&](std::int64_t stored) {
    beyond |= stored == kBeyondRange;
    saturated += stored;
  };
  Chunks<float> part = all;
  part.count = 1;
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t chunk = 0; chunk < all.chunks; chunk += part.chunks) {
      part.chunks = interleaved != nullptr ? 1 : std::min(radix > 8 ? kStreamedChunks / 2 : kStreamedChunks, all.chunks - chunk);
      const std::int64_t k = chunk * kW;
      const std::int64_t i = (a0 - first) * all.in.axis + chunk * all.in.step;
      part.in.re = all.in.re + i;
      part.in.im = all.in.im + i;
      part.table = all.table + chunk * all.table_step;
      Code* const place = to + a0 * args.axes[0].out_stride + 2 * k;
      if (ahead != nullptr) {
        const char* const from = ahead + 4 * (a0 * args.ahead.axis_stride + k * args.ahead.lane_stride);
        for (int j = 0; j < radix; ++j) fetch(from + 4 * j * args.ahead.point_stride, 4 * part.chunks * kW * args.ahead.lane_stride, args.ahead.brief);
      }
      if (HWY_UNLIKELY(interleaved != nullptr)) {
        part.out = {tile, tile + kW, 2 * kW, 0, 0};
        interleaved(part);
        for (int j = 0; j < radix; ++j) add(static_cast<std::int64_t>(saturating(tile + 2 * kW * j, place + j * stride, 2 * kW)));
      } else if (streams) {
        const std::int64_t row = 2 * kW * part.chunks;
        part.out.stride = row;
        add(fast(part, codes));
        for (int j = 0; j < radix; ++j) stream_codes(codes + row * j, place + j * stride, row);
      } else {
        part.out.stride = stride;
        add(fast(part, place));
      }
    }
  }
  return beyond ? kBeyondRange : saturated;
}

template <class Code>
HWY_NOINLINE void run_encode(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, int radix, int table_values,
                             RunChunksEncode<Code> fast, RunChunks<float> interleaved, EncodeSaturating<Code> saturating) {
  constexpr int kW = lanes_of<hn::ScalableTag<float>>();
  const Ends<float> from = resolve<float>(args.in, buffers);
  Code* const to = codes_of<Code>(args.out, buffers);
  const std::int64_t i = first * args.axes[0].in_stride;
  const Chunks<float> all{{from.re + i, from.im + i, args.in.point_stride, kW * args.in.lane_stride, args.axes[0].in_stride},
                          {nullptr, nullptr, args.out.point_stride, 2 * kW, args.axes[0].out_stride},
                          count, args.lanes / kW, static_cast<const float*>(args.table), table_values * kW, nullptr, 0, args.out.swap, false};
  const std::uintptr_t begins = reinterpret_cast<std::uintptr_t>(to) |
                                static_cast<std::uintptr_t>(args.out.point_stride | args.axes[0].out_stride) * sizeof(Code);
  const bool streams = args.out.non_temporal && begins % (2 * kW * sizeof(Code)) == 0;
  std::int64_t saturated = streams || args.ahead.fetches
                                ? encode_by_parts<Code>(args, buffers, first, count, radix, all, streams, fast, nullptr, saturating)
                                : fast(all, to + first * args.axes[0].out_stride);
  // What was read is there still: a work area.
  if (HWY_UNLIKELY(saturated == kBeyondRange)) {
    saturated = encode_by_parts<Code>(args, buffers, first, count, radix, all, false, fast, interleaved, saturating);
  }
  count_saturated(buffers, static_cast<std::size_t>(saturated));
}

template <class Body, class F>
void twiddled_encode(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  static_assert(Body::kRadix <= kMostTwiddled);
  run_encode<typename F::Code>(args, buffers, first, count, Body::kRadix, Body::kTableValues, &run_chunks_encode<Body, F>, &run_chunks<float, Body, false, false>,
                               &encode_saturating<F>);
}

// ---- in registers

// Ports of one width of vectors.
template <class D, class F>
struct PackedNarrowPorts {
  using From = typename F::Code;
  using To = typename F::Code;
  struct State {
    hn::Vec<D> held;
    typename F::Code* held_at;
    bool holds;
  };
  static constexpr bool kByPairs = F::kLoadsHalves;
  template <class, int kStride>
  static HWY_INLINE PackedNarrowIn<D, F> in(const From* p, const State&) { return {p, kStride}; }
  template <class, int kStride, int kHalf>
  static HWY_INLINE PackedNarrowHalf<D, F, kStride, kHalf> in_half(const From* p) { return {p}; }
  template <class, int kStride>
  static HWY_INLINE PackedNarrowOut<D, F, State> out(To* p, State& state) { return {p, kStride, &state}; }
  template <class>
  static HWY_INLINE PackedNarrowIn<D, F> in_at(const From* p, std::int64_t stride, const State&) { return {p, stride}; }
  template <class>
  static HWY_INLINE PackedNarrowOut<D, F, State> out_at(To* p, std::int64_t stride, State& state) {
    state.holds = false;
    return {p, stride, &state};
  }
};
// These formats count the numbers that saturate.
template <class D, class F>
struct PackedCountedPorts {
  using From = typename F::Code;
  using To = typename F::Code;
  struct State {
    hn::Vec<D> scale;
    hn::Vec<hn::RebindToSigned<D>> saturated;
  };
  static constexpr bool kByPairs = false;
  template <class, int kStride>
  static HWY_INLINE PackedScaledIn<D, F> in(const From* p, const State& state) { return {p, kStride, state.scale}; }
  template <class, int kStride>
  static HWY_INLINE PackedCountedOut<D, F, State> out(To* p, State& state) { return {p, kStride, &state}; }
  template <class>
  static HWY_INLINE PackedScaledIn<D, F> in_at(const From* p, std::int64_t stride, const State& state) { return {p, stride, state.scale}; }
  template <class>
  static HWY_INLINE PackedCountedOut<D, F, State> out_at(To* p, std::int64_t stride, State& state) { return {p, stride, &state}; }
};

// Numbers of both ends lie within the format's range, or see are_beyond(); what a format counts may saturate. All input is read before
// anything is stored. `scale` is 1 but for formats that count. Returns how many saturated.
template <class First, class Second, class F>
HWY_NOINLINE std::int64_t packed_codes(const typename F::Code* in, typename F::Code* out, const float* table, [[maybe_unused]] float scale) {
  constexpr int kMostVectors = F::kCounts || HWY_TARGET <= HWY_AVX3 ? 32 : 64;  // without loops: twice the text for 1.02 to 1.03
  constexpr int kV = PackedTwo<float, First, Second>::kV;
  using D = PackedTag<float, kV>;
  if constexpr (F::kCounts) {
    using Ports = PackedCountedPorts<D, F>;
    typename Ports::State state{hn::Set(D(), scale), hn::Zero(hn::RebindToSigned<D>())};
    PackedPairOf<float, First, Second, kMostVectors, false, Ports>::run(in, out, table, state);
    return sum_of_counts(state.saturated);
  } else {
    using Ports = PackedNarrowPorts<D, F>;
    typename Ports::State state{hn::Zero(D()), nullptr, false};
    PackedPairOf<float, First, Second, kMostVectors, false, Ports>::run(in, out, table, state);
    return 0;
  }
}

// What serves all formats whose codes are C.
template <class C>
struct PackedCodes {
  std::int64_t (*fast)(const C*, C*, const float*, float scale);
  void (*decode_tile)(const PassArgs& args, const C* p, std::int64_t points, float* tile);
  EncodeSaturating<C> saturating;
  int small, beyond;     // see narrow_ports-inl.h; 0, 0 of formats that count
  float largest_scale;   // that `fast` takes; 0: it takes 1 alone
  bool counts() const { return small == 0; }
  bool takes(double scale) const { return scale == 1.0 || std::abs(scale) <= largest_scale; }
};

// The largest of `codes` without their signs.
template <class C>
HWY_INLINE auto largest_code(const C* p, std::int64_t codes) {
  const hn::CappedTag<C, 32> d;
  auto most = hn::Zero(hn::RebindToSigned<decltype(d)>());
  for (std::int64_t i = 0; i < codes; i += hn::MaxLanes(d)) watch(d, hn::LoadU(d, p + i), most);
  return most;
}
template <class V>
HWY_INLINE bool are_below(V most, int code) {
  const hn::DFromV<V> d;
  return hn::AllTrue(d, hn::Lt(most, hn::Set(d, static_cast<std::int16_t>(code))));
}
// Whether nothing that is computed of these numbers lies beyond the range: |X_k| <= sqrt(2) n times the largest.
template <class C>
HWY_INLINE bool are_small(const PackedCodes<C>& format, const C* p, std::int64_t codes) {
  return are_below(largest_code(p, codes), format.small);
}
// Whether a code is that of an infinity or NaN, to which what lies beyond the range was rounded.
template <class C>
HWY_INLINE bool are_beyond(const PackedCodes<C>& format, const C* p, std::int64_t codes) {
  return !are_below(largest_code(p, codes), format.beyond);
}

// The input of a transform as f32: scaled, shifted, exchanged if the output is not.
template <class F>
HWY_NOINLINE void decode_tile(const PassArgs& args, const typename F::Code* p, std::int64_t points, float* tile) {
  const hn::ScalableTag<float> d;
  const bool exchange = args.in.swap && !args.out.swap;
  const auto scale = hn::Set(d, static_cast<float>(args.scale));
  const std::int64_t before = args.in.wrap == 0 ? points : args.in.wrap_point;
  if (before == points) {
    for (std::int64_t i = 0; i < 2 * points; i += lanes_of<decltype(d)>()) hn::StoreU(hn::Mul(F::load(d, p + i), scale), d, tile + i);
  } else {
    const hn::CappedTag<float, 1> one;
    for (std::int64_t i = 0; i < 2 * points; ++i) {
      const auto x = F::load(one, p + i + (i >= 2 * before ? args.in.wrap : 0));
      tile[i] = hn::GetLane(x) * static_cast<float>(args.scale);
    }
  }
  if (!exchange) return;
  for (std::int64_t i = 0; i < points; ++i) std::swap(tile[2 * i], tile[2 * i + 1]);
}

// By way of tiles of f32.
template <class C>
HWY_NOINLINE std::size_t packed_codes_by_tiles(const PassArgs& args, const C* p, C* q, std::int64_t points, const PackedCodes<C>& format, DirectCall::Run wide) {
  HWY_ALIGN float in[2 * kMostFusedPoints];
  HWY_ALIGN float out[2 * kMostFusedPoints];
  format.decode_tile(args, p, points, in);
  wide({nullptr, args.table}, in, in, out, out, nullptr);
  if (args.out.swap && !args.in.swap) {
    for (std::int64_t i = 0; i < points; ++i) std::swap(out[2 * i], out[2 * i + 1]);
  }
  const std::int64_t before = std::min<std::int64_t>(points, args.out.wrap == 0 ? points : args.out.wrap_point);
  return format.saturating(out, q, 2 * before) + format.saturating(out + 2 * before, q + 2 * before + args.out.wrap, 2 * (points - before));
}

// A copy of what the output replaces.
template <class C>
HWY_INLINE void copy_codes(const C* from, C* to, std::int64_t codes) {
  const hn::CappedTag<C, 16> d;
  constexpr std::int64_t kW = hn::MaxLanes(decltype(d)());
  for (std::int64_t i = 0; i < codes; i += kW) hn::Store(hn::LoadU(d, from + i), d, to + i);
}

template <class Code>
HWY_NOINLINE void run_packed_codes(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, std::int64_t points,
                                   const PackedCodes<Code>& format, DirectCall::Run wide) {
  HWY_ALIGN Code copy[2 * kMostFusedPoints];
  HWY_ALIGN Code line[2 * kMostFusedPoints];
  const Code* const from = codes_of<const Code>(args.in, buffers);
  Code* const to = codes_of<Code>(args.out, buffers);
  const float* const table = static_cast<const float*>(args.table);
  const bool tiles = !format.takes(args.scale) || args.in.swap != args.out.swap || args.in.wrap != 0 || args.out.wrap != 0;
  const std::uintptr_t begins = reinterpret_cast<std::uintptr_t>(to) |
                                static_cast<std::uintptr_t>(args.axes[0].out_stride | args.axes[1].out_stride | args.out.lane_stride | 2 * points) * sizeof(Code);
  const bool streams = args.out.non_temporal && begins % hn::MaxLanes(hn::ScalableTag<std::uint8_t>()) == 0;
  const char* const ahead = args.ahead.fetches ? reinterpret_cast<const char*>(begin_ahead<float>(args, buffers)) : nullptr;
  std::size_t saturated = 0;
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      for (std::int64_t l = 0; l < args.lanes; ++l) {
        const std::int64_t i = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride + l * args.in.lane_stride;
        const Code* p = from + i;
        Code* const q = to + a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride + l * args.out.lane_stride;
        if (HWY_UNLIKELY(tiles)) {
          saturated += packed_codes_by_tiles(args, p, q, points, format, wide);
          continue;
        }
        const bool small = format.counts() || are_small(format, p, 2 * points);
        if (!small && p == q) {  // it may be needed once more
          copy_codes(p, copy, 2 * points);
          p = copy;
        }
        if (ahead != nullptr) fetch(ahead + i * static_cast<std::int64_t>(sizeof(Code)), 2 * points * static_cast<std::int64_t>(sizeof(Code)), args.ahead.brief);
        Code* const codes = streams ? line : q;
        saturated += static_cast<std::size_t>(format.fast(p, codes, table, static_cast<float>(args.scale)));
        if (!small && are_beyond(format, codes, 2 * points)) {
          saturated += packed_codes_by_tiles(args, p, q, points, format, wide);
        } else if (streams) {
          stream_codes(line, q, 2 * points);
        }
      }
    }
  }
  count_saturated(buffers, saturated);
}

// Of numbers that may leave the range.
template <class Code>
HWY_NOINLINE int packed_large_codes(const DirectCall& call, const Code* in, Code* out, void* saturated, std::int64_t points,
                                    const PackedCodes<Code>& format, DirectCall::Run wide) {
  HWY_ALIGN Code copy[2 * kMostFusedPoints];
  if (in == out) {
    copy_codes(in, copy, 2 * points);
    in = copy;
  }
  format.fast(in, out, static_cast<const float*>(call.table), 1.0F);
  if (HWY_UNLIKELY(are_beyond(format, out, 2 * points))) {
    PassArgs args;
    args.table = call.table;
    const std::size_t count = packed_codes_by_tiles<Code>(args, in, out, points, format, wide);
    if (saturated != out) *static_cast<std::int64_t*>(saturated) += static_cast<std::int64_t>(count);
  }
  return 0;
}

template <class First, class Second, class F>
constexpr PackedCodes<typename F::Code> packed_codes_of() {
  PackedCodes<typename F::Code> format{&packed_codes<First, Second, F>, &decode_tile<F>, &encode_saturating<F>, 0, 0, 0};
  if constexpr (F::kCounts) {
    format.largest_scale = 0x1p15F / (First::kRadix * Second::kRadix);  // what is computed of codes of 16 bits stays below 2^31
  } else {
    format.small = F::kSmall;
    format.beyond = F::kBeyond;
  }
  return format;
}
template <class First, class Second, class F>
inline constexpr PackedCodes<typename F::Code> kPackedCodes = packed_codes_of<First, Second, F>();

template <class First, class Second, class F>
int packed_fused_direct(const DirectCall& call, void* in, void*, void* out, void* saturated, void*) {
  using Code = typename F::Code;
  using Wide = PackedPair<float, First, Second, PackedText::kStraight>;
  const Code* const from = static_cast<const Code*>(in);
  Code* const to = static_cast<Code*>(out);
  if constexpr (!F::kCounts) {
    if (HWY_UNLIKELY(!are_below(largest_code(from, 2 * Wide::kPoints), F::kSmall))) {
      return packed_large_codes(call, from, to, saturated, Wide::kPoints, kPackedCodes<First, Second, F>, &packed_direct<float, Wide>);
    }
  }
  const std::int64_t count = packed_codes<First, Second, F>(from, to, static_cast<const float*>(call.table), 1.0F);
  if (F::kCounts && saturated != out) *static_cast<std::int64_t*>(saturated) += count;
  return 0;
}

template <class First, class Second, class F>
void packed_fused(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  using Wide = PackedPair<float, First, Second, PackedText::kStraight>;
  static_assert(!F::kPairs || Second::kRadix % 2 == 0, "vectors are stored in pairs");
  static_assert(Wide::kPoints <= kMostFusedPoints && 2 * Wide::kPoints % 16 == 0);
  run_packed_codes(args, buffers, first, count, Wide::kPoints, kPackedCodes<First, Second, F>, &packed_direct<float, Wide>);
}

// ---- in registers, from codes to f32

template <class D, class F>
struct PackedDecodePorts {
  using From = typename F::Code;
  using To = float;
  struct State {};
  static constexpr bool kByPairs = F::kLoadsHalves;
  template <class, int kStride>
  static HWY_INLINE PackedNarrowIn<D, F> in(const From* p, const State&) { return {p, kStride}; }
  template <class, int kStride, int kHalf>
  static HWY_INLINE PackedNarrowHalf<D, F, kStride, kHalf> in_half(const From* p) { return {p}; }
  template <class, int kStride>
  static HWY_INLINE PackedOut<D, kStride> out(To* p, State&) { return {p}; }
  template <class>
  static HWY_INLINE PackedNarrowIn<D, F> in_at(const From* p, std::int64_t stride, const State&) { return {p, stride}; }
  template <class>
  static HWY_INLINE PackedOutAt<D> out_at(To* p, std::int64_t stride, State&) { return {p, stride}; }
};

template <class First, class Second, class F>
int packed_decode_direct(const DirectCall& call, void* in, void*, void* out, void*, void*) {
  using Ports = PackedDecodePorts<PackedTag<float, PackedTwo<float, First, Second>::kV>, F>;
  typename Ports::State state;
  const auto* const codes = static_cast<const typename F::Code*>(in);
  PackedPairOf<float, First, Second, 32, false, Ports>::run(codes, static_cast<float*>(out), static_cast<const float*>(call.table), state);
  return 0;
}

template <class F>
HWY_NOINLINE void run_packed_decode(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, std::int64_t points,
                                    DirectCall::Run fast, DirectCall::Run wide) {
  using Code = typename F::Code;
  constexpr int kV = lanes_of<hn::ScalableTag<float>>() / 2;
  HWY_ALIGN float tile[2 * kMostFusedPoints];
  const Code* const from = codes_of<const Code>(args.in, buffers);
  const Ends<float> ends = resolve<float>(args.out, buffers);
  float* const to = HWY_MIN(ends.re, ends.im);
  const DirectCall call{nullptr, args.table};
  const bool tiles = args.scale != 1.0 || args.in.swap != args.out.swap || args.in.wrap != 0 || args.out.wrap != 0;
  // What the tile has taken care of.
  PassArgs rest = args;
  rest.scale = 1.0;
  rest.in.wrap = 0;
  rest.in.swap = args.in.swap && args.out.swap;
  const std::uintptr_t begins = reinterpret_cast<std::uintptr_t>(to) |
                                static_cast<std::uintptr_t>(args.axes[0].out_stride | args.axes[1].out_stride | args.out.lane_stride) * sizeof(float);
  const bool streams = args.out.non_temporal && begins % (2 * kV * sizeof(float)) == 0;
  const char* const ahead = args.ahead.fetches ? reinterpret_cast<const char*>(begin_ahead<float>(args, buffers)) : nullptr;
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      for (std::int64_t l = 0; l < args.lanes; ++l) {
        const std::int64_t i = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride + l * args.in.lane_stride;
        Code* const p = const_cast<Code*>(from + i);
        float* const q = to + a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride + l * args.out.lane_stride;
        if (ahead != nullptr) fetch(ahead + i * static_cast<std::int64_t>(sizeof(Code)), 2 * points * static_cast<std::int64_t>(sizeof(Code)), args.ahead.brief);
        if (HWY_UNLIKELY(tiles)) {
          decode_tile<F>(args, p, points, tile);
          packed_by_tiles<float, kV>(rest, tile, q, points, wide, false, nullptr);
        } else if (streams) {
          fast(call, p, p, tile, tile, nullptr);
          stream_line<float>(tile, q, 2 * points, nullptr, false);
        } else {
          fast(call, p, p, q, q, nullptr);
        }
      }
    }
  }
}

template <class First, class Second, class F>
void packed_decode(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  using Wide = PackedPair<float, First, Second, PackedText::kStraight>;
  static_assert(Wide::kPoints <= kMostFusedPoints && 2 * Wide::kPoints % 32 == 0);
  run_packed_decode<F>(args, buffers, first, count, Wide::kPoints, &packed_decode_direct<First, Second, F>, &packed_direct<float, Wide>);
}

#endif  // ULPFFT_HWY_FUSED

// ---- entries of a table. Info: facts of the format that a build calls like the port's; the port serves it only where it is the same.

#if ULPFFT_HWY_FUSED
template <class Body, class F, const FormatInfo& kInfo>
void add_first_fused(CodeletSink& sink, const BodyFacts& body) {
  if constexpr (F::is(kInfo) && Body::kRadix % lanes_of<hn::ScalableTag<float>>() == 0) {
    sink.add_fused(PassKind::kFirst, body, nullptr, &first_decode<Body, F>, F::kName, "", F::kIndexOrder);
  }
  (void)sink, (void)body;
}
// Radix 16 with the 16 registers of AVX2 is twice the text of radix 8 for the same speed (1024 bf16: 704 ns as 8 8 16, 700 as 16 8 8).
template <class Body, class F, const FormatInfo& kInfo>
void add_twiddled_fused(CodeletSink& sink, const BodyFacts& body) {
  if constexpr (F::is(kInfo) && Body::kRadix <= lanes_of<hn::ScalableTag<float>>()) {
    sink.add_fused(PassKind::kTwiddled, body, nullptr, &twiddled_encode<Body, F>, "", F::kName);
  }
  (void)sink, (void)body;
}
// Every format of 8 or 16 bits that has no port of its own (build option fuse_all_formats); names of those of FormatPort that every build has.
constexpr bool is_always_decoded(const FormatInfo& f) { return HalfPort::is(f) || BrainPort::is(f) || ShortPort::is(f) || std::string_view(f.name) == "e4m3"; }
constexpr bool is_always_encoded(const FormatInfo& f) { return HalfPort::is(f) || BrainPort::is(f) || ShortPort::is(f); }
template <class Body, class Format>
void add_first_of_any(CodeletSink& sink, const BodyFacts& body) {
  if constexpr (!is_always_decoded(Format::kInfo) && has_port(Format::kInfo)) add_first_fused<Body, FormatPort<Format>, Format::kInfo>(sink, body);
  (void)sink, (void)body;
}
template <class Body, class Format>
void add_twiddled_of_any(CodeletSink& sink, const BodyFacts& body) {
  if constexpr (!is_always_encoded(Format::kInfo) && has_port(Format::kInfo)) add_twiddled_fused<Body, FormatPort<Format>, Format::kInfo>(sink, body);
  (void)sink, (void)body;
}
// kRolled: a pair that every target has.
template <bool kRolled, class First, class Second, class F, const FormatInfo& kInfo>
void add_packed_fused(CodeletSink& sink, const BodyFacts& first, const BodyFacts& second) {
  if constexpr (F::is(kInfo) && (kRolled || packed_serves(lanes_of<hn::ScalableTag<float>>(), 4, First::kRadix, Second::kRadix))) {
    sink.add_fused(PassKind::kPacked, first, &second, &packed_fused<First, Second, F>, F::kName, F::kName, false, &packed_fused_direct<First, Second, F>);
  }
  (void)sink, (void)first, (void)second;
}
template <class First, class Second, class F, const FormatInfo& kInfo>
void add_packed_decode(CodeletSink& sink, const BodyFacts& first, const BodyFacts& second) {
  if constexpr (F::is(kInfo) && packed_serves(lanes_of<hn::ScalableTag<float>>(), 4, First::kRadix, Second::kRadix)) {
    sink.add_fused(PassKind::kPacked, first, &second, &packed_decode<First, Second, F>, F::kName, "", false, &packed_decode_direct<First, Second, F>);
  }
  (void)sink, (void)first, (void)second;
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
