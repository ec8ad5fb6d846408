// Relative L2 error of one quantisation of normal data, by format: what predicted errors are made of.
#ifndef ULPFFT_CODELETS_CONTRACT_QUANTISATION_ERROR_H_
#define ULPFFT_CODELETS_CONTRACT_QUANTISATION_ERROR_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "codelets/contract/storage.h"

namespace ulpfft {

// Data of this rms: per binade the error is uniform over one step. What lies beyond the largest value is left out.
inline double quantisation_error(const FormatInfo& f, double rms) {
  const double steps = std::sqrt(1.0 / 12) / rms;
  if (f.kind == FormatKind::kInteger) return std::ldexp(steps, -f.fraction_bits);
  const auto below = [&](double x) { return std::erf(x / (rms * std::sqrt(2.0))); };  // P(|X| < x)
  const int centre = floor_log2(rms);
  const int highest = std::min(floor_log2(largest_value(f)), centre + 5);
  const int lowest = std::min(std::max(lowest_exponent(f), centre - 80), highest);
  const auto variance = [&](int binade) { return std::ldexp(steps * steps, 2 * (binade - f.mantissa_bits)); };
  double sum = below(std::ldexp(1.0, lowest)) * variance(lowest);
  for (int binade = lowest; binade <= highest; ++binade) {
    sum += (below(std::ldexp(1.0, binade + 1)) - below(std::ldexp(1.0, binade))) * variance(binade);
  }
  return std::sqrt(sum);
}

// The rms that FormatInfo::rms_error is stated for: 1, or less where the format ends below 8, and an eighth of the largest value of
// integers, whose error is a step whatever the data; a value beyond eight times the rms is rarer than 10^-14.
inline double placed_rms(const FormatInfo& f) {
  const double eighth = largest_value(f) / 8;
  return f.kind == FormatKind::kInteger || eighth < 1 ? eighth : 1;
}

// Blocks of this length and rule, measured with the slow codec on 2^14 numbers, always the same: within about 1 % of the expectation.
// A power of two in the data changes nothing.
inline double block_quantisation_error(const Storage& s) {
  constexpr std::int64_t kCount = 1 << 14;
  std::vector<double> reals(kCount), back(kCount);
  for (std::int64_t i = 0; i < kCount; i += 2) {
    const auto uniform = [&](std::int64_t j) { return (random_bits(1, j) * 65536.0 + random_bits(2, j) + 0.5) * 0x1p-32; };
    const double radius = std::sqrt(-2 * std::log(uniform(i)));
    reals[static_cast<std::size_t>(i)] = radius * std::cos(2 * std::numbers::pi * uniform(i + 1));
    reals[static_cast<std::size_t>(i + 1)] = radius * std::sin(2 * std::numbers::pi * uniform(i + 1));
  }
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(code_bytes(s, kCount)));
  std::vector<std::uint8_t> scales(static_cast<std::size_t>(scale_bytes(s, kCount)));
  encode_row(s, reals.data(), {}, kCount, codes.data(), {}, scales.data(), Rounding::kNearestSaturate, {});
  decode_row(s, codes.data(), {}, scales.data(), kCount, back.data(), {});
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < reals.size(); ++i) {
    error += (back[i] - reals[i]) * (back[i] - reals[i]);
    norm += reals[i] * reals[i];
  }
  return std::sqrt(error / norm);
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_QUANTISATION_ERROR_H_
