// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How the work array of a dit over one line is laid out: a value that follows from the radices, the vectors and the shifts alone.
//
// Blocks   W reals re, W reals im, where every chunk is a whole vector. The passes load and store them without shuffling.
// Padding  rows of the first radix that are no whole vectors get blocks of their own, where Machine::most_scratch allows it, L2 holds the
//          line and the node does not stream. The last vector of a row repeats outputs of the one before (vector_begin), and so it stays
//          until the last pass writes.
// Planes   otherwise: all re, then all im.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_LINE_PACKING_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_LINE_PACKING_H_

#include <cstdint>

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

struct LinePacking {
  std::int64_t lanes = 1;       // W
  std::int64_t radix = 1;       // of the first pass: numbers of a row
  std::int64_t columns = 1;     // rows that hold numbers
  std::int64_t rows = 1;        // one more than columns where lanes of the first pass hold no column
  bool padded = false;
  bool blocks = false;          // padded rows are blocks
  bool planar_out = false;      // the last pass leaves planes: a dense split array
  bool lane_order = false;      // lanes of a vector follow the order of the cheap shuffles
  std::int64_t unit = 1;        // reals from one number of a row to the next
  std::int64_t row = 1;         // reals from one row to the next
  std::int64_t im_offset = 1;   // reals from re to im
  bool is_output = false;       // the array has the size and order of the output, which can serve as one
  bool leaves = false;          // planes that are kept: the last pass works in place, and codes are made from there

  // Reals from the beginning to number k of a row of rows.
  std::int64_t at(std::int64_t k) const { return padded ? k / radix * row : k * unit; }
  std::int64_t reals() const { return blocks ? rows * row : 2 * im_offset; }
};

LinePacking pack_line(const Scope& scope, const Node& node, const Place& place);

// Reals of such an array in planes or blocks, whatever the vectors are.
std::int64_t kept_reals(const Node& node);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_LINE_PACKING_H_
