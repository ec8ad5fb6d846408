// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/judge/problem_slice.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace ulpfft {
namespace {

constexpr std::int64_t kAligned = 64;  // bytes; plans are faster on such arrays, and callers have them
constexpr std::int64_t kPanel = 64;    // more columns than most panels have

// The dimension of the batch that reaches furthest; null where all have one transform.
Dimension* longest(std::vector<Dimension>& batch) {
  Dimension* found = nullptr;
  const auto span = [](const Dimension& d) { return d.length * std::abs(d.out_stride); };
  for (Dimension& d : batch) {
    if (d.length > 1 && (found == nullptr || span(d) > span(*found))) found = &d;
  }
  return found;
}

// Makes the dimension that reaches furthest half as long until the arrays fit.
bool shorten_arrays(std::int64_t largest, Problem& arrays, double& share) {
  const auto too_large = [&] {
    const Extent in = memory_of_side(arrays, false).codes;
    const Extent out = array_extent(arrays, true);
    const std::int64_t in_bytes = in.high - in.low;
    const std::int64_t out_bytes = arrays.placement == Placement::kInPlace ? 0 : out.high - out.low;
    return in_bytes > largest || out_bytes > largest || in_bytes + out_bytes > largest;
  };
  while (too_large()) {
    Dimension* const dim = longest(arrays.batch);
    if (dim == nullptr) return false;
    const std::int64_t half = (dim->length + 1) / 2;
    share *= static_cast<double>(half) / static_cast<double>(dim->length);
    dim->length = half;
  }
  return true;
}

// The least number of steps along the dimension after which both arrays are aligned again.
std::int64_t aligned_steps(const Problem& problem, const Dimension& d) {
  std::int64_t steps = 1;
  for (const bool output : {false, true}) {
    const Side shape = side_of(problem, output);
    const std::int64_t stride = std::abs(output ? d.out_stride : d.in_stride);
    for (const std::int64_t bytes : {stride * shape.outer_bytes, stride * shape.scale_bytes}) {
      if (bytes > 0) steps = std::max(steps, kAligned / std::gcd(kAligned, bytes));
    }
  }
  return steps;
}

std::int64_t rounded_up(std::int64_t value, std::int64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

// Leaves a part of one dimension to an execution. False when it computes few enough points already.
bool cut(std::int64_t points, TimingSlice& slice) {
  const std::int64_t transforms = batch_count(slice.problem), each = transform_points(slice.problem);
  const std::int64_t wanted = std::max(kLeastSliced, points / each);
  Dimension* const dim = transforms <= wanted ? nullptr : longest(slice.problem.batch);
  if (dim == nullptr) return false;
  const std::int64_t before = dim->length;
  std::int64_t length = std::max<std::int64_t>(1, wanted / (transforms / before));
  if (length > kPanel) length -= length % kPanel;
  const std::int64_t step = rounded_up(length, aligned_steps(slice.arrays, *dim));
  const std::vector<SlicePlace> outer = std::move(slice.places);
  slice.places.clear();
  for (const SlicePlace& place : outer) {
    for (std::int64_t first = 0; first + length <= before; first += step) {
      slice.places.push_back({place.in + first * dim->in_stride, place.out + first * dim->out_stride});
    }
  }
  slice.share *= static_cast<double>(length) / static_cast<double>(before);
  dim->length = length;
  return true;
}

}  // namespace

bool timing_slice(const Problem& problem, std::int64_t largest, std::int64_t points, TimingSlice& slice) {
  slice = TimingSlice(problem);
  if (!shorten_arrays(largest, slice.arrays, slice.share)) return false;
  slice.problem = slice.arrays;
  while (cut(points, slice)) {
  }
  return true;
}

ArrayAddress at_place(const ArrayAddress& arrays, const Side& shape, std::int64_t strides) {
  ArrayAddress address = arrays;
  for (void*& data : address.data) {
    if (data != nullptr) data = static_cast<char*>(data) + strides * shape.outer_bytes;
  }
  for (void*& scales : address.scales) {
    if (scales != nullptr) scales = static_cast<char*>(scales) + strides * shape.scale_bytes;
  }
  return address;
}

}  // namespace ulpfft
