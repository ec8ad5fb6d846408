// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Constants of rounding that predictions of errors share.
#ifndef ULPFFT_PLANNER_SCHEME_ROUNDING_H_
#define ULPFFT_PLANNER_SCHEME_ROUNDING_H_

namespace ulpfft {

// Relative rms error of a rounding of normal data, over the unit roundoff.
inline constexpr double kRmsOfUnit = 0.426;
// Sums take this many digits more than their terms, which differ in size.
inline constexpr int kDigitsOfSums = 8;

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SCHEME_ROUNDING_H_
