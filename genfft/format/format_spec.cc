#include "genfft/format/format_spec.h"

#include <algorithm>
#include <cmath>

namespace ulpfft::genfft {

double FormatSpec::largest() const {
  const int top = (1 << exponent) - 1 - bias - (special == Special::kIeee ? 1 : 0);
  const double step = std::ldexp(1.0, -mantissa);
  // `fn`: the top code of the top binade is NaN.
  const double significand = 2 - (special == Special::kFn ? 2 : 1) * step;
  return std::ldexp(significand, top);
}

double FormatSpec::smallest_normal() const { return std::ldexp(1.0, 1 - bias); }

double FormatSpec::smallest_subnormal() const { return std::ldexp(1.0, 1 - bias - mantissa); }

double FormatSpec::unit_roundoff() const { return std::ldexp(1.0, -(mantissa + 1)); }

double FormatSpec::rms_error() const {
  const auto below = [](double x) { return std::erf(x / std::sqrt(2.0)); };  // P(|X| < x)
  const int lowest = std::max(1 - bias, -80);
  const auto variance = [&](int binade) { return std::ldexp(1.0, 2 * (binade - mantissa)) / 12; };
  double sum = below(std::ldexp(1.0, lowest)) * variance(lowest);
  for (int binade = lowest; binade < 5; ++binade) {
    sum += (below(std::ldexp(1.0, binade + 1)) - below(std::ldexp(1.0, binade))) * variance(binade);
  }
  return std::sqrt(sum);
}

}  // namespace ulpfft::genfft
