// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// In-lane shuffles: deinterleave, interleave, transpose. Only operations that Highway 1.0.3 has and that stay inside 128-bit
// blocks where possible; the lane order they leave is index_of_lane() of the contract.
#include "codelets/contract/codelet.h"
#include "hwy/highway.h"

#if defined(ULPFFT_CODELETS_HWY_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_LANES_INL_H_
#undef ULPFFT_CODELETS_HWY_LANES_INL_H_
#else
#define ULPFFT_CODELETS_HWY_LANES_INL_H_
#endif

#undef ULPFFT_HWY_SIMD
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
#define ULPFFT_HWY_SIMD 0  // the ref backend serves these
#else
#define ULPFFT_HWY_SIMD 1
#endif

#undef ULPFFT_HWY_FMA
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
#define ULPFFT_HWY_FMA 0
#else
#define ULPFFT_HWY_FMA 1
#endif

// Vectors of SVE have no size in C++, known to be 256 bits or not: no array and no struct can hold one.
#undef ULPFFT_HWY_SIZELESS
#if HWY_TARGET == HWY_SVE_256
#define ULPFFT_HWY_SIZELESS 1
#else
#define ULPFFT_HWY_SIZELESS 0
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

// Fetches a line into L2; brief: to be read once, soon (Ahead::brief).
HWY_INLINE void fetch_line(const void* from) { __builtin_prefetch(from, 0, 2); }
HWY_INLINE void fetch(const void* from, std::int64_t bytes, bool brief) {
  for (std::int64_t at = 0; at < bytes; at += 64) {
    const char* const line = static_cast<const char*>(from) + at;
    if (brief) {
      __builtin_prefetch(line, 0, 0);
    } else {
      fetch_line(line);
    }
  }
}

// Bytes of a vector of complex numbers, two vectors of reals.
template <typename T>
inline constexpr std::int64_t kRunBytes = 2 * sizeof(T) * hn::MaxLanes(hn::ScalableTag<T>());

// What lanes in index order are taken as in lane order.
template <class Index, int kW, int kBlock>
struct LaneIndices {
  HWY_ALIGN Index index[kW];
  constexpr LaneIndices() : index() {
    for (int l = 0; l < kW; ++l) index[l] = index_of_lane(l, kW, kBlock);
  }
};

// Lanes in index order to lane order.
template <class D>
HWY_INLINE hn::Vec<D> to_lane_order(D d, hn::Vec<D> x) {
  using Index = hn::TFromD<hn::RebindToSigned<D>>;
  HWY_ALIGN static constexpr LaneIndices<Index, static_cast<int>(hn::MaxLanes(D())), 16 / static_cast<int>(sizeof(Index))> kIndices;
  return hn::TableLookupLanes(x, hn::SetTableIndices(d, kIndices.index));
}

// Lane l of the result is the lane that holds column l.
template <class Index, int kW, int kBlock>
struct ColumnIndices {
  HWY_ALIGN Index index[kW];
  constexpr ColumnIndices() : index() {
    for (int l = 0; l < kW; ++l) index[index_of_lane(l, kW, kBlock)] = l;
  }
};
template <class D>
HWY_INLINE hn::Vec<D> to_index_order(D d, hn::Vec<D> x) {
  using Index = hn::TFromD<hn::RebindToSigned<D>>;
  HWY_ALIGN static constexpr ColumnIndices<Index, static_cast<int>(hn::MaxLanes(D())), 16 / static_cast<int>(sizeof(Index))> kIndices;
  return hn::TableLookupLanes(x, hn::SetTableIndices(d, kIndices.index));
}

// a, b: W interleaved complex numbers. Lane l of re and im is column index_of_lane(l, W).
template <class D>
  requires(sizeof(hn::TFromD<D>) == 4)
HWY_INLINE void deinterleave(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D>& re, hn::Vec<D>& im) {
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (kW == 1) {
    re = a;
    im = b;
  } else if constexpr (kW == 2) {
    re = hn::InterleaveLower(d, a, b);
    im = hn::InterleaveUpper(d, a, b);
  } else if constexpr (kW == 4) {
#if ULPFFT_HWY_SIZELESS
    // Of half a vector ConcatEven and ConcatOdd of SVE_256 (Highway 1.0.3) give the lanes of a alone.
    const auto lower = hn::InterleaveLower(d, a, b);
    const auto upper = hn::InterleaveUpper(d, a, b);
    re = hn::InterleaveLower(d, lower, upper);
    im = hn::InterleaveUpper(d, lower, upper);
#else
    re = hn::ConcatEven(d, b, a);
    im = hn::ConcatOdd(d, b, a);
#endif
  } else {
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
    // In Highway these two exchange blocks, too.
    if constexpr (kW == 8) {
      re = hn::Vec<D>{_mm256_shuffle_ps(a.raw, b.raw, _MM_SHUFFLE(2, 0, 2, 0))};
      im = hn::Vec<D>{_mm256_shuffle_ps(a.raw, b.raw, _MM_SHUFFLE(3, 1, 3, 1))};
    } else {
#if HWY_TARGET <= HWY_AVX3
      re = hn::Vec<D>{_mm512_shuffle_ps(a.raw, b.raw, _MM_SHUFFLE(2, 0, 2, 0))};
      im = hn::Vec<D>{_mm512_shuffle_ps(a.raw, b.raw, _MM_SHUFFLE(3, 1, 3, 1))};
#endif
    }
#else
    re = to_lane_order(d, hn::ConcatEven(d, b, a));
    im = to_lane_order(d, hn::ConcatOdd(d, b, a));
#endif
  }
}
template <class D>
  requires(sizeof(hn::TFromD<D>) == 8)
HWY_INLINE void deinterleave(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D>& re, hn::Vec<D>& im) {
  re = hn::InterleaveLower(d, a, b);
  im = hn::InterleaveUpper(d, a, b);
}

// Inverse of deinterleave.
template <class D>
HWY_INLINE void interleave(D d, hn::Vec<D> re, hn::Vec<D> im, hn::Vec<D>& a, hn::Vec<D>& b) {
  a = hn::InterleaveLower(d, re, im);
  b = hn::InterleaveUpper(d, re, im);
}

template <class D>
using Blocks64 = hn::Repartition<double, D>;

template <class D>
  requires(sizeof(hn::TFromD<D>) == 4)
HWY_INLINE hn::Vec<D> interleave_lower_pairs(D d, hn::Vec<D> a, hn::Vec<D> b) {
  const Blocks64<D> d64;
  return hn::BitCast(d, hn::InterleaveLower(d64, hn::BitCast(d64, a), hn::BitCast(d64, b)));
}
template <class D>
  requires(sizeof(hn::TFromD<D>) == 4)
HWY_INLINE hn::Vec<D> interleave_upper_pairs(D d, hn::Vec<D> a, hn::Vec<D> b) {
  const Blocks64<D> d64;
  return hn::BitCast(d, hn::InterleaveUpper(d64, hn::BitCast(d64, a), hn::BitCast(d64, b)));
}

// Transposes E x E inside every 128-bit block, E = 4 (f32) or 2.
template <class D>
  requires(sizeof(hn::TFromD<D>) == 4)
HWY_INLINE void transpose_blocks_inside(D d, hn::Vec<D>& v0, hn::Vec<D>& v1, hn::Vec<D>& v2, hn::Vec<D>& v3) {
  const auto a = hn::InterleaveLower(d, v0, v1);
  const auto b = hn::InterleaveUpper(d, v0, v1);
  const auto e = hn::InterleaveLower(d, v2, v3);
  const auto f = hn::InterleaveUpper(d, v2, v3);
  v0 = interleave_lower_pairs(d, a, e);
  v1 = interleave_upper_pairs(d, a, e);
  v2 = interleave_lower_pairs(d, b, f);
  v3 = interleave_upper_pairs(d, b, f);
}
template <class D>
HWY_INLINE void transpose_blocks_inside(D d, hn::Vec<D>& v0, hn::Vec<D>& v1) {
  const auto a = hn::InterleaveLower(d, v0, v1);
  v1 = hn::InterleaveUpper(d, v0, v1);
  v0 = a;
}

// Block q of output b is block b of input q: 2 or 4 blocks.
template <class D>
HWY_INLINE void transpose_whole_blocks(D d, hn::Vec<D>& u0, hn::Vec<D>& u1) {
  const auto a = hn::ConcatLowerLower(d, u1, u0);
  u1 = hn::ConcatUpperUpper(d, u1, u0);
  u0 = a;
}
template <class D>
HWY_INLINE void transpose_whole_blocks(D d, hn::Vec<D>& u0, hn::Vec<D>& u1, hn::Vec<D>& u2, hn::Vec<D>& u3) {
  const auto p = hn::ConcatLowerLower(d, u2, u0);
  const auto q = hn::ConcatUpperUpper(d, u2, u0);
  const auto r = hn::ConcatLowerLower(d, u3, u1);
  const auto s = hn::ConcatUpperUpper(d, u3, u1);
  u0 = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(r), p);
  u1 = hn::OddEvenBlocks(r, hn::SwapAdjacentBlocks(p));
  u2 = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(s), q);
  u3 = hn::OddEvenBlocks(s, hn::SwapAdjacentBlocks(q));
}

#if ULPFFT_HWY_SIZELESS

// W x W transpose from rows of W in memory to others; W = 2, 4 or 8, at most 256 bits.
template <class D, class From, class To>
HWY_INLINE void transpose_memory(D d, const From& from, const To& to) {
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  constexpr bool kF32 = sizeof(hn::TFromD<D>) == 4;
  auto v0 = hn::Load(d, from(0));
  auto v1 = hn::Load(d, from(1));
  if constexpr (kW == 2) {
    transpose_blocks_inside(d, v0, v1);
  } else {
    auto v2 = hn::Load(d, from(2));
    auto v3 = hn::Load(d, from(3));
    if constexpr (kF32) {
      transpose_blocks_inside(d, v0, v1, v2, v3);
    } else {
      transpose_blocks_inside(d, v0, v1);
      transpose_blocks_inside(d, v2, v3);
      transpose_whole_blocks(d, v0, v2);
      transpose_whole_blocks(d, v1, v3);
    }
    if constexpr (kW == 8) {
      auto v4 = hn::Load(d, from(4));
      auto v5 = hn::Load(d, from(5));
      auto v6 = hn::Load(d, from(6));
      auto v7 = hn::Load(d, from(7));
      transpose_blocks_inside(d, v4, v5, v6, v7);
      transpose_whole_blocks(d, v0, v4);
      transpose_whole_blocks(d, v1, v5);
      transpose_whole_blocks(d, v2, v6);
      transpose_whole_blocks(d, v3, v7);
      hn::StoreU(v4, d, to(4));
      hn::StoreU(v5, d, to(5));
      hn::StoreU(v6, d, to(6));
      hn::StoreU(v7, d, to(7));
    }
    hn::StoreU(v2, d, to(2));
    hn::StoreU(v3, d, to(3));
  }
  hn::StoreU(v0, d, to(0));
  hn::StoreU(v1, d, to(1));
}

#else

// In-place W x W transpose of v[0..W-1]; every index is a constant, so the array lives in registers.
template <class D>
  requires(sizeof(hn::TFromD<D>) == 4)
HWY_INLINE void transpose(D d, hn::Vec<D>* HWY_RESTRICT v) {
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (kW == 2) {
    transpose_blocks_inside(d, v[0], v[1]);
  } else if constexpr (kW == 4) {
    transpose_blocks_inside(d, v[0], v[1], v[2], v[3]);
  } else if constexpr (kW == 8) {
    transpose_blocks_inside(d, v[0], v[1], v[2], v[3]);
    transpose_blocks_inside(d, v[4], v[5], v[6], v[7]);
    transpose_whole_blocks(d, v[0], v[4]);
    transpose_whole_blocks(d, v[1], v[5]);
    transpose_whole_blocks(d, v[2], v[6]);
    transpose_whole_blocks(d, v[3], v[7]);
  } else if constexpr (kW == 16) {
    transpose_blocks_inside(d, v[0], v[1], v[2], v[3]);
    transpose_blocks_inside(d, v[4], v[5], v[6], v[7]);
    transpose_blocks_inside(d, v[8], v[9], v[10], v[11]);
    transpose_blocks_inside(d, v[12], v[13], v[14], v[15]);
    transpose_whole_blocks(d, v[0], v[4], v[8], v[12]);
    transpose_whole_blocks(d, v[1], v[5], v[9], v[13]);
    transpose_whole_blocks(d, v[2], v[6], v[10], v[14]);
    transpose_whole_blocks(d, v[3], v[7], v[11], v[15]);
  }
}
template <class D>
  requires(sizeof(hn::TFromD<D>) == 8)
HWY_INLINE void transpose(D d, hn::Vec<D>* HWY_RESTRICT v) {
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (kW == 2) {
    transpose_blocks_inside(d, v[0], v[1]);
  } else if constexpr (kW == 4) {
    transpose_blocks_inside(d, v[0], v[1]);
    transpose_blocks_inside(d, v[2], v[3]);
    transpose_whole_blocks(d, v[0], v[2]);
    transpose_whole_blocks(d, v[1], v[3]);
  } else if constexpr (kW == 8) {
    transpose_blocks_inside(d, v[0], v[1]);
    transpose_blocks_inside(d, v[2], v[3]);
    transpose_blocks_inside(d, v[4], v[5]);
    transpose_blocks_inside(d, v[6], v[7]);
    transpose_whole_blocks(d, v[0], v[2], v[4], v[6]);
    transpose_whole_blocks(d, v[1], v[3], v[5], v[7]);
  }
}

#endif  // ULPFFT_HWY_SIZELESS
#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
