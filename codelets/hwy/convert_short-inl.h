// Conversions of whole vectors by few instructions, for codes and reals that need no care: a span that holds others is converted once more,
// by convert_lanes-inl.h.
//
// What needs care   codes above the largest finite one (infinity, NaN); reals that overflow, infinity and NaN. All that is watched is the
//                   largest code, read or made.
// Which formats     convert_facts.h: short_decode(), short_encode().
#include <bit>
#include <cstdint>
#include <limits>

#include "codelets/hwy/convert_facts.h"
#include "codelets/hwy/convert_lanes-inl.h"
#include "hwy/highway.h"

#if defined(ULPFFT_CODELETS_HWY_CONVERT_SHORT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_CONVERT_SHORT_INL_H_
#undef ULPFFT_CODELETS_HWY_CONVERT_SHORT_INL_H_
#else
#define ULPFFT_CODELETS_HWY_CONVERT_SHORT_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

using FloatFacts = conversion::ElementFacts<float>;

inline constexpr bool kHasHalf = ULPFFT_HWY_HALF != 0;

// ---- decoding

// The codes of a vector at `from` as reals; small ones are right unless one of them is above F.largest (without its sign).
template <const FloatFacts& F, class D, typename C>
HWY_INLINE hn::Vec<D> decode_short(D d, const C* HWY_RESTRICT from) {
  constexpr conversion::Short kWay = conversion::short_decode(F, kHasHalf);
  if constexpr (kWay == conversion::Short::kBrain) {
    const BitsTag<D> du;
    const auto x = hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, hn::LoadU(hn::Rebind<std::uint16_t, D>(), from))));
    return hn::IfThenElse(hn::Eq(x, x), x, hn::Set(d, std::numeric_limits<float>::quiet_NaN()));
  } else {
#if ULPFFT_HWY_HALF
    if constexpr (kWay == conversion::Short::kHalf) {
      return load_halves(d, from);
    } else {
      // As a binary16 with a smaller exponent: its subnormals are those of the format.
      static_assert(kWay == conversion::Short::kSmall);
      const hn::Rebind<hwy::float16_t, D> half;
      constexpr int kMagnitude = 10 - (conversion::Lane<float>::kMantissa - F.shift);  // how far it goes up
      constexpr auto kMask = static_cast<std::int16_t>((F.sign - 1) << kMagnitude);
      const hn::Rebind<std::int16_t, D> d16;
      const auto code = hn::PromoteTo(d16, hn::LoadU(hn::Rebind<std::int8_t, D>(), reinterpret_cast<const std::int8_t*>(from)));
      auto bits = hn::ShiftLeft<kMagnitude>(code);
      if constexpr (F.bits < 8) {
        const auto sign = hn::And(hn::ShiftLeft<16 - F.bits>(code), hn::Set(d16, std::int16_t{-0x8000}));
        bits = hn::Or(hn::And(bits, hn::Set(d16, kMask)), sign);
      } else if constexpr (kMagnitude + F.bits < 16) {
        bits = hn::And(bits, hn::Set(d16, static_cast<std::int16_t>(kMask | -0x8000)));  // the sign fills what is above it
      }
      const auto x = hn::PromoteTo(d, hn::BitCast(half, bits));
      constexpr int kUp = conversion::above_half(F);
      if constexpr (kUp == 0) return x;
      return hn::Mul(x, hn::Set(d, std::bit_cast<float>(conversion::Lane<float>::power_of_two(kUp))));
    }
#else
    static_assert(kWay == conversion::Short::kBrain);
#endif
  }
}

// Whether no code of `count`, a multiple of 64, needs care.
template <const FloatFacts& F, typename C>
HWY_INLINE bool are_easy(const C* HWY_RESTRICT codes, std::int64_t count) {
  if constexpr (conversion::short_decode(F, kHasHalf) != conversion::Short::kSmall || F.largest == F.sign - 1) return true;
  const hn::ScalableTag<C> d;
  const auto mask = hn::Set(d, static_cast<C>(F.sign - 1));
  auto most = hn::Zero(d);
  for (std::int64_t i = 0; i < count; i += hn::MaxLanes(hn::ScalableTag<C>())) most = hn::Max(most, hn::And(hn::LoadU(d, codes + i), mask));
  return hn::AllFalse(d, hn::Gt(most, hn::Set(d, static_cast<C>(F.largest))));
}

// ---- encoding

// Two vectors as one of halves as wide: of each pair of lanes the lower half is a's, the upper b's.
template <class V>
HWY_INLINE auto lower_halves(V a, V b) {
  const hn::Repartition<std::uint16_t, hn::DFromV<V>> d16;
  return hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(b)), hn::BitCast(d16, a));
}
template <class V>
HWY_INLINE auto upper_halves(V a, V b) {
  const hn::Repartition<std::uint16_t, hn::DFromV<V>> d16;
  return hn::OddEven(hn::BitCast(d16, b), hn::BitCast(d16, hn::ShiftRight<16>(a)));
}
// Bytes of four vectors, a and b as pairs, c and d as pairs; what is above their low bytes is lost.
template <class D, class V>
HWY_INLINE void store_bytes_of_pairs(D, V ab, V cd, std::uint8_t* HWY_RESTRICT to) {
  const BitsTag<D> du;
  const hn::Repartition<std::uint8_t, BitsTag<D>> d8;
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  HWY_ALIGN static constexpr std::uint8_t kTranspose[16] = {0, 4, 8, 12, 2, 6, 10, 14, 1, 5, 9, 13, 3, 7, 11, 15};
  const hn::Repartition<std::uint16_t, BitsTag<D>> d16;
  const auto mixed = hn::OrAnd(hn::ShiftLeft<8>(cd), ab, hn::Set(d16, 0xff));
  const auto runs = hn::BitCast(du, hn::TableLookupBytes(hn::BitCast(d8, mixed), hn::LoadDup128(d8, kTranspose)));
  hn::StoreU(hn::BitCast(d8, sort_runs<kW>(du, runs)), d8, to);
}

// Two vectors as bfloat16, in order. `most`: the largest so far before they are rounded, without their signs.
template <const FloatFacts& F, class D, class V16>
HWY_INLINE V16 encode_brain(D, hn::Vec<D> a, hn::Vec<D> b, V16& most) {
  const hn::Repartition<std::uint16_t, D> d16;
  const hn::Repartition<std::int16_t, D> di16;
  const auto upper = hn::ConcatOdd(d16, hn::BitCast(d16, b), hn::BitCast(d16, a));
  const auto lower = hn::ConcatEven(d16, hn::BitCast(d16, b), hn::BitCast(d16, a));
  most = hn::Max(most, hn::And(upper, hn::Set(d16, static_cast<std::uint16_t>(F.sign - 1))));
  // One more where the lower half is above a half of the last place, or equals it and the upper is odd.
  const auto odd = hn::And(upper, hn::Set(d16, 1));
  const auto above = hn::Gt(hn::BitCast(di16, hn::Xor(lower, hn::Set(d16, 0x8000))), hn::BitCast(di16, hn::Sub(hn::Zero(d16), odd)));
  return hn::IfThenElse(hn::RebindMask(d16, above), hn::Add(upper, hn::Set(d16, 1)), upper);
}

// Two vectors as codes of 8 bits at most, in pairs. `most`: the largest so far, without their signs.
template <const FloatFacts& F, class D, class V16>
HWY_INLINE V16 encode_small(D d, hn::Vec<D> a, hn::Vec<D> b, V16& most) {
  using L = conversion::Lane<float>;
  const BitsTag<D> du;
  const hn::Repartition<std::uint16_t, D> d16;
  const hn::Repartition<std::int16_t, D> di16;
  // A sum with 1.5 x a power of two whose last place is a step of the format: its low bits are x in such steps.
  const auto in_steps = [&](hn::Vec<D> x) HWY_ATTR {
    const auto field = hn::BitCast(d, hn::And(hn::BitCast(du, x), hn::Set(du, L::kInfinity)));
    const auto binade = hn::Max(field, hn::BitCast(d, hn::Set(du, F.normal)));
    return hn::BitCast(du, hn::MulAdd(binade, hn::Set(d, 1.5F * std::bit_cast<float>(L::power_of_two(F.shift))), x));
  };
  const auto steps = hn::BitCast(d16, hn::Abs(hn::BitCast(di16, lower_halves(in_steps(a), in_steps(b)))));
  const auto upper = upper_halves(hn::BitCast(du, a), hn::BitCast(du, b));
  const auto field = hn::SaturatedSub(hn::And(upper, hn::Set(d16, 0x7f80)), hn::Set(d16, static_cast<std::uint16_t>(F.normal >> 16)));
  const auto size = hn::Add(hn::ShiftRight<7 - (L::kMantissa - F.shift)>(field), steps);
  most = hn::Max(most, size);
  return hn::OrAnd(size, hn::ShiftRight<16 - F.bits>(upper), hn::Set(d16, static_cast<std::uint16_t>(F.sign)));
}

// A vector of integers, in the low bits of the lanes. `most`: the largest magnitude of a real so far.
template <const FloatFacts& F, class D>
HWY_INLINE BitsVec<D> encode_integer_short(D d, hn::Vec<D> x, hn::Vec<IntTag<D>>& most) {
  most = hn::Max(most, hn::BitCast(IntTag<D>(), hn::Abs(x)));
  return hn::BitCast(BitsTag<D>(), hn::MulAdd(x, hn::Set(d, F.steps), hn::Set(d, 1.5F * kUnitPlace<float>)));
}

// ---- whole vectors with all their cases, for ports of passes: F is a format of formats.h

template <class F, class D>
HWY_INLINE hn::Vec<D> decode_vector(D d, const conversion::CodeOf<F>* HWY_RESTRICT from) {
  constexpr conversion::Short kWay = conversion::short_decode(conversion::kElementFacts<F, float>, kHasHalf);
  if constexpr (kWay == conversion::Short::kHalf || kWay == conversion::Short::kBrain) {
    return decode_short<conversion::kElementFacts<F, float>>(d, from);
  } else {
    return decode_lanes(d, load_codes(d, from), conversion::kElementFacts<F, float>);
  }
}
// total: how many saturated, by lanes.
template <class F, class D>
HWY_INLINE void encode_vector(D d, hn::Vec<D> x, conversion::CodeOf<F>* HWY_RESTRICT to, bool saturates, hn::Vec<IntTag<D>>& total) {
  hn::Vec<IntTag<D>> saturated;
#if ULPFFT_HWY_HALF
  if constexpr (conversion::kElementFacts<F, float>.is_half) {
    store_halves(d, x, to, saturates, saturated);
    total = hn::Sub(total, saturated);
    return;
  }
#endif
  const auto code = encode_lanes<false, false>(d, x, hn::Zero(BitsTag<D>()), conversion::kElementFacts<F, float>, saturates, saturated);
  total = hn::Sub(total, saturated);
  store_codes(d, code, to);
}

// ---- spans, as those of convert_rows-inl.h; false: something needs care, and what was written is to be written once more

template <bool kScaled, const FloatFacts& F, typename C>
HWY_INLINE bool decode_span_short(const float* each, int length_shift, const C* HWY_RESTRICT codes, float* HWY_RESTRICT reals, std::int64_t count) {
  const hn::ScalableTag<float> d;
  constexpr std::int64_t kW = hn::MaxLanes(hn::ScalableTag<float>());
  if (!are_easy<F>(codes, count)) return false;
  for (std::int64_t i = 0; i < count; i += kW) {
    auto x = decode_short<F>(d, codes + i);
    if constexpr (kScaled) x = hn::Mul(x, hn::Set(d, each[i >> length_shift]));
    hn::StoreU(x, d, reals + i);
  }
  return true;
}

template <bool kScaled, const FloatFacts& F, typename C>
HWY_INLINE bool encode_span_short(const float* each, int length_shift, const float* HWY_RESTRICT reals, C* HWY_RESTRICT codes, std::int64_t count) {
  constexpr conversion::Short kWay = conversion::short_encode(F, kHasHalf);
  using D = hn::ScalableTag<float>;
  const D d;
  const IntTag<D> di;
  const hn::Repartition<std::uint16_t, D> d16;
  constexpr std::int64_t kW = hn::MaxLanes(D());
  const auto load = [&](std::int64_t i) HWY_ATTR {
    auto x = hn::LoadU(d, reals + i);
    if constexpr (kScaled) x = hn::Mul(x, hn::Set(d, each[i >> length_shift]));
    return x;
  };
  if constexpr (kWay == conversion::Short::kInteger) {
    auto most = hn::Zero(di);
    for (std::int64_t i = 0; i < count; i += 4 * kW) {
      const auto a = encode_integer_short<F>(d, load(i), most);
      const auto b = encode_integer_short<F>(d, load(i + kW), most);
      const auto c = encode_integer_short<F>(d, load(i + 2 * kW), most);
      const auto e = encode_integer_short<F>(d, load(i + 3 * kW), most);
      if constexpr (sizeof(C) == 2) {
        constexpr auto kMask = static_cast<std::uint16_t>((std::uint32_t(1) << F.bits) - 1);
        const auto store = [&](BitsVec<D> low, BitsVec<D> high, C* to) HWY_ATTR {
          auto both = hn::ConcatEven(d16, hn::BitCast(d16, high), hn::BitCast(d16, low));
          if constexpr (F.bits < 16) both = hn::And(both, hn::Set(d16, kMask));
          hn::StoreU(both, d16, to);
        };
        store(a, b, codes + i);
        store(c, e, codes + i + 2 * kW);
      } else {
        auto ab = lower_halves(a, b), cd = lower_halves(c, e);
        if constexpr (F.bits < 8) {
          constexpr auto kMask = static_cast<std::uint16_t>((std::uint32_t(1) << F.bits) - 1);
          ab = hn::And(ab, hn::Set(d16, kMask)), cd = hn::And(cd, hn::Set(d16, kMask));
        }
        store_bytes_of_pairs(d, ab, cd, codes + i);
      }
    }
    // The ends are rounded with care.
    const auto limit = hn::BitCast(di, hn::Set(d, F.high * F.step));
    return hn::AllFalse(di, hn::Gt(most, limit));
  } else {
#if ULPFFT_HWY_HALF
    if constexpr (kWay == conversion::Short::kHalf) {
      const hn::Rebind<std::uint16_t, D> half_bits;
      const hn::Rebind<hwy::float16_t, D> half;
      auto most = hn::Zero(half_bits);
      for (std::int64_t i = 0; i < count; i += kW) {
        const auto code = hn::BitCast(half_bits, hn::DemoteTo(half, load(i)));
        most = hn::Max(most, hn::And(code, hn::Set(half_bits, static_cast<std::uint16_t>(F.sign - 1))));
        hn::StoreU(code, half_bits, codes + i);
      }
      return hn::AllFalse(half_bits, hn::Gt(most, hn::Set(half_bits, static_cast<std::uint16_t>(F.largest))));
    }
#endif
    auto most = hn::Zero(d16);
    if constexpr (kWay == conversion::Short::kBrain) {
      for (std::int64_t i = 0; i < count; i += 2 * kW) hn::StoreU(encode_brain<F>(d, load(i), load(i + kW), most), d16, codes + i);
    } else if constexpr (kWay == conversion::Short::kSmall) {
      for (std::int64_t i = 0; i < count; i += 4 * kW) {
        const auto ab = encode_small<F>(d, load(i), load(i + kW), most);
        const auto cd = encode_small<F>(d, load(i + 2 * kW), load(i + 3 * kW), most);
        store_bytes_of_pairs(d, ab, cd, codes + i);
      }
    }
    return hn::AllFalse(d16, hn::Gt(most, hn::Set(d16, static_cast<std::uint16_t>(conversion::most_easy(F)))));
  }
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // ULPFFT_CODELETS_HWY_CONVERT_SHORT_INL_H_
