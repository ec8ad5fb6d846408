// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Where the numbers of one array of a problem lie, in bytes, whatever its storage.
#ifndef ULPFFT_PLANNER_CONVERT_ARRAY_SHAPE_H_
#define ULPFFT_PLANNER_CONVERT_ARRAY_SHAPE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "codelets/contract/storage.h"
#include "wisdom/problem.h"

namespace ulpfft {

// Takes a name as a problem spells it; throws PlanError naming what exists. "dd" (double-double) is known inside the planner only.
Storage find_storage_of(const std::string& name, const char* field);

// Byte range an array may touch, relative to the address the caller passes.
struct Extent {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// One side of a problem. Addresses are sums of strides times bytes; scales lie likewise, a row's side by side. A side of real numbers is
// one array of one real for each element, whatever the layout.
struct ArrayShape {
  Storage storage;
  bool wide = true;                // f32, f64, dd: passes read and write it
  bool rows = false;               // packed or in blocks: other dimensions than the last count rows
  bool real = false;               // elements are real numbers
  bool split = false;              // elements are complex numbers in two arrays
  std::int64_t alignment = 1;      // bytes
  std::int64_t row_reals = 0;      // of one part: a row of an interleaved array of complex numbers has twice its stored length
  std::int64_t element_bytes = 0;  // a stride of 1 of the last dimension; rows: not used
  std::int64_t outer_bytes = 0;    // a stride of 1 of the others
  std::int64_t scale_bytes = 0;    // of scales for each of these

  // Of the codes of one part, and of its scales.
  Extent codes;
  Extent scales;

  int parts() const { return split ? 2 : 1; }
  std::int64_t element_reals() const { return split || real ? 1 : 2; }  // of one part
};
ArrayShape array_shape(const Problem& problem, bool output);

// The extent of one array of the problem (codes of narrow storage); split arrays have one each for re and im, of equal extent.
Extent array_extent(const Problem& problem, bool output);
// The shape of the memory that an array of this side lies in: its own, and in place that of both sides.
ArrayShape memory_shape(const Problem& problem, bool output);

// Where an array lies; unless it is split, data[1] and scales[1] repeat data[0] and scales[0].
struct ArrayAddress {
  void* data[2] = {nullptr, nullptr};
  void* scales[2] = {nullptr, nullptr};
  std::int32_t* exponents = nullptr;
};

// Bytes of a real of a wide storage format; "dd" (double-double) is one inside the planner only.
std::size_t storage_real_bytes(const std::string& storage);

// Bits of a real, scales included.
double storage_bits(const std::string& name);
bool is_wide(const std::string& name);
// Names of all formats of the build, for a sentence.
// "There is no format 'x'. Did you mean 'y'? This build has ..."
std::string no_format(std::string_view name);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_ARRAY_SHAPE_H_
