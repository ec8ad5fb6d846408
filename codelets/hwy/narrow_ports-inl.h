// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Ports that decode what a first pass loads and encode what a last pass stores, for formats that need few instructions for it.
//
// A format decodes without a look at NaN, and encodes numbers within its range; what lies beyond, NaN included, shows in what a run of
// interleaved stores watched (`most`, see is_beyond()), or in the codes themselves, and then the caller computes once more and stores with
// store_saturating(). Integers saturate as they are stored, and are counted there: their data often fill the range. The bits are those of a
// conversion before or after the pass; only which NaN a wide result is may differ.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "codelets/contract/codelet.h"
#include "codelets/contract/format_info.h"
#include "codelets/hwy/convert_facts.h"
#include "codelets/hwy/convert_short-inl.h"
#include "codelets/hwy/ports-inl.h"
#include "codelets/hwy/shapes-inl.h"

#if defined(ULPFFT_CODELETS_HWY_NARROW_PORTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_NARROW_PORTS_INL_H_
#undef ULPFFT_CODELETS_HWY_NARROW_PORTS_INL_H_
#else
#define ULPFFT_CODELETS_HWY_NARROW_PORTS_INL_H_
#endif

// Targets that have them: those with instructions for binary16.
#undef ULPFFT_HWY_FUSED
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
#define ULPFFT_HWY_FUSED 1
#else
#define ULPFFT_HWY_FUSED 0
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_FUSED

template <class D>
using PortBits = hn::RebindToUnsigned<D>;

// most: the largest so far of codes without their signs.
template <class D16>
HWY_INLINE void watch(D16 d, hn::Vec<D16> codes, hn::Vec<hn::RebindToSigned<D16>>& most) {
  const hn::RebindToSigned<D16> di;
  most = hn::Max(most, hn::And(hn::BitCast(di, codes), hn::Set(di, 0x7fff)));
  (void)d;
}

// binary16, by instructions that round to nearest even and know subnormals.
struct HalfPort {
  using Code = std::uint16_t;
  static constexpr const char* kName = "f16";
  static constexpr bool kIndexOrder = false;  // of columns that load() deinterleaves
  static constexpr bool kPairs = false;       // store() for vectors one by one, or store_pair()
  static constexpr bool kLoadsHalves = false; // load_half() of two adjacent vectors
  static constexpr bool kRowsApart = false;   // see store_decoded_rows()
  static constexpr bool kCounts = false;      // what saturates is stored, and counted
  static constexpr int kBeyond = 0x7c00;      // codes of infinities and NaN, without the sign, are this or more
  static constexpr int kSmall = 0x5000;       // 32; sqrt(2) 1024 times that is within the range
  // The largest code, without the sign.
  template <class D>
  using Most = hn::Vec<hn::Repartition<std::int16_t, D>>;
  static constexpr bool is(const FormatInfo& f) {
    return f.bits == 16 && f.mantissa_bits == 10 && f.bias == 15 && f.special == Special::kIeee && f.has_zero && f.is_signed && f.nan == 0x7e00;
  }

  // Adjacent reals.
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const Code* p) {
    const hn::Rebind<std::uint16_t, D> du16;
    const hn::Rebind<hwy::float16_t, D> d16;
    return hn::PromoteTo(d, hn::BitCast(d16, hn::LoadU(du16, p)));
  }
  template <class D>
  static HWY_INLINE hn::Vec<hn::Rebind<std::uint16_t, D>> codes(D, hn::Vec<D> x) {
    return hn::BitCast(hn::Rebind<std::uint16_t, D>(), hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), x));
  }
  template <class V16>
  static HWY_INLINE bool is_beyond(V16 most) {
    const hn::DFromV<V16> d;
    return !hn::AllFalse(d, hn::Gt(most, hn::Set(d, kBeyond - 1)));
  }
  template <class D>
  static HWY_INLINE void store(D d, hn::Vec<D> x, Code* p) {
    hn::StoreU(codes(d, x), hn::Rebind<std::uint16_t, D>(), p);
  }
  // W adjacent complex numbers.
  template <class D>
  static HWY_INLINE void load(D d, const Code* p, hn::Vec<D>& re, hn::Vec<D>& im) {
    deinterleave(d, load(d, p), load(d, p + hn::MaxLanes(D())), re, im);
  }
  template <class D>
  static HWY_INLINE void store(D d, hn::Vec<D> re, hn::Vec<D> im, Code* p, Most<D>& most) {
    const hn::Repartition<std::uint16_t, D> d16;
    hn::Vec<D> a, b;
    interleave(d, re, im, a, b);
    const auto x = hn::Combine(d16, codes(d, b), codes(d, a));
    watch(d16, x, most);
    hn::StoreU(x, d16, p);
  }
  // NaN becomes the quiet NaN, what is beyond the largest value that. Returns how many were beyond.
  template <class D>
  static HWY_INLINE std::size_t store_saturating(D d, hn::Vec<D> x, Code* p) {
    constexpr float kLargest = 65504;
    const auto beyond = hn::Ge(hn::Abs(x), hn::Set(d, 65520));
    const auto y = hn::Min(hn::Max(x, hn::Set(d, -kLargest)), hn::Set(d, kLargest));
    store(d, hn::IfThenElse(hn::Eq(x, x), y, hn::Set(d, std::numeric_limits<float>::quiet_NaN())), p);
    return hn::CountTrue(d, beyond);
  }
};

// bfloat16: the upper half of an f32.
struct BrainPort {
  using Code = std::uint16_t;
  static constexpr const char* kName = "bf16";
  static constexpr bool kIndexOrder = true;
  static constexpr bool kPairs = true;
  static constexpr bool kLoadsHalves = true;
  static constexpr bool kRowsApart = false;
  static constexpr bool kCounts = false;
  static constexpr bool is(const FormatInfo& f) {
    return f.bits == 16 && f.mantissa_bits == 7 && f.bias == 127 && f.special == Special::kIeee && f.has_zero && f.is_signed && f.nan == 0x7fc0;
  }

  static constexpr int kBeyond = 0x7f80;
  static constexpr int kSmall = 0x5f80;  // 2^64
  // The largest code before it is rounded: it may round up to infinity, and NaN to anything.
  template <class D>
  using Most = hn::Vec<hn::Repartition<std::int16_t, D>>;
  template <class V>
  static HWY_INLINE bool is_beyond(V most) {
    const hn::DFromV<V> d;
    return !hn::AllFalse(d, hn::Gt(most, hn::Set(d, kBeyond - 2)));
  }

  // Upper halves of f32 rounded by the lower halves, to nearest even.
  template <class D16>
  static HWY_INLINE hn::Vec<D16> rounded(D16 d, hn::Vec<D16> upper, hn::Vec<D16> lower) {
    const auto one = hn::Set(d, 1);
    const auto rest = hn::SaturatedAdd(lower, hn::And(upper, one));  // beyond half a step: up
#if HWY_TARGET <= HWY_AVX3
    return hn::IfThenElse(hn::Gt(rest, hn::Set(d, 0x8000)), hn::Add(upper, one), upper);
#else
    return hn::Add(upper, hn::Min(hn::SaturatedSub(rest, hn::Set(d, 0x8000)), one));
#endif
  }

  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const Code* p) {
    const PortBits<D> du;
    const hn::Rebind<std::uint16_t, D> du16;
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, hn::LoadU(du16, p))));
  }
  // Of two adjacent vectors the lower (0) or upper (1) halves of their blocks of 128 bits.
  template <int kHalf, class D>
  static HWY_INLINE hn::Vec<D> load_half(D d, const Code* p) {
    const hn::Repartition<std::uint16_t, D> du16;
    const auto codes = hn::LoadU(du16, p);
    if constexpr (kHalf == 0) return hn::BitCast(d, hn::InterleaveLower(du16, hn::Zero(du16), codes));
    else return hn::BitCast(d, hn::InterleaveUpper(du16, hn::Zero(du16), codes));
  }
  // Two vectors, which go to different places.
  template <class D>
  static HWY_INLINE void store_pair(D, hn::Vec<D> a, Code* at_a, hn::Vec<D> b, Code* at_b) {
    const hn::Repartition<std::uint16_t, D> d;
    const hn::Rebind<std::uint16_t, D> half;
    const auto x = hn::BitCast(d, a), y = hn::BitCast(d, b);
    const auto codes = rounded(d, hn::ConcatOdd(d, y, x), hn::ConcatEven(d, y, x));
    hn::StoreU(hn::LowerHalf(half, codes), half, at_a);
    hn::StoreU(hn::UpperHalf(half, codes), half, at_b);
  }
  // A complex number is one lane: no shuffles.
  template <class D>
  static HWY_INLINE void load(D d, const Code* p, hn::Vec<D>& re, hn::Vec<D>& im) {
    const PortBits<D> du;
    const hn::Repartition<std::uint16_t, D> du16;
    const auto both = hn::BitCast(du, hn::LoadU(du16, p));
    re = hn::BitCast(d, hn::ShiftLeft<16>(both));
    im = hn::BitCast(d, hn::And(both, hn::Set(du, 0xffff0000u)));
  }
  template <class D>
  static HWY_INLINE void store(D, hn::Vec<D> re, hn::Vec<D> im, Code* p, Most<D>& most) {
    const PortBits<D> du;
    const hn::Repartition<std::uint16_t, D> du16;
    const auto x = hn::BitCast(du, re), y = hn::BitCast(du, im);
    const auto upper = hn::Or(hn::ShiftRight<16>(x), hn::And(y, hn::Set(du, 0xffff0000u)));
    const auto lower = hn::Or(hn::ShiftLeft<16>(y), hn::And(x, hn::Set(du, 0xffffu)));
    watch(du16, hn::BitCast(du16, upper), most);
    const auto codes = rounded(du16, hn::BitCast(du16, upper), hn::BitCast(du16, lower));
    hn::StoreU(hn::BitCast(du16, to_index_order(du, hn::BitCast(du, codes))), du16, p);
  }
  template <class D>
  static HWY_INLINE std::size_t store_saturating(D d, hn::Vec<D> x, Code* p) {
    const PortBits<D> du;
    const hn::RebindToSigned<D> di;
    const hn::Rebind<std::uint16_t, D> du16;
    const auto bits = hn::BitCast(du, x);
    const auto magnitude = hn::BitCast(di, hn::Abs(x));
    const auto is_nan = hn::RebindMask(du, hn::Gt(magnitude, hn::Set(di, 0x7f800000)));
    const auto is_beyond = hn::AndNot(is_nan, hn::RebindMask(du, hn::Gt(magnitude, hn::Set(di, 0x7f7f7fff))));  // a tie goes up
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
    const auto near = hn::ShiftRight<16>(hn::Add(hn::Add(bits, hn::Set(du, 0x7fff)), odd));
    const auto largest = hn::Or(hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 0x8000)), hn::Set(du, 0x7f7f));
    const auto code = hn::IfThenElse(is_nan, hn::Set(du, 0x7fc0), hn::IfThenElse(is_beyond, largest, near));
    hn::StoreU(hn::TruncateTo(du16, code), du16, p);
    return hn::CountTrue(du, is_beyond);
  }
};

// Integers of 16 bits.
struct ShortPort {
  using Code = std::uint16_t;
  static constexpr const char* kName = "i16";
  static constexpr bool kIndexOrder = true;
  static constexpr bool kPairs = false;
  static constexpr bool kLoadsHalves = false;
  static constexpr bool kRowsApart = false;
  static constexpr bool kCounts = true;
  static constexpr float kLowest = -32768, kHighest = 32767;
  // How many saturated, by lanes; and the least integer before it is limited, which nearest() gives for NaN and for what 32 bits do not hold.
  template <class D>
  struct Most {
    hn::Vec<hn::RebindToSigned<D>> saturated, least;
  };
  static constexpr bool is(const FormatInfo& f) {
    return f.kind == FormatKind::kInteger && f.bits == 16 && f.is_signed && f.offset == 0 && f.fraction_bits == 0;
  }

  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const Code* p) {
    const hn::Rebind<std::int16_t, D> d16;
    return hn::ConvertTo(d, hn::PromoteTo(hn::RebindToSigned<D>(), hn::LoadU(d16, reinterpret_cast<const std::int16_t*>(p))));
  }
  // A complex number is one lane: no shuffles.
  template <class D>
  static HWY_INLINE void load(D d, const Code* p, hn::Vec<D>& re, hn::Vec<D>& im) {
    const hn::RebindToSigned<D> di;
    const hn::Repartition<std::uint16_t, D> d16;
    const auto both = hn::BitCast(di, hn::LoadU(d16, p));
    re = hn::ConvertTo(d, hn::ShiftRight<16>(hn::ShiftLeft<16>(both)));
    im = hn::ConvertTo(d, hn::ShiftRight<16>(both));
  }

  // To nearest even. hn::NearestInt() corrects what nobody reads here.
  template <class D>
  static HWY_INLINE hn::Vec<hn::RebindToSigned<D>> nearest(D, hn::Vec<D> x) {
    using V = hn::Vec<hn::RebindToSigned<D>>;
#if HWY_TARGET <= HWY_AVX3
    if constexpr (sizeof(x.raw) == 64) return V{_mm512_cvtps_epi32(x.raw)};
    else
#endif
    if constexpr (sizeof(x.raw) == 32) return V{_mm256_cvtps_epi32(x.raw)};
    else return hn::NearestInt(x);
  }
  template <class DI>
  static HWY_INLINE void count(DI di, hn::Vec<DI> integers, hn::Vec<DI>& saturated) {
    const hn::RebindToUnsigned<DI> du;
    const auto places = hn::BitCast(du, hn::Add(integers, hn::Set(di, 0x8000)));  // 16 bits within the range
#if HWY_TARGET <= HWY_AVX3
    saturated = hn::IfThenElse(hn::RebindMask(di, hn::Gt(places, hn::Set(du, 0xffff))), hn::Add(saturated, hn::Set(di, 1)), saturated);
#else
    saturated = hn::Add(saturated, hn::BitCast(di, hn::Min(hn::ShiftRight<16>(places), hn::Set(du, 1))));
#endif
  }
  // Adjacent reals of less than 2^31 in magnitude.
  template <class D>
  static HWY_INLINE void store(D d, hn::Vec<D> x, Code* p, hn::Vec<hn::RebindToSigned<D>>& saturated) {
    const hn::RebindToSigned<D> di;
    const hn::Rebind<std::int16_t, D> d16;
    const auto integers = nearest(d, x);
    count(di, integers, saturated);
    hn::StoreU(hn::DemoteTo(d16, integers), d16, reinterpret_cast<std::int16_t*>(p));
  }
  template <class D>
  static HWY_INLINE void store(D d, hn::Vec<D> re, hn::Vec<D> im, Code* p, Most<D>& most) {
    const hn::RebindToSigned<D> di;
    const PortBits<D> du;
    const hn::Repartition<std::int16_t, D> d16;
    const hn::Repartition<std::uint8_t, D> d8;
    const auto a = nearest(d, re), b = nearest(d, im);
    count(di, a, most.saturated);
    count(di, b, most.saturated);
    most.least = hn::Min(most.least, hn::Min(a, b));
    // Each block of 128 bits has four real parts, then four imaginary ones.
    HWY_ALIGN static constexpr std::uint8_t kInterleave[16] = {0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15};
    const auto both = hn::TableLookupBytes(hn::BitCast(d8, hn::ReorderDemote2To(d16, a, b)), hn::LoadDup128(d8, kInterleave));
    hn::StoreU(hn::BitCast(d16, to_index_order(du, hn::BitCast(du, both))), d16, reinterpret_cast<std::int16_t*>(p));
  }
  template <class D>
  static HWY_INLINE std::size_t store_saturating(D d, hn::Vec<D> x, Code* p) {
    const hn::Rebind<std::int16_t, D> d16;
    const auto whole = hn::Round(hn::IfThenElseZero(hn::Eq(x, x), x));
    const auto limited = hn::Min(hn::Max(whole, hn::Set(d, kLowest)), hn::Set(d, kHighest));
    hn::StoreU(hn::DemoteTo(d16, hn::ConvertTo(hn::RebindToSigned<D>(), limited)), d16, reinterpret_cast<std::int16_t*>(p));
    return hn::CountTrue(d, hn::Ne(whole, limited));
  }
};

// Sum of counts by lanes, which are far from the end of 32 bits.
template <class V>
HWY_INLINE std::int64_t sum_of_counts(V counts) {
  const hn::DFromV<V> d;
  if (HWY_LIKELY(hn::AllTrue(d, hn::Eq(counts, hn::Zero(d))))) return 0;
  HWY_ALIGN std::int32_t lanes[hn::MaxLanes(hn::DFromV<V>())];
  hn::Store(counts, d, lanes);
  std::int64_t sum = 0;
  for (const std::int32_t lane : lanes) sum += lane;
  return sum;
}

// What stores of pairs watch, before the first of them.
template <class D, class F>
HWY_INLINE auto none_stored() {
  using Most = typename F::template Most<D>;
  if constexpr (F::kCounts) {
    const auto zero = hn::Zero(hn::RebindToSigned<D>());
    return Most{zero, zero};
  } else {
    return hn::Zero(hn::DFromV<Most>());
  }
}
// How many saturated and are stored; kBeyondRange: what lies beyond is to be computed once more.
inline constexpr std::int64_t kBeyondRange = -1;
template <class D, class F>
HWY_INLINE std::int64_t saturated_stores(const typename F::template Most<D>& most) {
  if constexpr (F::kCounts) {
    const hn::RebindToSigned<D> di;
    const bool beyond = !hn::AllFalse(di, hn::Eq(most.least, hn::Set(di, std::numeric_limits<std::int32_t>::min())));
    return HWY_UNLIKELY(beyond) ? kBeyondRange : sum_of_counts(most.saturated);
  } else {
    return F::is_beyond(most) ? kBeyondRange : 0;
  }
}

constexpr bool has_port(const FormatInfo& f) { return (f.bits == 8 || f.bits == 16) && conversion::lanes_for<float>(f, nullptr) == conversion::Lanes::kF32; }

// Any element format of 8 or 16 bits that has lanes of f32, by what its own conversions do. Codes of 8 bits that are those of a binary16 with
// another exponent, and no special values but one NaN, need no shuffles: a complex number is 16 bits of one lane.
template <class Format>
struct FormatPort {
  using Code = conversion::CodeOf<Format>;
  static constexpr const FloatFacts& kFacts = conversion::kElementFacts<Format, float>;
  static constexpr const char* kName = Format::kInfo.name;
  static constexpr bool kDecodesPairs = kFacts.bits == 8 && conversion::short_decode(kFacts, true) == conversion::Short::kSmall && kFacts.largest + 2 >= kFacts.sign;
  static constexpr bool kEncodesPairs = kFacts.bits == 8 && conversion::short_encode(kFacts, true) == conversion::Short::kSmall;
  static constexpr bool kIndexOrder = kDecodesPairs;
  static constexpr bool kRowsApart = true;
  static constexpr bool kCounts = false;
  // The largest code so far, without its sign; or how many numbers saturated.
  template <class D>
  using Most = std::conditional_t<kEncodesPairs, hn::Vec<hn::Repartition<std::uint16_t, D>>, hn::Vec<IntTag<D>>>;
  static constexpr bool is(const FormatInfo& f) { return has_port(f); }
  template <class V>
  static HWY_INLINE bool is_beyond(V most) {
    const hn::DFromV<V> d;
    using T = hn::TFromD<decltype(d)>;
    return !hn::AllFalse(d, hn::Gt(most, hn::Set(d, kEncodesPairs ? static_cast<T>(conversion::most_easy(kFacts)) : T(0))));
  }
  template <class D>
  static HWY_INLINE void load(D d, const Code* p, hn::Vec<D>& re, hn::Vec<D>& im) {
    if constexpr (kDecodesPairs) {
      constexpr int kMagnitude = 10 - (conversion::Lane<float>::kMantissa - kFacts.shift);
      constexpr auto kMask = static_cast<std::int16_t>((kFacts.sign - 1) << kMagnitude);
      const hn::Rebind<std::int16_t, D> d16;
      const hn::Rebind<hwy::float16_t, D> half;
      const auto up = hn::Set(d, std::bit_cast<float>(conversion::Lane<float>::power_of_two(conversion::above_half(kFacts))));
      const auto decoded = [&](hn::Vec<decltype(d16)> code) HWY_ATTR {  // in the upper byte
        auto bits = hn::And(hn::ShiftRight<8 - kMagnitude>(code), hn::Set(d16, static_cast<std::int16_t>(kMask | -0x8000)));
        if constexpr (kFacts.largest + 1 < kFacts.sign) {
          const auto most = hn::Set(d16, kMask);
          bits = hn::Or(bits, hn::VecFromMask(d16, hn::Eq(hn::And(bits, most), most)));
        }
        const auto x = hn::PromoteTo(d, hn::BitCast(half, bits));
        return conversion::above_half(kFacts) != 0 ? hn::Mul(x, up) : x;
      };
      const auto both = hn::LoadU(d16, reinterpret_cast<const std::int16_t*>(p));
      re = decoded(hn::ShiftLeft<8>(both));
      im = decoded(both);
    } else {
      deinterleave(d, decode_vector<Format>(d, p), decode_vector<Format>(d, p + hn::MaxLanes(D())), re, im);
    }
  }
  template <class D>
  static HWY_INLINE void store(D d, hn::Vec<D> re, hn::Vec<D> im, Code* p, Most<D>& most) {
    if constexpr (kEncodesPairs) {
      const PortBits<D> du;
      const hn::Rebind<std::uint16_t, D> d16;
      const auto pairs = hn::BitCast(du, encode_small<kFacts>(d, re, im, most));
      const auto codes = hn::Or(pairs, hn::ShiftRight<8>(pairs));
      hn::StoreU(hn::TruncateTo(d16, to_index_order(du, codes)), d16, reinterpret_cast<std::uint16_t*>(p));
    } else {
      hn::Vec<D> a, b;
      interleave(d, re, im, a, b);
      encode_vector<Format>(d, a, p, true, most);
      encode_vector<Format>(d, b, p + hn::MaxLanes(D()), true, most);
    }
  }
  template <class D>
  static HWY_INLINE std::size_t store_saturating(D d, hn::Vec<D> x, Code* p) {
    auto saturated = hn::Zero(IntTag<D>());
    encode_vector<Format>(d, x, p, true, saturated);
    return hn::CountTrue(IntTag<D>(), hn::Gt(saturated, hn::Zero(IntTag<D>())));
  }
};

// As DeinterleaveIn: W adjacent complex codes per point.
template <class D, class F>
struct NarrowIn {
  using T = hn::TFromD<D>;
  D d;
  const typename F::Code* p;
  std::int64_t stride;
  bool special;
  bool swap;
  T scale;
  HWY_INLINE void load(int j, hn::Vec<D>& x, hn::Vec<D>& y) const {
    F::load(d, p + j * stride, x, y);
    if (HWY_UNLIKELY(special)) {
      if (swap) {
        const auto t = x;
        x = y;
        y = t;
      }
      x = hn::Mul(x, hn::Set(d, scale));
      y = hn::Mul(y, hn::Set(d, scale));
    }
  }
};

// As InterleavedOut, from lane order.
template <class D, class F>
struct NarrowOut {
  D d;
  typename F::Code* p;
  std::int64_t stride;
  bool swap;
  typename F::template Most<D> most;
  HWY_INLINE void store(int j, hn::Vec<D> x, hn::Vec<D> y) {
    if (HWY_UNLIKELY(swap)) {
      const auto t = x;
      x = y;
      y = t;
    }
    F::store(d, x, y, p + j * stride, most);
    keep_order();
  }
};

// Vectors of whole complex numbers.
template <class D, class F>
struct PackedNarrowIn {
  const typename F::Code* p;
  std::int64_t stride;
  HWY_INLINE hn::Vec<D> load(int j) const { return F::load(D(), p + j * stride); }
};
template <class D, class F>
struct PackedScaledIn {
  const typename F::Code* p;
  std::int64_t stride;
  hn::Vec<D> scale;
  HWY_INLINE hn::Vec<D> load(int j) const { return hn::Mul(F::load(D(), p + j * stride), scale); }
};
template <class D, class F, int kStride, int kHalf>
struct PackedNarrowHalf {
  const typename F::Code* p;
  HWY_INLINE hn::Vec<D> load(int j) const { return F::template load_half<kHalf>(D(), p + j * kStride); }
};
template <class D, class F, class State>
struct PackedNarrowOut {
  typename F::Code* p;
  std::int64_t stride;
  State* state;
  HWY_INLINE void store(int j, hn::Vec<D> x) const {
    typename F::Code* const at = p + j * stride;
    if constexpr (!F::kPairs) {
      F::store(D(), x, at);
    } else if (!state->holds) {  // known when it is compiled: a body has no branches
      state->held = x;
      state->held_at = at;
      state->holds = true;
    } else {
      F::store_pair(D(), state->held, state->held_at, x, at);
      state->holds = false;
    }
  }
};
template <class D, class F, class State>
struct PackedCountedOut {
  typename F::Code* p;
  std::int64_t stride;
  State* state;
  HWY_INLINE void store(int j, hn::Vec<D> x) const { F::store(D(), x, p + j * stride, state->saturated); }
};

// Rows of a first pass that decodes: one function for formats (kRowsApart) and radices where speed gives way to text, a quarter of such a pass.
// By turns with a copy in each pass, AVX2: e4m3 1.02, mxfp8_e4m3 1.00, mxint8 1.05, 1000 f16 1.04; f16, bf16 and i16 of radix 16, 1.05 to 1.07, have theirs.
template <class D, int kRadix>
HWY_NOINLINE void store_decoded_rows(RowsOut<D, kRadix>& y, float* re, float* im, const std::int64_t* row_at, std::int64_t group_stride) {
  store_rows<D, kRadix>(D(), y, re, im, row_at, group_stride, false, false);
}

#endif  // ULPFFT_HWY_FUSED

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
