// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Outputs of a forward transform straight from its definition, in double-double. Every other reference is checked against them.
//
// A comb is the outputs k = k0 + (n/d) m, m = 0..d-1, for a divisor d of n. With x multiplied by w_n^(j k0) and folded by j mod d, they
// are a transform of d points: n products instead of n d. Transforms of several dimensions have a comb along each. Outputs of a chirp
// transform are combs of one.
//
// Shapes   x: dense, row-major, interleaved (re, im); outputs by comb and tooth, `index` gives the row-major position.
// Error    about 2^-100 of the rms output.
// Cost     n products of a double and a double-double for up to 256 outputs; if n is prime, for one output.
// Threads  const functions are re-entrant. Needs rounding to nearest.
#ifndef ULPFFT_PLANNER_JUDGE_DIRECT_SUMS_H_
#define ULPFFT_PLANNER_JUDGE_DIRECT_SUMS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "codelets/contract/double_double.h"
#include "planner/system/poll.h"
#include "planner/table/turn.h"

namespace ulpfft {

struct ComplexDD {
  DoubleDouble re;
  DoubleDouble im;
};

class DirectSums {
 public:
  explicit DirectSums(std::vector<std::int64_t> lengths);
  // One line of `length` points, of which the first `inputs` are given and the others are 0. `teeth` divides the length.
  DirectSums(std::int64_t length, std::int64_t teeth, std::int64_t inputs);
  // A chirp transform to `outputs` numbers.
  DirectSums(const ZoomTurns& turns, std::int64_t inputs, std::int64_t outputs);
  // The most teeth that a line of n points has, with room for so many times as many.
  static std::int64_t most_teeth(std::int64_t n, std::int64_t times);

  std::int64_t teeth() const { return teeth_; }  // outputs of a comb
  std::int64_t combs() const { return combs_; }  // each of the teeth() * combs() outputs lies in one comb
  std::int64_t index(std::int64_t comb, std::int64_t tooth) const;
  // `poll` counts the products.
  std::vector<ComplexDD> run(const double* x, std::int64_t comb, Poll& poll) const;

 private:
  struct Line {
    std::int64_t length = 1;
    std::int64_t teeth = 1;
    std::int64_t inputs = 1;       // beyond which all are 0
    std::int64_t points = 1;       // of all lines inside this one
    std::int64_t inner_teeth = 1;  // of all lines inside this one
  };
  struct Roots;
  Roots roots_of(std::int64_t comb, Poll& poll) const;
  Roots chirp_roots(std::int64_t output, Poll& poll) const;
  std::vector<std::int64_t> first_outputs(std::int64_t comb) const;
  void fold(std::size_t line, const double* x, const Roots& roots, ComplexDD* sums, Poll& poll) const;
  void fold_row(const double* x, const Roots& roots, ComplexDD* sums, Poll& poll) const;

  std::vector<Line> lines_;
  std::int64_t teeth_ = 1;
  std::int64_t combs_ = 1;
  std::optional<ZoomTurns> turns_;  // of a chirp transform
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_JUDGE_DIRECT_SUMS_H_
