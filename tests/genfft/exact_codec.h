// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Formats by their definition, in exact arithmetic: a list of all values, and rounding by search in it. What the slow codec of the
// contract is held to; it shares none of its code.
#ifndef ULPFFT_TESTS_GENFFT_EXACT_CODEC_H_
#define ULPFFT_TESTS_GENFFT_EXACT_CODEC_H_

#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "codelets/contract/codec.h"

namespace ulpfft::genfft {

// n * 2^e, exactly; |n| < 2^62.
struct Dyadic {
  std::int64_t n = 0;
  int e = 0;

  // Without factors of two.
  Dyadic reduced() const {
    if (n == 0) return {};
    const int zeros = std::countr_zero(static_cast<std::uint64_t>(n));
    return {n >> zeros, e + zeros};
  }
  int log2() const { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::abs(n)))) - 1 + e; }  // floor, of |value|
  Dyadic negated() const { return {-n, e}; }
  Dyadic times(std::int64_t by) const { return {n * by, e}; }
  Dyadic shifted(int by) const { return {n, e + by}; }
};

inline Dyadic operator+(const Dyadic& a, const Dyadic& b) {  // of similar size
  if (a.n == 0) return b;
  if (b.n == 0) return a;
  const int e = a.e < b.e ? a.e : b.e;
  return Dyadic{(a.n << (a.e - e)) + (b.n << (b.e - e)), e}.reduced();
}

inline std::strong_ordering operator<=>(const Dyadic& a, const Dyadic& b) {
  const auto sign = [](const Dyadic& x) { return x.n > 0 ? 1 : x.n < 0 ? -1 : 0; };
  if (sign(a) != sign(b) || sign(a) == 0) return sign(a) <=> sign(b);
  const bool negative = a.n < 0;
  if (a.log2() != b.log2()) return negative ? b.log2() <=> a.log2() : a.log2() <=> b.log2();
  const Dyadic x = a.reduced(), y = b.reduced();  // equal top bits: aligning cannot overflow
  const int e = x.e < y.e ? x.e : y.e;
  return (x.n << (x.e - e)) <=> (y.n << (y.e - e));
}
inline bool operator==(const Dyadic& a, const Dyadic& b) { return (a <=> b) == 0; }

inline Dyadic dyadic(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return Dyadic{static_cast<std::int64_t>(std::ldexp(fraction, 53)), exponent - 53}.reduced();
}
inline double to_double(const Dyadic& x) { return std::ldexp(static_cast<double>(x.n), x.e); }

// A format as the list of the values that encoding yields, ascending. For floats one sign only.
class ExactFormat {
 public:
  enum class Class { kFinite, kInfinite, kNan };

  explicit ExactFormat(const FormatInfo& format) : f(format) {
    if (f.kind == FormatKind::kInteger) {
      std::int64_t low = f.is_signed ? -(std::int64_t(1) << (f.bits - 1)) : 0;
      const std::int64_t high = f.is_signed ? (std::int64_t(1) << (f.bits - 1)) - 1 : (std::int64_t(1) << f.bits) - 1;
      while (f.symmetric && static_cast<double>(high) - f.offset < f.offset - static_cast<double>(low)) ++low;
      first_ = low;
      for (std::int64_t code = low; code <= high; ++code) values_.push_back(integer_value(code));
    } else {
      for (std::uint64_t code = 0; classify(code) == Class::kFinite && code < (1u << (f.bits - (f.is_signed ? 1 : 0))); ++code) {
        values_.push_back(float_value(code));
      }
    }
  }

  const std::vector<Dyadic>& values() const { return values_; }
  bool is_integer() const { return f.kind == FormatKind::kInteger; }
  // The value after the last: where the exponent, or the integer, would go on.
  Dyadic beyond() const {
    const auto count = static_cast<std::int64_t>(values_.size());
    return is_integer() ? integer_value(first_ + count) : float_value(static_cast<std::uint64_t>(count));
  }
  Dyadic before() const { return integer_value(first_ - 1); }  // integers

  Class classify(std::uint64_t code) const {
    if (is_integer()) return Class::kFinite;
    const int magnitude_width = f.exponent_bits + f.mantissa_bits;
    const std::uint64_t all = (std::uint64_t(1) << magnitude_width) - 1;
    const std::uint64_t magnitude = code & all;
    const bool negative = f.is_signed && (code >> magnitude_width & 1) != 0;
    const std::uint64_t top_exponent = (std::uint64_t(1) << f.exponent_bits) - 1;
    switch (f.special) {
      case Special::kIeee:
        if (magnitude >> f.mantissa_bits != top_exponent) return Class::kFinite;
        return magnitude == top_exponent << f.mantissa_bits ? Class::kInfinite : Class::kNan;
      case Special::kFn: return magnitude == all ? Class::kNan : Class::kFinite;
      case Special::kFnuz: return negative && magnitude == 0 ? Class::kNan : Class::kFinite;
      case Special::kP3109: return negative && magnitude == 0 ? Class::kNan : magnitude == all ? Class::kInfinite : Class::kFinite;
      case Special::kNone: return Class::kFinite;
    }
    return Class::kFinite;
  }

  // (-1)^S * 2^(E - bias) * (1 + M / 2^m), without the sign.
  Dyadic float_value(std::uint64_t magnitude) const {
    const auto e = static_cast<int>(magnitude >> f.mantissa_bits);
    const std::int64_t one = std::int64_t(1) << f.mantissa_bits;
    const auto m = static_cast<std::int64_t>(magnitude) % one;
    if (e == 0 && f.has_zero) return {m, 1 - f.bias - f.mantissa_bits};
    return {one + m, e - f.bias - f.mantissa_bits};
  }
  // (code - offset) * 2^-q
  Dyadic integer_value(std::int64_t code) const {
    return {2 * code - static_cast<std::int64_t>(std::lround(2 * f.offset)), -f.fraction_bits - 1};
  }

  // Code of the value with this index, with a sign where floats have one.
  std::uint64_t code_at(std::size_t index, bool negative) const {
    if (is_integer()) return static_cast<std::uint64_t>(first_ + static_cast<std::int64_t>(index)) & ((std::uint64_t(1) << f.bits) - 1);
    const bool sign_of_zero = f.special != Special::kFnuz && f.special != Special::kP3109;
    const bool sign = negative && f.is_signed && (index > 0 || sign_of_zero);
    return index | (sign ? std::uint64_t(1) << (f.bits - 1) : 0);
  }
  bool is_even(std::size_t index) const { return (first_ + static_cast<std::int64_t>(index)) % 2 == 0; }

 private:
  FormatInfo f;
  std::int64_t first_ = 0;  // code of the first value
  std::vector<Dyadic> values_;
};

// Finite x, by the rules of golden section 2.
Encoded exact_encode(const ExactFormat& exact, const FormatInfo& f, double x, Rounding rounding, std::uint32_t r16);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_TESTS_GENFFT_EXACT_CODEC_H_
