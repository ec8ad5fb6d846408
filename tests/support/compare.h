// Distance from the exact result, and the gates it has to pass (design 6.10).
#ifndef ULPFFT_TESTS_SUPPORT_COMPARE_H_
#define ULPFFT_TESTS_SUPPORT_COMPARE_H_

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

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

// Release gate for smooth lengths, for a mean over at least 2^14 outputs of complex normal data; n = 1 is exact.
template <typename T>
double gate(std::int64_t points) {
  return Storage<T>::kUnitRoundoff * std::sqrt(std::log2(static_cast<double>(points)));
}
// By the nodes of a recipe: a convolution is two transforms of two to four times the length, and products with tables between them; one
// inside another is done twice, and once more for the filter of the outer one where that is transformed in the arithmetic of the plan: in f64
// beyond 4096 points (planner/line_table.h). Taken as independent, the errors of k transforms are sqrt(k) times that of one.
template <typename T>
double gate_of(std::string_view recipe, std::int64_t points) {
  int convolutions = 0;
  for (const std::string_view word : {"rader(", "bluestein("}) {
    for (std::size_t at = recipe.find(word); at != recipe.npos; at = recipe.find(word, at + 1)) ++convolutions;
  }
  const double inner_transforms = std::is_same_v<T, double> ? 3.0 : 2.0;
  return (convolutions == 0 ? 1.0 : 2.0 * std::pow(inner_transforms, 0.5 * (convolutions - 1))) * gate<T>(points);
}
inline constexpr std::int64_t kGateOutputs = 1 << 14;

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
