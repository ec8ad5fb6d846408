// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Complex transforms of which only real parts are kept: what becomes of the errors of their passes.
//
// Half of the error of a complex transform lies in the imaginary parts. If they are left out because the exact result is real, half of the
// squared error goes with them. That is not so of errors that are as symmetric as the data.
//   sums       A butterfly adds and subtracts numbers j and r - j before anything else. Of conjugates the imaginary part of a sum and the
//              real part of a difference are exactly 0, so that every output is exactly real, and its error is too. That holds for the last
//              pass of a transform, where all outputs are real. The sub-transforms before it are conjugates of each other but for a turn,
//              and so are not rounded alike; nor are products with twiddles.
//   rader      Numbers j and n - j are (n - 1) / 2 apart in the order of powers. The first butterfly splits such conjugates into real and
//              imaginary sequences, whose transforms are computed alike for k and -k. So the errors of the transform there, and of the
//              product with the filter, which has the same symmetry, return to real parts. A pad destroys the symmetry.
//   bluestein  A chirp destroys it as well.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_PARTS_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_PARTS_H_

#include <cstddef>

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// Notes it in the passes from `begin` on, which end with a transform. `left_out`: the part of the numbers whose imaginary parts are left
// out, by their squares. `symmetric`: the part of the data of these that is symmetric.
void keep_real_parts(Scope& scope, std::size_t begin, double left_out, double symmetric);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_REAL_PARTS_H_
