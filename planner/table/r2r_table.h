// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Tables of the passes of r2r transforms. A kind of sines has the table of its cosines_of().
//
// Error    every value is rounded once from double-double; halving and doubling are exact.
// Weights  those of scale=ortho, which are beside its factor (c/problem.h).
#ifndef ULPFFT_PLANNER_TABLE_R2R_TABLE_H_
#define ULPFFT_PLANNER_TABLE_R2R_TABLE_H_

#include <cstdint>

#include "codelets/contract/codelet.h"
#include "codelets/contract/format_info.h"
#include "planner/system/buffer.h"
#include "planner/table/twiddle_table.h"
#include "wisdom/r2r_kind.h"

namespace ulpfft {

// Of kFold (dct2, r2hc, dht; halved) and kUnfold (dct3, hc2r) of even n: w^k, t of k, t of n/2 - k, for k = 0 .. n/4. t is
// exp(-2 pi i k / (4 n)) for dct3, twice that for dct2, 1 for r2hc and hc2r, 1 + i for dht.
// With an element (dct2 and dct3 alone) values are at most 1, so that integers may hold them, and rounded to it: nothing is halved, t of
// dct2 is that of dct3, and those of V[0] and V[n/2] are halves of what they would be; 1 of V[0] is exact, because nothing is multiplied.
struct FoldTwiddles {
  R2rKind kind = R2rKind::kDCT2;
  std::int64_t n = 2;
  bool halved = false;
  bool weighted = false;
  const FormatInfo* element = nullptr;  // of a rounded scheme
  bool operator==(const FoldTwiddles&) const = default;
};

// Of kSplitPairs and kJoinPairs of even n: exp(-2 pi i (8 j + 1) / (16 n)), j = 0 .. n/2 - 1.
struct PairTwiddles {
  std::int64_t n = 2;
  bool operator==(const PairTwiddles&) const = default;
};

// The factors of kPick: not read, f, -f, and that of the ends. The input has f = 2 for dct2, dct3 and hc2r, sqrt 2 for dct4, else 1. The
// output has f = 1. Half of a spectrum has f = 1 of dct3 and hc2r, because its transform adds conjugates. Ends have 1 and their
// weight, which is rounded to the element.
struct PickFactors {
  R2rKind kind = R2rKind::kDCT2;
  bool output = false;
  bool weighted = false;
  const FormatInfo* element = nullptr;  // of a rounded scheme
  bool half = false;                    // the input is half of a spectrum
  bool operator==(const PickFactors&) const = default;
};

std::int64_t table_values(const FoldTwiddles& table);
std::int64_t table_values(const PairTwiddles& table);
std::int64_t table_values(const PickFactors& table);

AlignedBuffer make_fold_twiddles(const FoldTwiddles& table, ComputeType compute, RootCache& roots);
AlignedBuffer make_pair_twiddles(const PairTwiddles& table, ComputeType compute, RootCache& roots);
AlignedBuffer make_pick_factors(const PickFactors& table, ComputeType compute, RootCache& roots);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_R2R_TABLE_H_
