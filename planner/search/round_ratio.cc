// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/search/round_ratio.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ulpfft {
namespace {

constexpr std::size_t kWindow = 5;         // rounds
constexpr double kUnknownDoubt = 0.03;     // least doubt of fewer than kConfirmed samples
constexpr std::size_t kConfirmed = 3;
constexpr double kErrorsBetween = 3;       // standard errors between two guesses of which one is right
constexpr double kDeviation = 1.4826;      // standard deviation of a normal distribution over its median absolute deviation
constexpr double kErrorOfMedian = 1.2533;  // standard error of a median over that of a mean

struct Least {
  double first, second;
  double gap() const { return second / first - 1; }
};

// The two least samples; if there is only one, it is both.
Least least_of(std::span<const double> samples) {
  Least least{samples[0], INFINITY};
  for (const double sample : samples.subspan(1)) {
    least.second = std::min(least.second, std::max(sample, least.first));
    least.first = std::min(least.first, sample);
  }
  if (samples.size() == 1) least.second = least.first;
  return least;
}

// The ratio from one window of rounds. A plan may have dropped out in rounds that disturbed the other one, so all of its samples count.
RoundRatio ratio_of_one_window(std::span<const double> samples, std::span<const double> reference) {
  const Least own = least_of(samples);
  const Least other = least_of(reference);
  RoundRatio result{own.first / other.first, 0.5 * (own.gap() + other.gap())};
  if (own.gap() + 1 > kSamePace || other.gap() + 1 > kSamePace) {
    std::vector<double> ratios;
    for (std::size_t r = 0; r < std::min(samples.size(), reference.size()); ++r) ratios.push_back(samples[r] / reference[r]);
    const double of_all = median_of(std::move(ratios));
    result.doubt = std::abs(of_all - result.value) / std::max(of_all, result.value) / kErrorsBetween;
    result.value = std::max(of_all, result.value);
  }
  if (std::min(samples.size(), reference.size()) < kConfirmed) result.doubt = std::max(result.doubt, kUnknownDoubt);
  return result;
}

}  // namespace

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

RoundRatio round_ratio(std::span<const double> samples, std::span<const double> reference) {
  const std::size_t count = std::min(samples.size(), reference.size());
  const std::size_t windows = count / kWindow;
  if (windows < 2) return ratio_of_one_window(samples, reference);
  std::vector<double> ratios;
  for (std::size_t w = 0; w < windows; ++w) {
    const std::size_t begin = w * count / windows;
    const std::size_t length = (w + 1) * count / windows - begin;
    ratios.push_back(least_of(samples.subspan(begin, length)).first / least_of(reference.subspan(begin, length)).first);
  }
  RoundRatio result{median_of(ratios), 0};
  std::vector<double> deviations;
  for (const double ratio : ratios) deviations.push_back(std::abs(ratio / result.value - 1));
  result.doubt = kErrorOfMedian * kDeviation * median_of(std::move(deviations)) / std::sqrt(static_cast<double>(windows));
  return result;
}

double undisturbed_median(std::span<const double> samples) {
  const double least = *std::min_element(samples.begin(), samples.end());
  std::vector<double> kept;
  for (const double sample : samples) {
    if (sample <= kSamePace * least) kept.push_back(sample);
  }
  return median_of(std::move(kept));
}

}  // namespace ulpfft
