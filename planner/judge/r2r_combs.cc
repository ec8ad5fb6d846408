// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/judge/r2r_combs.h"

#include <utility>

#include "codelets/contract/unit_root.h"

namespace ulpfft {
namespace {

// The points of the complex transform over those of the line, and its teeth over those of the line.
struct Extension {
  std::int64_t points = 1;
  std::int64_t teeth = 1;
};

Extension extension_of(R2rKind kind) {
  switch (cosines_of(kind)) {
    case R2rKind::kDCT2: return {2, 2};
    case R2rKind::kDCT3: case R2rKind::kDCT4: return {4, 2};
    default: return {};
  }
}

std::int64_t teeth_of(R2rKind kind, std::int64_t n) { return DirectSums::most_teeth(n, extension_of(kind).teeth); }

DoubleDouble sign(std::int64_t k) { return DoubleDouble(k % 2 == 0 ? 1.0 : -1.0); }

}  // namespace

R2rCombs::R2rCombs(R2rKind kind, std::int64_t n, bool weighted)
    : kind_(kind),
      n_(n),
      weighted_(weighted),
      teeth_(teeth_of(kind, n)),
      sums_(extension_of(kind).points * n, extension_of(kind).teeth * teeth_, n) {}

// The frequency of output k in the complex transform.
std::int64_t R2rCombs::place(std::int64_t k) const {
  switch (kind_) {
    case R2rKind::kDST2: return k + 1;
    case R2rKind::kDCT3: case R2rKind::kDST3: case R2rKind::kDCT4: case R2rKind::kDST4: return 2 * k + 1;
    default: return k;
  }
}

// Output k of the sum over exp(-2 pi i j place(k) / points).
DoubleDouble R2rCombs::output(const double* x, std::int64_t k, ComplexDD sum) const {
  const DoubleDouble one(1.0), two(2.0), root = sqrt(two);
  const auto turned = [&](std::int64_t period) {  // by half an index, which the places of types 2 and 4 and of DST are from j
    const UnitRoot w = unit_root(static_cast<std::uint64_t>(place(k)), static_cast<std::uint64_t>(period));
    return ComplexDD{w.re * sum.re - w.im * sum.im, w.re * sum.im + w.im * sum.re};
  };
  const DoubleDouble first(x[0]), last(x[2 * (n_ - 1)]), once = weighted_ ? root : one;
  switch (kind_) {
    case R2rKind::kR2HC: return 2 * k <= n_ ? sum.re : -sum.im;
    case R2rKind::kHC2R: return two * sum.re - first - (n_ % 2 == 0 ? sign(k) * DoubleDouble(x[n_]) : DoubleDouble(0.0));
    case R2rKind::kDHT: return sum.re - sum.im;
    case R2rKind::kDCT2: return two * turned(4 * n_).re * (weighted_ && k == 0 ? one / root : one);
    case R2rKind::kDST2: return -two * turned(4 * n_).im * (weighted_ && k == n_ - 1 ? one / root : one);
    case R2rKind::kDCT3: return two * sum.re + (once - two) * first;
    case R2rKind::kDST3: return -two * turned(4 * n_).im + (once - two) * sign(k) * last;
    case R2rKind::kDCT4: return two * turned(8 * n_).re;
    default: return -two * turned(8 * n_).im;
  }
}

std::vector<DoubleDouble> R2rCombs::run(const double* x, std::int64_t comb, Poll& poll) const {
  std::vector<double> turned;  // of a half-complex line, x[n - k] is the imaginary part of number k
  if (kind_ == R2rKind::kHC2R) {
    turned.assign(x, x + 2 * n_);
    for (std::int64_t j = n_ / 2 + 1; j < n_; ++j) std::swap(turned[static_cast<std::size_t>(2 * j)], turned[static_cast<std::size_t>(2 * j + 1)]);
  }
  const std::int64_t first = place(comb);
  const std::vector<ComplexDD> sums = sums_.run(turned.empty() ? x : turned.data(), first % sums_.combs(), poll);
  std::vector<DoubleDouble> outputs;
  for (std::int64_t m = 0; m < teeth_; ++m) {
    const std::int64_t tooth = first / sums_.combs() + m;
    outputs.push_back(output(x, index(comb, m), sums[static_cast<std::size_t>(tooth)]));
  }
  return outputs;
}

}  // namespace ulpfft
