// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// One vector of reals to codes and back, for every element format: convert_facts.h says how.
//
// Facts may be constants of the compiler or values of a run: branches on them do not depend on data.
#include <limits>

#include "codelets/hwy/convert_facts.h"
#include "codelets/hwy/lanes-inl.h"
#include "hwy/highway.h"

#if defined(ULPFFT_CODELETS_HWY_CONVERT_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_CONVERT_LANES_INL_H_
#undef ULPFFT_CODELETS_HWY_CONVERT_LANES_INL_H_
#else
#define ULPFFT_CODELETS_HWY_CONVERT_LANES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

template <class D>
using BitsTag = hn::RebindToUnsigned<D>;
template <class D>
using IntTag = hn::RebindToSigned<D>;
template <class D>
using BitsVec = hn::Vec<BitsTag<D>>;

// Codes of C bytes each, one in a lane.
template <class D, typename C>
HWY_INLINE BitsVec<D> load_codes(D, const C* from) {
  const BitsTag<D> du;
  const hn::Rebind<C, BitsTag<D>> dc;
  if constexpr (sizeof(hn::TFromD<D>) == 8 && sizeof(C) < 4) {
    const hn::Rebind<std::uint32_t, BitsTag<D>> d32;
    return hn::PromoteTo(du, hn::PromoteTo(d32, hn::LoadU(dc, from)));
  } else {
    return hn::PromoteTo(du, hn::LoadU(dc, from));
  }
}
template <class D, typename C>
HWY_INLINE void store_codes(D, BitsVec<D> codes, C* to) {
  const hn::Rebind<C, BitsTag<D>> dc;
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    hn::StoreU(hn::DemoteTo(dc, hn::BitCast(IntTag<D>(), codes)), dc, to);
  } else {
    hn::StoreU(hn::TruncateTo(dc, codes), dc, to);
  }
}

// Vectors of bytes in runs of four, of which a block has one of each: run by run.
template <int kW, class DU>
HWY_INLINE hn::Vec<DU> sort_runs(DU du, hn::Vec<DU> runs) {
  if constexpr (kW > 4) {
    struct Places {
      alignas(64) std::int32_t of[kW];
      constexpr Places() : of() {
        for (int i = 0; i < kW; ++i) of[i] = i % (kW / 4) * 4 + i / (kW / 4);
      }
    };
    static constexpr Places kPlaces;
    return hn::TableLookupLanes(runs, hn::SetTableIndices(du, kPlaces.of));
  } else {
    return runs;
  }
}
// Four vectors of codes of a byte, one after the other: a byte of each in a lane, sorted in one go.
template <class D>
HWY_INLINE void store_four_bytes(D, BitsVec<D> v0, BitsVec<D> v1, BitsVec<D> v2, BitsVec<D> v3, std::uint8_t* to) {
  const BitsTag<D> du;
  const hn::Repartition<std::uint8_t, BitsTag<D>> d8;
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  HWY_ALIGN static constexpr std::uint8_t kTranspose[16] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
  const auto mixed = hn::Or(hn::Or(v0, hn::ShiftLeft<8>(v1)), hn::Or(hn::ShiftLeft<16>(v2), hn::ShiftLeft<24>(v3)));
  const auto sorted = sort_runs<kW>(du, hn::BitCast(du, hn::TableLookupBytes(hn::BitCast(d8, mixed), hn::LoadDup128(d8, kTranspose))));
  hn::StoreU(hn::BitCast(d8, sorted), d8, to);
}

// ---- binary16 by instructions, which round to nearest even and know subnormals
#undef ULPFFT_HWY_HALF
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
#define ULPFFT_HWY_HALF 1

template <class D>
HWY_INLINE hn::Vec<D> load_halves(D d, const std::uint16_t* from) {
  const hn::Rebind<std::uint16_t, D> du16;
  const hn::Rebind<hwy::float16_t, D> d16;
  const auto x = hn::PromoteTo(d, hn::BitCast(d16, hn::LoadU(du16, from)));
  return hn::IfThenElse(hn::Eq(x, x), x, hn::Set(d, std::numeric_limits<float>::quiet_NaN()));
}
// saturated: lanes of -1.
template <class D>
HWY_INLINE void store_halves(D d, hn::Vec<D> x, std::uint16_t* to, bool saturates, hn::Vec<IntTag<D>>& saturated) {
  constexpr float kLargest = 65504, kBeyond = 65520;  // the second is a tie, and goes up
  const hn::Rebind<std::uint16_t, D> du16;
  const hn::Rebind<hwy::float16_t, D> d16;
  const auto size = hn::Abs(x);
  const auto beyond = hn::Ge(size, hn::Set(d, kBeyond));
  auto y = saturates ? hn::Min(hn::Max(x, hn::Set(d, -kLargest)), hn::Set(d, kLargest)) : x;
  y = hn::IfThenElse(hn::Eq(x, x), y, hn::Set(d, std::numeric_limits<float>::quiet_NaN()));
  const auto counts = saturates ? beyond : hn::And(beyond, hn::Lt(size, hn::Set(d, std::numeric_limits<float>::infinity())));
  saturated = hn::BitCast(IntTag<D>(), hn::VecFromMask(d, counts));
  hn::StoreU(hn::BitCast(du16, hn::DemoteTo(d16, y)), du16, to);
}
#else
#define ULPFFT_HWY_HALF 0
#endif

// ---- floats

template <class D, typename T>
HWY_INLINE hn::Vec<D> decode_float(D d, BitsVec<D> code, const conversion::ElementFacts<T>& f) {
  using L = conversion::Lane<T>;
  using Bits = typename L::Bits;
  const BitsTag<D> du;
  const IntTag<D> di;
  const auto magnitude = f.is_signed ? hn::AndNot(hn::Set(du, f.sign), code) : code;
  auto bits = hn::Add(hn::ShiftLeftSame(magnitude, f.shift), hn::Set(du, f.rebias));
  if (f.subnormal_end != 0) {
    // As if there were a hidden bit, which a subtraction takes away.
    const auto with = hn::BitCast(d, hn::Add(bits, hn::Set(du, Bits(1) << L::kMantissa)));
    const auto low = hn::BitCast(du, hn::Sub(with, hn::BitCast(d, hn::Set(du, f.normal))));
    const auto below = hn::Lt(hn::BitCast(di, magnitude), hn::BitCast(di, hn::Set(du, f.subnormal_end)));
    bits = hn::IfThenElse(hn::RebindMask(du, below), low, bits);
  }
  if (f.has_infinity) bits = hn::IfThenElse(hn::Eq(magnitude, hn::Set(du, f.infinity)), hn::Set(du, L::kInfinity), bits);
  if (f.is_signed) bits = hn::Or(bits, hn::ShiftLeftSame(hn::And(code, hn::Set(du, f.sign)), f.sign_shift));
  if (f.nan_above) {
    const auto top = hn::Set(du, f.has_infinity ? f.infinity : f.largest);
    bits = hn::IfThenElse(hn::RebindMask(du, hn::Gt(hn::BitCast(di, magnitude), hn::BitCast(di, top))), hn::Set(du, L::kNan), bits);
  }
  if (f.nan_at_negative_zero) bits = hn::IfThenElse(hn::Eq(code, hn::Set(du, f.sign)), hn::Set(du, L::kNan), bits);
  return hn::BitCast(d, bits);
}

// saturated: lanes of -1. kStochastic: random has 16 bits. kNumbers: there is no NaN.
template <bool kStochastic, bool kNumbers, class D, typename T>
HWY_INLINE BitsVec<D> encode_float(D d, hn::Vec<D> x, BitsVec<D> random, const conversion::ElementFacts<T>& f, bool saturates,
                                   hn::Vec<IntTag<D>>& saturated) {
  using L = conversion::Lane<T>;
  using Bits = typename L::Bits;
  const BitsTag<D> du;
  const IntTag<D> di;
  const auto all = hn::BitCast(du, x);
  const auto bits = hn::And(all, hn::Set(du, L::kAbs));
  const auto signed_bits = hn::BitCast(di, bits);
  const auto placed = hn::Sub(bits, hn::Set(du, f.rebias));
  const auto below = hn::RebindMask(du, hn::Lt(signed_bits, hn::BitCast(di, hn::Set(du, f.normal))));
  auto code = placed;
  if constexpr (kStochastic) {
    const int spare = f.shift - 16;  // bits beyond those that take part
    const auto part = spare >= 0 ? hn::ShiftLeftSame(random, spare) : hn::ShiftRightSame(random, -spare);
    code = hn::ShiftRightSame(hn::Add(placed, part), f.shift);
    if (f.normal != 0) {
      // 16 bits after the point of a step.
      auto field = hn::ShiftRight<L::kMantissa>(bits);
      const auto normal = hn::Gt(hn::BitCast(di, field), hn::Zero(di));
      auto significand = hn::And(bits, hn::Set(du, (Bits(1) << L::kMantissa) - 1));
      significand = hn::Or(significand, hn::IfThenElseZero(hn::RebindMask(du, normal), hn::Set(du, Bits(1) << L::kMantissa)));
      field = hn::BitCast(du, hn::Max(hn::BitCast(di, field), hn::Set(di, 1)));
      const auto wished = hn::Sub(hn::Set(di, f.lowest_field), hn::BitCast(di, field));
      const auto by = hn::Min(hn::Max(wished, hn::Zero(di)), hn::Set(di, static_cast<int>(8 * sizeof(T)) - 1));
      significand = spare >= 0 ? hn::ShiftRightSame(significand, spare) : hn::ShiftLeftSame(significand, -spare);
      const auto low = hn::ShiftRight<16>(hn::Add(hn::Shr(significand, hn::BitCast(du, by)), random));
      code = hn::IfThenElse(below, f.has_zero ? low : hn::Zero(du), code);
    }
  } else {
    const auto odd = hn::And(hn::ShiftRightSame(placed, f.shift), hn::Set(du, 1));
    code = hn::ShiftRightSame(hn::Add(hn::Add(placed, hn::Set(du, (Bits(1) << (f.shift - 1)) - 1)), odd), f.shift);
    if (f.normal != 0) {
      const auto magic = hn::Set(du, f.magic);
      const auto low = hn::Sub(hn::BitCast(du, hn::Add(hn::BitCast(d, bits), hn::BitCast(d, magic))), magic);
      code = hn::IfThenElse(below, f.has_zero ? low : hn::Zero(du), code);
    }
  }
  auto beyond = hn::RebindMask(du, hn::Gt(hn::BitCast(di, code), hn::BitCast(di, hn::Set(du, f.largest))));
  code = hn::IfThenElse(beyond, hn::Set(du, saturates ? f.largest : f.overflow), code);
  if (!saturates && !f.infinity_counts) beyond = hn::And(beyond, hn::Ne(bits, hn::Set(du, L::kInfinity)));
  if (f.is_signed) {
    auto sign = hn::ShiftRightSame(hn::Xor(all, bits), f.sign_shift);
    if (!f.has_negative_zero) sign = hn::IfThenZeroElse(hn::Eq(code, hn::Zero(du)), sign);
    code = hn::Or(code, sign);
  } else {
    // All of them become the lowest code.
    const auto negative = hn::RebindMask(du, hn::Lt(hn::BitCast(di, all), hn::Zero(di)));
    code = hn::IfThenZeroElse(negative, code);
    beyond = hn::Or(hn::AndNot(negative, beyond), hn::And(negative, hn::Ne(bits, hn::Zero(du))));
  }
  if constexpr (!kNumbers) {
    const auto is_nan = hn::RebindMask(du, hn::Gt(signed_bits, hn::Set(di, static_cast<hn::TFromD<IntTag<D>>>(L::kInfinity))));
    code = hn::IfThenElse(is_nan, hn::Set(du, f.nan), code);
    beyond = hn::AndNot(is_nan, beyond);
  }
  saturated = hn::BitCast(di, hn::VecFromMask(du, beyond));
  return code;
}

// ---- integers

// The low bits of a real with a last place of one.
template <typename T>
inline constexpr T kUnitPlace = static_cast<T>(std::uint64_t(1) << conversion::Lane<T>::kMantissa);

template <class D, typename T>
HWY_INLINE hn::Vec<D> decode_integer(D d, BitsVec<D> code, const conversion::ElementFacts<T>& f) {
  const BitsTag<D> du;
  const auto shifted = f.is_signed ? hn::Xor(code, hn::Set(du, f.sign)) : code;
  const auto real = hn::BitCast(d, hn::Or(shifted, hn::BitCast(du, hn::Set(d, kUnitPlace<T>))));
  const auto integer = hn::Sub(real, hn::Set(d, kUnitPlace<T> + (f.is_signed ? static_cast<T>(f.sign) : T(0))));
  return hn::Mul(hn::Sub(integer, hn::Set(d, f.offset)), hn::Set(d, f.step));
}

template <bool kStochastic, bool kNumbers, class D, typename T>
HWY_INLINE BitsVec<D> encode_integer(D d, hn::Vec<D> x, BitsVec<D> random, const conversion::ElementFacts<T>& f,
                                     hn::Vec<IntTag<D>>& saturated) {
  using Bits = typename conversion::Lane<T>::Bits;
  const BitsTag<D> du;
  const IntTag<D> di;
  [[maybe_unused]] const auto is_number = hn::Eq(x, x);  // Ne is ordered on some targets
  auto y = hn::Mul(kNumbers ? x : hn::IfThenElseZero(is_number, x), hn::Set(d, f.steps));
  if (kStochastic || f.half || f.odd) y = hn::Min(hn::Max(y, hn::Set(d, f.low - f.offset - 2)), hn::Set(d, f.high - f.offset + 2));
  auto code = y;
  if constexpr (kStochastic) {
    // Away from the offset, from half a step on its other side where it lies between codes.
    const auto size = hn::Abs(y);
    auto whole = hn::Floor(size);
    auto part = hn::Floor(hn::Mul(hn::Sub(size, whole), hn::Set(d, T(65536))));
    if (f.half) {
      part = hn::Add(part, hn::Set(d, T(32768)));
      const auto carries = hn::Ge(part, hn::Set(d, T(65536)));
      whole = hn::Add(whole, hn::IfThenElseZero(carries, hn::Set(d, T(1))));
      part = hn::Sub(part, hn::IfThenElseZero(carries, hn::Set(d, T(65536))));
    }
    const auto place = hn::Set(d, kUnitPlace<T>);
    const auto draw = hn::Sub(hn::BitCast(d, hn::Or(random, hn::BitCast(du, place))), place);
    whole = hn::Add(whole, hn::IfThenElseZero(hn::Ge(hn::Add(part, draw), hn::Set(d, T(65536))), hn::Set(d, T(1))));
    if (f.half) whole = hn::Sub(whole, hn::Set(d, T(0.5)));
    code = hn::Add(hn::Xor(whole, hn::And(x, hn::BitCast(d, hn::Set(du, static_cast<Bits>(~conversion::Lane<T>::kAbs))))), hn::Set(d, f.offset));
  } else if (f.half) {
    // Reals lie between codes unless they are whole steps, which are ties.
    const auto floor = hn::Floor(y);
    const auto lower = hn::Add(floor, hn::Set(d, f.offset - T(0.5)));
    const auto odd = hn::Sub(lower, hn::Mul(hn::Floor(hn::Mul(lower, hn::Set(d, T(0.5)))), hn::Set(d, T(2))));
    code = hn::Add(lower, hn::IfThenElse(hn::Eq(floor, y), odd, hn::Set(d, T(1))));
  } else {
    auto whole = hn::Round(y);
    if (f.odd) {
      const auto rest = hn::Sub(y, whole);
      whole = hn::IfThenElse(hn::Eq(hn::Abs(rest), hn::Set(d, T(0.5))), hn::Add(y, rest), whole);
    }
    code = f.offset == 0 ? whole : hn::Add(whole, hn::Set(d, f.offset));
  }
  const auto limited = hn::Min(hn::Max(code, hn::Set(d, f.low)), hn::Set(d, f.high));
  saturated = hn::BitCast(di, hn::VecFromMask(d, hn::Ne(limited, code)));
  const auto placed = hn::BitCast(du, hn::Add(limited, hn::Set(d, T(1.5) * kUnitPlace<T>)));
  auto result = hn::And(placed, hn::Set(du, static_cast<Bits>((Bits(1) << f.bits) - 1)));
  if constexpr (kStochastic && !kNumbers) {
    const auto taken = hn::RebindMask(du, is_number);
    result = hn::IfThenElse(taken, result, hn::Set(du, f.nan));
    saturated = hn::BitCast(di, hn::IfThenElseZero(taken, hn::BitCast(du, saturated)));
  }
  return result;
}

// ---- either

template <class D, typename T>
HWY_INLINE hn::Vec<D> decode_lanes(D d, BitsVec<D> code, const conversion::ElementFacts<T>& f) {
  return f.is_integer ? decode_integer(d, code, f) : decode_float(d, code, f);
}
template <bool kStochastic, bool kNumbers, class D, typename T>
HWY_INLINE BitsVec<D> encode_lanes(D d, hn::Vec<D> x, BitsVec<D> random, const conversion::ElementFacts<T>& f, bool saturates,
                                   hn::Vec<IntTag<D>>& saturated) {
  return f.is_integer ? encode_integer<kStochastic, kNumbers>(d, x, random, f, saturated)
                      : encode_float<kStochastic, kNumbers>(d, x, random, f, saturates, saturated);
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // ULPFFT_CODELETS_HWY_CONVERT_LANES_INL_H_
