// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A constant of a generated body, rounded once to each compute type.
#ifndef ULPFFT_CODELETS_CONTRACT_BODY_CONSTANT_H_
#define ULPFFT_CODELETS_CONTRACT_BODY_CONSTANT_H_

#include <type_traits>

#include "codelets/contract/double_double.h"

namespace ulpfft {

struct BodyConstant {
  float f32;
  double f64;
  double hi;
  double lo;
};

template <class T>
constexpr T constant(const BodyConstant& value) {
  if constexpr (std::is_same_v<T, float>) {
    return value.f32;
  } else if constexpr (std::is_same_v<T, double>) {
    return value.f64;
  } else {
    static_assert(std::is_same_v<T, DoubleDouble>, "constants exist in float, double and DoubleDouble");
    return DoubleDouble(value.hi, value.lo);
  }
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_BODY_CONSTANT_H_
