// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Circular shifts of centred transforms: where a line, or a matrix, is cut so that no piece wraps inside.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SHIFTS_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SHIFTS_H_

#include <cstdint>
#include <vector>

namespace ulpfft {

// A range of lanes or rows of a line whose circular shift does not wrap inside a row of points.
struct ShiftedRange {
  std::int64_t begin, end;
  std::int64_t offset;        // elements, of index `begin`
  std::int32_t wrap_point;
};
// Columns of a line seen as a matrix whose circular shift is one shift of columns and one of rows.
struct ColumnRange {
  std::int64_t begin, end;
  std::int64_t at;            // where column `begin` is found
  std::int64_t turns;         // rows the columns are shifted by
};

std::vector<ShiftedRange> shifted_ranges(std::int64_t radix, std::int64_t rows, std::int64_t shift, bool path_groups);
std::vector<ColumnRange> column_ranges(std::int64_t rows, std::int64_t columns, std::int64_t shift);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SHIFTS_H_
