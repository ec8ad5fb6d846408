// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "stream/filter_shape.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace ulpfft {
namespace {

// Costs of what is no transform, in seconds of the machine that the planner's shipped costs are of.
constexpr double kDirectSecondsPerByte = 6e-12;    // of a real product and sum, per byte of a number
constexpr double kProductSecondsPerByte = 1.2e-11; // of what a product of two spectra reads, from the nearest caches
constexpr double kFarSecondsPerByte = 4e-11;       // the same, where the spectra do not fit there
constexpr double kNearBytes = 1 << 20;
constexpr double kCopySecondsPerByte = 5e-11;      // in and out of windows and queue

constexpr int kLeastLog2 = 6;
constexpr int kMostLog2 = 21;  // longer ones gain nothing, and take long to plan

constexpr double kWorthLatency = 1.15;  // a shorter block may cost so much more than the fastest

std::int64_t next_smooth_even(std::int64_t n) {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t five = 2; five < 4 * n; five *= 5) {
    for (std::int64_t three = five; three < 4 * n; three *= 3) {
      std::int64_t two = three;
      while (two < n) two *= 2;
      best = std::min(best, two);
    }
  }
  return best;
}

// One shape for every power of two: a single partition where the taps fill at most half of it.
FilterShape shape_of(const FilterSpec& spec, int log2) {
  const std::int64_t transform = std::int64_t{1} << log2;
  if (2 * spec.tap_count <= transform) return {transform - spec.tap_count + 1, transform, 1};
  const std::int64_t block = transform / 2;
  return {block, transform, (spec.tap_count + block - 1) / block};
}

double direct_seconds(const FilterSpec& spec) {
  const double products = (spec.complex_samples ? 2 : 1) * (spec.complex_taps ? 2 : 1);
  return products * static_cast<double>(spec.tap_count) * kDirectSecondsPerByte * (spec.f64 ? 8 : 4);
}

// Of a sample, with so many seconds for both transforms.
double block_seconds(const FilterSpec& spec, const FilterShape& shape, double transforms) {
  const double number = spec.f64 ? 8 : 4;
  const double spectra = 4 * number * static_cast<double>(shape.partitions * filter_bins(spec, shape));
  const double products = spectra * (spectra <= kNearBytes ? kProductSecondsPerByte : kFarSecondsPerByte);
  const double parts = spec.complex_items() ? 2 : 1;
  const double copies = static_cast<double>(shape.transform + 2 * shape.block) * number * parts * kCopySecondsPerByte;
  return (transforms + products + copies) / static_cast<double>(shape.block);
}

// Without the planner.
double rough_seconds(const FilterSpec& spec, const FilterShape& shape) {
  constexpr double kSecondsPerOperation = 2e-11;
  const double n = static_cast<double>(shape.transform);
  return block_seconds(spec, shape, 5 * n * std::log2(n) * kSecondsPerOperation * (spec.f64 ? 2 : 1) * (spec.complex_items() ? 2 : 1));
}

double planned_seconds(const StreamRequest& request, const FilterSpec& spec, const FilterShape& shape) {
  const double there = estimate_transform(request, forward_transform(spec, shape)).seconds;
  const double back = estimate_transform(request, inverse_transform(spec, shape)).seconds;
  return there > 0 && back > 0 ? block_seconds(spec, shape, there + back) : rough_seconds(spec, shape);
}

}  // namespace

LineTransform forward_transform(const FilterSpec& spec, const FilterShape& shape) {
  return {spec.complex_items() ? ULPFFT_C2C : ULPFFT_R2C, shape.transform, ULPFFT_FORWARD};
}

LineTransform inverse_transform(const FilterSpec& spec, const FilterShape& shape) {
  // Forward is the sign + of c2r, as c/problem.h defines it.
  if (!spec.complex_items()) return {ULPFFT_C2R, shape.transform, ULPFFT_FORWARD};
  return {ULPFFT_C2C, shape.transform, ULPFFT_BACKWARD};
}

std::int64_t filter_bins(const FilterSpec& spec, const FilterShape& shape) {
  return spec.complex_items() ? shape.transform : shape.transform / 2 + 1;
}

FilterShape given_shape(const FilterSpec& spec, std::int64_t block) {
  if (block == 1) return {};
  if (spec.tap_count <= block) return {block, next_smooth_even(block + spec.tap_count - 1), 1};
  return {block, 2 * block, (spec.tap_count + block - 1) / block};
}

FilterShape choose_shape(const StreamRequest& request, const FilterSpec& spec) {
  std::vector<FilterShape> shapes;
  for (int log2 = kLeastLog2; log2 <= kMostLog2; ++log2) shapes.push_back(shape_of(spec, log2));
  const auto rough = std::min_element(shapes.begin(), shapes.end(), [&](const FilterShape& a, const FilterShape& b) {
    return rough_seconds(spec, a) < rough_seconds(spec, b);
  });
  // The planner is asked from the roughly best one on, downhill: plans of long transforms take a while.
  auto best = static_cast<std::ptrdiff_t>(rough - shapes.begin());
  double least = planned_seconds(request, spec, shapes[static_cast<std::size_t>(best)]);
  for (const std::ptrdiff_t step : {-1, 1}) {
    const std::ptrdiff_t begin = best;
    for (std::ptrdiff_t at = begin + step; at >= 0 && at < std::ssize(shapes); at += step) {
      const double seconds = planned_seconds(request, spec, shapes[static_cast<std::size_t>(at)]);
      if (seconds >= least) break;
      least = seconds;
      best = at;
    }
    if (best != begin) break;
  }
  if (direct_seconds(spec) <= least) return {};
  while (best > 0 && planned_seconds(request, spec, shapes[static_cast<std::size_t>(best) - 1]) <= kWorthLatency * least) --best;
  return shapes[static_cast<std::size_t>(best)];
}

}  // namespace ulpfft
