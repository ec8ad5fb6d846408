// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms by their definition, in f64.
#ifndef ULPFFT_TESTS_PLANNER_INTERPRET_DFT_H_
#define ULPFFT_TESTS_PLANNER_INTERPRET_DFT_H_

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

namespace ulpfft::test {

using Complex = std::complex<double>;

// exp(-2 pi i k / n)
inline Complex root(std::int64_t k, std::int64_t n) {
  const double angle = -2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}

inline std::vector<Complex> dft(const std::vector<Complex>& in) {
  const auto n = static_cast<std::int64_t>(in.size());
  std::vector<Complex> roots, out(in.size());
  for (std::int64_t k = 0; k < n; ++k) roots.push_back(root(k, n));
  for (std::int64_t k = 0; k < n; ++k) {
    for (std::int64_t j = 0; j < n; ++j)
      out[static_cast<std::size_t>(k)] += in[static_cast<std::size_t>(j)] * roots[static_cast<std::size_t>(j * k % n)];
  }
  return out;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_INTERPRET_DFT_H_
