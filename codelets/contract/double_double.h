// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Double-double arithmetic: an unevaluated sum hi + lo of two doubles, about 106 bits.
//
// Used for exact constants and twiddle tables, as the compute type of the reference run that measures errors, and by the
// generator's own checks.
//
// Error    per operation a few 2^-106 relative (accurate addition, not the sloppy one); products are exact by FMA.
// Range    that of double; products whose low part falls below 2^-1074 lose it.
// Build    needs -ffp-contract=off where the target has FMA, and never -ffast-math.
// Source   Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building blocks of double-word arithmetic", 2017.
#ifndef ULPFFT_CODELETS_CONTRACT_DOUBLE_DOUBLE_H_
#define ULPFFT_CODELETS_CONTRACT_DOUBLE_DOUBLE_H_

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace ulpfft {

struct DoubleDouble {
  double hi = 0;
  double lo = 0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double value) : hi(value) {}  // NOLINT: a double is a double-double
  constexpr DoubleDouble(double high, double low) : hi(high), lo(low) {}
  template <std::integral Integer>
  explicit constexpr DoubleDouble(Integer value) {
    // Both halves are exact, and so is their sum as a pair; 64-bit integers and narrower.
    using Wide = std::conditional_t<std::is_signed_v<Integer>, std::int64_t, std::uint64_t>;
    const Wide wide = static_cast<Wide>(value);
    const double high = static_cast<double>(wide >> 32) * 4294967296.0;
    const double low = static_cast<double>(wide & Wide{0xffffffff});
    hi = high + low;
    lo = low - (hi - high);
  }
};

// s + e == a + b exactly.
constexpr DoubleDouble two_sum(double a, double b) {
  const double s = a + b;
  const double part = s - a;
  return {s, (a - (s - part)) + (b - part)};
}

// As two_sum where |a| >= |b| or a == 0.
constexpr DoubleDouble quick_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

// p + e == a * b exactly.
inline DoubleDouble two_prod(double a, double b) {
  const double p = a * b;
  return {p, std::fma(a, b, -p)};
}

constexpr DoubleDouble operator-(DoubleDouble a) { return {-a.hi, -a.lo}; }

constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble s = two_sum(a.hi, b.hi);
  const DoubleDouble t = two_sum(a.lo, b.lo);
  const DoubleDouble v = quick_two_sum(s.hi, s.lo + t.hi);
  return quick_two_sum(v.hi, v.lo + t.lo);
}

constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + (-b); }

inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble p = two_prod(a.hi, b.hi);
  const double cross = std::fma(a.lo, b.hi, std::fma(a.hi, b.lo, a.lo * b.lo));
  return quick_two_sum(p.hi, p.lo + cross);
}

inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double q0 = a.hi / b.hi;
  const DoubleDouble r0 = a - b * DoubleDouble(q0);
  const double q1 = r0.hi / b.hi;
  const DoubleDouble r1 = r0 - b * DoubleDouble(q1);
  const double q2 = r1.hi / b.hi;
  return quick_two_sum(q0, q1) + DoubleDouble(q2);
}

constexpr DoubleDouble& operator+=(DoubleDouble& a, DoubleDouble b) { return a = a + b; }
constexpr DoubleDouble& operator-=(DoubleDouble& a, DoubleDouble b) { return a = a - b; }
inline DoubleDouble& operator*=(DoubleDouble& a, DoubleDouble b) { return a = a * b; }
inline DoubleDouble& operator/=(DoubleDouble& a, DoubleDouble b) { return a = a / b; }

constexpr bool operator==(DoubleDouble a, DoubleDouble b) { return a.hi == b.hi && a.lo == b.lo; }
constexpr bool operator!=(DoubleDouble a, DoubleDouble b) { return !(a == b); }
constexpr bool operator<(DoubleDouble a, DoubleDouble b) { return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo); }
constexpr bool operator>(DoubleDouble a, DoubleDouble b) { return b < a; }
constexpr bool operator<=(DoubleDouble a, DoubleDouble b) { return !(b < a); }
constexpr bool operator>=(DoubleDouble a, DoubleDouble b) { return !(a < b); }

constexpr DoubleDouble abs(DoubleDouble a) { return a < DoubleDouble() ? -a : a; }

// a >= 0; one Newton step from the square root of the high part, carried in double-double.
inline DoubleDouble sqrt(DoubleDouble a) {
  if (!(a.hi > 0)) return DoubleDouble(std::sqrt(a.hi));
  const double root = std::sqrt(a.hi);
  const DoubleDouble first = quick_two_sum(root, (a - two_prod(root, root)).hi / (2 * root));
  const DoubleDouble rest = a - first * first;
  return first + DoubleDouble(rest.hi / (2 * root));
}

// The value rounded once, to nearest even, whatever the type: a conversion by way of hi alone would round twice.
template <class T>
inline T round_to(DoubleDouble value) {
  if constexpr (std::is_same_v<T, DoubleDouble>) {
    return value;
  } else if constexpr (std::is_same_v<T, double>) {
    return value.hi;
  } else {
    static_assert(std::is_same_v<T, float>, "round_to knows float, double and DoubleDouble");
    if (value.lo == 0 || value.hi == 0 || !std::isfinite(value.hi)) return static_cast<float>(value.hi);
    // Round to odd in double first: 53 bits hold 24 and a sticky bit, so the second rounding sees all of the value.
    std::uint64_t bits = std::bit_cast<std::uint64_t>(value.hi);
    if ((value.lo < 0) != (value.hi < 0)) --bits;
    return static_cast<float>(std::bit_cast<double>(bits | 1));
  }
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_DOUBLE_DOUBLE_H_
