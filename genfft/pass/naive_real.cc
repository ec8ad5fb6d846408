// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/pass/naive_real.h"

#include <stdexcept>

namespace ulpfft::genfft {
namespace {

DoubleDouble sign(int k) { return DoubleDouble(k % 2 == 0 ? 1.0 : -1.0); }

// Into how many angles a full turn is divided.
int angles(RealTransform transform, int n) {
  using enum RealTransform;
  switch (transform) {
    case kR2C:
    case kC2R:
    case kDHT: return n;
    case kRedft00: return 2 * (n - 1);
    case kRedft10:
    case kRedft01: return 4 * n;
    case kRedft11: return 8 * n;
    case kRodft00: return 2 * (n + 1);
    default: throw std::invalid_argument("naive_real: a transform without a body");
  }
}

}  // namespace

NaiveReal::NaiveReal(RealTransform transform, int n)
    : transform_(transform), n_(n), roots_(static_cast<std::uint64_t>(angles(transform, n))) {}

// What real j is multiplied by in output k of a transform of reals to reals.
DoubleDouble NaiveReal::coefficient(int j, int k) const {
  const DoubleDouble two(2.0);
  using enum RealTransform;
  switch (transform_) {
    case kDHT: return cosine(j * k) + sine(j * k);
    case kRedft00: return j == 0 ? DoubleDouble(1.0) : j == n_ - 1 ? sign(k) : two * cosine(j * k);
    case kRedft10: return two * cosine((2 * j + 1) * k);
    case kRedft01: return j == 0 ? DoubleDouble(1.0) : two * cosine(j * (2 * k + 1));
    case kRedft11: return two * cosine((2 * j + 1) * (2 * k + 1));
    default: return two * sine((j + 1) * (k + 1));  // kRodft00
  }
}

std::vector<ComplexValue<DoubleDouble>> NaiveReal::operator()(const std::vector<ComplexValue<DoubleDouble>>& x) const {
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  std::vector<ComplexValue<DoubleDouble>> y(at(output_points(transform_, n_)));
  for (int k = 0; k < output_points(transform_, n_); ++k) {
    for (int j = 0; j < input_points(transform_, n_); ++j) {
      if (transform_ == RealTransform::kR2C) {
        y[at(k)].re += x[at(j)].re * cosine(j * k);
        y[at(k)].im += x[at(j)].re * -sine(j * k);
      } else if (transform_ == RealTransform::kC2R) {
        const DoubleDouble often(is_real_point(j, n_) ? 1.0 : 2.0);
        y[at(k)].re += often * x[at(j)].re * cosine(j * k);
        if (!is_real_point(j, n_)) y[at(k)].re += often * x[at(j)].im * -sine(j * k);
      } else {
        y[at(k)].re += x[at(j)].re * coefficient(j, k);
      }
    }
    if (transform_ == RealTransform::kR2C && is_real_point(k, n_)) y[at(k)].im = DoubleDouble();
  }
  return y;
}

}  // namespace ulpfft::genfft
