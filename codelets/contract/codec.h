// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The slow, obvious codec: every format of format_info.h, one value at a time, in integer arithmetic and without tables.
//
// It defines what the fast conversions compute, bit for bit; tests hold it to exact rationals and to the golden vectors. Values
// are f64, in which every f32 and every value of every format is exact; encoding rounds exactly once. NaN decodes to the quiet
// NaN without sign or payload.
#ifndef ULPFFT_CODELETS_CONTRACT_CODEC_H_
#define ULPFFT_CODELETS_CONTRACT_CODEC_H_

#include <bit>
#include <cstdint>
#include <limits>

#include "codelets/contract/format_info.h"

namespace ulpfft {

enum class Rounding : std::uint8_t {
  kNearestSaturate,  // to nearest, ties to the even code; beyond the largest value, and infinities: the largest
  kNearest,          // the same, but overflow becomes infinity, or NaN where there is none, or saturates where there is neither
  kStochastic,       // to the neighbour further from zero if floor(2^16 * distance to the nearer to zero, in steps) + r16 >= 2^16; saturates
};
constexpr Rounding default_rounding(const FormatInfo& f) {
  return f.overflow == Overflow::kSaturate ? Rounding::kNearestSaturate : Rounding::kNearest;
}

// 16 random bits for real number `index` of an array: a fixed function, so that a result depends on neither lanes nor threads.
constexpr std::uint32_t random_bits(std::uint64_t seed, std::uint64_t index) {
  const auto mix = [](std::uint32_t x) {
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
  };
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  // What is inside the inner mix is the same for 2^32 numbers.
  return mix(low(index) * 0x9e3779b1u + mix(low(index >> 32) + mix(low(seed >> 32) + mix(low(seed))))) >> 16;
}

// |x| = significand * 2^exponent. Finite x only.
struct Parts {
  std::uint64_t significand = 0;
  int exponent = 0;
};
constexpr Parts parts_of(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const int biased = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & ((std::uint64_t(1) << 52) - 1);
  return biased == 0 ? Parts{fraction, -1074} : Parts{fraction | std::uint64_t(1) << 52, biased - 1075};
}
constexpr bool is_negative(double x) { return std::bit_cast<std::uint64_t>(x) >> 63 != 0; }
constexpr bool is_nan(double x) { return x != x; }
constexpr bool is_infinite(double x) { return (std::bit_cast<std::uint64_t>(x) & ~(std::uint64_t(1) << 63)) == std::uint64_t(0x7ff) << 52; }

// floor(log2 |x|), x finite and not zero.
constexpr int floor_log2(double x) {
  const Parts parts = parts_of(x);
  return static_cast<int>(std::bit_width(parts.significand)) - 1 + parts.exponent;
}

// significand * 2^exponent = whole + fraction / 2^16 + a rest below 2^-16, if any. The whole part must fit.
struct Split {
  std::uint64_t whole = 0;
  std::uint32_t fraction = 0;
  bool rest = false;
};
constexpr Split split_of(std::uint64_t significand, int exponent) {
  if (exponent >= 0) return {significand << exponent, 0, false};
  const int shift = -exponent;
  const auto shifted = [&](int by) { return by >= 64 ? 0 : by >= 0 ? significand >> by : significand << -by; };
  Split split{shifted(shift), static_cast<std::uint32_t>(shifted(shift - 16) & 0xffff), false};
  split.rest = shift > 16 && (shift - 16 >= 64 ? significand != 0 : (significand & ((std::uint64_t(1) << (shift - 16)) - 1)) != 0);
  return split;
}

// Whether the neighbour above the whole part is taken; `whole_is_even` refers to its code.
constexpr bool rounds_up(const Split& split, bool whole_is_even, Rounding rounding, std::uint32_t r16) {
  if (rounding == Rounding::kStochastic) return split.fraction + r16 >= 0x10000;
  if (split.fraction == 0x8000 && !split.rest) return !whole_is_even;
  return split.fraction >= 0x8000;
}

// (-1)^negative * significand * 2^exponent, rounded once, to nearest even, where f64 does not hold it.
constexpr double compose(bool negative, std::uint64_t significand, int exponent) {
  std::uint64_t bits = 0;
  if (significand != 0) {
    const int top = static_cast<int>(std::bit_width(significand)) - 1 + exponent;
    const int lowest = top < -1022 ? -1074 : top - 52;  // exponent of the last place
    if (top >= 1024) {
      bits = std::uint64_t(0x7ff) << 52;
    } else {
      // More than 53 bits: the part that is cut off rounds. Fewer: they are shifted up.
      const Split split = split_of(significand, exponent - lowest);
      bits = split.whole + (rounds_up(split, split.whole % 2 == 0, Rounding::kNearest, 0) ? 1 : 0);
      if (top >= -1022) bits += static_cast<std::uint64_t>(top + 1022) << 52;  // the hidden bit adds one, and a carry gives the next binade
    }
  }
  return std::bit_cast<double>(bits | std::uint64_t(negative) << 63);
}

// What a code is, before it becomes a double.
struct Decoded {
  enum class Class : std::uint8_t { kFinite, kInfinite, kNan } type = Class::kFinite;
  bool negative = false;
  std::uint64_t significand = 0;
  int exponent = 0;
};
constexpr Decoded decode_parts(const FormatInfo& f, std::uint64_t code) {
  if (f.kind == FormatKind::kInteger) {
    const std::int64_t integer = f.is_signed && code >> (f.bits - 1) != 0 ? static_cast<std::int64_t>(code) - (std::int64_t(1) << f.bits)
                                                                          : static_cast<std::int64_t>(code);
    const std::int64_t halves = 2 * integer - static_cast<std::int64_t>(2 * f.offset);
    return {Decoded::Class::kFinite, halves < 0, static_cast<std::uint64_t>(halves < 0 ? -halves : halves), -f.fraction_bits - 1};
  }
  const bool negative = (code & sign_bit(f)) != 0;
  const std::uint64_t magnitude = code & top_magnitude(f);
  const bool nan_at_negative_zero = f.special == Special::kFnuz || f.special == Special::kP3109;
  if (nan_at_negative_zero && negative && magnitude == 0) return {Decoded::Class::kNan};
  if (has_infinity(f) && magnitude == infinity_magnitude(f)) return {Decoded::Class::kInfinite, negative};
  if (magnitude > largest_magnitude(f)) return {Decoded::Class::kNan};
  const std::uint64_t binade = magnitude >> f.mantissa_bits;
  const std::uint64_t mantissa = magnitude & ((std::uint64_t(1) << f.mantissa_bits) - 1);
  if (binade == 0 && f.has_zero) return {Decoded::Class::kFinite, negative, mantissa, lowest_exponent(f) - f.mantissa_bits};
  return {Decoded::Class::kFinite, negative, mantissa | std::uint64_t(1) << f.mantissa_bits,
          static_cast<int>(binade) - f.bias - f.mantissa_bits};
}

// Value of a code times 2^exponent. Exact for exponent 0; else rounded once where f64 does not hold it.
constexpr double decode(const FormatInfo& f, std::uint64_t code, int exponent = 0) {
  const Decoded parts = decode_parts(f, code);
  if (parts.type == Decoded::Class::kNan) return std::numeric_limits<double>::quiet_NaN();
  if (parts.type == Decoded::Class::kInfinite) {
    return parts.negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  // -0 only where the format has one: an integer has no negative zero, and those codes are NaN elsewhere.
  return compose(parts.negative, parts.significand, parts.exponent + exponent);
}

struct Encoded {
  std::uint64_t code = 0;
  bool saturated = false;  // a number, not NaN, that lay beyond the values of the format
};

constexpr Encoded encode_integer(const FormatInfo& f, double x, Rounding rounding, std::uint32_t r16, int exponent) {
  const std::uint64_t mask = (std::uint64_t(1) << f.bits) - 1;
  const std::int64_t low = lowest_integer(f), high = highest_integer(f);
  if (is_nan(x)) return encode_integer(f, 0.0, Rounding::kNearest, 0, 0);
  const bool negative = is_negative(x);
  const Encoded beyond{static_cast<std::uint64_t>(negative ? low : high) & mask, true};
  if (is_infinite(x)) return beyond;
  const Parts parts = parts_of(x);
  const int scale = parts.exponent + exponent + f.fraction_bits;
  if (parts.significand != 0 && static_cast<int>(std::bit_width(parts.significand)) + scale > 24) return beyond;  // codes have 16 bits
  // Steps from the offset outwards. Where the offset lies between codes, from half a step on the other side of it.
  Split split = split_of(parts.significand, scale);
  const std::int64_t halves = static_cast<std::int64_t>(2 * f.offset);
  const int half = halves % 2 != 0 ? 1 : 0;
  if (half != 0) {
    split.fraction += 0x8000;
    split.whole += split.fraction >> 16;
    split.fraction &= 0xffff;
  }
  const auto integer_at = [&](std::int64_t steps) { return (halves + (negative ? half - 2 * steps : 2 * steps - half)) / 2; };
  const auto whole = static_cast<std::int64_t>(split.whole);
  const std::int64_t integer = integer_at(whole + (rounds_up(split, integer_at(whole) % 2 == 0, rounding, r16) ? 1 : 0));
  if (integer < low || integer > high) return {static_cast<std::uint64_t>(integer < low ? low : high) & mask, true};
  return {static_cast<std::uint64_t>(integer) & mask, false};
}

// x * 2^exponent, the product being exact, rounded once. r16: 16 random bits for kStochastic.
constexpr Encoded encode(const FormatInfo& f, double x, Rounding rounding, std::uint32_t r16 = 0, int exponent = 0) {
  if (f.kind == FormatKind::kInteger) return encode_integer(f, x, rounding, r16, exponent);
  if (is_nan(x)) return {f.nan, false};
  const bool negative = is_negative(x);
  const Parts parts = is_infinite(x) ? Parts{1, 4096} : parts_of(x);
  if (negative && !f.is_signed) return {0, parts.significand != 0};  // the value nearest to every negative number
  std::uint64_t magnitude = 0;
  if (parts.significand != 0) {
    const int top = static_cast<int>(std::bit_width(parts.significand)) - 1 + parts.exponent + exponent;
    const int lowest = lowest_exponent(f);
    const int binade = top > lowest ? top : lowest;
    const int highest = static_cast<int>(largest_magnitude(f) >> f.mantissa_bits) - f.bias;
    if (top > highest + 1) {
      magnitude = largest_magnitude(f) + 2;
    } else if (top >= lowest || f.has_zero) {
      // As if the exponent had no upper bound: codes go on where those of the format end.
      const Split split = split_of(parts.significand, parts.exponent + exponent + f.mantissa_bits - binade);
      magnitude = (static_cast<std::uint64_t>(binade - lowest) << f.mantissa_bits) + split.whole;
      if (!f.has_zero) magnitude -= std::uint64_t(1) << f.mantissa_bits;
      if (rounds_up(split, magnitude % 2 == 0, rounding, r16)) ++magnitude;
    }
  }
  const std::uint64_t sign = negative ? sign_bit(f) : 0;
  if (magnitude > largest_magnitude(f)) {
    if (rounding == Rounding::kNearest && has_infinity(f)) return {infinity_magnitude(f) | sign, !is_infinite(x)};
    if (rounding == Rounding::kNearest && has_nan(f)) return {overflow_nan(f, negative), true};
    return {largest_magnitude(f) | sign, true};
  }
  if (magnitude == 0 && !has_negative_zero(f)) return {0, false};
  return {magnitude | sign, false};
}

// Facts about values.
constexpr double largest_value(const FormatInfo& f) {
  return f.kind == FormatKind::kInteger ? decode(f, static_cast<std::uint64_t>(highest_integer(f))) : decode(f, largest_magnitude(f));
}
// The value most below zero that encoding yields; 0 or the smallest where there are no signs.
constexpr double lowest_value(const FormatInfo& f) {
  if (f.kind == FormatKind::kInteger) return decode(f, static_cast<std::uint64_t>(lowest_integer(f)) & ((std::uint64_t(1) << f.bits) - 1));
  return f.is_signed ? -largest_value(f) : decode(f, 0);
}
// Bits of a significand after the leading one, at the largest value.
constexpr int significand_bits(const FormatInfo& f) {
  return f.kind == FormatKind::kInteger ? floor_log2(largest_value(f)) + f.fraction_bits : f.mantissa_bits;
}
constexpr double smallest_normal_value(const FormatInfo& f) {
  if (f.kind != FormatKind::kInteger) return compose(false, 1, lowest_exponent(f));
  return compose(false, 1, -f.fraction_bits - (static_cast<std::int64_t>(2 * f.offset) % 2 != 0 ? 1 : 0));
}
constexpr double smallest_subnormal_value(const FormatInfo& f) {
  return f.kind == FormatKind::kInteger || !f.has_zero ? smallest_normal_value(f) : compose(false, 1, lowest_exponent(f) - f.mantissa_bits);
}
// Magnitudes up to here, or below it, do not overflow when rounded to nearest: half a step beyond the largest value.
struct OverflowLimit {
  double value = 0;
  bool included = false;
};
constexpr OverflowLimit overflow_limit(const FormatInfo& f) {
  if (f.kind == FormatKind::kInteger) {
    const std::int64_t high = highest_integer(f);
    const std::int64_t quarters = 4 * high + 2 - 2 * static_cast<std::int64_t>(2 * f.offset);
    return {compose(false, static_cast<std::uint64_t>(quarters), -f.fraction_bits - 2), high % 2 == 0};
  }
  const Decoded top = decode_parts(f, largest_magnitude(f));
  return {compose(false, 2 * top.significand + 1, top.exponent - 1), largest_magnitude(f) % 2 == 0};
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_CODEC_H_
