// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The passes at a narrow end of a plan: rows of codes to and from reals in the workspace, many rows per call.
//
// Pointers   the context is a StoredRows; addresses come from the slots (codes, scales, exponents), the reals lie in a work slot:
//            transforms one after the other, each of rows that are `row_step` reals apart.
// Threads    a pass converts the rows (or parts of rows) first .. first + count - 1 of its group, in any order.
#ifndef ULPFFT_PLANNER_CONVERT_STORED_ROWS_H_
#define ULPFFT_PLANNER_CONVERT_STORED_ROWS_H_

#include <cstdint>
#include <vector>

#include "codelets/contract/step.h"
#include "codelets/contract/window.h"
#include "planner/convert/codec.h"
#include "planner/convert/narrow_rows.h"

namespace ulpfft {

struct StoredRows : Codec, ContextOf<StoredRows> {
  struct Loop {
    std::int64_t count = 1;
    NarrowPlace step;
  };

  bool output = false;
  bool split = false;
  Slot work = Slot::kWork0;
  std::int64_t work_offset = 0;       // reals
  std::vector<Loop> loops;            // around the rows of a group of transforms, outermost first; never empty
  std::int64_t row_points = 1;        // elements: complex numbers, or reals
  std::int64_t element_reals = 2;     // of an element in the workspace
  std::int64_t row_step = 2;          // reals of the workspace from a row to the next, at least those of its elements
  std::int64_t pieces = 1;            // a row is converted in so many parts
  std::int64_t piece_points = 1;      // of all but the last
  std::int64_t code_stride = 1;       // between neighbours, as the problem says
  std::int64_t transforms = 1;        // of the group
  std::int64_t transform_points = 1;  // elements that are stored
  NarrowPlace origin;                 // of the group's first row
  std::int64_t exponent_offset = 0;   // transforms
  bool is_plain = false;              // one loop of whole rows of adjacent codes, not split
  bool across = false;                // rows are of one number of each transform, which lie likewise in the workspace (transforms_across())
  bool is_line = false;               // a row is a transform, and its exponent is looked after with it
  bool streams = false;               // codes go past the caches
  std::int64_t fetch = 0;             // bytes from codes to those that are fetched beside them; 0: nothing is
  // Where the last pass left one transform in the work array (staged.h): reals from re to im, more than 1 where they lie in planes,
  // and points that its first number comes behind the first of the array.
  std::int64_t im_offset = 1;
  std::int64_t shift = 0;
  // A window: its factors along a row, then those of the rows of a transform where it has several (window_table.h), in the type of the
  // workspace. Null: none. It multiplies before a prescale and the input's exponents.
  const void* window = nullptr;
  WindowFn multiply = nullptr;
  std::int64_t window_row = 1;        // factors of a row
  std::int64_t window_rows = 1;       // rows of a transform
  // Prescaled transforms: what their largest magnitude is to become about, else 0; and where in the slot of the reals the exponents are
  // that undo it, int32_t.
  double prescale_target = 0;
  std::int64_t undo_offset = 0;       // bytes

  // Reals of an element, in one part of the array.
  std::int64_t part_reals() const { return split || power != nullptr ? 1 : element_reals; }
};

// The codec of wide storage: f32 and f64 codes, for reals of either type.
Codec wide_codec(const Storage& storage, bool is_f64);

// Where part `part` (im of split arrays: 1) of the row at `at` begins.
struct RowAddress {
  std::uint8_t* codes;
  std::uint8_t* scales;  // null: none
};
RowAddress row_at(const StoredRows& rows, const Buffers& buffers, int part, const NarrowPlace& at);
// For `points` elements of it from `begin` on, whose reals are a multiple of run_alignment(): all but where reals lie, and more rows.
ConversionArgs conversion_at(const StoredRows& rows, const Buffers& buffers, int part, const NarrowPlace& at, std::int64_t begin,
                             std::int64_t points);
// Reads lines ahead. Inlined: to g++ a function that only fetches is one without effects, and goes.
[[gnu::always_inline]] inline void fetch_bytes(const char* begin, std::int64_t bytes) {
  constexpr std::int64_t kLine = 64;
  for (std::int64_t i = 0; i < bytes; i += kLine) __builtin_prefetch(begin + i, 0, 2);
}
// What lies `distance` bytes behind the codes of rows.
[[gnu::always_inline]] inline void fetch_rows(const ConversionArgs& args, std::int64_t distance) {
  const std::int64_t bytes = code_bytes(*args.storage, args.count);
  for (std::int64_t r = 0; r < args.rows; ++r)
    fetch_bytes(static_cast<const char*>(args.codes) + r * args.code_row_bytes + distance, bytes);
}
// For transform `t` of the group: the caller's exponent, where there are any, and what undoes a prescale.
std::int32_t* exponent_of(const StoredRows& rows, const Buffers& buffers, std::int64_t t);
std::int32_t* undo_of(const StoredRows& rows, const Buffers& buffers, std::int64_t t);

// The only row of a group, whose codes are adjacent, to `args.reals`: with its window.
void decode_line(const StoredRows& rows, const ConversionArgs& args);

// Over rows times pieces.
void decode_stored_rows(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
void encode_stored_rows(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// `args` as if the reals were powers; they are numbers of the workspace, and are lost.
std::int64_t encode_powers(const StoredRows& rows, ConversionArgs args);
// Over transforms: multiplies them by the power of two of the input's exponents, if there are any; or by that of the prescale, whatever
// these are.
void apply_exponents(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// Over transforms, if the output wants exponents: chooses the least that lets the transform fit the format (of element formats; of block
// formats the least from 0 on; of wide ones none), and divides by it. What is not finite is left out of the choice. Undoes a prescale, in
// the exponents where they are wanted. Of powers the numbers in the workspace become powers, whose exponent is chosen.
void choose_exponents(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_STORED_ROWS_H_
