// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Distance from the exact result.
#ifndef ULPFFT_TESTS_SUPPORT_COMPARE_H_
#define ULPFFT_TESTS_SUPPORT_COMPARE_H_

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "tests/support/api.h"
#include "tests/support/double_double.h"

namespace ulpfft::test {

// Sums of squares; differences are taken in double-double, so nothing is lost for f64.
struct ErrorSum {
  double error = 0;
  double signal = 0;

  template <typename T>
  void add(std::complex<T> got, const ComplexDD& expected) {
    const double re = (DoubleDouble(static_cast<double>(got.real())) - expected.re).value();
    const double im = (DoubleDouble(static_cast<double>(got.imag())) - expected.im).value();
    error += re * re + im * im;
    const double size_re = expected.re.value();
    const double size_im = expected.im.value();
    signal += size_re * size_re + size_im * size_im;
  }
  // NaN stays NaN, and fails every comparison.
  double relative_l2() const { return error == 0 ? 0 : std::sqrt(error / signal); }
};

template <typename T>
double relative_l2(std::span<const std::complex<T>> got, std::span<const ComplexDD> expected) {
  ErrorSum sum;
  for (std::size_t i = 0; i < got.size(); ++i) sum.add(got[i], expected[i]);
  return sum.relative_l2();
}

// Holds for any finite input that neither overflows nor underflows: Higham's theorem 24.2 with twiddles good to one u; one
// more factor for a scale. For tests of where data go, whose samples are too small for the gate.
template <typename T>
double theorem_bound(std::int64_t points) {
  return 6.7 * Storage<T>::kUnitRoundoff * (std::log2(static_cast<double>(points)) + 1.0);
}

// Position of the first element whose bits differ.
template <typename T>
std::optional<std::size_t> first_difference(std::span<const T> a, std::span<const T> b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (std::memcmp(&a[i], &b[i], sizeof(T)) != 0) return i;
  }
  if (a.size() != b.size()) return std::min(a.size(), b.size());
  return std::nullopt;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_COMPARE_H_
