// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Rounding nodes for the schemes that round to a narrow format (codelets/contract/rounded.h).
//
//   kEvery    a node kRound after each operation: it is rounded once, from its exact value
//   kFactors  where a node depends on one point (its twiddle factor is applied) the same, to rounded numbers; elsewhere factors and
//             products are rounded, sums to the wider type of sums, and FMAs fall into a product and a sum
// Coefficients are rounded where they are made. Keeps the stores' values up to what the nodes round.
#ifndef ULPFFT_GENFFT_PASS_PLACE_ROUNDING_H_
#define ULPFFT_GENFFT_PASS_PLACE_ROUNDING_H_

#include "genfft/ir/dag.h"

namespace ulpfft::genfft {

enum class RoundingPlace { kEvery, kFactors };

Dag place_rounding(const Dag& input, RoundingPlace place);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_PASS_PLACE_ROUNDING_H_
