// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Real transforms by their definition (codelets/contract/real_transform.h), in double-double. Reals have im = 0.
#ifndef ULPFFT_GENFFT_PASS_NAIVE_REAL_H_
#define ULPFFT_GENFFT_PASS_NAIVE_REAL_H_

#include <vector>

#include "codelets/contract/double_double.h"
#include "codelets/contract/real_transform.h"
#include "genfft/ir/evaluate.h"

namespace ulpfft::genfft {

// n reals; c2r takes its n / 2 + 1 complex points.
std::vector<ComplexValue<DoubleDouble>> naive_real(RealTransform transform, int n, const std::vector<ComplexValue<DoubleDouble>>& x);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_PASS_NAIVE_REAL_H_
