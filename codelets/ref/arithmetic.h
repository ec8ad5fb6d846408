// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The operations of generated reference bodies, for every number type they are instantiated with.
//
// fma(a, b, c) = a b + c, fms = a b - c, fnma = c - a b, fnms = -a b - c, each rounded once.
#ifndef ULPFFT_CODELETS_REF_ARITHMETIC_H_
#define ULPFFT_CODELETS_REF_ARITHMETIC_H_

#include <cmath>

#include "codelets/contract/double_double.h"

namespace ulpfft::ref {

template <typename T>
  requires std::is_floating_point_v<T>
inline T fma(T a, T b, T c) {
  return std::fma(a, b, c);
}
inline DoubleDouble fma(DoubleDouble a, DoubleDouble b, DoubleDouble c) { return a * b + c; }

template <typename T>
inline T fms(T a, T b, T c) {
  return ref::fma(a, b, -c);
}
template <typename T>
inline T fnma(T a, T b, T c) {
  return ref::fma(-a, b, c);
}
template <typename T>
inline T fnms(T a, T b, T c) {
  return ref::fma(-a, b, -c);
}

}  // namespace ulpfft::ref

#endif  // ULPFFT_CODELETS_REF_ARITHMETIC_H_
