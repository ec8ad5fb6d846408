// Distance from the exact result, and the gates it has to pass (design 6.10).
#ifndef ULPFFT_TESTS_SUPPORT_COMPARE_H_
#define ULPFFT_TESTS_SUPPORT_COMPARE_H_

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
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
  const auto number_at = [&](std::size_t at) { return std::strtoll(std::string(recipe.substr(at, 20)).c_str(), nullptr, 10); };
  double square = 1;
  std::size_t outer = recipe.npos;  // the convolution before
  for (std::size_t at = 0; at < recipe.size(); ++at) {
    const bool is_bluestein = recipe.substr(at).starts_with("bluestein(");
    if (!is_bluestein && !recipe.substr(at).starts_with("rader(")) continue;
    const std::size_t open = recipe.find('(', at);
    if (outer == recipe.npos) {
      square = 4;
    } else {
      // Its filter is as long as the transform it has inside, which this length divides.
      int depth = 0;
      bool is_inside = true;
      for (std::size_t i = recipe.find('(', outer); i < at; ++i) {
        depth += recipe[i] == '(' ? 1 : recipe[i] == ')' ? -1 : 0;
        is_inside = is_inside && depth > 0;
      }
      const bool pads = recipe.substr(outer).starts_with("bluestein(");
      const std::int64_t filter = std::max<std::int64_t>(number_at(open + 1), pads ? number_at(recipe.find(';', outer) + 1) : number_at(recipe.find('(', outer) + 1) - 1);
      square *= std::is_same_v<T, double> && is_inside && filter > 1 << 12 ? 3 : 2;
    }
    outer = at;
  }
  return std::sqrt(square) * gate<T>(points);
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
