// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/table/window_table.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace ulpfft {
namespace {

// Sums of cosines: the factor of cos(k x) with the sign (-1)^k, in units of 1 / one. It is exact.
struct CosineSum {
  std::int64_t one;
  std::array<std::int64_t, 5> terms;
};
const CosineSum& cosine_sum(WindowKind kind) {
  static constexpr CosineSum kSums[] = {{100, {50, 50}},
                                        {100, {54, 46}},
                                        {100, {42, 50, 8}},
                                        {100'000, {35'875, 48'829, 14'128, 1'168}},
                                        {10'000'000, {3'635'819, 4'891'775, 1'365'995, 106'411}},
                                        {1'000'000'000, {215'578'950, 416'631'580, 277'263'158, 83'578'947, 6'947'368}}};
  return kSums[static_cast<std::size_t>(kind) - static_cast<std::size_t>(WindowKind::kHann)];
}

// exp(-y) for 0 <= y: of a part of ln 2 by a Taylor sum of its 2^-8, squared 8 times.
DoubleDouble exp_of_minus(DoubleDouble y) {
  constexpr DoubleDouble kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  constexpr int kSquares = 8, kTerms = 14;
  if (y.hi > 745) return {};  // less than the least of f64
  const double halvings = std::round(y.hi / kLn2.hi);
  const DoubleDouble x = (kLn2 * DoubleDouble(halvings) - y) * DoubleDouble(0x1p-8);
  DoubleDouble sum(1.0);
  for (int k = kTerms; k > 0; --k) sum = DoubleDouble(1.0) + sum * x / DoubleDouble(k);
  for (int i = 0; i < kSquares; ++i) sum *= sum;
  const int exponent = -static_cast<int>(halvings);
  return {std::ldexp(sum.hi, exponent), std::ldexp(sum.lo, exponent)};
}

// The modified Bessel function I0(2 sqrt(q)), a sum of q^k / (k!)^2.
DoubleDouble bessel(DoubleDouble q, Poll& poll) {
  DoubleDouble sum(1.0), term(1.0);
  for (std::int64_t k = 1; term.hi > sum.hi * 0x1p-108; ++k) {
    poll.count(1);
    term = term * q / DoubleDouble(static_cast<double>(k) * static_cast<double>(k));
    sum += term;
  }
  return sum;
}

// Factor j of the `period` + 1 that are symmetric.
class Factor {
 public:
  Factor(const Window& window, std::int64_t period, RootCache& roots) : window_(window), period_(period), roots_(roots) {
    if (window.kind < WindowKind::kKaiser) cosines_ = &roots.get(period);
    if (window.kind == WindowKind::kKaiser) largest_ = bessel(quarter_square(), roots.poll);
  }

  DoubleDouble operator()(std::int64_t j) const {
    roots_.poll.count(1);
    switch (window_.kind) {
      case WindowKind::kKaiser: {
        const DoubleDouble n(period_), place = DoubleDouble(j) / n, rest = DoubleDouble(period_ - j) / n;
        return bessel(quarter_square() * DoubleDouble(4.0) * place * rest, roots_.poll) / largest_;
      }
      case WindowKind::kGauss: {
        const DoubleDouble t = DoubleDouble(std::abs(2 * j - period_)) / DoubleDouble(window_.parameter);  // of half a point each
        return t.hi > 100 ? DoubleDouble() : exp_of_minus(t * t * DoubleDouble(0.125));
      }
      default: return sum_of_cosines(j);
    }
  }

 private:
  DoubleDouble quarter_square() const { return two_prod(window_.parameter, window_.parameter) * DoubleDouble(0.25); }

  DoubleDouble sum_of_cosines(std::int64_t j) const {
    const CosineSum& sum = cosine_sum(window_.kind);
    DoubleDouble value;
    std::int64_t angle = 0;
    for (std::size_t k = 0; k < sum.terms.size(); ++k) {
      const DoubleDouble term = DoubleDouble(sum.terms[k]) * cosines_->get(angle).re;
      value += k % 2 == 0 ? term : -term;
      angle = (angle + j) % period_;
    }
    return value / DoubleDouble(sum.one);
  }

  const Window& window_;
  const std::int64_t period_;
  RootCache& roots_;
  const RootTable* cosines_ = nullptr;
  DoubleDouble largest_;
};

template <typename T>
AlignedBuffer rounded_factors(const WindowFactors& table, RootCache& roots) {
  AlignedBuffer out(static_cast<std::size_t>(table_values(table)) * sizeof(T), &roots.poll);
  T* next = static_cast<T*>(out.data());
  const std::size_t rank = table.lengths.size();
  for (const DoubleDouble& value : factors_along(table, rank - 1, roots)) *next++ = round_to<T>(value);
  if (rank == 1) return out;
  std::vector<DoubleDouble> products{DoubleDouble(1.0)};
  for (std::size_t d = 0; d + 1 < rank; ++d) {
    const std::vector<DoubleDouble> inner = factors_along(table, d, roots), outer = std::move(products);
    products.clear();
    for (const DoubleDouble& a : outer) {
      roots.poll.count(static_cast<std::int64_t>(inner.size()));
      for (const DoubleDouble& b : inner) products.push_back(a * b);
    }
  }
  for (const DoubleDouble& value : products) *next++ = round_to<T>(value);
  return out;
}

}  // namespace

WindowFactors window_of(const Problem& problem) {
  WindowFactors factors{problem.window, {}};
  for (const Dimension& d : problem.dims) factors.lengths.push_back(d.length);
  return factors;
}

std::vector<DoubleDouble> factors_along(const WindowFactors& table, std::size_t d, RootCache& roots) {
  const std::int64_t n = table.lengths[d];
  const Window& window = table.window;
  if (window.given != nullptr) {
    std::int64_t begin = window.begin;
    for (std::size_t before = 0; before < d; ++before) begin += table.lengths[before];
    return {window.given->begin() + begin, window.given->begin() + begin + n};
  }
  std::vector<DoubleDouble> values(static_cast<std::size_t>(n), DoubleDouble(1.0));
  if (n == 1) return values;
  const std::int64_t period = window.symmetric ? n - 1 : n;
  const Factor factor(window, period, roots);
  for (std::int64_t j = 0; 2 * j <= period; ++j) {
    const DoubleDouble value = factor(j);
    values[static_cast<std::size_t>(j)] = value;
    if (period - j < n) values[static_cast<std::size_t>(period - j)] = value;
  }
  return values;
}

std::int64_t table_values(const WindowFactors& table) {
  std::int64_t others = 1;
  for (std::size_t d = 0; d + 1 < table.lengths.size(); ++d) others *= table.lengths[d];
  return table.lengths.back() + (table.lengths.size() > 1 ? others : 0);
}

AlignedBuffer make_window_factors(const WindowFactors& table, ComputeType compute, RootCache& roots) {
  switch (compute) {
    case ComputeType::kF32: case ComputeType::kRoundedF32: return rounded_factors<float>(table, roots);
    case ComputeType::kF64: case ComputeType::kRoundedF64: return rounded_factors<double>(table, roots);
    case ComputeType::kDoubleDouble: return rounded_factors<DoubleDouble>(table, roots);
  }
  return {};
}

}  // namespace ulpfft
