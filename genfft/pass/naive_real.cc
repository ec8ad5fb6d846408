// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/pass/naive_real.h"

#include <stdexcept>

#include "codelets/contract/unit_root.h"

namespace ulpfft::genfft {
namespace {

DoubleDouble cosine(int k, int n) { return unit_root(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(n)).re; }
DoubleDouble sine(int k, int n) { return -unit_root(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(n)).im; }
DoubleDouble sign(int k) { return DoubleDouble(k % 2 == 0 ? 1.0 : -1.0); }

// What real j is multiplied by in output k of a transform of reals to reals; angles are parts of a full turn.
DoubleDouble coefficient(RealTransform transform, int n, int j, int k) {
  const DoubleDouble two(2.0);
  using enum RealTransform;
  switch (transform) {
    case kDHT: return cosine(j * k, n) + sine(j * k, n);
    case kRedft00: return j == 0 ? DoubleDouble(1.0) : j == n - 1 ? sign(k) : two * cosine(j * k, 2 * (n - 1));
    case kRedft10: return two * cosine((2 * j + 1) * k, 4 * n);
    case kRedft01: return j == 0 ? DoubleDouble(1.0) : two * cosine(j * (2 * k + 1), 4 * n);
    case kRedft11: return two * cosine((2 * j + 1) * (2 * k + 1), 8 * n);
    case kRodft00: return two * sine((j + 1) * (k + 1), 2 * (n + 1));
    default: throw std::invalid_argument("naive_real: a transform without a body");
  }
}

}  // namespace

std::vector<ComplexValue<DoubleDouble>> naive_real(RealTransform transform, int n, const std::vector<ComplexValue<DoubleDouble>>& x) {
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  std::vector<ComplexValue<DoubleDouble>> y(at(output_points(transform, n)));
  for (int k = 0; k < output_points(transform, n); ++k) {
    for (int j = 0; j < input_points(transform, n); ++j) {
      if (transform == RealTransform::kR2C) {
        y[at(k)].re += x[at(j)].re * cosine(j * k, n);
        y[at(k)].im += x[at(j)].re * -sine(j * k, n);
      } else if (transform == RealTransform::kC2R) {
        const DoubleDouble often(is_real_point(j, n) ? 1.0 : 2.0);
        y[at(k)].re += often * x[at(j)].re * cosine(j * k, n);
        if (!is_real_point(j, n)) y[at(k)].re += often * x[at(j)].im * -sine(j * k, n);
      } else {
        y[at(k)].re += x[at(j)].re * coefficient(transform, n, j, k);
      }
    }
    if (transform == RealTransform::kR2C && is_real_point(k, n)) y[at(k)].im = DoubleDouble();
  }
  return y;
}

}  // namespace ulpfft::genfft
