// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/convert/prescale.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "planner/convert/exponents.h"
#include "planner/system/round_to_nearest.h"

namespace ulpfft {

template <typename T>
int prescale_exponent(const T* re, const T* im, std::int64_t stride, std::int64_t count, const PrescaleRule& rule) {
  constexpr double kSmallest = 1e-30;
  const RoundToNearest nearest;
  std::vector<double> magnitudes;
  magnitudes.reserve(static_cast<std::size_t>(count));
  double largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double magnitude = std::hypot(static_cast<double>(re[i * stride]), static_cast<double>(im[i * stride]));
    if (magnitude > 0 && std::isfinite(magnitude)) magnitudes.push_back(magnitude);
  }
  if (magnitudes.empty()) return 0;
  largest = *std::max_element(magnitudes.begin(), magnitudes.end());
  double k = std::nearbyint(std::log2(rule.target / std::max(largest, kSmallest)));
  if (rule.least > 0) {
    const double position = rule.percentile / 100 * static_cast<double>(magnitudes.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(position);
    std::nth_element(magnitudes.begin(), magnitudes.begin() + below, magnitudes.end());
    double percentile = magnitudes[static_cast<std::size_t>(below)];
    if (below + 1 < std::ssize(magnitudes)) {
      const double above = *std::min_element(magnitudes.begin() + below + 1, magnitudes.end());
      percentile += (above - percentile) * (position - static_cast<double>(below));
    }
    k = std::max(k, std::ceil(std::log2(rule.least / std::max(percentile, kSmallest))));
  }
  return static_cast<int>(std::clamp(k, static_cast<double>(rule.lowest), static_cast<double>(rule.highest)));
}

namespace {

// |z * factor|^2, or 0 where that is not finite.
template <typename T>
double finite_square(const T* z, double factor) {
  const double re = factor * static_cast<double>(z[0]), im = factor * static_cast<double>(z[1]);
  const double square = re * re + im * im;
  return square <= std::numeric_limits<double>::max() ? square : 0.0;
}

// The largest of those.
template <typename T>
double largest_square(const T* numbers, std::int64_t count, double factor) {
  constexpr std::int64_t kBlock = 64, kLanes = 4;  // constants: g++ and clang make vectors of such loops at -O2
  double most[kLanes] = {};
  double largest = 0;
  std::int64_t i = 0;
  for (; i + kBlock <= count; i += kBlock) {
    // Blocks whose parts are too small for it are not looked through; this rounds up wherever a sum of their squares would.
    if (largest != 0) {
      const double part = factor * static_cast<double>(largest_finite(numbers + 2 * i, 2 * kBlock));
      if (2.0 * part * part <= largest) continue;
    }
    double squares[kBlock];
    for (std::int64_t j = 0; j < kBlock; ++j) squares[j] = finite_square(numbers + 2 * (i + j), factor);
    for (std::int64_t j = 0; j < kBlock; j += kLanes) {
      for (std::int64_t l = 0; l < kLanes; ++l) most[l] = std::max(most[l], squares[j + l]);
    }
    largest = *std::max_element(most, most + kLanes);
  }
  for (; i < count; ++i) largest = std::max(largest, finite_square(numbers + 2 * i, factor));
  return largest;
}

// A power of two near the largest finite part: no square of an f64 leaves the range beside it.
int power_near(const double* numbers, std::int64_t count) {
  double part = 0;
  for (std::int64_t i = 0; i < 2 * count; i += 2) {
    const double larger = std::max(std::abs(numbers[i]), std::abs(numbers[i + 1]));
    if (larger > part && std::isfinite(numbers[i]) && std::isfinite(numbers[i + 1])) part = larger;
  }
  return part == 0 ? 0 : std::clamp(std::ilogb(part), -1000, 1000);
}

}  // namespace

template <typename T>
std::optional<int> amax_exponent(const T* numbers, std::int64_t count, double target) {
  int power = 0;  // f64 holds the squares of f32
  if constexpr (sizeof(T) == 8) power = power_near(numbers, count);
  const double square = largest_square(numbers, count, std::ldexp(1.0, -power));
  if (square == 0) return std::nullopt;
  const RoundToNearest nearest;
  return static_cast<int>(std::nearbyint(std::log2(target / std::sqrt(square)) - power));
}

template std::optional<int> amax_exponent<float>(const float*, std::int64_t, double);
template std::optional<int> amax_exponent<double>(const double*, std::int64_t, double);
template int prescale_exponent<float>(const float*, const float*, std::int64_t, std::int64_t, const PrescaleRule&);
template int prescale_exponent<double>(const double*, const double*, std::int64_t, std::int64_t, const PrescaleRule&);

}  // namespace ulpfft
