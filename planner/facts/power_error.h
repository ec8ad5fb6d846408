// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Relative L2 errors of |X|^2, for X of normal data: complex numbers with parts of equal rms, so that a power is distributed exponentially.
//
// The power of X + e is |X|^2 + 2 Re(conj(X) e) + |e|^2. Where e is random and of relative rms s, the second term has the relative rms s,
// because the mean of |X|^4 is twice the square of that of |X|^2, and the third has s^2. A factor 1 + b of all X counts twice.
//
// Roundings of the last sums are as large as the numbers that they round: their square counts three times in place of once, because re^4
// has three times the square of the mean of re^2. Sums of one level before are half of two results each, and so on: 1 + 2 / 2^l times at
// l levels before the end, which makes 4 times that of one level in all.
#ifndef ULPFFT_PLANNER_FACTS_POWER_ERROR_H_
#define ULPFFT_PLANNER_FACTS_POWER_ERROR_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "codelets/contract/storage.h"
#include "planner/scheme/rounding.h"

namespace ulpfft {

inline constexpr double kBiasOfPower = 2;

// What the squared error of powers has beyond that of X: the third term, the part of the roundings `rounded` of a transform of so many
// points that follows its results, and three roundings of an arithmetic with this unit. The two squares have three quarters of the mean
// square of their sum. Spectra of real numbers are untangled last, by more roundings than a level has: half as much again.
inline double square_of_powers(double square, double rounded, double points, bool of_reals, double u) {
  const double levels = std::max(1.0, std::log2(points)), last = points > 1 ? (of_reals ? 6 : 4) * (1 - 1 / points) / levels : 2;
  return square * square + last * rounded + 1.75 * kRmsOfUnit * kRmsOfUnit * u * u;
}

// The error of storing powers of this mean in rows of so many reals, measured with the slow codec on the same 2^12 numbers each time:
// within about 2 % of the expectation, where hardly any are beyond the largest value.
inline double stored_powers_error(const Storage& s, double mean, std::int64_t row_reals) {
  constexpr std::int64_t kCount = 1 << 12;
  const std::int64_t row = std::clamp<std::int64_t>(row_reals, 1, kCount);
  std::vector<double> reals(static_cast<std::size_t>(row)), back(reals.size());
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(code_bytes(s, row))), scales(static_cast<std::size_t>(scale_bytes(s, row)));
  double error = 0, norm = 0;
  for (std::int64_t begin = 0; begin < kCount; begin += row) {
    for (std::int64_t i = 0; i < row; ++i) {
      const auto number = static_cast<std::uint64_t>(begin + i);
      reals[static_cast<std::size_t>(i)] = -mean * std::log((random_bits(1, number) * 65536.0 + random_bits(2, number) + 0.5) * 0x1p-32);
    }
    encode_row(s, reals.data(), {}, row, codes.data(), {}, scales.data(), Rounding::kNearestSaturate, {});
    decode_row(s, codes.data(), {}, scales.data(), row, back.data(), {});
    for (std::size_t i = 0; i < reals.size(); ++i) {
      const double real = reals[i] / mean, difference = back[i] / mean - real;
      error += difference * difference;
      norm += real * real;
    }
  }
  // Powers beyond the largest value, as rare as few of these numbers are: the mean square of what they lose, over that of powers, is
  // exp(-largest / mean), and where less than one of a measurement's 2^14 outputs is expected, it counts by the chance of one.
  const double tail = s.scale == nullptr ? std::exp(-largest_value(*s.element) / mean) : 0;
  const double rare = kCount * tail < 1 ? tail * std::min(1.0, 4 * kCount * tail) : 0;
  return std::sqrt(error / norm + rare);
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_POWER_ERROR_H_
