// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A narrow line at the passes of dit without a wide copy of it: columns are decoded, some at a time, into a tile on the stack from which
// the first pass reads; what the last pass leaves in the work array is encoded from there, by way of such a tile where its numbers are not
// adjacent, or a block begins with the end of a line and ends with its beginning (centred transforms).
#ifndef ULPFFT_PLANNER_CONVERT_STAGED_LINE_H_
#define ULPFFT_PLANNER_CONVERT_STAGED_LINE_H_

#include <cstdint>

#include "planner/convert/staged.h"
#include "planner/convert/stored_rows.h"

namespace ulpfft {

// Bytes of a tile on the stack: little beside a transform. Rows as long as conversions like them, 32 numbers, may take up to the second.
inline constexpr std::int64_t kLineTileBytes = 4 << 10, kMostLineTileBytes = 12 << 10;

// The context of decode_first_pass. `chunk`: whole vectors of columns; the last tile has less, or some that would not fill a vector
// more.
struct StagedLine : Staged, ContextOf<StagedLine> {
  const StoredRows* rows = nullptr;   // of one transform
  std::int64_t points = 1;            // of the line
  std::int64_t columns = 1;           // points between two of a column
  std::int64_t begin = 0;             // point 0 of column 0, and
  std::int64_t wrap_point = 0;        // the first of its points that is found `points` before
  std::int64_t tiles = 1;
  std::int64_t aligned = 1;           // reals after which a conversion may begin, a power of two
  std::int64_t before = 0;            // the most that are between such a place and the first of a row
  std::int64_t most_rows = 1;         // that are converted as one
  std::int64_t step_bytes = 0;        // between rows that all begin alike; else 0
  std::int64_t step_scales = 0;
  int scale_shift = -1;               // of the length of a block; -1: no scales, or one for all
  std::int64_t scale_size = 0;
};

// Sets what follows from the rest: how args.lanes columns, vectors of `width`, are cut.
void cut_tiles(StagedLine& tiles, int width);

// Tiles first .. first + count - 1.
void decode_first_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);

// Looks through a prescaled line for the power that the tiles are multiplied by, and leaves what undoes it.
void find_prescale(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// Where the output wants an exponent: finds it for what lies there, and divides. Undoes a prescale, in the exponent where there is one.
void fit_kept(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// Pieces first .. first + count - 1 of a transform that lies in the work array as StoredRows::im_offset and `shift` say; where a
// line is one piece (is_line), with its exponent.
void encode_kept(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_STAGED_LINE_H_
