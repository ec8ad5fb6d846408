// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/signal/design.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "tools/ulpfft/signal/window.h"

namespace ulpfft_tool::signals {
namespace {

// Of frequencies up to `edge`, with a sum of 1.
std::vector<double> low_pass(double edge, std::int64_t count, double beta) {
  std::vector<double> taps(static_cast<std::size_t>(count));
  const double middle = static_cast<double>(count - 1) / 2;
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) - middle, x = middle > 0 ? t / middle : 0;
    const double ideal = t == 0 ? 2 * edge : std::sin(2 * std::numbers::pi * edge * t) / (std::numbers::pi * t);
    taps[static_cast<std::size_t>(i)] = ideal * static_cast<double>(bessel_i0(beta * std::sqrt(std::max(0.0, 1 - x * x))));
    sum += taps[static_cast<std::size_t>(i)];
  }
  for (double& tap : taps) tap /= sum;
  return taps;
}

}  // namespace

double kaiser_beta(double attenuation) {
  if (attenuation > 50) return 0.1102 * (attenuation - 8.7);
  return attenuation > 21 ? 0.5842 * std::pow(attenuation - 21, 0.4) + 0.07886 * (attenuation - 21) : 0;
}

std::int64_t count_taps(const Band& band) {
  const double order = std::max(band.attenuation - 7.95, 1.0) / (2.285 * 2 * std::numbers::pi * band.transition);
  return 2 * static_cast<std::int64_t>(std::ceil(std::min(order, 2.0 * kMostTaps) / 2)) + 1;
}

std::vector<double> design_taps(const Band& band) {
  const std::int64_t count = count_taps(band), half = count / 2;
  const double beta = kaiser_beta(band.attenuation);
  if (!band.complex_taps && band.low == 0) return low_pass(band.high, count, beta);
  if (!band.complex_taps && band.high >= 0.5) {
    std::vector<double> taps = low_pass(band.low, count, beta);
    for (double& tap : taps) tap = -tap;
    taps[static_cast<std::size_t>(half)] += 1;
    return taps;
  }
  const std::vector<double> envelope = low_pass((band.high - band.low) / 2, count, beta);
  std::vector<double> taps;
  for (std::int64_t i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * (band.high + band.low) / 2 * static_cast<double>(i - half),
                 tap = envelope[static_cast<std::size_t>(i)];
    taps.push_back(tap * std::cos(angle) * (band.complex_taps ? 1 : 2));
    if (band.complex_taps) taps.push_back(tap * std::sin(angle));
  }
  return taps;
}

}  // namespace ulpfft_tool::signals
