// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Moves constant factors out of sums, so that fuse_fma can absorb them further on:
//
//   c1 x + c2 y  ->  c (x + r y),  c the larger of the two, r <= 1 their quotient
//
// where every reader of the sum is an add, a subtract or a constant multiply. A rotation c x + s y then costs one FMA, and its
// outer factor disappears into the butterfly that follows.
// Keeps    the stores' values as real numbers; quotients are correctly rounded constants of magnitude at most 1.
// Reduces  operations after fusing: a round that does not is dropped, so it terminates.
// Source   the tangent form of Linzer and Feig, 1993, with the dual-select choice of the outer factor.
#ifndef ULPFFT_GENFFT_PASS_FACTOR_SCALES_H_
#define ULPFFT_GENFFT_PASS_FACTOR_SCALES_H_

#include "genfft/ir/dag.h"

namespace ulpfft::genfft {

Dag factor_scales(const Dag& input);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_PASS_FACTOR_SCALES_H_
