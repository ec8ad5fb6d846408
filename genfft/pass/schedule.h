// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Orders the statements of a fused body so that few values are alive at once.
//
// Depth first: one sub-transform is finished, with its loads and twiddles, before the next begins. A sub-transform is
// recognised by its inputs: the nodes that depend on points of one residue modulo m only. Candidates differ in m (one or two
// levels), in the order of outputs, and in which operand goes first; each is run through a model of a register file with
// farthest-next-use eviction at 16 and at 32 registers, and the one with the least memory traffic wins, peak live values
// breaking ties. A node whose operands are there and end with it is computed at once (the other half of a butterfly).
// Keeps    the arithmetic: every candidate computes the same values.
// Order    candidates in a fixed order, the first of equals wins.
#ifndef ULPFFT_GENFFT_PASS_SCHEDULE_H_
#define ULPFFT_GENFFT_PASS_SCHEDULE_H_

#include <vector>

#include "genfft/kernel.h"

namespace ulpfft::genfft {

std::vector<Statement> schedule(const Dag& dag);

// Peak number of live values; constants are not counted, table values are.
int live_values(const Dag& dag, const std::vector<Statement>& statements);

// Values moved between memory and a file of `registers` registers beyond the loads and stores of the body.
int spill_traffic(const Dag& dag, const std::vector<Statement>& statements, int registers);

// FNV-1a of the statements, with values numbered in the order they appear.
std::uint64_t arithmetic_digest(const Body& body, const std::vector<Statement>& statements);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_PASS_SCHEDULE_H_
