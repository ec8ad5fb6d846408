// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A multiply all of whose readers are adds or subtracts disappears into them as fused multiply-adds.
//
// Where both operands of an add are such multiplies only one can go: the one with fewer such rivals, then the one created
// first. A negation that is the only reader of a fused operation becomes its sign.
// Keeps    the set of stores, and their values up to one rounding per fusion.
// Reduces  node count by one per multiply removed, so it terminates.
// Order    ties go to the operand created first: equal input gives equal output.
#ifndef ULPFFT_GENFFT_PASS_FUSE_FMA_H_
#define ULPFFT_GENFFT_PASS_FUSE_FMA_H_

#include "genfft/ir/dag.h"

namespace ulpfft::genfft {

Dag fuse_fma(const Dag& input);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_PASS_FUSE_FMA_H_
