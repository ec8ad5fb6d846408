// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/judge/output_sums.h"

#include <utility>

namespace ulpfft {
namespace {

DirectSums direct_sums_of(const Problem& problem) {
  if (problem.kind == Kind::kR2R) return DirectSums(std::vector<std::int64_t>{1});
  std::vector<std::int64_t> lengths;
  for (const Dimension& d : problem.dims) lengths.push_back(d.length);
  if (problem.kind != Kind::kCzt) return DirectSums(std::move(lengths));
  return {ZoomTurns(problem.zoom, lengths[0]), lengths[0], index_length(problem, problem.dims[0], true)};
}

// All angles of a kind are multiples of a part of a turn: how many of these parts a turn has.
std::int64_t period_of(R2rKind kind, std::int64_t n) {
  const R2rKind base = cosines_of(kind);
  return base == R2rKind::kDCT4 ? 8 * n : base == R2rKind::kDCT2 || base == R2rKind::kDCT3 ? 4 * n : logical_length(kind, n);
}

}  // namespace

DoubleDouble OutputSums::Line::coefficient(std::int64_t j, std::int64_t k) const {
  const std::int64_t n = length;
  const DoubleDouble one(1.0), two(2.0), sign(k % 2 == 0 ? 1.0 : -1.0);
  const auto is_end = [n](std::int64_t at) { return at == 0 || at == n - 1; };
  switch (kind) {
    case R2rKind::kR2HC: return 2 * k <= n ? cosine(j * k) : -sine(j * (n - k));
    case R2rKind::kHC2R:
      if (j == 0) return one;
      if (2 * j == n) return sign;
      return two * (2 * j < n ? cosine(j * k) : -sine((n - j) * k));
    case R2rKind::kDHT: return cosine(j * k) + sine(j * k);
    case R2rKind::kDCT1: {
      const DoubleDouble value = j == 0 ? one : j == n - 1 ? sign : two * cosine(j * k);
      return value * (is_end(j) ? root : one) * (is_end(k) ? shrunk : one);
    }
    case R2rKind::kDCT2: return two * cosine((2 * j + 1) * k) * (k == 0 ? shrunk : one);
    case R2rKind::kDCT3: return j == 0 ? root : two * cosine(j * (2 * k + 1));
    case R2rKind::kDCT4: return two * cosine((2 * j + 1) * (2 * k + 1));
    case R2rKind::kDST1: return two * sine((j + 1) * (k + 1));
    case R2rKind::kDST2: return two * sine((2 * j + 1) * (k + 1)) * (k == n - 1 ? shrunk : one);
    case R2rKind::kDST3: return j == n - 1 ? sign * root : two * sine((j + 1) * (2 * k + 1));
    case R2rKind::kDST4: return two * sine((2 * j + 1) * (2 * k + 1));
  }
  return one;
}

OutputSums::OutputSums(const Problem& problem, Poll* given) : direct_(direct_sums_of(problem)) {
  if (problem.kind != Kind::kR2R) return;
  const bool weighted = problem.scale_kind == ScaleKind::kOrtho;
  if (problem.dims.size() == 1 && R2rCombs::has(problem.kinds[0])) {
    r2r_.emplace(problem.kinds[0], problem.dims[0].length, weighted);
    return;
  }
  const DoubleDouble one(1.0), root = weighted ? sqrt(DoubleDouble(2.0)) : one;
  Poll nobody;
  Poll& poll = given != nullptr ? *given : nobody;
  for (std::size_t d = 0; d < problem.dims.size(); ++d) {
    const std::int64_t n = problem.dims[d].length, period = period_of(problem.kinds[d], n);
    lines_.push_back({problem.kinds[d], n, root, one / root, std::make_shared<RootTable>(period, poll), period});
    points_ *= n;
  }
}

std::vector<ComplexDD> OutputSums::run(const double* x, std::int64_t comb, Poll& poll) const {
  if (r2r_) {
    std::vector<ComplexDD> outputs;
    for (const DoubleDouble& output : r2r_->run(x, comb, poll)) outputs.push_back({output, DoubleDouble(0.0)});
    return outputs;
  }
  if (lines_.empty()) return direct_.run(x, comb, poll);
  // The innermost length first: every line becomes one number.
  std::vector<DoubleDouble> sums;
  std::int64_t left = points_, rest = comb;
  for (std::size_t d = lines_.size(); d-- > 0;) {
    const Line& line = lines_[d];
    const std::int64_t n = line.length, k = rest % n;
    rest /= n;
    std::vector<DoubleDouble> coefficients;
    for (std::int64_t j = 0; j < n; ++j) {
      poll.count(4);
      coefficients.push_back(line.coefficient(j, k));
    }
    const bool first = d + 1 == lines_.size();
    left /= n;
    std::vector<DoubleDouble> next(static_cast<std::size_t>(left));
    for (std::int64_t i = 0; i < left; ++i) {
      poll.count(n);
      for (std::int64_t j = 0; j < n; ++j) {
        const std::int64_t at = i * n + j;
        const DoubleDouble value = first ? DoubleDouble(x[2 * at]) : sums[static_cast<std::size_t>(at)];
        next[static_cast<std::size_t>(i)] += coefficients[static_cast<std::size_t>(j)] * value;
      }
    }
    sums = std::move(next);
  }
  return {{sums[0], DoubleDouble(0.0)}};
}

}  // namespace ulpfft
