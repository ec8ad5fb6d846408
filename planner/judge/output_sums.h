// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Outputs of a problem straight from its definition, in double-double and unscaled, of r2r with the weights of scale=ortho: by combs of a
// complex transform (direct_sums.h, r2r_combs.h), of r2r of several dimensions and of types 1 one by one.
//
// Shapes   x: dense, row-major, interleaved, as gather() makes it. An index is row-major.
// Cost     one by one as many products as a transform has points, for each output.
// Threads  const functions are re-entrant. Needs rounding to nearest.
#ifndef ULPFFT_PLANNER_JUDGE_OUTPUT_SUMS_H_
#define ULPFFT_PLANNER_JUDGE_OUTPUT_SUMS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "planner/judge/direct_sums.h"
#include "planner/judge/r2r_combs.h"
#include "planner/table/root_table.h"
#include "wisdom/problem.h"

namespace ulpfft {

class OutputSums {
 public:
  explicit OutputSums(const Problem& problem, Poll* poll = nullptr);

  std::int64_t teeth() const { return r2r_ ? r2r_->teeth() : lines_.empty() ? direct_.teeth() : 1; }  // outputs of a comb
  std::int64_t combs() const { return r2r_ ? r2r_->combs() : lines_.empty() ? direct_.combs() : points_; }
  std::int64_t index(std::int64_t comb, std::int64_t tooth) const {
    return r2r_ ? r2r_->index(comb, tooth) : lines_.empty() ? direct_.index(comb, tooth) : comb;
  }
  std::vector<ComplexDD> run(const double* x, std::int64_t comb, Poll& poll) const;

 private:
  struct Line {
    R2rKind kind;
    std::int64_t length;
    DoubleDouble root, shrunk;  // sqrt 2 of weighted ends and its reciprocal, else 1
    std::shared_ptr<const RootTable> roots;  // exp(-2 pi i k / period)
    std::int64_t period;
    DoubleDouble coefficient(std::int64_t j, std::int64_t k) const;
    DoubleDouble cosine(std::int64_t k) const { return roots->get(k % period).re; }
    DoubleDouble sine(std::int64_t k) const { return -roots->get(k % period).im; }
  };

  DirectSums direct_;
  std::optional<R2rCombs> r2r_;
  std::vector<Line> lines_;  // of r2r without combs; else empty
  std::int64_t points_ = 1;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_JUDGE_OUTPUT_SUMS_H_
