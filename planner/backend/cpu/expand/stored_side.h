// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// One side of a problem as expanders see it: its array, and how that is converted.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STORED_SIDE_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STORED_SIDE_H_

#include <cstdint>
#include <memory>

#include "planner/convert/side.h"
#include "planner/program/array.h"

namespace ulpfft {

// One side of the problem, and how it is converted.
struct StoredSide : Side {
  Converted how = Converted::kApart;
  std::shared_ptr<const NarrowRows> narrow = {};  // of panels that stage it; null: none do
  std::int64_t row_step = 0;                 // of planes: reals between rows
  ArrayId array = ArrayId::kIn;
  std::int64_t unit = 2;  // what a stride of 1 outside the rows is, in units of the array (unit_bytes)

  // Passes address the array, whether codelets convert it or not.
  bool direct() const { return how == Converted::kNone || how == Converted::kInThePass; }
  bool fused() const { return how == Converted::kInThePass; }
  bool by_panels() const { return narrow != nullptr; }
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STORED_SIDE_H_
