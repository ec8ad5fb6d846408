// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A transform that is not planned, for tables alone.
//
// Shapes   values: m interleaved complex numbers, transformed in place, forward, unnormalised.
// Error    about 2^-104 sqrt(log2 m) of the rms output in DoubleDouble.
// Cost     m times the sum of the prime factors, with 4 for two factors 2. In DoubleDouble 2^14 points take as long as 2^18 points of f64
//          by a plan.
// Source   T. G. Stockham, Proc. AFIPS 28 (1966) 229: no reordering. T. J. Dekker, Numer. Math. 18 (1971) 224: the product, because a
//          fused one is a call of the C library where the target of the build has none.
#ifndef ULPFFT_PLANNER_TABLE_TABLE_TRANSFORM_H_
#define ULPFFT_PLANNER_TABLE_TABLE_TRANSFORM_H_

#include <cstdint>

#include "codelets/contract/double_double.h"
#include "planner/table/twiddle_table.h"

namespace ulpfft {

void transform_for_table(double* values, std::int64_t m, RootCache& roots);
void transform_for_table(DoubleDouble* values, std::int64_t m, RootCache& roots);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_TABLE_TRANSFORM_H_
