// Powers of two of whole transforms, which keep narrow elements in their range.
#ifndef ULPFFT_PLANNER_EXPONENTS_H_
#define ULPFFT_PLANNER_EXPONENTS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "codelets/contract/storage.h"

namespace ulpfft {

template <typename T>
void multiply_by_power(T* reals, std::int64_t count, int exponent) {
  if (exponent == 0) return;
  if (exponent > -126 && exponent < 126) {
    const T factor = static_cast<T>(std::ldexp(1.0, exponent));
    for (std::int64_t i = 0; i < count; ++i) reals[i] *= factor;
  } else {
    for (std::int64_t i = 0; i < count; ++i) reals[i] = std::ldexp(reals[i], exponent);
  }
}

// The least exponent whose power of two the numbers can be divided by to fit the storage; of block formats the least from 0 on. What is
// not finite is left out; of zeros alone: none.
template <typename T>
std::optional<int> fitting_exponent(const Storage& storage, const T* reals, std::int64_t count) {
  T largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const T magnitude = std::abs(reals[i]);
    if (magnitude > largest && std::isfinite(magnitude)) largest = magnitude;
  }
  if (largest == 0) return std::nullopt;
  const int exponent = block_exponent(*storage.element, ScaleRule::kRceil, static_cast<double>(largest));
  return storage.scale == nullptr ? exponent : std::max(0, exponent - highest_scale(*storage.scale));
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_EXPONENTS_H_
