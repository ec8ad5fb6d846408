// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The sine path of a dual-select butterfly, by its formulas.
//
// W = m (t + i), m = im W, t = re W / im W. Then W b = m (t b_r - b_i) + i m (b_r + t b_i), so that with s1 = b_i - t b_r and
// s2 = b_r + t b_i the product is (-m s1, m s2). On the cosine path, W = m (1 + i t), the second sum is b_i + t b_r.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "tools/ulpfft/accuracy/studies.h"

namespace ulpfft_tool {

std::vector<Figure> study_sine(Lab&, const StudyOptions&) {
  constexpr int kLength = 64, kPairs = 1000;
  Figure figure{"sine",
                "sine-path",
                "Sine path of dual-select, in f64: which second sum gives W b",
                "k of W = exp(\u22122\u03c0i k/64)",
                "relative error of a + W b",
                Scale::kLinear,
                Scale::kLog,
                {},
                {},
                "",
                ""};
  const struct {
    const char* name;
    double (*second_sum)(double t, double re, double im);
    int color;
  } candidates[] = {
      {"s2 = b_r + t b_i", [](double t, double re, double im) { return re + t * im; }, 2},
      {"s2 = b_r \u2212 t b_i", [](double t, double re, double im) { return re - t * im; }, 1},
      {"s2 = b_i + t b_r", [](double t, double re, double im) { return im + t * re; }, 0},
      {"s2 = b_i \u2212 t b_r", [](double t, double re, double im) { return im - t * re; }, 3},
  };
  double right = 0, others = 1e300;
  for (const auto& candidate : candidates) {
    Curve curve{candidate.name, candidate.color, Stroke::kSolid, -1, false, {}};
    for (int k = 1; k < kLength / 2; ++k) {
      const double angle = -2 * std::numbers::pi * k / kLength;
      const std::complex<double> w(std::cos(angle), std::sin(angle));
      if (std::abs(w.real()) > std::abs(w.imag()) - 1e-9) continue;  // takes the cosine path
      const double m = w.imag(), t = w.real() / w.imag();
      std::mt19937_64 random(1);
      std::normal_distribution<double> normal;
      double error = 0, norm = 0;
      for (int pair = 0; pair < kPairs; ++pair) {
        const double a_re = normal(random), a_im = normal(random), re = normal(random), im = normal(random);
        const std::complex<double> exact = std::complex<double>(a_re, a_im) + w * std::complex<double>(re, im);
        const double s1 = std::fma(-t, re, im), s2 = candidate.second_sum(t, re, im);
        error += std::norm(std::complex<double>(std::fma(-s1, m, a_re), std::fma(s2, m, a_im)) - exact);
        norm += std::norm(exact);
      }
      const double relative = std::max(std::sqrt(error / norm), 1e-17);
      curve.points.push_back({static_cast<double>(k), relative, ""});
      if (&candidate == &candidates[0]) {
        right = std::max(right, relative);
      } else if (k != kLength / 4) {  // t = 0 there: the sign before it changes nothing
        others = std::min(others, relative);
      }
    }
    figure.curves.push_back(std::move(curve));
  }
  figure.sentence = "Only s2 = b_r + t b_i gives a + W b, with an error of " + show_value(right) +
                    " at most; the other ways to write it are wrong by " + show_value(others) +
                    " or more wherever t is not 0 (k = 16), a wrong result and no rounding error.";
  return {figure};
}

}  // namespace ulpfft_tool
