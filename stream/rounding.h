// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Predicted errors of sums of products that are rounded one by one.
#ifndef ULPFFT_STREAM_ROUNDING_H_
#define ULPFFT_STREAM_ROUNDING_H_

#include <cstdint>

namespace ulpfft {

// Mean squared relative error of one rounding to nearest. Over a binade [1, 2) the error is uniform within half a step, u, and 1/x^2 is
// 0.541 on average where x is uniform on a logarithmic scale: u^2 / 3 * 0.541.
constexpr double rounding_variance(bool f64) noexcept {
  const double u = f64 ? 0x1p-53 : 0x1p-24;
  return 0.541 / 3 * u * u;
}

// Roundings of the sums of terms that are added one after the other, relative to the whole: each rounds the part that was summed up by
// then. `energy(i)` is the expected square of term i.
template <typename Energy>
double sum_roundings(std::int64_t terms, const Energy& energy) {
  double part = 0;
  double roundings = 0;
  for (std::int64_t i = 0; i < terms; ++i) {
    part += energy(i);
    if (i > 0) roundings += part;
  }
  return part > 0 ? roundings / part : 0;
}

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_ROUNDING_H_
