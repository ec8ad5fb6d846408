// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What vector conversions need of an element format, as constants in the lanes they work in.
//
// A conversion works in lanes of f32 or f64, where a code is taken apart and put together by integer arithmetic on the bits of a real.
// f32 serves formats whose steps and largest values f32 has with room to spare, f64 the others, the slow codec what f64 cannot.
//
//   float     magnitude code with fraction = bits of |x| - rebias: the exponent fields of code and real differ by a constant, and the code is
//             that, shifted right. Below `normal` steps are constant: the low bits of |x| + magic, magic being a real whose last place is a step.
//   integer   real arithmetic in steps, exact; codes are the low bits of a real with a last place of one.
#ifndef ULPFFT_CODELETS_HWY_CONVERT_FACTS_H_
#define ULPFFT_CODELETS_HWY_CONVERT_FACTS_H_

#include <bit>
#include <cstdint>
#include <type_traits>

#include "codelets/contract/codec.h"
#include "codelets/contract/format_info.h"

namespace ulpfft::conversion {

template <typename T>
struct Lane {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr int kMantissa = sizeof(T) == 4 ? 23 : 52;
  static constexpr int kBias = sizeof(T) == 4 ? 127 : 1023;
  static constexpr Bits kAbs = static_cast<Bits>(~Bits(0)) >> 1;
  static constexpr Bits kInfinity = static_cast<Bits>(2 * kBias + 1) << kMantissa;
  static constexpr Bits kNan = kInfinity | Bits(1) << (kMantissa - 1);
  static constexpr Bits power_of_two(int exponent) { return static_cast<Bits>(exponent + kBias) << kMantissa; }  // normal ones
};

enum class Lanes : std::uint8_t { kF32, kF64, kNone };
template <typename T>
inline constexpr Lanes kLanesOf = sizeof(T) == 4 ? Lanes::kF32 : Lanes::kF64;

// Whether lanes of T convert format f.
template <typename T>
constexpr bool serves(const FormatInfo& f) {
  constexpr int kLow = 1 - Lane<T>::kBias, kHigh = Lane<T>::kBias;
  if (f.kind == FormatKind::kInteger) {
    // Steps of a tiny real must not vanish where its sign decides a tie, between codes.
    const bool between = static_cast<std::int64_t>(2 * f.offset) % 2 != 0;
    return f.fraction_bits <= kHigh - 27 && f.fraction_bits >= (sizeof(T) == 4 || between ? 0 : -800);
  }
  const int lowest = lowest_exponent(f), highest = static_cast<int>(largest_magnitude(f) >> f.mantissa_bits) - f.bias;
  return lowest >= kLow && highest <= kHigh && lowest - f.mantissa_bits + Lane<T>::kMantissa <= kHigh && lowest <= kHigh &&
         // Places of the step must be those of reals, at the low end too.
         lowest - f.mantissa_bits >= kLow - Lane<T>::kMantissa && f.mantissa_bits < Lane<T>::kMantissa - 7;
}
// Whether products of reals and scales are exact, or too small to matter; those of scales with a mantissa round as in reals of type T.
template <typename T>
constexpr bool serves(const FormatInfo& f, const FormatInfo& scale) {
  if (!has_powers_alone(scale)) return serves<T>(f) && serves<T>(scale);
  constexpr int kRange = sizeof(T) == 4 ? 105 : 400;
  constexpr int kScales = sizeof(T) == 4 ? 127 : 500;
  if (!serves<T>(f) || scale.bias > kScales || static_cast<int>(largest_magnitude(scale)) - scale.bias > kScales) return false;
  if (f.kind == FormatKind::kInteger) return f.fraction_bits <= kRange && f.fraction_bits >= -kRange;
  return lowest_exponent(f) - f.mantissa_bits >= -kRange && floor_log2(largest_value(f)) <= (sizeof(T) == 4 ? 127 : kRange);
}
// The narrowest for reals of type T.
template <typename T>
constexpr Lanes lanes_for(const FormatInfo& f, const FormatInfo* scale) {
  const auto use = [&](auto lane) {
    using L = decltype(lane);
    const bool may_widen = scale == nullptr || has_powers_alone(*scale);
    return (may_widen ? sizeof(L) >= sizeof(T) : sizeof(L) == sizeof(T)) && (scale != nullptr ? serves<L>(f, *scale) : serves<L>(f));
  };
  return use(float()) ? Lanes::kF32 : use(double()) ? Lanes::kF64 : Lanes::kNone;
}

template <typename T>
struct ElementFacts {
  using Bits = typename Lane<T>::Bits;
  bool is_integer = false;
  int bits = 0;
  Bits nan = 0;            // code that NaN becomes
  Bits sign = 0;           // of a code
  int sign_shift = 0;      // from a real's sign down to a code's

  // Floats.
  int shift = 0;           // from a real's mantissa down to a code's
  bool has_zero = true;
  bool is_signed = true;
  bool has_negative_zero = true;
  Bits rebias = 0;
  Bits normal = 0;         // bits of the lowest real that is not subnormal in the format, 0: none is, as in the real
  Bits magic = 0;          // bits
  int lowest_field = 0;    // exponent field of the lowest binade
  Bits largest = 0;        // magnitudes
  Bits overflow = 0;       // what becomes of more, unless it saturates; with the real's sign
  bool infinity_counts = true;  // as saturated, then
  bool has_infinity = false;
  Bits infinity = 0;
  bool nan_above = false;  // codes above the largest (and infinity) are NaN
  bool nan_at_negative_zero = false;
  Bits subnormal_end = 0;  // the first code that is decoded by its bits alone
  bool is_half = false;    // IEEE binary16, for which some targets have instructions

  // Integers.
  T steps = 0;             // in 1
  T step = 0;
  T offset = 0;
  bool half = false;       // the offset lies between codes
  bool odd = false;        // at an odd one
  T low = 0, high = 0;     // codes
};

template <typename T>
constexpr ElementFacts<T> element_facts(const FormatInfo& f) {
  using L = Lane<T>;
  using Bits = typename L::Bits;
  ElementFacts<T> e;
  e.bits = f.bits;
  e.nan = static_cast<Bits>(encode(f, std::bit_cast<double>(Lane<double>::kNan), Rounding::kNearestSaturate).code);
  e.sign = static_cast<Bits>(std::uint64_t(1) << (f.bits - 1));
  e.sign_shift = static_cast<int>(8 * sizeof(T)) - f.bits;
  e.is_signed = f.is_signed;
  if (f.kind == FormatKind::kInteger) {
    e.is_integer = true;
    e.steps = std::bit_cast<T>(L::power_of_two(f.fraction_bits));
    e.step = std::bit_cast<T>(L::power_of_two(-f.fraction_bits));
    e.offset = static_cast<T>(f.offset);
    const std::int64_t halves = static_cast<std::int64_t>(2 * f.offset);
    e.half = halves % 2 != 0;
    e.odd = !e.half && halves / 2 % 2 != 0;
    e.low = static_cast<T>(lowest_integer(f));
    e.high = static_cast<T>(highest_integer(f));
    return e;
  }
  if (!f.is_signed) e.sign = 0;
  const int lowest = lowest_exponent(f);
  e.shift = L::kMantissa - f.mantissa_bits;
  e.has_zero = f.has_zero;
  e.has_negative_zero = has_negative_zero(f);
  e.rebias = static_cast<Bits>(lowest - (f.has_zero ? 1 : 0) + L::kBias) << L::kMantissa;
  e.lowest_field = lowest + L::kBias;
  const bool same_subnormals = e.rebias == 0 && f.has_zero;
  e.normal = same_subnormals ? 0 : L::power_of_two(lowest);
  e.subnormal_end = same_subnormals || !f.has_zero ? 0 : Bits(1) << f.mantissa_bits;
  e.magic = L::power_of_two(lowest - f.mantissa_bits + L::kMantissa);
  e.largest = static_cast<Bits>(largest_magnitude(f));
  const Encoded beyond = encode(f, std::bit_cast<double>(Lane<double>::kInfinity), Rounding::kNearest);
  e.overflow = static_cast<Bits>(beyond.code);
  e.infinity_counts = beyond.saturated;
  e.has_infinity = has_infinity(f);
  e.infinity = e.has_infinity ? static_cast<Bits>(infinity_magnitude(f)) : 0;
  e.nan_at_negative_zero = f.special == Special::kFnuz || f.special == Special::kP3109;
  e.is_half = f.bits == 16 && f.is_signed && f.has_zero && f.mantissa_bits == 10 && f.bias == 15 && f.special == Special::kIeee && f.nan == 0x7e00;
  e.nan_above = (e.has_infinity ? infinity_magnitude(f) : largest_magnitude(f)) < top_magnitude(f);
  return e;
}

// ---- short ways, in lanes of f32, for codes and reals that need no care (convert_short-inl.h)
//
//   half     IEEE binary16, by instructions
//   brain    the upper half of an f32
//   small    decoded as binary16 with another exponent; encoded as a sum whose last place is a step of the format, 8 bits at most
//   integer  signed and without an offset: decoded, where bits fill bytes, by an instruction; encoded as the low bits of a sum
enum class Short : std::uint8_t { kNone, kHalf, kBrain, kSmall, kInteger };

// By how many binades values lie above those of the same fields in a binary16.
constexpr int above_half(const ElementFacts<float>& f) { return static_cast<int>(f.rebias >> 23) - 112; }

constexpr bool is_brain(const ElementFacts<float>& f) {
  return !f.is_integer && f.bits == 16 && f.is_signed && f.has_zero && f.shift == 16 && f.rebias == 0 && !f.nan_at_negative_zero;
}
constexpr bool is_small(const ElementFacts<float>& f) {
  return !f.is_integer && f.bits <= 8 && f.is_signed && f.has_zero && !f.nan_at_negative_zero && f.normal != 0;
}
constexpr Short short_decode(const ElementFacts<float>& f, bool has_half) {
  if (f.is_integer) return f.is_signed && f.offset == 0 && (f.bits == 8 || f.bits == 16) ? Short::kInteger : Short::kNone;
  if (f.is_half) return has_half ? Short::kHalf : Short::kNone;
  if (is_brain(f)) return Short::kBrain;
  // Finite codes below the last binade of binary16, which is infinity and NaN.
  constexpr std::uint32_t kLastBinade = 31;
  const int mantissa = 23 - f.shift, up = above_half(f);
  const bool fits = mantissa <= 10 && f.largest >> mantissa < kLastBinade && up < 100 && up > -100;
  return has_half && is_small(f) && fits ? Short::kSmall : Short::kNone;
}
constexpr Short short_encode(const ElementFacts<float>& f, bool has_half) {
  if (f.is_integer) return f.is_signed && !f.half && f.offset == 0 ? Short::kInteger : Short::kNone;
  if (f.is_half) return has_half ? Short::kHalf : Short::kNone;
  if (is_brain(f)) return Short::kBrain;
  // Neither the highest binade with its sum nor a step leaves f32.
  const int mantissa = 23 - f.shift;
  const int highest = static_cast<int>((f.rebias >> 23) + (f.largest >> mantissa)) - 127;
  // Without a mantissa the even one of two codes is not that of an even number of steps.
  return is_small(f) && f.has_negative_zero && mantissa >= 1 && mantissa <= 6 && highest + f.shift + 1 <= 127 ? Short::kSmall : Short::kNone;
}
// The largest code, without its sign, that needs no care when it is made. A bfloat16 is watched before it is rounded.
constexpr std::uint32_t most_easy(const ElementFacts<float>& f) { return is_brain(f) ? f.largest - 1 : f.largest; }

// ---- facts of the formats of a build

template <typename F, typename T>
inline constexpr ElementFacts<T> kElementFacts = element_facts<T>(F::kInfo);
template <typename F>
using CodeOf = std::conditional_t<(F::kInfo.bits > 8), std::uint16_t, std::uint8_t>;

}  // namespace ulpfft::conversion

#endif  // ULPFFT_CODELETS_HWY_CONVERT_FACTS_H_
