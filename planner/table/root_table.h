// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// All n-th roots of unity from a table of one octant, in double-double.
//
// get(k) = exp(-2 pi i k / n). Symmetric entries are equal bit for bit up to sign and exchange of parts.
// Cost     n/8 double-double complex products to build (n for odd n), and a few ns for a look-up. Octants beyond 2^17 entries are kept
//          as two tables of about their square root; a look-up then takes one double-double product more.
// Error    2^-99, relative to the octant value, so rounding a part to f64 is correct except in one case of 2^45.
// Threads  immutable after construction.
#ifndef ULPFFT_PLANNER_TABLE_ROOT_TABLE_H_
#define ULPFFT_PLANNER_TABLE_ROOT_TABLE_H_

#include <cstdint>
#include <vector>

#include "codelets/contract/unit_root.h"
#include "planner/system/poll.h"

namespace ulpfft {

class RootTable {
 public:
  RootTable(std::int64_t n, Poll& poll);
  std::int64_t n() const { return n_; }
  UnitRoot get(std::int64_t k) const;  // 0 <= k < n

 private:
  std::int64_t n_;
  std::int64_t units_;  // table units in a full turn: lcm(n, 8)
  std::int64_t unit_;   // table units per 1/n turn
  UnitRoot first_octant(std::int64_t u) const { return fine_ == 0 ? octant_[static_cast<std::size_t>(u)] : product(u); }
  UnitRoot product(std::int64_t u) const;  // of entries of the two tables

  std::int64_t fine_ = 0;                // entries of the fine table where there are two tables; 0: there is one table
  std::vector<UnitRoot> octant_;         // the octant; with two tables every fine_-th entry of it
  std::vector<UnitRoot> fine_roots_;
};

// Inline, because a table of twiddles takes a look-up for each of its factors.
inline UnitRoot RootTable::get(std::int64_t k) const {
  std::int64_t u = k * unit_;  // angle = -2 pi u / units
  // Comparisons, because a division takes as long as the rest.
  const std::int64_t quarter = units_ / 4;
  const bool second_half = u >= 2 * quarter;
  if (second_half) u -= 2 * quarter;
  const bool second_quarter = u >= quarter;
  if (second_quarter) u -= quarter;
  // exp(-i a) = c - i s for the angle a inside the quadrant. The upper half of the quadrant is the lower half with c and s exchanged.
  DoubleDouble c, s;
  if (2 * u <= quarter) {
    const UnitRoot w = first_octant(u);
    c = w.re;
    s = -w.im;
  } else {
    const UnitRoot w = first_octant(quarter - u);
    c = -w.im;
    s = w.re;
  }
  const DoubleDouble zero;
  const auto negate = [&zero](const DoubleDouble& x) { return x.hi == 0 ? zero : -x; };  // zeros stay +0
  if (second_half) return second_quarter ? UnitRoot{s, c} : UnitRoot{negate(c), s};
  return second_quarter ? UnitRoot{negate(s), negate(c)} : UnitRoot{c, negate(s)};
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_ROOT_TABLE_H_
