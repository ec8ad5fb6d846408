// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Numbers as sums of parts: the arithmetic of split schemes, number by number.
//
// Floats    part 0 is x / s rounded to the element (nearest, ties to even, saturating), s the norm; the rest, exact in f32, is split again.
//           Part i is divided by s 2^(-i (p + 1)), p the significant bits of the element: no rest of a number up to s is larger. So the
//           norm of every rest follows from s, and a power of two more would change digits below 2^-(2 p + 14) s alone.
// Integers  x / s in fixed point, with 8 P - 1 bits after the point, has P balanced digits of 8 bits, -128 .. 127; s is the smallest power
//           of two of which x is at most 127/128. Of matrices s is 128/127, so that 1 has the digits 127, 0, 0, ...
// Norm      the smallest power of two from 2^-126 to 2^127 that no magnitude exceeds; 1 where all numbers are 0; NaN where one is NaN or
//           infinite. Magnitudes are compared by their bits, so that NaN is the largest.
// Bits      Every operation is exact or rounds once, and none is fused: the same on every target.
#ifndef ULPFFT_CODELETS_CONTRACT_SPLIT_ARITHMETIC_H_
#define ULPFFT_CODELETS_CONTRACT_SPLIT_ARITHMETIC_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "codelets/contract/split_scheme.h"

namespace ulpfft {

inline constexpr std::uint32_t kInfinityBits = 0x7f800000;

// What rounding to a float element takes.
struct SplitElement {
  int dropped = 0;           // bits of f32 that normal numbers of the element lack
  float smallest_normal = 0;
  float steps = 0;           // added to a number below the smallest normal and taken away again, it rounds to the steps there
  float largest = 0;
  float shrink = 1;          // the norm of a rest over that of the number, 2^-(p + 1)
  float grow = 1;            // 1 / shrink
};
constexpr SplitElement split_element(const FormatInfo& f) {
  if (f.kind == FormatKind::kInteger) return {};
  const int p = f.mantissa_bits + 1;
  const auto power = [](int e) { return std::bit_cast<float>(static_cast<std::uint32_t>(e + 127) << 23); };
  return {24 - p,
          power(std::max(lowest_exponent(f), -126)),
          power(std::max(lowest_exponent(f), -126) - f.mantissa_bits + 23),
          static_cast<float>(std::min(largest_value(f), static_cast<double>(std::numeric_limits<float>::max()))),
          power(-p - 1),
          power(p + 1)};
}

inline float round_to_part(const SplitElement& e, float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x), magnitude = bits & 0x7fffffff;
  if (magnitude >= kInfinityBits) return x;
  const float m = std::bit_cast<float>(magnitude);
  const std::uint32_t odd = (magnitude >> e.dropped) & 1, half = (std::uint32_t(1) << (e.dropped - 1)) - 1;
  const float normal = std::bit_cast<float>((magnitude + half + odd) >> e.dropped << e.dropped);
  const float rounded = std::min(m < e.smallest_normal ? (m + e.steps) - e.steps : normal, e.largest);
  return std::copysign(rounded, x);
}
// The next part of what is left of a number over its norm; the rest is over the norm of rests.
inline float take_part(const SplitElement& e, float& rest) {
  const float part = round_to_part(e, rest);
  rest = (rest - part) * e.grow;
  return part;
}

// The larger of two magnitudes by their bits.
inline float larger_magnitude(float a, float b) { return std::bit_cast<std::uint32_t>(a) < std::bit_cast<std::uint32_t>(b) ? b : a; }
inline double larger_magnitude(double a, double b) { return std::bit_cast<std::uint64_t>(a) < std::bit_cast<std::uint64_t>(b) ? b : a; }

inline float split_norm(float largest) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(largest);
  if (bits == 0) return 1;
  if (bits >= kInfinityBits) return std::numeric_limits<float>::quiet_NaN();
  const std::uint32_t exponent = (bits >> 23) + ((bits & 0x7fffff) != 0 ? 1 : 0);
  return std::bit_cast<float>(std::clamp<std::uint32_t>(exponent, 1, 254) << 23);
}
// With slices |x| is at most 127/128 of the norm.
inline double split_norm(double largest) {
  constexpr std::uint64_t kInfinity = std::uint64_t(0x7ff) << 52;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(largest);
  if (bits == 0) return 1;
  if (bits >= kInfinity) return std::numeric_limits<double>::quiet_NaN();
  // 127/128 of 2^e has these fraction bits below 2^e.
  constexpr std::uint64_t kMost = (std::uint64_t(1) << 52) - (std::uint64_t(1) << 46);
  const std::uint64_t exponent = (bits >> 52) + ((bits & ((std::uint64_t(1) << 52) - 1)) > kMost ? 2 : 1);
  return std::bit_cast<double>(std::clamp<std::uint64_t>(exponent, 2, 2046) << 52);
}

// x / s as digits, the most significant first. `inverse`: 1 / s.
inline void take_slices(double x, double inverse, int parts, float* digits) {
  constexpr double kToIntegers = 0x1.8p52;  // a sum with it has no bits after the point
  double left = (x * inverse * static_cast<double>(std::int64_t(1) << (8 * parts - 1)) + kToIntegers) - kToIntegers;
  for (int i = parts - 1; i > 0; --i) {
    const double above = std::floor((left + 128) * (1.0 / 256));
    digits[i] = static_cast<float>(left - 256 * above);
    left = above;
  }
  digits[0] = static_cast<float>(left);
}
// What products of digits of norm s are multiplied by.
inline double slice_scale(double s) { return s * (1.0 / (128.0 * 127.0)); }

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_SPLIT_ARITHMETIC_H_
