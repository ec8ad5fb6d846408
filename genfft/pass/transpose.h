// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Network transposition: reverse every edge of the linear network, so that stores become loads and loads stores.
//
// The transpose computes the transposed matrix at the same number of multiplications; simplifying it finds common
// subexpressions that are common factors here. A table value is a coefficient like a constant, so twiddled bodies
// transpose too.
// Keeps    the matrix, transposed; transposing twice gives it back.
// Needs    a graph without fused operations in which one operand of every product is a coefficient.
// Source   Frigo, "A Fast Fourier Transform Compiler", PLDI 1999.
#ifndef ULPFFT_GENFFT_PASS_TRANSPOSE_H_
#define ULPFFT_GENFFT_PASS_TRANSPOSE_H_

#include "genfft/ir/dag.h"

namespace ulpfft::genfft {

Dag transpose(const Dag& input);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_PASS_TRANSPOSE_H_
