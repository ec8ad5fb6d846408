// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Split passes of radix 2 and 4 in registers: from numbers to parts, sums of parts, norms and twiddles, without tiles between.
//
// The matrices of these radices have 1, -1, i and -i alone. So a product is a part or its negative, and products with 0 are left out, which
// changes no bit of finite numbers: a sum that begins with +0 is never -0.
// Parts     (x + m) - m with m = 1.5 2^(dropped bits) times the power of two below |x| rounds x to the element, ties to even, and never
//           to -0. Numbers from 2^100 on, infinities and NaNs without a norm are left to the stages, which have matrices.
// Slices    are digits of a whole number, and sums of their products are exact. So they are the sums of these numbers in f64, times 127, the
//           digit of 1, and 2^-8 for each digit behind the first.
#include <cstdint>
#include <limits>

#include "codelets/contract/split_pass.h"
#include "codelets/hwy/lanes-inl.h"
#include "hwy/highway.h"

#if defined(ULPFFT_CODELETS_HWY_SPLIT_BUTTERFLIES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_SPLIT_BUTTERFLIES_INL_H_
#undef ULPFFT_CODELETS_HWY_SPLIT_BUTTERFLIES_INL_H_
#else
#define ULPFFT_CODELETS_HWY_SPLIT_BUTTERFLIES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

template <typename T>
inline constexpr std::int64_t kSplitLanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
static_assert(16 % kSplitLanes<float> == 0, "units have whole vectors");

template <class D>
HWY_INLINE hn::Vec<D> larger_bits(D d, hn::Vec<D> a, hn::Vec<D> b) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d, hn::Max(hn::BitCast(di, a), hn::BitCast(di, b)));
}

// Indices of a vector of T.
template <class D>
HWY_INLINE hn::Vec<hn::RebindToSigned<D>> split_places(D, const std::int32_t* at) {
  const hn::RebindToSigned<D> di;
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    return hn::LoadU(di, at);
  } else {
    return hn::PromoteTo(di, hn::LoadU(hn::Rebind<std::int32_t, decltype(di)>(), at));
  }
}

// Twiddles of a vector of columns.
template <class D>
HWY_INLINE hn::Vec<D> split_twiddles(D d, SplitTwiddles how, const hn::TFromD<D>* from, const std::int32_t* at) {
  switch (how) {
    case SplitTwiddles::kAdjacent: return hn::LoadU(d, from + *at);
    case SplitTwiddles::kOne: return hn::Set(d, from[*at]);
    case SplitTwiddles::kFours:
      if constexpr (sizeof(hn::TFromD<D>) == 4) {
        return hn::LoadDup128(d, from + *at);
      } else if constexpr (kSplitLanes<hn::TFromD<D>> == 8) {
        const auto four = hn::LoadU(hn::Half<D>(), from + *at);
        return hn::Combine(d, four, four);
      }
      break;
    case SplitTwiddles::kAnywhere: break;
  }
  return hn::GatherIndex(d, from, split_places(d, at));
}

// Row j of a vector of columns.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void read_row(D d, const SplitRows<const T>& in, std::int64_t c, std::int64_t j, hn::Vec<D>& re, hn::Vec<D>& im) {
  const T* const from_re = in.re + in.at[c] + j * in.row;
  const T* const from_im = in.im + in.at[c] + j * in.row;
  if (in.order == SplitOrder::kPlanar) {
    re = hn::LoadU(d, from_re);
    im = hn::LoadU(d, from_im);
  } else if (from_re < from_im) {
    hn::LoadInterleaved2(d, from_re, re, im);
  } else {
    hn::LoadInterleaved2(d, from_im, im, re);
  }
}

// re and im side by side, in index order.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void store_side_by_side(D d, hn::Vec<D> re, hn::Vec<D> im, T* to) {
#if HWY_TARGET == HWY_AVX3
  // Two shuffles, where StoreInterleaved2 takes six.
  hn::Vec<D> a, b;
  if constexpr (sizeof(T) == 4) {
    const __m512i lower = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i upper = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    a = hn::Vec<D>{_mm512_permutex2var_ps(re.raw, lower, im.raw)};
    b = hn::Vec<D>{_mm512_permutex2var_ps(re.raw, upper, im.raw)};
  } else {
    a = hn::Vec<D>{_mm512_permutex2var_pd(re.raw, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), im.raw)};
    b = hn::Vec<D>{_mm512_permutex2var_pd(re.raw, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), im.raw)};
  }
  hn::StoreU(a, d, to);
  hn::StoreU(b, d, to + kSplitLanes<T>);
#else
  hn::StoreInterleaved2(re, im, d, to);
#endif
}

// An output times its twiddle.
template <class V>
HWY_INLINE void turn(V a, V b, V& re, V& im) {
  const auto x = hn::Sub(hn::Mul(re, a), hn::Mul(im, b));
  im = hn::Add(hn::Mul(re, b), hn::Mul(im, a));
  re = x;
}

// Lanes in fours that lie `stride` apart.
template <class D>
HWY_INLINE void store_fours(D d, hn::Vec<D> x, hn::TFromD<D>* to, std::int64_t stride) {
  if constexpr (hn::MaxLanes(D()) <= 4) {
    hn::StoreU(x, d, to);
  } else {
    const hn::Half<D> half;
    store_fours(half, hn::LowerHalf(half, x), to, stride);
    store_fours(half, hn::UpperHalf(half, x), to + stride * static_cast<std::int64_t>(hn::MaxLanes(half) / 4), stride);
  }
}

// The largest magnitude of each group of `count` lanes, 1, 2 or 4, in all of them; 3 is 4.
HWY_INLINE hn::Vec<hn::ScalableTag<float>> largest_of_groups(hn::Vec<hn::ScalableTag<float>> x, std::int64_t count) {
  const hn::ScalableTag<float> d;
  if (count > 1) x = larger_bits(d, x, hn::Shuffle2301(x));
  if (count > 2) x = larger_bits(d, x, hn::Shuffle1032(x));
  return x;
}

// split_norm(), and 1 over it. 0 has any.
template <typename T>
struct VectorNorm {
  hn::Vec<hn::ScalableTag<T>> norm, inverse;
};
template <typename T, typename I>
HWY_INLINE VectorNorm<T> vector_norm(hn::Vec<hn::ScalableTag<T>> largest) {
  const hn::ScalableTag<T> d;
  const hn::ScalableTag<I> di;
  constexpr int kShift = std::numeric_limits<T>::digits - 1;
  constexpr I kOne = I(1) << kShift, kMostExponent = 2 * std::numeric_limits<T>::max_exponent - 2;
  constexpr I kInfinity = (kMostExponent + 1) << kShift;
  // A fraction above that of 1, or of slices above that of 127/128, carries.
  constexpr I kMost = sizeof(T) == 4 ? 0 : kOne - (kOne >> 6), kCarry = sizeof(T) == 4 ? 0 : 1, kLeast = kCarry + 1;
  const auto bits = hn::BitCast(di, largest);
  const hn::RebindToUnsigned<decltype(di)> du;
  const auto carried = hn::BitCast(di, hn::ShiftRight<kShift>(hn::BitCast(du, hn::Add(bits, hn::Set(di, kOne - 1 - kMost)))));
  const auto exponent = hn::Min(hn::Max(hn::Add(carried, hn::Set(di, kCarry)), hn::Set(di, kLeast)), hn::Set(di, kMostExponent));
  // The inverse of the largest norm is below normal numbers.
  const auto inverse = hn::Max(hn::ShiftLeft<kShift>(hn::Sub(hn::Set(di, kMostExponent), exponent)), hn::Set(di, kOne >> 1));
  const auto infinite = hn::RebindMask(d, hn::Gt(bits, hn::Set(di, kInfinity - 1)));
  const auto nan = hn::Set(d, std::numeric_limits<T>::quiet_NaN());
  const auto norm = hn::BitCast(d, hn::ShiftLeft<kShift>(exponent));
  return {hn::IfThenElse(infinite, nan, norm), hn::IfThenElse(infinite, nan, hn::BitCast(d, inverse))};
}

// Sums of four points, or of two, in the order of the contract.
#define ULPFFT_SPLIT_SUMS(x)                                                                                           \
  const auto y_re_0 = kFour ? hn::Add(hn::Add(hn::Add(x##_re_0, x##_re_1), x##_re_2), x##_re_3) : hn::Add(x##_re_0, x##_re_1); \
  const auto y_im_0 = kFour ? hn::Add(hn::Add(hn::Add(x##_im_0, x##_im_1), x##_im_2), x##_im_3) : hn::Add(x##_im_0, x##_im_1); \
  const auto y_re_1 = kFour ? hn::Sub(hn::Sub(hn::Add(x##_re_0, x##_im_1), x##_re_2), x##_im_3) : hn::Sub(x##_re_0, x##_re_1); \
  const auto y_im_1 = kFour ? hn::Add(hn::Sub(hn::Sub(x##_im_0, x##_re_1), x##_im_2), x##_re_3) : hn::Sub(x##_im_0, x##_im_1); \
  const auto y_re_2 = hn::Sub(hn::Add(hn::Sub(x##_re_0, x##_re_1), x##_re_2), x##_re_3);                                   \
  const auto y_im_2 = hn::Sub(hn::Add(hn::Sub(x##_im_0, x##_im_1), x##_im_2), x##_im_3);                                   \
  const auto y_re_3 = hn::Add(hn::Sub(hn::Sub(x##_re_0, x##_im_1), x##_re_2), x##_im_3);                                   \
  const auto y_im_3 = hn::Sub(hn::Sub(hn::Add(x##_im_0, x##_re_1), x##_im_2), x##_re_3)

// For each number of a column.
#define ULPFFT_SPLIT_EACH(f) \
  f(re_0);                   \
  f(im_0);                   \
  f(re_1);                   \
  f(im_1);                   \
  if constexpr (kFour) {     \
    f(re_2);                 \
    f(im_2);                 \
    f(re_3);                 \
    f(im_3);                 \
  }

#define ULPFFT_SPLIT_TURN(q, load)                                                                                                   \
  turn(load(twiddles_re + (q) * pass.length + places->at[c]), load(twiddles_im + (q) * pass.length + places->at[c]), out_re_##q, out_im_##q)
#define ULPFFT_SPLIT_TURNS(load)  \
  ULPFFT_SPLIT_TURN(0, load);     \
  ULPFFT_SPLIT_TURN(1, load);     \
  if constexpr (kFour) {          \
    ULPFFT_SPLIT_TURN(2, load);   \
    ULPFFT_SPLIT_TURN(3, load);   \
  }
// Sums times their factors and twiddles, to their rows.
#define ULPFFT_SPLIT_OUTPUTS()                                                                                              \
  if (has_factor) {                                                                                                         \
    ULPFFT_SPLIT_EACH(ULPFFT_SPLIT_MULTIPLY)                                                                                \
  }                                                                                                                         \
  if (places != nullptr) {                                                                                                  \
    const T* const twiddles_re = static_cast<const T*>(pass.twiddles_re) + places->first;                                   \
    const T* const twiddles_im = static_cast<const T*>(pass.twiddles_im) + places->first;                                   \
    const SplitTwiddles how = places->how[c / kSplitBlock];                                                                 \
    if (how == SplitTwiddles::kAdjacent) {                                                                                  \
      ULPFFT_SPLIT_TURNS(ULPFFT_SPLIT_ADJACENT)                                                                             \
    } else if (how == SplitTwiddles::kOne) {                                                                                \
      ULPFFT_SPLIT_TURNS(ULPFFT_SPLIT_ONE)                                                                                  \
    } else {                                                                                                                \
      ULPFFT_SPLIT_TURNS(ULPFFT_SPLIT_OTHERS)                                                                               \
    }                                                                                                                       \
  }                                                                                                                         \
  if (of_columns != nullptr) {                                                                                              \
    auto largest = hn::LoadU(d, of_columns + c);                                                                            \
    ULPFFT_SPLIT_EACH(ULPFFT_SPLIT_LARGER)                                                                                  \
    hn::StoreU(largest, d, of_columns + c);                                                                                 \
  }                                                                                                                         \
  T* const to_re = out.re + out.at[c];                                                                                      \
  T* const to_im = out.im + out.at[c];                                                                                      \
  switch (out.order) {                                                                                                      \
    case SplitOrder::kPlanar: ULPFFT_SPLIT_ROWS(ULPFFT_SPLIT_PLANAR) break;                                                 \
    case SplitOrder::kInterleaved: ULPFFT_SPLIT_ROWS(ULPFFT_SPLIT_INTERLEAVED) break;                                       \
    case SplitOrder::kFours: ULPFFT_SPLIT_ROWS(ULPFFT_SPLIT_FOURS) break;                                                   \
    case SplitOrder::kColumns:                                                                                              \
      if constexpr (kFour) {                                                                                                \
        hn::StoreInterleaved4(out_re_0, out_re_1, out_re_2, out_re_3, d, to_re);                                            \
        hn::StoreInterleaved4(out_im_0, out_im_1, out_im_2, out_im_3, d, to_im);                                            \
      } else {                                                                                                              \
        hn::StoreInterleaved2(out_re_0, out_re_1, d, to_re);                                                                \
        hn::StoreInterleaved2(out_im_0, out_im_1, d, to_im);                                                                \
      }                                                                                                                     \
      break;                                                                                                                \
  }
#define ULPFFT_SPLIT_MULTIPLY(name) out_##name = hn::Mul(out_##name, factor)
#define ULPFFT_SPLIT_LARGER(name) largest = larger_bits(d, largest, hn::Abs(out_##name))
#define ULPFFT_SPLIT_ADJACENT(from) hn::LoadU(d, from)
#define ULPFFT_SPLIT_ONE(from) hn::Set(d, *(from))
#define ULPFFT_SPLIT_OTHERS(from) split_twiddles(d, how, (from) - places->at[c], places->at + c)
#define ULPFFT_SPLIT_ROWS(store) \
  store(0);                      \
  store(1);                      \
  if constexpr (kFour) {         \
    store(2);                    \
    store(3);                    \
  }
#define ULPFFT_SPLIT_PLANAR(q)                         \
  hn::StoreU(out_re_##q, d, to_re + (q) * out.row);    \
  hn::StoreU(out_im_##q, d, to_im + (q) * out.row)
#define ULPFFT_SPLIT_INTERLEAVED(q)                                                             \
  if (to_re < to_im) store_side_by_side(d, out_re_##q, out_im_##q, to_re + (q) * out.row);        \
  if (to_re >= to_im) store_side_by_side(d, out_im_##q, out_re_##q, to_im + (q) * out.row)
#define ULPFFT_SPLIT_FOURS(q)                                               \
  store_fours(d, out_re_##q, to_re + (q) * out.row, kPoints * out.row);     \
  store_fours(d, out_im_##q, to_im + (q) * out.row, kPoints * out.row)

#define ULPFFT_SPLIT_LOADS()                                                                        \
  hn::Vec<decltype(d)> x_re_0, x_im_0, x_re_1, x_im_1;                                              \
  read_row(d, in, c, 0, x_re_0, x_im_0);                                                            \
  read_row(d, in, c, 1, x_re_1, x_im_1);                                                            \
  auto x_re_2 = x_re_0, x_im_2 = x_im_0, x_re_3 = x_re_0, x_im_3 = x_im_0;                          \
  if constexpr (kFour) {                                                                            \
    read_row(d, in, c, 2, x_re_2, x_im_2);                                                          \
    read_row(d, in, c, 3, x_re_3, x_im_3);                                                          \
  }                                                                                                 \
  if (in.scale != 1) {                                                                              \
    const auto scale = hn::Set(d, in.scale);                                                        \
    ULPFFT_SPLIT_EACH(ULPFFT_SPLIT_SCALE)                                                           \
  }
#define ULPFFT_SPLIT_SCALE(name) x_##name = hn::Mul(x_##name, scale)

// From this exponent on a number that has no norm is not rounded by an addition.
inline constexpr std::int32_t kHugePart = (100 + 127) << 23;

// The next part of what is left of a number; `top`: the largest exponent so far, in place.
HWY_INLINE hn::Vec<hn::ScalableTag<float>> butterfly_part(hn::Vec<hn::ScalableTag<float>> x, hn::Vec<hn::ScalableTag<std::int32_t>> least,
                                                          hn::Vec<hn::ScalableTag<float>> magic,
                                                          hn::Vec<hn::ScalableTag<std::int32_t>>& top) {
  const hn::ScalableTag<float> d;
  const hn::ScalableTag<std::int32_t> di;
  const auto exponent = hn::Max(hn::And(hn::BitCast(di, x), hn::Set(di, 0x7f800000)), least);
  top = hn::Max(top, exponent);
  const auto m = hn::Mul(hn::BitCast(d, exponent), magic);
  return hn::Sub(hn::Add(x, m), m);
}

// One long function: its numbers are named variables that stay in registers, which no other function can be handed without their addresses.
template <bool kFour, bool kOnePart>
HWY_NOINLINE bool butterflies_of_parts(const SplitPass& pass, const SplitRows<const float>& in, const SplitRows<float>& out,
                                       const float* inverse, const float* factors, const SplitPlaces* places, std::int64_t width,
                                       float* of_columns) {
  using T = float;
  const hn::ScalableTag<float> d;
  const hn::ScalableTag<std::int32_t> di;
  constexpr std::int64_t kW = kSplitLanes<float>;
  // Sums of all parts but the last.
  HWY_ALIGN float sums[(kMostSplitParts - 1) * 8 * kW];
  const SplitElement& e = pass.element;
  const int parts = kOnePart ? 1 : pass.scheme.parts;
  const auto least = hn::BitCast(di, hn::Set(d, e.smallest_normal));
  const auto magic = hn::Set(d, 1.5F * static_cast<float>(1 << e.dropped));
  const auto grow = hn::Set(d, e.grow);
  constexpr std::int64_t kPoints = kFour ? 4 : 2;
  const bool finds_norms = inverse == nullptr && pass.scheme.norm != SplitNorm::kNone, has_factor = finds_norms || inverse != nullptr;
  const std::int64_t tile = finds_norms ? split_tile_of_line(pass) : 0;
  for (std::int64_t c = 0; c < width; c += kW) {
    ULPFFT_SPLIT_LOADS()
    auto factor = hn::Zero(d);
    if (has_factor) {
      auto by = factor;
      if (finds_norms) {
        auto found = hn::Zero(d);
#define ULPFFT_SPLIT_FIND(name) found = larger_bits(d, found, hn::Abs(x_##name))
        ULPFFT_SPLIT_EACH(ULPFFT_SPLIT_FIND)
#undef ULPFFT_SPLIT_FIND
        const auto norm = vector_norm<float, std::int32_t>(largest_of_groups(found, tile));
        factor = norm.norm;
        by = norm.inverse;
      } else {
        by = hn::LoadU(d, inverse + c);
        factor = hn::LoadU(d, factors + c);
      }
#define ULPFFT_SPLIT_DIVIDE(name) x_##name = hn::Mul(x_##name, by)
      ULPFFT_SPLIT_EACH(ULPFFT_SPLIT_DIVIDE)
#undef ULPFFT_SPLIT_DIVIDE
    }
    auto top = least;
    float weight = 1;
    auto out_re_0 = factor, out_im_0 = factor, out_re_1 = factor, out_im_1 = factor;
    auto out_re_2 = factor, out_im_2 = factor, out_re_3 = factor, out_im_3 = factor;
    for (int part = 0; part < parts; ++part) {
#define ULPFFT_SPLIT_PART(name) auto p_##name = butterfly_part(x_##name, least, magic, top)
      ULPFFT_SPLIT_PART(re_0);
      ULPFFT_SPLIT_PART(im_0);
      ULPFFT_SPLIT_PART(re_1);
      ULPFFT_SPLIT_PART(im_1);
      auto p_re_2 = p_re_0, p_im_2 = p_im_0, p_re_3 = p_re_1, p_im_3 = p_im_1;
#undef ULPFFT_SPLIT_PART
      if constexpr (kFour) {
        p_re_2 = butterfly_part(x_re_2, least, magic, top);
        p_im_2 = butterfly_part(x_im_2, least, magic, top);
        p_re_3 = butterfly_part(x_re_3, least, magic, top);
        p_im_3 = butterfly_part(x_im_3, least, magic, top);
      }
      if (part == 0) {
        if (!hn::AllFalse(di, hn::Gt(top, hn::Set(di, kHugePart))) && !has_factor) return false;
      }
      const bool last = part + 1 == parts;
      if (!last) {
#define ULPFFT_SPLIT_REST(name) x_##name = hn::Mul(hn::Sub(x_##name, p_##name), grow)
        ULPFFT_SPLIT_EACH(ULPFFT_SPLIT_REST)
#undef ULPFFT_SPLIT_REST
      }
      if (part > 0) {
        const auto w = hn::Set(d, weight);
#define ULPFFT_SPLIT_WEIGH(name) p_##name = hn::Mul(p_##name, w)
        ULPFFT_SPLIT_EACH(ULPFFT_SPLIT_WEIGH)
#undef ULPFFT_SPLIT_WEIGH
      }
      weight *= e.shrink;
      ULPFFT_SPLIT_SUMS(p);
      if (last) {
#define ULPFFT_SPLIT_KEEP(name) out_##name = y_##name
        ULPFFT_SPLIT_EACH(ULPFFT_SPLIT_KEEP)
#undef ULPFFT_SPLIT_KEEP
      } else {
        float* at = sums + part * 8 * kW;
#define ULPFFT_SPLIT_LEAVE(name) hn::Store(y_##name, d, at), at += kW
        ULPFFT_SPLIT_EACH(ULPFFT_SPLIT_LEAVE)
#undef ULPFFT_SPLIT_LEAVE
      }
    }
    for (int part = parts - 2; part >= 0; --part) {
      const float* at = sums + part * 8 * kW;
#define ULPFFT_SPLIT_ADD(name) out_##name = hn::Add(out_##name, hn::Load(d, at)), at += kW
      ULPFFT_SPLIT_EACH(ULPFFT_SPLIT_ADD)
#undef ULPFFT_SPLIT_ADD
    }
    ULPFFT_SPLIT_OUTPUTS()
  }
  return true;
}

HWY_NOINLINE bool split_butterflies(const SplitPass& pass, const SplitRows<const float>& in, const SplitRows<float>& out,
                                    const float* inverse, const float* factors, const SplitPlaces* places, std::int64_t width, float* of_columns) {
  if (pass.radix != 4) return butterflies_of_parts<false, false>(pass, in, out, inverse, factors, places, width, of_columns);
  if (pass.scheme.parts == 1) return butterflies_of_parts<true, true>(pass, in, out, inverse, factors, places, width, of_columns);
  return butterflies_of_parts<true, false>(pass, in, out, inverse, factors, places, width, of_columns);
}

template <bool kFour>
HWY_INLINE void butterflies_of_slices(const SplitPass& pass, const SplitRows<const double>& in, const SplitRows<double>& out,
                                      const SplitPlaces* places, std::int64_t width, double* of_columns) {
  using T = double;
  const hn::ScalableTag<double> d;
  const auto to_integers = hn::Set(d, 0x1.8p52);
  const int bits = 8 * pass.scheme.parts;
  const auto points = hn::Set(d, static_cast<double>(std::int64_t(1) << (bits - 1)));
  const auto weight = hn::Set(d, 127.0 / static_cast<double>(std::int64_t(1) << (bits - 8)));
  constexpr bool has_factor = true;
  constexpr std::int64_t kPoints = kFour ? 4 : 2;
  for (std::int64_t c = 0; c < width; c += kSplitLanes<double>) {
    ULPFFT_SPLIT_LOADS()
    auto found = hn::Zero(d);
#define ULPFFT_SPLIT_FIND(name) found = larger_bits(d, found, hn::Abs(x_##name))
    ULPFFT_SPLIT_EACH(ULPFFT_SPLIT_FIND)
#undef ULPFFT_SPLIT_FIND
    const auto norm = vector_norm<double, std::int64_t>(found);
    const auto by = norm.inverse;
    const auto factor = hn::Mul(norm.norm, hn::Set(d, 1.0 / (128.0 * 127.0)));
#define ULPFFT_SPLIT_WHOLE(name) x_##name = hn::Sub(hn::Add(hn::Mul(hn::Mul(x_##name, by), points), to_integers), to_integers)
    ULPFFT_SPLIT_EACH(ULPFFT_SPLIT_WHOLE)
#undef ULPFFT_SPLIT_WHOLE
    ULPFFT_SPLIT_SUMS(x);
#define ULPFFT_SPLIT_WEIGH(name) auto out_##name = hn::Mul(y_##name, weight)
    ULPFFT_SPLIT_WEIGH(re_0);
    ULPFFT_SPLIT_WEIGH(im_0);
    ULPFFT_SPLIT_WEIGH(re_1);
    ULPFFT_SPLIT_WEIGH(im_1);
    ULPFFT_SPLIT_WEIGH(re_2);
    ULPFFT_SPLIT_WEIGH(im_2);
    ULPFFT_SPLIT_WEIGH(re_3);
    ULPFFT_SPLIT_WEIGH(im_3);
#undef ULPFFT_SPLIT_WEIGH
    ULPFFT_SPLIT_OUTPUTS()
  }
}

HWY_NOINLINE bool slice_butterflies(const SplitPass& pass, const SplitRows<const double>& in, const SplitRows<double>& out, const double*,
                                    const double*, const SplitPlaces* places, std::int64_t width, double* of_columns) {
  if (pass.radix == 4) {
    butterflies_of_slices<true>(pass, in, out, places, width, of_columns);
  } else {
    butterflies_of_slices<false>(pass, in, out, places, width, of_columns);
  }
  return true;
}

#undef ULPFFT_SPLIT_SUMS
#undef ULPFFT_SPLIT_EACH
#undef ULPFFT_SPLIT_TURN
#undef ULPFFT_SPLIT_TURNS
#undef ULPFFT_SPLIT_OUTPUTS
#undef ULPFFT_SPLIT_MULTIPLY
#undef ULPFFT_SPLIT_LARGER
#undef ULPFFT_SPLIT_ADJACENT
#undef ULPFFT_SPLIT_ONE
#undef ULPFFT_SPLIT_OTHERS
#undef ULPFFT_SPLIT_ROWS
#undef ULPFFT_SPLIT_PLANAR
#undef ULPFFT_SPLIT_INTERLEAVED
#undef ULPFFT_SPLIT_FOURS
#undef ULPFFT_SPLIT_SCALE
#undef ULPFFT_SPLIT_LOADS

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // ULPFFT_CODELETS_HWY_SPLIT_BUTTERFLIES_INL_H_
