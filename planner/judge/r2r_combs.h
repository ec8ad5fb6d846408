// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Outputs of one line between real numbers straight from its definition, in double-double and unscaled, by combs of a complex transform.
//
// y[k] = Re(c w^p(k) sum_j h_j x[j] v^(j p(k))): v is a root of 1, 2 or 4 n, and the places p(k) of the outputs k, k + n/d, ... are teeth of
// one comb (direct_sums.h). What the ends of x weigh besides is added. Types 1 have no such comb, because their outputs are not n of n.
//
// Cost     n products of a double and a double-double for up to 256 outputs; if n is prime, for one output.
// Error, threads  as of direct_sums.h.
#ifndef ULPFFT_PLANNER_JUDGE_R2R_COMBS_H_
#define ULPFFT_PLANNER_JUDGE_R2R_COMBS_H_

#include <cstdint>
#include <vector>

#include "planner/judge/direct_sums.h"
#include "wisdom/r2r_kind.h"

namespace ulpfft {

class R2rCombs {
 public:
  static bool has(R2rKind kind) { return kind != R2rKind::kDCT1 && kind != R2rKind::kDST1; }
  // `weighted`: with the weights of scale=ortho.
  R2rCombs(R2rKind kind, std::int64_t n, bool weighted);

  std::int64_t teeth() const { return teeth_; }
  std::int64_t combs() const { return n_ / teeth_; }
  std::int64_t index(std::int64_t comb, std::int64_t tooth) const { return comb + combs() * tooth; }
  // x: n complex numbers, interleaved, whose imaginary parts are 0.
  std::vector<DoubleDouble> run(const double* x, std::int64_t comb, Poll& poll) const;

 private:
  std::int64_t place(std::int64_t k) const;
  DoubleDouble output(const double* x, std::int64_t k, ComplexDD sum) const;

  R2rKind kind_;
  std::int64_t n_;
  bool weighted_;
  std::int64_t teeth_;
  DirectSums sums_;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_JUDGE_R2R_COMBS_H_
