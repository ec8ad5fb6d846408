// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The largest error a plan may have on complex normal data, by its recipe (design 6.10).
#ifndef ULPFFT_TESTS_SUPPORT_GATES_H_
#define ULPFFT_TESTS_SUPPORT_GATES_H_

#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "tests/support/api.h"

namespace ulpfft::test {

// Release gate for smooth lengths, for a mean over at least 2^14 outputs of complex normal data; n = 1 is exact.
template <typename T>
double gate(std::int64_t points) {
  return Storage<T>::kUnitRoundoff * std::sqrt(std::log2(static_cast<double>(points)));
}
inline constexpr std::int64_t kGateOutputs = 1 << 14;

// The square of what multiplies that gate where a recipe has convolutions; filters_in_f64: those beyond 4096 points are transformed in the
// arithmetic of the plan, by the transform inside (planner/table/line_table.h); the others are exact but for their last rounding.
double square_of_convolutions(std::string_view recipe, bool filters_in_f64);

template <typename T>
double gate_of(std::string_view recipe, std::int64_t points) {
  return std::sqrt(square_of_convolutions(recipe, std::is_same_v<T, double>)) * gate<T>(points);
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_GATES_H_
