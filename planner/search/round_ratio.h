// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How much longer one plan takes than another, from samples that alternate.
//
// A round holds one sample of each plan, taken shortly after each other. What disturbs a sample makes it longer: an interrupt by some,
// another program by a multiple. Slow phases of the machine, or a drift of its clock, make neighbouring samples longer by the same factor.
// So the least samples of the same few rounds are compared, and the median over all such windows is the ratio.
//
// A least sample that no other one is near may be of a moment in which the machine was faster. Where a plan has only such a one, the
// median of the ratios of all rounds may be right instead, and the larger of both is taken: a plan must not win because the other one was
// disturbed.
#ifndef ULPFFT_PLANNER_SEARCH_ROUND_RATIO_H_
#define ULPFFT_PLANNER_SEARCH_ROUND_RATIO_H_

#include <span>
#include <vector>

namespace ulpfft {

// Beyond this multiple of the least sample there was a disturbance: phases of a machine differ by less.
inline constexpr double kSamePace = 1.25;

struct RoundRatio {
  double value = 1;
  double doubt = 0;  // about one relative standard error
};

// samples[r] and reference[r] are of the same round; either may have more rounds than the other. Neither is empty.
RoundRatio round_ratio(std::span<const double> samples, std::span<const double> reference);

// The middle of some values, the mean of the two middle ones of an even number. Not of none.
double median_of(std::vector<double> values);

// Median of the samples that nothing disturbed.
double undisturbed_median(std::span<const double> samples);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_ROUND_RATIO_H_
