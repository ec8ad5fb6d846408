// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "stream/filter_shape.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
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

constexpr std::int64_t kLeastBlock = 32;
constexpr std::int64_t kMostLayerBlock = 1 << 20;
constexpr int kMostLayers = 8;

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

// Roughly that of both transforms, without the planner.
double rough_transforms(const FilterSpec& spec, std::int64_t transform) {
  constexpr double kSecondsPerOperation = 2e-11;
  const double n = static_cast<double>(transform);
  return 5 * n * std::log2(n) * kSecondsPerOperation * (spec.f64 ? 2 : 1) * (spec.complex_items() ? 2 : 1);
}

// Seconds of a sample, with so many seconds for both transforms.
double block_seconds(const FilterSpec& spec, const FilterShape& shape, double transforms) {
  const double number = spec.f64 ? 8 : 4;
  const double spectra = 4 * number * static_cast<double>(shape.partitions * filter_bins(spec, shape));
  const double products = spectra * (spectra <= kNearBytes ? kProductSecondsPerByte : kFarSecondsPerByte);
  const double parts = spec.complex_items() ? 2 : 1;
  const double copies = static_cast<double>(shape.transform + 2 * shape.block) * number * parts * kCopySecondsPerByte;
  return (transforms + products + copies) / static_cast<double>(shape.block);
}

FilterLayer whole_filter(const FilterSpec& spec, const FilterShape& shape) { return {shape, 0, spec.tap_count}; }

// Layers behind a first one of `head` samples: blocks of `block`, then `ratio` times as long, and so on; `count` of them at most.
FilterLayers layers_behind(const FilterSpec& spec, std::int64_t head, std::int64_t block, std::int64_t ratio, int count) {
  FilterLayers layers = {{FilterShape{}, 0, std::min(block - head, spec.tap_count)}};
  if (head > 1) layers[0].shape = given_shape(layer_spec(spec, layers[0]), head);
  for (int i = 0; i < count; ++i) {
    const std::int64_t first = block - head;
    if (first >= spec.tap_count) break;
    const std::int64_t end = i + 1 == count ? spec.tap_count : std::min(block * ratio - head, spec.tap_count);
    FilterLayer layer = {{}, first, end - first};
    layer.shape = given_shape(layer_spec(spec, layer), block);
    layers.push_back(layer);
    block *= ratio;
  }
  return layers;
}

}  // namespace

StreamRequest layer_request(const StreamRequest& request, const FilterSpec& spec, const FilterLayer& layer) {
  StreamRequest one = request;
  const std::int64_t bytes = (spec.f64 ? 8 : 4) * (spec.complex_taps ? 2 : 1);
  one.options.taps = static_cast<const char*>(request.options.taps) + layer.first_tap * bytes;
  one.options.tap_count = layer.tap_count;
  return one;
}

FilterSpec layer_spec(const FilterSpec& spec, const FilterLayer& layer) {
  FilterSpec one = spec;
  one.tap_count = layer.tap_count;
  return one;
}

double FilterCosts::seconds(const FilterShape& shape, std::int64_t tap_count) {
  FilterSpec spec = spec_;
  spec.tap_count = tap_count;
  if (shape.is_direct()) return direct_seconds(spec);
  const auto known = std::find_if(transforms_.begin(), transforms_.end(), [&](const auto& one) { return one.first == shape.transform; });
  if (known != transforms_.end()) return block_seconds(spec, shape, known->second);
  const double there = estimate_transform(request_, forward_transform(spec, shape)).seconds;
  const double back = estimate_transform(request_, inverse_transform(spec, shape)).seconds;
  transforms_.emplace_back(shape.transform, there > 0 && back > 0 ? there + back : rough_transforms(spec, shape.transform));
  return block_seconds(spec, shape, transforms_.back().second);
}

double FilterCosts::seconds(const FilterLayers& layers) {
  double all = 0;
  for (const FilterLayer& layer : layers) all += seconds(layer.shape, layer.tap_count);
  if (layers.size() == 1) return all;
  // Results of the later layers are added to what waits, which is read, added to those of the first, and cleared.
  const double reals = static_cast<double>(3 * (std::ssize(layers) - 1) + 4) * (spec_.complex_items() ? 2 : 1);
  return all + reals * (spec_.f64 ? 8 : 4) * kCopySecondsPerByte;
}

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

FilterShape choose_shape(const FilterSpec& spec, FilterCosts& costs) {
  std::vector<FilterShape> shapes;
  for (int log2 = kLeastLog2; log2 <= kMostLog2; ++log2) shapes.push_back(shape_of(spec, log2));
  const auto rough_seconds = [&](const FilterShape& shape) { return block_seconds(spec, shape, rough_transforms(spec, shape.transform)); };
  const auto rough = std::min_element(shapes.begin(), shapes.end(),
                                      [&](const FilterShape& a, const FilterShape& b) { return rough_seconds(a) < rough_seconds(b); });
  const auto seconds_at = [&](std::ptrdiff_t at) { return costs.seconds(shapes[static_cast<std::size_t>(at)], spec.tap_count); };
  // The planner is asked from the roughly best one on, downhill: plans of long transforms take a while.
  auto best = static_cast<std::ptrdiff_t>(rough - shapes.begin());
  double least = seconds_at(best);
  for (const std::ptrdiff_t step : {-1, 1}) {
    const std::ptrdiff_t begin = best;
    for (std::ptrdiff_t at = begin + step; at >= 0 && at < std::ssize(shapes); at += step) {
      const double seconds = seconds_at(at);
      if (seconds >= least) break;
      least = seconds;
      best = at;
    }
    if (best != begin) break;
  }
  if (direct_seconds(spec) <= least) return {};
  while (best > 0 && seconds_at(best - 1) <= kWorthLatency * least) --best;
  return shapes[static_cast<std::size_t>(best)];
}

FilterLayers choose_layers(const FilterSpec& spec, std::int64_t latency, FilterCosts& costs) {
  FilterLayers best = {whole_filter(spec, FilterShape{})};
  double least = costs.seconds(best);
  const auto offer = [&](FilterLayers layers) {
    const double seconds = costs.seconds(layers);
    if (seconds >= least) return;
    least = seconds;
    best = std::move(layers);
  };
  const auto block = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(latency + 1)));
  if (block >= kLeastBlock) offer({whole_filter(spec, given_shape(spec, block))});
  for (const std::int64_t head : {std::int64_t{1}, block}) {
    if (head > 1 && head < kLeastBlock) continue;
    for (const std::int64_t ratio : {2, 4, 8, 16}) {
      for (std::int64_t first : {1, 2, 4, 8}) {
        first *= head == 1 ? kLeastBlock : head * ratio;
        for (int count = 1; count <= kMostLayers; ++count) {
          FilterLayers layers = layers_behind(spec, head, first, ratio, count);
          if (std::ssize(layers) <= count || layers.back().shape.block > kMostLayerBlock) break;
          offer(std::move(layers));
        }
      }
    }
  }
  return best;
}

}  // namespace ulpfft
