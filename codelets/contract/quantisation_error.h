// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Relative L2 error of one quantisation of normal data, by format: what predicted errors are made of.
#ifndef ULPFFT_CODELETS_CONTRACT_QUANTISATION_ERROR_H_
#define ULPFFT_CODELETS_CONTRACT_QUANTISATION_ERROR_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "codelets/contract/storage.h"

namespace ulpfft {

// Data of this rms: per binade the error is uniform over one step. What lies beyond the largest value is left out.
inline double quantisation_error(const FormatInfo& f, double rms) {
  const int centre = floor_log2(rms);
  const double unit = std::ldexp(rms, -centre);  // the rms in units of 2^centre: squares of the largest and smallest f64 would not be numbers
  const double steps = std::sqrt(1.0 / 12) / unit;
  if (f.kind == FormatKind::kInteger) return std::ldexp(steps, -f.fraction_bits - centre);
  const auto below = [&](int exponent) { return std::erf(std::ldexp(1 / (unit * std::sqrt(2.0)), exponent - centre)); };  // P(|X| < 2^exponent)
  const int top = floor_log2(largest_value(f));
  const int lowest = std::min(std::max(lowest_exponent(f), centre - 80), top);
  const int highest = std::max(std::min(top, centre + 5), lowest);
  const auto variance = [&](int binade) { return std::ldexp(steps * steps, 2 * (binade - centre - f.mantissa_bits)); };
  double sum = below(lowest) * variance(lowest);
  for (int binade = lowest; binade <= highest; ++binade) sum += (below(binade + 1) - below(binade)) * variance(binade);
  return std::sqrt(sum);
}

// The rms that FormatInfo::rms_error is stated for: 1 where the format has it, else so that a value beyond eight times the rms, rarer than
// 10^-14, is the largest; formats whose normal values begin above 1 have it near those. Of integers, whose error is a step whatever the
// data, an eighth of the largest value, or of the lowest where that is nearer; but half a step where the offset leaves no 0 below that.
inline double placed_rms(const FormatInfo& f) {
  const double largest = largest_value(f), lowest = lowest_value(f);
  if (f.kind == FormatKind::kInteger) {
    const double half_step = std::ldexp(std::floor(f.offset) != f.offset ? 0.5 : 0.0, -f.fraction_bits);
    return std::max((lowest < 0 ? std::min(largest, -lowest) : largest) / 8, half_step);
  }
  return std::max(std::min(largest / 8, std::max(1.0, smallest_normal_value(f))), std::numeric_limits<double>::denorm_min());
}

// The least and the largest rms that blocks have scales for: of smaller data more than a few blocks would have the lowest scale, whatever
// their rule says, or one below the normal numbers of its format.
inline double least_block_rms(const Storage& s) { return std::ldexp(largest_value(*s.element), lowest_scale(*s.scale) + 1); }
inline double largest_block_rms(const Storage& s) { return std::ldexp(largest_value(*s.element) / 8, highest_scale(*s.scale)); }
// For blocks it is 1 as well, where their scales reach 1 from the range of the elements.
inline double placed_rms(const Storage& s) {
  return s.scale == nullptr ? placed_rms(*s.element) : std::min(std::max(1.0, least_block_rms(s)), largest_block_rms(s));
}

// Blocks of this length and rule, measured with the slow codec on 2^14 numbers, always the same: within about 1 % of the expectation.
// A power of two in the data changes nothing, where the scales reach it; `mantissa`, from 1 to 2, is what remains of their rms without it.
// Where scales have a mantissa, it is the rms over the power of two in placed_rms().
// `row`: of blocks that are longer than that, whole rows; the numbers then stand for part of one, beside the largest that it likely has.
inline double block_quantisation_error(const Storage& s, std::int64_t row = 0, double mantissa = 1) {
  constexpr std::int64_t kCount = 1 << 14;
  std::vector<double> reals(kCount), back(kCount);
  const int place = floor_log2(placed_rms(s));
  for (std::int64_t i = 0; i < kCount; i += 2) {
    const auto uniform = [&](std::int64_t j) { return (random_bits(1, j) * 65536.0 + random_bits(2, j) + 0.5) * 0x1p-32; };
    const double radius = std::ldexp(mantissa * std::sqrt(-2 * std::log(uniform(i))), place);
    reals[static_cast<std::size_t>(i)] = radius * std::cos(2 * std::numbers::pi * uniform(i + 1));
    reals[static_cast<std::size_t>(i + 1)] = radius * std::sin(2 * std::numbers::pi * uniform(i + 1));
  }
  if (row > kCount) {
    // Half of all rows have nothing larger: P(|X| < x)^row = 1/2.
    double low = 3, high = 30;
    while (high - low > 1e-6) {
      const double middle = (low + high) / 2;
      (std::erfc(middle / std::sqrt(2.0)) * static_cast<double>(row) > std::log(2.0) ? low : high) = middle;
    }
    reals[0] = std::ldexp(mantissa * low, place);
  }
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(code_bytes(s, kCount)));
  std::vector<std::uint8_t> scales(static_cast<std::size_t>(scale_bytes(s, kCount)));
  encode_row(s, reals.data(), {}, kCount, codes.data(), {}, scales.data(), Rounding::kNearestSaturate, {});
  decode_row(s, codes.data(), {}, scales.data(), kCount, back.data(), {});
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < reals.size(); ++i) {
    const double real = std::ldexp(reals[i], -place), difference = std::ldexp(back[i], -place) - real;
    error += difference * difference;
    norm += real * real;
  }
  return std::sqrt(error / norm);
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_QUANTISATION_ERROR_H_
