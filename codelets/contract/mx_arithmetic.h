// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arithmetic of the schemes mx:BLOCK: products of twiddles and data as a matrix unit for MX blocks forms them, sums in f32.
//
// Source: OCP Microscaling Formats v1.0 for the blocks; the order of operations is that of the golden vectors, sections 5 and 6. A *block of
// butterflies* are length / 2 of them that follow each other, a complex number each (interleaved reals); the last may be partial. Of it
//   1. the data v are encoded as an MX block (scale rule of the scheme); twiddles w were, when the plan was made;
//   2. p = x y from the elements x of v and y of w, without scales; both products of a part are exact in f32, and their sum rounds once;
//   3. p becomes an MX block again. kCarry: its exponent is the sum of both, and more only where p would overflow. kFresh: by the scale rule;
//   4. what the elements and the exponent of p say, in f32, is the product.
// A block with NaN or infinity among the data is NaN.
#ifndef ULPFFT_CODELETS_CONTRACT_MX_ARITHMETIC_H_
#define ULPFFT_CODELETS_CONTRACT_MX_ARITHMETIC_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "codelets/contract/storage.h"

namespace ulpfft {

enum class MxProduct : std::uint8_t { kCarry, kFresh };
inline constexpr const char* kMxProductNames[] = {"carry", "fresh"};

struct MxScheme {
  Storage storage;
  MxProduct product = MxProduct::kCarry;
};

inline constexpr int kLongestMxBlock = 64;  // reals

// Why a block format has no such arithmetic: the end of a sentence that begins with the name of the format; null where it has.
constexpr const char* mx_refusal(const Storage& s) {
  if (s.scale == nullptr) return "has no blocks";
  const FormatInfo& f = *s.element;
  if (!has_powers_alone(*s.scale)) return "has scales that are no powers of two";
  if (lowest_scale(*s.scale) < -127 || highest_scale(*s.scale) > 127) return "has scales beyond 2^-127 to 2^127";
  if (s.length < 2) return "has one scale per row; blocks of 2, 4, 8, 16, 32 or 64 reals are needed";
  if (lowest_value(f) >= 0) return "has no negative elements";
  if (f.kind == FormatKind::kInteger && f.offset != 0) return "has elements with an offset";
  // A carried exponent grows, and never shrinks to products that are smaller than elements.
  if (largest_value(f) < 1) return "has elements that are all below 1, beside which products vanish";
  // Products of two elements, and the sum of two of these, are to be normal numbers of f32.
  if (2 * (significand_bits(f) + 1) > 24) return "has elements of more than 12 significant bits, whose products f32 does not hold";
  if (2 * floor_log2(largest_value(f)) + 3 > 127 || 2 * floor_log2(smallest_subnormal_value(f)) < -126) {
    return "has elements whose products leave the range of f32";
  }
  return nullptr;
}

// What a fast product needs of a scheme, as numbers of f32. Exponents: floor(log2 |x|).
struct MxParameters {
  int length = 0;              // reals of a block
  bool fresh = false;
  int lowest_scale = 0;
  int highest_scale = 0;
  // Shared exponent of a block: exponent of amax - base, and one more where the 23 fraction bits of amax are at least `up`.
  int base = 0;
  std::uint32_t up = 0;        // 2^23: never
  // The exponent that a carried one grows by, if above 0: exponent of the largest p - emax, likewise.
  int emax = 0;
  std::uint32_t carry_up = 0;
  // Rounding of x to an element: steps are 2^(max(exponent of x, lowest_exponent) - fraction_bits).
  int lowest_exponent = 0;
  int fraction_bits = 0;
  float largest = 0;
  float lowest = 0;
  bool negative_zero = true;   // there is one; otherwise +0 takes its place
  // Ties go to the even code; that is an even multiple of the step only where elements have fraction bits.
  bool even_steps = true;

  // Products of elements and 1 are these elements, with the exponent of the data. Not so where the lowest element lies beyond the largest
  // (-8 to 7): the exponent that is carried grows there.
  constexpr bool keeps_products_with_one() const { return !fresh && lowest >= -largest; }
};

constexpr MxParameters mx_parameters(const MxScheme& scheme) {
  const Storage& s = scheme.storage;
  const FormatInfo& f = *s.element;
  constexpr std::uint32_t kNever = std::uint32_t(1) << 23;
  const double largest = largest_value(f);
  const auto fraction = [](double x) { return static_cast<std::uint32_t>(std::bit_cast<std::uint32_t>(static_cast<float>(x)) & (kNever - 1)); };
  MxParameters p;
  p.length = s.length;
  p.fresh = scheme.product == MxProduct::kFresh;
  p.lowest_scale = lowest_scale(*s.scale);
  p.highest_scale = highest_scale(*s.scale);
  p.emax = p.base = floor_log2(largest);
  p.carry_up = fraction(largest) + 1;
  switch (s.rule) {
    case ScaleRule::kFloor: p.up = kNever; break;
    case ScaleRule::kCeil: p.up = 1; break;
    case ScaleRule::kRceil: p.up = p.carry_up; break;
    case ScaleRule::kEven: p.up = kNever - (std::uint32_t(1) << (22 - significand_bits(f))); break;
    case ScaleRule::kFit: {
      const OverflowLimit limit = overflow_limit(f);
      p.base = floor_log2(limit.value);
      p.up = fraction(limit.value) + (limit.included ? 1 : 0);
      break;
    }
    default: break;  // no scales of this arithmetic
  }
  const bool integer = f.kind == FormatKind::kInteger;
  p.lowest_exponent = integer ? p.emax : lowest_exponent(f);
  p.fraction_bits = significand_bits(f);
  p.largest = static_cast<float>(largest);
  p.lowest = static_cast<float>(lowest_value(f));
  p.negative_zero = has_negative_zero(f);
  p.even_steps = integer || f.mantissa_bits > 0;
  return p;
}

// x as the elements of one block, without the scale, and its exponent. Returns false where the block is NaN.
template <typename T>
bool mx_elements(const Storage& s, const T* reals, std::int64_t count, double* elements, int& exponent) {
  const ChosenScale scale = choose_scale(s, reals, Groups{}, 0, count);
  exponent = scale.exponent;
  if (scale.code == s.scale->nan) return false;
  for (std::int64_t i = 0; i < count; ++i) {
    const Encoded encoded = encode(*s.element, static_cast<double>(reals[i]), Rounding::kNearestSaturate, 0, -scale.exponent);
    elements[i] = decode(*s.element, encoded.code);
  }
  return true;
}

// A block of products on the slow path. twiddles: elements, interleaved like v; `count` reals, even.
struct MxBlockProduct {
  bool nan = false;
  int exponent = 0;
  float p[kLongestMxBlock] = {};           // before it is encoded
  double elements[kLongestMxBlock] = {};
};
inline MxBlockProduct mx_multiply(const MxScheme& scheme, const float* v, const float* twiddles, int twiddle_exponent, std::int64_t count) {
  const FormatInfo& f = *scheme.storage.element;
  const FormatInfo& scale = *scheme.storage.scale;
  const int low = lowest_scale(scale), high = highest_scale(scale);
  MxBlockProduct product;
  double x[kLongestMxBlock];
  int exponent = 0;
  if (!mx_elements(scheme.storage, v, count, x, exponent)) {
    product.nan = true;
    return product;
  }
  double largest = 0;
  for (std::int64_t i = 0; i < count; i += 2) {
    const double c = static_cast<double>(twiddles[i]), d = static_cast<double>(twiddles[i + 1]);
    // Exact in f64, so that they round once.
    product.p[i] = static_cast<float>(x[i] * c - x[i + 1] * d);
    product.p[i + 1] = static_cast<float>(x[i] * d + x[i + 1] * c);
    largest = std::max({largest, std::abs(static_cast<double>(product.p[i])), std::abs(static_cast<double>(product.p[i + 1]))});
  }
  const int sum = exponent + twiddle_exponent;
  int chosen = low;
  if (largest > 0 && scheme.product == MxProduct::kFresh) {
    chosen = sum + block_exponent(f, scheme.storage.rule, largest);
  } else if (largest > 0) {
    chosen = sum + std::max(0, block_exponent(f, ScaleRule::kRceil, largest));
  }
  product.exponent = std::clamp(chosen, low, high);
  for (std::int64_t i = 0; i < count; ++i) {
    const Encoded encoded = encode(f, static_cast<double>(product.p[i]), Rounding::kNearestSaturate, 0, sum - product.exponent);
    product.elements[i] = decode(f, encoded.code);
  }
  return product;
}
inline float mx_value(const MxBlockProduct& product, std::int64_t i) {
  if (product.nan) return std::numeric_limits<float>::quiet_NaN();
  return static_cast<float>(std::ldexp(product.elements[i], product.exponent));
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_MX_ARITHMETIC_H_
