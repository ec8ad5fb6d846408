// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Rebuild through the simplifying constructors of the graph, and collect common coefficients.
//
// Beyond the rules of dag.h:
//   c x + c y = c (x + y)      where no one else reads the two products (one multiply less)
//   -(a - b)  = b - a          where no one else reads the difference (one negation less)
//   dead nodes disappear
// Keeps    the stores' values exactly, as real numbers.
// Reduces  (operations, negations); runs until neither falls.
#ifndef ULPFFT_GENFFT_PASS_SIMPLIFY_H_
#define ULPFFT_GENFFT_PASS_SIMPLIFY_H_

#include "genfft/ir/dag.h"

namespace ulpfft::genfft {

Dag simplify(const Dag& input);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_PASS_SIMPLIFY_H_
