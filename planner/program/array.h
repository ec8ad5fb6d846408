// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The arrays of a program, and views of them. Until they are placed, work arrays have a size and no address.
//
// Units    offsets and strides count reals of the compute type. A narrow array is addressed as if it held them; loops move one that is
//          converted apart by bytes.
#ifndef ULPFFT_PLANNER_PROGRAM_ARRAY_H_
#define ULPFFT_PLANNER_PROGRAM_ARRAY_H_

#include <cstdint>
#include <memory>
#include <string>

#include "codelets/contract/step.h"
#include "planner/convert/narrow_rows.h"

namespace ulpfft {

// The arrays of the caller have names of their own; work arrays are numbered from kFirstWork on, in the order they are taken. kNone: memory
// that is named and not used.
enum class ArrayId : std::int32_t { kNone = -1, kIn, kOut, kInScales, kOutScales, kExponents, kFactors, kFirstWork };
constexpr bool is_work(ArrayId id) { return id >= ArrayId::kFirstWork; }

// A work array. The place stage gives it a slot, which loops can move on alone, and the offset of its first real in the workspace.
struct Array {
  std::int64_t reals = 0;
  std::shared_ptr<const NarrowRows> narrow = {};  // null: it holds reals
  std::int64_t scales_at = 0;                     // of a narrow one: reals from its beginning to its scales
  std::int64_t im_offset = 1;                     // reals from re to im of a result that a dit leaves there; 1: numbers are interleaved
  Slot slot = Slot::kWork0;
  std::int64_t offset = 0;
};

// How the numbers of an array become reals, or reals its numbers.
enum class Converted : std::uint8_t {
  kNone,       // they are reals of the compute type
  kInThePass,  // a codelet converts
  kStaged,     // a pass runs slice by slice, and each slice is converted by way of a tile
  kApart,      // passes of their own convert a group of transforms, which lies in the workspace
};

// An array of the caller as passes see it.
struct CallerArray {
  std::string storage;
  Converted how = Converted::kNone;
  std::shared_ptr<const NarrowRows> narrow = {};  // of panels that stage it; else null
  std::string format;                             // kInThePass: how codelets name it
  std::int64_t unit_bytes = 1;                    // of what the strides of passes and loops count: reals, codes or bytes
};

// One end of a pass: an Edge (step.h) whose array has a name.
struct View {
  ArrayId array = ArrayId::kIn;
  Layout layout = Layout::kPaired;
  bool swap = false;
  bool planar = false;
  bool lane_order = false;
  bool half_complex = false;
  bool non_temporal = false;
  std::int64_t offset = 0;
  std::int64_t im_offset = 1;
  std::int64_t point_stride = 0;
  std::int64_t lane_stride = 0;
  std::int64_t number_stride = 0;  // of a narrow array: per iteration of the innermost numbered loop
  std::int64_t wrap = 0;
  std::int32_t wrap_point = INT32_MAX;
};

// What a pass fetches for a later one, see Ahead (step.h).
struct Fetch {
  bool fetches = false;
  bool brief = false;
  ArrayId array = ArrayId::kIn;
  std::int64_t offset = 0;
  std::int64_t point_stride = 0;
  std::int64_t axis_stride = 0;
  std::int64_t lane_stride = 2;
};

// What a codelet is told, see PassArgs (step.h), but for tables, lists and other things with an address.
struct Operands {
  View in;
  View out;
  Axis axes[2];
  std::int64_t lanes = 1;
  std::int64_t path_stride = 0;
  std::int64_t row_stride = 0;
  std::int64_t row = 0;
  std::int64_t number_stride = 0;
  std::int64_t pad = 0;
  Twist twist;
  Fetch ahead;
  double scale = 1.0;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_ARRAY_H_
