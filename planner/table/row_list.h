// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Lists of row numbers that passes read: digit reversals, and powers modulo a prime.
#ifndef ULPFFT_PLANNER_TABLE_ROW_LIST_H_
#define ULPFFT_PLANNER_TABLE_ROW_LIST_H_

#include <cstdint>
#include <vector>

#include "planner/system/poll.h"
#include "wisdom/r2r_kind.h"

namespace ulpfft {

// A list of `count` row numbers.
struct RowOrder {
  enum class Kind : std::uint8_t {
    kNatural,  // 0, 1, 2, ...
    kDigits,   // the row of each column by the reversed digits of `radices`
    // The same for the lanes of vectors over columns `begin` .. `begin` + `columns` - 1. A lane without a column has the row `none`.
    kDigitsOfLanes,
    kPowers,      // 1, g, g^2, ... modulo the prime n
    kLogarithms,  // `none`, then of k = 1 .. n - 1 the q with g^-q = k modulo the prime n
    kPickIn,      // of kPick, to the numbers whose transform holds that of an r2r line of n reals (pick_list.h)
    kPickOut,     // of kPick, back
    kPickEnds,    // of kPick, the reals 0, 1, ... with the factor of ends
  };
  Kind kind = Kind::kNatural;
  std::int64_t count = 0;
  std::int64_t n = 0;
  std::int64_t begin = 0, columns = 0, none = 0;
  int lanes = 1;
  int reals_in_block = 1;                  // lanes_per_block of index_of_lane(); 1: index order
  R2rKind r2r = R2rKind::kR2HC;            // kPickIn, kPickOut
  bool half = false;                       // the same: by reals and half of a spectrum
  std::vector<std::int64_t> radices = {};  // radices of all passes of the line, with the first
};

std::vector<std::uint32_t> make_row_list(const RowOrder& order, Poll& poll);
// The column whose transform comes to each row.
std::vector<std::uint32_t> columns_of_rows(const std::vector<std::int64_t>& radices, Poll& poll);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_ROW_LIST_H_
