// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How much longer one plan takes than another, from samples that alternate.
//
// A round holds one sample of each plan; the samples follow each other closely. Disturbances make a sample longer: an interrupt by a
// little, another program by a multiple. Slow phases of the machine, or a drift of its clock, make neighbouring samples longer by the same
// factor. So the least samples of the same few rounds are compared, and the median over all such windows is the ratio.
//
// If no other sample is near the least one, the machine may have been faster for a moment. Where a plan has only such a least sample, the
// median of the ratios of all rounds may be right instead. Then the larger of the two ratios is taken: a plan must not win because the
// other one was disturbed.
#ifndef ULPFFT_PLANNER_SEARCH_ROUND_RATIO_H_
#define ULPFFT_PLANNER_SEARCH_ROUND_RATIO_H_

#include <span>
#include <vector>

namespace ulpfft {

// A sample beyond this multiple of the least one was disturbed: phases of a machine differ by less.
inline constexpr double kSamePace = 1.25;

struct RoundRatio {
  double value = 1;
  double doubt = 0;  // about one relative standard error
};

// samples[r] and reference[r] belong to the same round; either may have more rounds than the other. Neither is empty.
RoundRatio round_ratio(std::span<const double> samples, std::span<const double> reference);

// The middle of some values; of an even number of values the mean of the middle two. `values` is not empty.
double median_of(std::vector<double> values);

// Median of the samples that were not disturbed.
double undisturbed_median(std::span<const double> samples);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_ROUND_RATIO_H_
