// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// All n-th roots of unity from a table of one octant, in double-double.
//
// get(k) = exp(-2 pi i k / n). Symmetric entries are equal bit for bit up to sign and exchange of parts.
// Cost     n/8 double-double complex products to build (n for odd n), a look-up of a few ns each. Octants beyond 2^17 entries are kept
//          as two tables of about their square root; a look-up is then one more double-double product.
// Error    parts within 2^-99 relative of the octant value, so rounding to f64 is correct but for one case in 2^45.
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
  UnitRoot first_octant(std::int64_t u) const;

  std::int64_t fine_ = 0;                // two tables: entries of the fine one; 0: one table
  std::vector<UnitRoot> octant_;         // or every fine_-th entry of it
  std::vector<UnitRoot> fine_roots_;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_ROOT_TABLE_H_
