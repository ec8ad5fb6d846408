// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Powers of two of whole transforms, which keep narrow elements in their range. T: float or double.
#ifndef ULPFFT_PLANNER_CONVERT_EXPONENTS_H_
#define ULPFFT_PLANNER_CONVERT_EXPONENTS_H_

#include <cstdint>
#include <optional>

#include "codelets/contract/step.h"
#include "codelets/contract/storage.h"

namespace ulpfft {

template <typename T>
void multiply_by_power(T* reals, std::int64_t count, int exponent);

// The largest magnitude that is finite; 0 where none is.
template <typename T>
T largest_finite(const T* reals, std::int64_t count);

// The least exponent whose power of two the numbers can be divided by to fit the storage, or T where the storage reaches beyond it; of
// block formats the least from 0 on. What is not finite is left out; of zeros alone: none.
template <typename T>
std::optional<int> fitting_exponent(const Storage& storage, const T* reals, std::int64_t count);

// Transforms that lie across: complex numbers of `transforms` of them side by side, `points` times. For `count` of them, each its own
// exponent: multiplies by it, or chooses it as fitting_exponent() does (0 for none) and divides.
struct Across {
  std::int64_t points = 1;
  std::int64_t transforms = 1;
  std::int64_t count = 1;
};
template <typename T>
void multiply_by_powers_across(const Across& lie, T* reals, const std::int32_t* exponents);
template <typename T>
void fit_exponents_across(const Across& lie, const Storage& storage, T* reals, std::int32_t* exponents);

extern template void multiply_by_power(float*, std::int64_t, int);
extern template void multiply_by_power(double*, std::int64_t, int);
extern template float largest_finite(const float*, std::int64_t);
extern template double largest_finite(const double*, std::int64_t);
extern template std::optional<int> fitting_exponent(const Storage&, const float*, std::int64_t);
extern template std::optional<int> fitting_exponent(const Storage&, const double*, std::int64_t);
extern template void multiply_by_powers_across(const Across&, float*, const std::int32_t*);
extern template void multiply_by_powers_across(const Across&, double*, const std::int32_t*);
extern template void fit_exponents_across(const Across&, const Storage&, float*, std::int32_t*);
extern template void fit_exponents_across(const Across&, const Storage&, double*, std::int32_t*);

// Where the exponents of the caller lie: of the input, or of the output; the slot stands at the transform that runs.
inline std::int32_t* exponent_of(const Buffers& buffers, bool output) {
  const SlotAddress& at = buffers.slot[static_cast<int>(Slot::kExponents)];
  return static_cast<std::int32_t*>(output ? at.im : at.re);
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_EXPONENTS_H_
