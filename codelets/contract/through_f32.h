// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Rounding to f32 and back that no optimiser takes away.
#ifndef ULPFFT_CODELETS_CONTRACT_THROUGH_F32_H_
#define ULPFFT_CODELETS_CONTRACT_THROUGH_F32_H_

namespace ulpfft {

// x rounded to f32. Of two neighbours that are converted to float and back g++ 12 drops both conversions at -O2 (its vectoriser of straight-line
// code takes them for copies), so the float is made to exist.
inline double through_f32(double x) {
  float rounded = static_cast<float>(x);
#if defined(__GNUC__)
  __asm__("" : "+m"(rounded));
#endif
  return static_cast<double>(rounded);
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_THROUGH_F32_H_
