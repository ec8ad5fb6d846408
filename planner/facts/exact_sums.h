// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How many sums of numbers of few digits an arithmetic of more digits rounds.
//
// A sum is exact while the last digit of its smallest summand is within the digits of the sum. That holds for all numbers with a fixed
// step. Of floats a few are so small that their last digits are lost.
#ifndef ULPFFT_PLANNER_FACTS_EXACT_SUMS_H_
#define ULPFFT_PLANNER_FACTS_EXACT_SUMS_H_

namespace ulpfft {

// Normal numbers, each of so many significant digits.
struct Summands {
  int digits = 53;
  bool is_fixed = false;  // all have the same step
  double step = 0;        // the least one, over the rms of the numbers
};

// The mean squared rounding error of sums of `count` such numbers in an arithmetic of `bits` digits, as a part of the one that sums of
// numbers of all digits have.
double rounded_part(const Summands& numbers, double count, int bits);

// The same for the sums of a body that adds `radix` numbers, each of which is a sum of `count`.
double rounded_part_of_body(const Summands& numbers, double count, int radix, int bits);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_EXACT_SUMS_H_
