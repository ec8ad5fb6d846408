// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/facts/exact_sums.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ulpfft {

// A number x loses digits in a sum s where its last digit is below that of s: |x| < 2^(d - b) 2^e, with b digits of the arithmetic and
// 2^e <= |s| < 2^(e + 1). Near 0 the density of a normal number of rms 1 is sqrt(2 / pi) on both sides together. The square of the error is
// proportional to 4^e, so the sum over s is the mean of 8^e over that of 4^e, sqrt(count) * 0.672 / 0.541, and less by the part of x itself.
// The error is half a unit or none, 1.5 times the square of one that is anywhere between. Of the numbers sqrt(1/2) lost digits in the sums
// before, and lose one more in every second sum.
double rounded_part(const Summands& numbers, double count, int bits) {
  constexpr double kOfSums = 0.672 / 0.541, kOfDigits = 1.5 * (1 - std::numbers::sqrt2 / 4);
  const double lost = count * std::sqrt(2 / std::numbers::pi) * std::ldexp(1.0, numbers.digits - bits);
  const double chance = numbers.is_fixed ? 1 : std::min(1.0, lost * std::sqrt(count) * kOfSums * kOfDigits * (1 - 1 / count));
  // Sums below 2^b steps are exact. This is the part of the mean square that others have.
  const double z = std::ldexp(numbers.step, bits) / std::sqrt(count);
  return chance * (std::erfc(z / std::numbers::sqrt2) + z * std::sqrt(2 / std::numbers::pi) * std::exp(-0.5 * z * z));
}

double rounded_part_of_body(const Summands& numbers, double count, int radix, int bits) {
  const int levels = std::max(1, static_cast<int>(std::lround(std::log2(radix))));
  double sum = 0;
  for (int level = 1; level <= levels; ++level) {
    sum += rounded_part(numbers, count * std::pow(radix, static_cast<double>(level) / levels), bits);
  }
  return sum / levels;
}

}  // namespace ulpfft
