// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/expand/shifts.h"

#include <algorithm>

#include "codelets/contract/codelet.h"

namespace ulpfft {

std::vector<ShiftedRange> shifted_ranges(std::int64_t radix, std::int64_t rows, std::int64_t shift,
                                                            bool path_groups) {
  // Point j of row c is element j * rows + c, moved up by `shift` modulo radix * rows.
  if (shift == 0) return {{0, rows, 0, INT32_MAX}};
  const std::int64_t q = shift / rows;
  const std::int64_t d = shift % rows;
  const auto wrap = [&](std::int64_t turns) { return static_cast<std::int32_t>(radix - turns); };
  std::vector<ShiftedRange> ranges;
  ranges.push_back({0, rows - d, q * rows + d, wrap(q)});
  if (d == 0) return ranges;
  const std::int64_t split = rows - d;
  // Dual-select groups start at multiples of kPathGroup, so a range must not begin inside one and reach into the next.
  const std::int64_t aligned = std::min(rows, (split + kPathGroup - 1) / kPathGroup * kPathGroup);
  if (path_groups && aligned != split && aligned < rows) {
    ranges.push_back({split, aligned, (q + 1) * rows, wrap(q + 1)});
    ranges.push_back({aligned, rows, (q + 1) * rows + aligned - split, wrap(q + 1)});
  } else {
    ranges.push_back({split, rows, (q + 1) * rows, wrap(q + 1)});
  }
  return ranges;
}

std::vector<ColumnRange> column_ranges(std::int64_t rows, std::int64_t columns, std::int64_t shift) {
  // Element (row, column) is element row * columns + column of the line, moved up by `shift` modulo its length.
  const std::int64_t turns = shift / columns;
  const std::int64_t d = shift % columns;
  std::vector<ColumnRange> ranges{{0, columns - d, d, turns}};
  if (d > 0) ranges.push_back({columns - d, columns, 0, (turns + 1) % rows});
  return ranges;
}

}  // namespace ulpfft
