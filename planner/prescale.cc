#include "planner/prescale.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "planner/round_to_nearest.h"

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

template int prescale_exponent<float>(const float*, const float*, std::int64_t, std::int64_t, const PrescaleRule&);
template int prescale_exponent<double>(const double*, const double*, std::int64_t, std::int64_t, const PrescaleRule&);

}  // namespace ulpfft
