// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Conversions of one format, for any format that is a constant: a type F with F::kInfo, and one of its scales.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "codelets/contract/conversion.h"
#include "codelets/hwy/convert_facts.h"
#include "codelets/hwy/convert_rows-inl.h"
#include "codelets/hwy/convert_short-inl.h"
#include "codelets/hwy/convert_slow.h"
#include "hwy/highway.h"

#if defined(ULPFFT_CODELETS_HWY_CONVERT_FORMATS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_CONVERT_FORMATS_INL_H_
#undef ULPFFT_CODELETS_HWY_CONVERT_FORMATS_INL_H_
#else
#define ULPFFT_CODELETS_HWY_CONVERT_FORMATS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

// The loops of one format: the short way where there is one, a piece at a time, and the careful one where that is not enough.
inline constexpr std::int64_t kPiece = 1024;

template <bool kScaled, typename F, typename C>
HWY_NOINLINE void decode_format(const conversion::ElementFacts<float>&, const Factors<float>& factors, const C* codes, float* reals,
                                std::int64_t count) {
  static constexpr const FloatFacts& kFacts = conversion::kElementFacts<F, float>;
  if constexpr (conversion::short_decode(kFacts, kHasHalf) != conversion::Short::kNone) {
    const int shift = std::countr_zero(static_cast<std::uint64_t>(factors.length));
    for (std::int64_t i = 0; i < count; i += kPiece) {
      const std::int64_t piece = std::min(kPiece, count - i);
      bool done = false;
      const Factors<float> rest{factors.each + (kScaled ? i >> shift : 0), factors.length};
      if constexpr (kScaled && halves_below<kFacts>() != 0) {
        HWY_ALIGN float raised[kPiece / hn::MaxLanes(hn::ScalableTag<float>()) + kSpare];
        done = raise_factors(halves_below<kFacts>(), rest.each, (piece + rest.length - 1) >> shift, raised) &&
               decode_span_short<kScaled, kFacts>(raised, shift, codes + i, reals + i, piece);
      } else {
        done = decode_span_short<kScaled, kFacts>(rest.each, shift, codes + i, reals + i, piece);
      }
      if (HWY_UNLIKELY(!done)) decode_span<kScaled>(kFacts, rest, codes + i, reals + i, piece);
    }
  } else {
    decode_span_of<kScaled>(kFacts, factors, codes, reals, count);
  }
}
template <typename F, typename C>
HWY_NOINLINE std::int64_t encode_format(const conversion::ElementFacts<float>&, const Factors<float>& factors, const float* reals, C* codes,
                                        std::int64_t count, bool saturates, bool streams) {
  static constexpr const FloatFacts& kFacts = conversion::kElementFacts<F, float>;
  if constexpr (conversion::short_encode(kFacts, kHasHalf) != conversion::Short::kNone) {
    std::int64_t saturated = 0;
    for (std::int64_t i = 0; i < count; i += kPiece) {
      const std::int64_t piece = std::min(kPiece, count - i);
      const bool done = encode_span_short<false, kFacts>(nullptr, 0, reals + i, codes + i, piece, streams);
      if (HWY_UNLIKELY(!done)) saturated += encode_span<false>(kFacts, factors, reals + i, codes + i, piece, saturates, false);
    }
    return saturated;
  } else {
    if (!saturates) return encode_span<false>(kFacts, factors, reals, codes, count, false, false);
    return encode_span_of<false, false>(kFacts, factors, reals, nullptr, codes, count, true);
  }
}

struct NoScale {};
// The short way of blocks. It is null where there is none, and where scales are wider than bytes. Integers are multiplied by a factor and
// by the steps in 1 at once, which is exact for powers of two.
template <typename F, typename C>
HWY_NOINLINE void encode_easy(const conversion::ElementFacts<float>&, const float* factors, int length_shift, const float* reals, C* codes, std::int64_t count, bool streams) {
  encode_span_short<true, conversion::kElementFacts<F, float>>(factors, length_shift, reals, codes, count, streams);
}
template <typename F, typename Scale>
constexpr EncodeEasy<conversion::CodeOf<F>> easy_of() {
  if constexpr (!std::is_same_v<Scale, NoScale>) {
    constexpr conversion::Short kWay = conversion::short_encode(conversion::kElementFacts<F, float>, kHasHalf);
    constexpr bool kExact = has_powers_alone(Scale::kInfo) || kWay != conversion::Short::kInteger;
    if constexpr (kWay != conversion::Short::kNone && Scale::kInfo.bits <= 8 && kExact) {
      if constexpr (kWay == conversion::Short::kSmall) return &encode_easy_small;
      else return &encode_easy<F, conversion::CodeOf<F>>;
    }
  }
  return nullptr;
}

// Facts of a block format by scale rule: rule_index().
template <typename Element, typename Scale, typename T>
struct Rules {
  static constexpr bool kPowers = has_powers_alone(Scale::kInfo);
  static constexpr int kCount = kPowers ? kPowerRules : kScaleRules - kPowerRules;
  BlockFacts<T> of[kCount];
  ValueFacts<T> values[kPowers ? 1 : kCount];
  constexpr Rules() : of(), values() {
    for (int i = 0; i < kCount; ++i) {
      const auto rule = static_cast<ScaleRule>(kPowers ? i : kPowerRules + i);
      const Storage storage{.element = &Element::kInfo, .scale = &Scale::kInfo, .length = 0, .rule = rule};
      of[i] = block_facts<T>(storage);
      if constexpr (!kPowers) {
        values[i] = value_facts<T>(storage, &conversion::kElementFacts<Scale, T>);
        of[i].values = values + i;
      }
    }
  }
};
template <typename Element, typename Scale, typename T>
inline constexpr Rules<Element, Scale, T> kRules;
template <typename Element, typename Scale, typename T>
constexpr const BlockFacts<T>* rules_of() {
  if constexpr (std::is_same_v<Scale, NoScale>) return nullptr;
  else return kRules<Element, Scale, T>.of;
}

// L: lanes; S: reals; F: element; Scale: of blocks.
template <conversion::Lanes L, typename S, typename F, typename Scale>
void decode_with(const ConversionArgs& args) {
  using C = conversion::CodeOf<F>;
  using conversion::kElementFacts;
  constexpr bool kScaled = !std::is_same_v<Scale, NoScale>;
  if constexpr (L == conversion::Lanes::kF32) {
    decode_rows<S, float, C>(args, kElementFacts<F, float>, rules_of<F, Scale, float>(), &decode_format<kScaled, F, C>);
  }
  if constexpr (L == conversion::Lanes::kF64) {
    decode_rows<S, double, C>(args, kElementFacts<F, double>, rules_of<F, Scale, double>(), &decode_span<kScaled, double, C>);
  }
  if constexpr (L == conversion::Lanes::kNone) conversion::decode_slowly<S>(args);
}
template <conversion::Lanes L, typename S, typename F, typename Scale>
std::int64_t encode_with(const ConversionArgs& args) {
  using C = conversion::CodeOf<F>;
  using conversion::kElementFacts;
  constexpr bool kScaled = !std::is_same_v<Scale, NoScale>;
  if constexpr (kScaled) {
    // The errors of a whole row are summed one real after the other.
    if (args.storage->rule == ScaleRule::kSearch && args.storage->length == 0) return conversion::encode_slowly<S>(args);
  }
  if constexpr (L == conversion::Lanes::kF32) {
    constexpr EncodeSpan<float, C> kSpan = [] {
      if constexpr (kScaled) return &encode_span<true, float, C>;
      else return &encode_format<F, C>;
    }();
    return encode_rows<S, float, C>(args, kElementFacts<F, float>, rules_of<F, Scale, float>(), kSpan, easy_of<F, Scale>());
  }
  if constexpr (L == conversion::Lanes::kF64) {
    return encode_rows<S, double, C>(args, kElementFacts<F, double>, rules_of<F, Scale, double>(), &encode_span<kScaled, double, C>, nullptr);
  }
  if constexpr (L == conversion::Lanes::kNone) return conversion::encode_slowly<S>(args);
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // ULPFFT_CODELETS_HWY_CONVERT_FORMATS_INL_H_
