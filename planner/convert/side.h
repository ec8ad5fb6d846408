// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A side of a problem as a value: what the elements of one array of the caller are, how they are stored, and where they lie.
//
// It is made once, where a problem enters the planner, and goes wherever one of the arrays is meant: nobody further down looks up a name of
// storage, asks the kind of a transform what an array holds, or chooses between two strides. It owns nothing.
#ifndef ULPFFT_PLANNER_CONVERT_SIDE_H_
#define ULPFFT_PLANNER_CONVERT_SIDE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "codelets/contract/storage.h"
#include "planner/convert/storage_by_name.h"
#include "wisdom/problem.h"

namespace ulpfft {

// Byte range an array may touch, relative to the address the caller passes.
struct Extent {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// Addresses are sums of strides times bytes; scales lie likewise, a row's side by side. A side of real numbers is one array of one real for
// each element, whatever the layout.
struct Side {
  bool output = false;
  Storage storage;
  const char* format = "";         // name of the element or of the blocks, without their length and rule; codelets name it so
  bool wide = true;                // f32, f64, dd: passes read and write it
  bool rows = false;               // packed or in blocks: other dimensions than the last count rows
  bool windowed = false;           // the input of a problem with a window
  bool changed = false;            // prescaled or windowed: numbers of the workspace are multiplied
  bool by_groups = false;          // narrow, powers or changed: read or written through the workspace, whatever its storage
  bool real = false;               // elements are real numbers
  bool power = false;              // they are the powers of the numbers of a spectrum
  bool half = false;               // elements are n/2 + 1 along the last length, of a spectrum of n real numbers
  bool split = false;              // elements are complex numbers in two arrays
  std::int64_t row = 1;            // elements along the last length
  std::int64_t turn = 0;           // of a row: the element that has index 0
  std::int64_t alignment = 1;      // bytes
  std::int64_t row_reals = 0;      // of one part: a row of an interleaved array of complex numbers has twice its stored length
  std::int64_t element_bytes = 0;  // a stride of 1 of the last dimension; rows: not used
  std::int64_t outer_bytes = 0;    // a stride of 1 of the others
  std::int64_t scale_bytes = 0;    // of scales for each of these

  // The bytes that the codes of one part reach over, and those of its scales.
  Extent codes;
  Extent scales;

  int parts() const { return split ? 2 : 1; }
  std::int64_t element_reals() const { return split || real ? 1 : 2; }  // of one part
  // Whether passes read or leave real numbers there.
  bool real_in_passes() const { return real && !power; }
  // The stride that this side has in a dimension of the problem.
  std::int64_t stride(const Dimension& d) const { return output ? d.out_stride : d.in_stride; }
};
Side side_of(const Problem& problem, bool output);

// Both sides of a problem.
struct Sides {
  explicit Sides(const Problem& problem) : in(side_of(problem, false)), out(side_of(problem, true)) {}
  const Side& operator[](bool output) const { return output ? out : in; }
  // Whether passes transform real numbers, or numbers to them.
  bool hold_reals() const { return in.real || out.real_in_passes(); }
  bool by_groups() const { return in.by_groups || out.by_groups; }

  Side in, out;
};

// The extent of one array of the problem (codes of narrow storage); split arrays have one each for re and im, of equal extent.
Extent array_extent(const Problem& problem, bool output);
// The memory that an array of this side lies in: its own, and in place that of both sides.
Side memory_of_side(const Problem& problem, bool output);

// Narrow arrays whose neighbours are numbers of different transforms (columns of a matrix): a group of transforms lies in the workspace as
// in the array, so that conversions take whole rows and passes have transforms in their lanes. Returns the most transforms of such a group,
// of complex numbers of these bytes; 0: the problem's arrays do not lie so, they hold real numbers or are those of czt, or its transforms are
// too long.
std::int64_t transforms_across(const Problem& problem, const Sides& sides, std::int64_t element);

// Where an array lies; unless it is split, data[1] and scales[1] repeat data[0] and scales[0].
struct ArrayAddress {
  void* data[2] = {nullptr, nullptr};
  void* scales[2] = {nullptr, nullptr};
  std::int32_t* exponents = nullptr;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_SIDE_H_
