// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How a filter is computed: direct sums, or blocks of samples and partitions of the taps; for a latency below that of the fastest blocks,
// in layers of both.
#ifndef ULPFFT_STREAM_FILTER_SHAPE_H_
#define ULPFFT_STREAM_FILTER_SHAPE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "stream/plan.h"
#include "stream/stream.h"

namespace ulpfft {

// A transform of `transform` samples holds `block` new ones, and the samples before them that a partition of taps reaches. Partitions other
// than the last have `block` taps.
struct FilterShape {
  std::int64_t block = 1;
  std::int64_t transform = 0;   // 0: direct sums
  std::int64_t partitions = 0;
  bool is_direct() const noexcept { return transform == 0; }
};

// The filter that options ask for, all of whose members were checked.
struct FilterSpec {
  std::int64_t tap_count = 0;
  bool f64 = false;
  bool complex_samples = false;
  bool complex_taps = false;
  bool complex_items() const noexcept { return complex_samples || complex_taps; }
};

LineTransform forward_transform(const FilterSpec& spec, const FilterShape& shape);
LineTransform inverse_transform(const FilterSpec& spec, const FilterShape& shape);
// Bins of a spectrum: half of them for real samples and taps.
std::int64_t filter_bins(const FilterSpec& spec, const FilterShape& shape);

// Taps first_tap..first_tap+tap_count-1, computed alone. Their results are those of the filter from first_tap samples later on.
struct FilterLayer {
  FilterShape shape;
  std::int64_t first_tap = 0;
  std::int64_t tap_count = 0;
};
// Layers cover all taps, in order. Of a later layer first_tap is at least its block less that of the first layer, so that its results are
// there when the first layer's are; its block is a multiple of that of the layer before, direct sums aside.
using FilterLayers = std::vector<FilterLayer>;

// The request and the filter of a layer alone.
StreamRequest layer_request(const StreamRequest& request, const FilterSpec& spec, const FilterLayer& layer);
FilterSpec layer_spec(const FilterSpec& spec, const FilterLayer& layer);

// For blocks of a given size.
FilterShape given_shape(const FilterSpec& spec, std::int64_t block);

// What estimates of the planner say of filters. It asks once for each transform.
class FilterCosts {
 public:
  FilterCosts(const StreamRequest& request, const FilterSpec& spec) : request_(request), spec_(spec) {}
  // Seconds of a sample.
  double seconds(const FilterShape& shape, std::int64_t tap_count);
  double seconds(const FilterLayers& layers);

 private:
  const StreamRequest& request_;
  FilterSpec spec_;
  std::vector<std::pair<std::int64_t, double>> transforms_;  // length, and seconds there and back
};

// The shortest blocks that cost little more than the fastest.
FilterShape choose_shape(const FilterSpec& spec, FilterCosts& costs);
// The fastest of at most that latency.
FilterLayers choose_layers(const FilterSpec& spec, std::int64_t latency, FilterCosts& costs);

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_FILTER_SHAPE_H_
