// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Double-double arithmetic of the oracle: the unevaluated sum of two doubles, about 106 bits.
//
// The oracle's own, on purpose: it shares no line with the arithmetic it judges. Products use Dekker's split, so that nothing
// depends on the machine having FMA.
//
// Error   sums 2 * 2^-106 (accurate form, no cancellation clause), products 4 * 2^-106, quotients 10 * 2^-106, relative.
// Domain  magnitudes between 2^-900 and 2^900; the split overflows beyond.
// Source  Dekker 1971; Joldes, Muller, Popescu, ACM TOMS 44 (2017).
#ifndef ULPFFT_TESTS_SUPPORT_DOUBLE_DOUBLE_H_
#define ULPFFT_TESTS_SUPPORT_DOUBLE_DOUBLE_H_

namespace ulpfft::test {

struct DoubleDouble {
  double hi = 0;
  double lo = 0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double high, double low = 0) : hi(high), lo(low) {}
  constexpr double value() const { return hi + lo; }
  constexpr bool operator==(const DoubleDouble&) const = default;
};

// a + b exactly, for |a| >= |b|.
constexpr DoubleDouble quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a + b exactly.
constexpr DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

// a * b exactly.
constexpr DoubleDouble two_product(double a, double b) {
  constexpr double kSplit = 134217729.0;  // 2^27 + 1
  const double a_scaled = kSplit * a;
  const double a_high = a_scaled - (a_scaled - a);
  const double a_low = a - a_high;
  const double b_scaled = kSplit * b;
  const double b_high = b_scaled - (b_scaled - b);
  const double b_low = b - b_high;
  const double product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

constexpr DoubleDouble operator-(DoubleDouble a) { return {-a.hi, -a.lo}; }

constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = two_sum(a.hi, b.hi);
  const DoubleDouble low = two_sum(a.lo, b.lo);
  const DoubleDouble middle = quick_two_sum(high.hi, high.lo + low.hi);
  return quick_two_sum(middle.hi, middle.lo + low.lo);
}

constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = two_product(a.hi, b.hi);
  return quick_two_sum(high.hi, high.lo + (a.hi * b.lo + a.lo * b.hi));
}

constexpr DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double first = a.hi / b.hi;
  const DoubleDouble rest = a - b * DoubleDouble(first);
  const double second = rest.hi / b.hi;
  const DoubleDouble last = rest - b * DoubleDouble(second);
  const DoubleDouble sum = quick_two_sum(first, second);
  return sum + DoubleDouble(last.hi / b.hi);
}

struct ComplexDD {
  DoubleDouble re;
  DoubleDouble im;
  constexpr bool operator==(const ComplexDD&) const = default;
};

constexpr ComplexDD operator+(const ComplexDD& a, const ComplexDD& b) { return {a.re + b.re, a.im + b.im}; }
constexpr ComplexDD operator-(const ComplexDD& a, const ComplexDD& b) { return {a.re - b.re, a.im - b.im}; }
constexpr ComplexDD operator*(const ComplexDD& a, const ComplexDD& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
constexpr ComplexDD operator*(DoubleDouble a, const ComplexDD& b) { return {a * b.re, a * b.im}; }

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_DOUBLE_DOUBLE_H_
