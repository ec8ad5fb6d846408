// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Power-of-two prescale of complex numbers: one exponent that brings an array into the range of a narrow format.
//
// Source: golden vectors, section 4. With amax the largest magnitude and p the percentile `tau` of the nonzero ones (linear interpolation),
//   k = clip(max(round_half_even(log2(target / amax)), ceil(log2(tau_min / p))), kmin, kmax), out = in * 2^k;
// k = 0 where no number is nonzero. Magnitudes in f64; what is not finite is left out of both.
#ifndef ULPFFT_PLANNER_CONVERT_PRESCALE_H_
#define ULPFFT_PLANNER_CONVERT_PRESCALE_H_

#include <cstdint>
#include <optional>

namespace ulpfft {

struct PrescaleRule {
  double target = 1;        // what the largest magnitude is to be about
  double percentile = 50;   // tau, 0..100
  double least = 0;         // tau_min, what that percentile is to be at least; 0: anything
  int lowest = -126;        // kmin
  int highest = 126;        // kmax
};

// `count` complex numbers, parts `stride` reals apart. T: float or double.
template <typename T>
int prescale_exponent(const T* re, const T* im, std::int64_t stride, std::int64_t count, const PrescaleRule& rule);

// Likewise, of numbers side by side and by the largest magnitude alone, whatever power of two that takes; none where no number is nonzero.
// That of an array is the least of its parts. Allocates nothing.
template <typename T>
std::optional<int> amax_exponent(const T* numbers, std::int64_t count, double target);

extern template std::optional<int> amax_exponent<float>(const float*, std::int64_t, double);
extern template std::optional<int> amax_exponent<double>(const double*, std::int64_t, double);
extern template int prescale_exponent<float>(const float*, const float*, std::int64_t, std::int64_t, const PrescaleRule&);
extern template int prescale_exponent<double>(const double*, const double*, std::int64_t, std::int64_t, const PrescaleRule&);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_PRESCALE_H_
