// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Real transforms by their definition (codelets/contract/real_transform.h), in double-double. Reals have im = 0.
#ifndef ULPFFT_GENFFT_PASS_NAIVE_REAL_H_
#define ULPFFT_GENFFT_PASS_NAIVE_REAL_H_

#include <vector>

#include "codelets/contract/double_double.h"
#include "codelets/contract/real_transform.h"
#include "genfft/ir/evaluate.h"
#include "genfft/pass/roots.h"

namespace ulpfft::genfft {

class NaiveReal {
 public:
  NaiveReal(RealTransform transform, int n);
  // n reals; c2r takes its n / 2 + 1 complex points.
  std::vector<ComplexValue<DoubleDouble>> operator()(const std::vector<ComplexValue<DoubleDouble>>& x) const;

 private:
  DoubleDouble cosine(int k) const { return roots_[static_cast<std::uint64_t>(k)].re; }
  DoubleDouble sine(int k) const { return -roots_[static_cast<std::uint64_t>(k)].im; }
  DoubleDouble coefficient(int j, int k) const;

  RealTransform transform_;
  int n_;
  Roots roots_;  // angles of all products are multiples of the first one's
};

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_PASS_NAIVE_REAL_H_
