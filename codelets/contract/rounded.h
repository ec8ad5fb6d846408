// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arithmetic that rounds to an element format: what the schemes `rounded:<element>` and `rounded:<element>/f32` mean, one number at a time.
//
//   rounded:<element>      each sum, product, product and sum (FMA) and change of sign is rounded once from its exact value
//   rounded:<element>/f32  the same where a point is multiplied by its twiddle factor; sums of several points are f32 sums of f32
//                          numbers, and a multiplication among them rounds its factors and its product to the element
// The input is rounded to the element before anything else.
// Rounding is to nearest, ties to the even code, beyond the largest value as Rounding::kNearest: infinity, else NaN, else the largest.
// Zeros of exact sums have the sign that IEEE 754 gives them, where the format has a negative zero.
//
// This is the slow definition, in integers, for every format of format_info.h: fast codelets give its bits, and count what it counts.
#ifndef ULPFFT_CODELETS_CONTRACT_ROUNDED_H_
#define ULPFFT_CODELETS_CONTRACT_ROUNDED_H_

#include <cstdint>

#include "codelets/contract/codec.h"
#include "codelets/contract/double_double.h"

namespace ulpfft {

// a b + c for finite values of at most 24 significant bits, exactly but for a last bit that is set where more would follow (rounding
// to odd): any rounding to at most 50 bits then sees what it would see of the exact value.
struct OddSum {
  bool negative = false;
  std::uint64_t significand = 0;  // below 2^53
  int exponent = 0;
};
constexpr OddSum odd_sum(double a, double b, double c) {
  struct Term {
    bool negative;
    std::uint64_t significand;
    int exponent;
  };
  const auto reduced = [](double x) {
    const Parts parts = parts_of(x);
    if (parts.significand == 0) return Term{is_negative(x), 0, 0};
    const int zeros = std::countr_zero(parts.significand);
    return Term{is_negative(x), parts.significand >> zeros, parts.exponent + zeros};
  };
  const Term x = reduced(a), y = reduced(b), z = reduced(c);
  Term p{x.negative != y.negative, x.significand * y.significand, x.exponent + y.exponent};
  Term q = z;
  if (p.significand == 0 && q.significand == 0) return {p.negative && q.negative, 0, 0};
  // Leading ones at bit 60; the smaller is shifted down to the larger. The low bits of either are zeros, so what is cut off lies far
  // below what cancellation can bring up.
  const auto lift = [](Term& t) {
    const int by = 61 - static_cast<int>(std::bit_width(t.significand));
    t.significand <<= by;
    t.exponent -= by;
  };
  if (p.significand == 0) p = q, q.significand = 0;
  lift(p);
  if (q.significand != 0) lift(q);
  if (q.significand != 0 && (q.exponent > p.exponent || (q.exponent == p.exponent && q.significand > p.significand))) {
    const Term t = p;
    p = q;
    q = t;
  }
  if (q.significand != 0) {
    const int by = p.exponent - q.exponent;
    const std::uint64_t kept = by < 64 ? q.significand >> by : 0;
    const bool rest = by >= 64 || (q.significand & ((std::uint64_t(1) << by) - 1)) != 0;
    q.significand = kept | (rest ? 1u : 0u);
  }
  OddSum sum{p.negative, p.negative == q.negative || q.significand == 0 ? p.significand + q.significand : p.significand - q.significand, p.exponent};
  if (sum.significand == 0) return {};
  const int spare = static_cast<int>(std::bit_width(sum.significand)) - 53;
  if (spare > 0) {
    const bool rest = (sum.significand & ((std::uint64_t(1) << spare) - 1)) != 0;
    sum.significand = sum.significand >> spare | (rest ? 1u : 0u);
    sum.exponent += spare;
  }
  return sum;
}

// A number of the format, and whether a finite one lay beyond its values.
struct RoundedValue {
  double value = 0;
  bool overflow = false;
};
constexpr RoundedValue round_to_element(const FormatInfo& f, double x, int exponent = 0) {
  const Encoded encoded = encode(f, x, Rounding::kNearest, 0, exponent);
  return {decode(f, encoded.code), encoded.saturated};
}
// a b + c, rounded once.
constexpr RoundedValue rounded_fma(const FormatInfo& f, double a, double b, double c) {
  const auto finite = [](double x) { return !is_nan(x) && !is_infinite(x); };
  if (!finite(a) || !finite(b) || !finite(c)) {
    // The finite among them decide nothing but signs and zeros.
    const double product = finite(a) && finite(b) ? 0 : a * b;
    return round_to_element(f, product + (finite(c) ? 0 : c));
  }
  const OddSum sum = odd_sum(a, b, c);
  if (sum.significand == 0) return round_to_element(f, sum.negative ? -0.0 : 0.0);
  const double significand = static_cast<double>(sum.significand);
  return round_to_element(f, sum.negative ? -significand : significand, sum.exponent);
}
// A product alone keeps the sign of its zero.
constexpr RoundedValue rounded_product(const FormatInfo& f, double a, double b) { return rounded_fma(f, a, b, is_negative(a) != is_negative(b) ? -0.0 : 0.0); }
constexpr RoundedValue rounded_sum(const FormatInfo& f, double a, double b) { return rounded_fma(f, a, 1.0, b); }

// A constant or a table value. No negative zeros.
constexpr double round_to_element(const FormatInfo& f, DoubleDouble x) {
  std::uint64_t bits = std::bit_cast<std::uint64_t>(x.hi);
  if (x.lo != 0 && x.hi != 0) bits = ((x.lo < 0) != (x.hi < 0) ? bits - 1 : bits) | 1;
  return round_to_element(f, std::bit_cast<double>(bits)).value + 0.0;
}

// A scheme of rounded arithmetic.
struct RoundedScheme {
  const FormatInfo* element = nullptr;
  bool f32_sums = false;
};

// What numbers of a scheme lie in between operations. Fast codelets work in f32 where products of two values have 24 bits at most and
// exponents leave room, in f64 where 53 do; where neither is so, the reference serves.
enum class Carrier : std::uint8_t { kF32, kF64, kSlow };
constexpr Carrier carrier_of(const FormatInfo& f) {
  if (f.kind == FormatKind::kInteger ? f.offset != 0 : f.mantissa_bits == 0) return Carrier::kSlow;  // even codes are not even multiples of a step
  const int bits = significand_bits(f);
  const int highest = floor_log2(largest_value(f)), lowest = floor_log2(smallest_subnormal_value(f));
  if (bits <= 10 && highest <= 60 && lowest >= -74) return Carrier::kF32;
  return bits <= 15 && highest <= 500 && lowest >= -500 ? Carrier::kF64 : Carrier::kSlow;
}

// Whether a format can be computed in.
constexpr bool has_rounded_scheme(const FormatInfo& f) { return f.kind != FormatKind::kWide && f.is_signed && f.has_zero; }

// Rounding of vectors. With m bits after the leading one, |x| + 2^e 2^(M - m) - 2^e 2^(M - m) is x rounded, M being the fraction bits of
// T and 2^e the leading power of x, but not less than `lowest`.
template <class T>
struct RoundingConstants {
  T lowest = 0;       // 2^e below which steps shrink no more
  T steps = 0;        // 2^(M - m)
  T clamp = 0;        // a power of two beyond every limit; no more has to be distinguished
  T high = 0, low = 0;
  T beyond_high = 0, beyond_low = 0;
  T nan = 0;          // what NaN becomes
  T zero = 0;         // added to every result: 0 makes -0 +0, -0 does not
  T counted = 0;      // magnitudes up to here count when they overflow: infinity where that is no value
};
template <class T>
constexpr RoundingConstants<T> rounding_constants(const FormatInfo& f) {
  constexpr int kBits = sizeof(T) == 4 ? 23 : 52;
  const auto power = [](int e) { return static_cast<T>(compose(false, 1, e)); };
  const auto value = [&](double x) { return static_cast<T>(round_to_element(f, x).value); };
  const bool integer = f.kind == FormatKind::kInteger;
  const int m = integer ? f.bits - 1 : f.mantissa_bits;
  const int lowest = integer ? m - f.fraction_bits : lowest_exponent(f);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  RoundingConstants<T> c;
  c.lowest = power(lowest);
  c.steps = power(kBits - m);
  c.high = static_cast<T>(largest_value(f));
  c.low = static_cast<T>(lowest_value(f));
  c.clamp = power(floor_log2(largest_value(f)) + 3);
  c.beyond_high = value(kInfinity);
  c.beyond_low = value(-kInfinity);
  c.nan = value(std::numeric_limits<double>::quiet_NaN());
  c.zero = has_negative_zero(f) ? T(-0.0) : T(0.0);
  c.counted = has_infinity(f) ? std::numeric_limits<T>::max() : std::numeric_limits<T>::infinity();
  return c;
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_ROUNDED_H_
