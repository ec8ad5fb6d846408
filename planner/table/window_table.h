// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The factors of windows (wisdom/window.h).
//
// Order    those of the last length; behind them, of several lengths, the products of all others, row-major.
// Error    every value is rounded once from double-double; factors of the caller from f64.
#ifndef ULPFFT_PLANNER_TABLE_WINDOW_TABLE_H_
#define ULPFFT_PLANNER_TABLE_WINDOW_TABLE_H_

#include <cstdint>
#include <vector>

#include "codelets/contract/codelet.h"
#include "codelets/contract/double_double.h"
#include "planner/system/buffer.h"
#include "planner/table/twiddle_table.h"
#include "wisdom/problem.h"

namespace ulpfft {

struct WindowFactors {
  Window window;
  std::vector<std::int64_t> lengths;
  bool operator==(const WindowFactors&) const = default;
};

// The table of a problem with a window.
WindowFactors window_of(const Problem& problem);

// Along one length, which is the `d`-th of them.
std::vector<DoubleDouble> factors_along(const WindowFactors& table, std::size_t d, RootCache& roots);

std::int64_t table_values(const WindowFactors& table);
AlignedBuffer make_window_factors(const WindowFactors& table, ComputeType compute, RootCache& roots);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_WINDOW_TABLE_H_
