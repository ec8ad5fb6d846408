// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Windows that are sums of cosines, by their formulas in ulpfft.h, in double-double.
#ifndef ULPFFT_TESTS_SUPPORT_WINDOWS_H_
#define ULPFFT_TESTS_SUPPORT_WINDOWS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "tests/support/double_double.h"
#include "tests/support/oracle.h"

namespace ulpfft::test {

struct CosineWindow {
  const char* name;
  double one;
  std::array<double, 5> terms;  // over `one`
};
inline constexpr CosineWindow kWindows[] = {{"hann", 100, {50, -50}},
                                            {"hamming", 100, {54, -46}},
                                            {"blackman", 100, {42, -50, 8}},
                                            {"blackmanharris", 1e5, {35875, -48829, 14128, -1168}},
                                            {"nuttall", 1e7, {3635819, -4891775, 1365995, -106411}},
                                            {"flattop", 1e9, {215578950, -416631580, 277263158, -83578947, 6947368}}};

// Factor `j` of n.
inline DoubleDouble factor_of(const CosineWindow& window, bool symmetric, std::int64_t n, std::int64_t j) {
  if (n == 1) return 1.0;
  const std::int64_t period = symmetric ? n - 1 : n;
  DoubleDouble sum;
  for (std::size_t k = 0; k < window.terms.size(); ++k) {
    const auto angle = static_cast<std::uint64_t>(static_cast<std::int64_t>(k) * j % period);
    sum = sum + DoubleDouble(window.terms[k]) * circle_point(angle, static_cast<std::uint64_t>(period)).re;
  }
  return sum / DoubleDouble(window.one);
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_WINDOWS_H_
