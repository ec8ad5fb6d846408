// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The middle and the lower quartile of measured values: one that a scheduler disturbed does not move them.
#ifndef ULPFFT_PLANNER_COST_MEDIAN_H_
#define ULPFFT_PLANNER_COST_MEDIAN_H_

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ulpfft {

// `values` has one at least.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The value that a quarter of them are not above: neighbours on a machine only ever make passes slower. `values` has one at least.
inline double lower_quartile(std::vector<double> values) {
  const auto quarter = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
  std::nth_element(values.begin(), quarter, values.end());
  return *quarter;
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_COST_MEDIAN_H_
