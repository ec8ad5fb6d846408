// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How a filter is computed: direct sums, or blocks of samples and partitions of the taps.
#ifndef ULPFFT_STREAM_FILTER_SHAPE_H_
#define ULPFFT_STREAM_FILTER_SHAPE_H_

#include <cstdint>

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

// For blocks of a given size.
FilterShape given_shape(const FilterSpec& spec, std::int64_t block);
// By estimates of the planner: the shortest blocks that cost little more than the fastest.
FilterShape choose_shape(const StreamRequest& request, const FilterSpec& spec);

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_FILTER_SHAPE_H_
