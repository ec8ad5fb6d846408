// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/judge/problem_slice.h"

#include <cstdlib>

#include "planner/convert/array_shape.h"

namespace ulpfft {

bool timing_slice(const Problem& problem, std::int64_t largest, Problem& slice, double& share) {
  slice = problem;
  share = 1;
  const auto too_large = [&] {
    const Extent in = memory_shape(slice, false).codes;
    const Extent out = array_extent(slice, true);
    const std::int64_t in_bytes = in.high - in.low;
    const std::int64_t out_bytes = slice.placement == Placement::kInPlace ? 0 : out.high - out.low;
    return in_bytes > largest || out_bytes > largest || in_bytes + out_bytes > largest;
  };
  while (too_large()) {
    Dimension* longest = nullptr;
    const auto span = [](const Dimension& d) { return d.length * std::abs(d.out_stride); };
    for (Dimension& d : slice.batch) {
      if (d.length > 1 && (longest == nullptr || span(d) > span(*longest))) longest = &d;
    }
    if (longest == nullptr) return false;
    const std::int64_t half = (longest->length + 1) / 2;
    share *= static_cast<double>(half) / static_cast<double>(longest->length);
    longest->length = half;
  }
  return true;
}

}  // namespace ulpfft
