// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A pass one end of which is narrow, run slice by slice: each slice is decoded into a tile before the pass reads it, or encoded from one
// after the pass has written it, so that no wide copy of the array exists. The tile stays in L1.
//
//   StagedPanel   rows of panels and matrices, by a tile in the workspace. A pass addresses the array as if it held reals of the compute
//                 type (narrow_rows.h). Exponents of the caller's arrays apply tile by tile; those of an output are known after a first run
//                 that only looks (`looks`).
//   StagedLine    a line at the passes of dit, some of its columns at a time, by a tile on the stack from which the first pass reads. What
//                 the last pass leaves in the work array is encoded from there, by way of such a tile where its numbers are not adjacent,
//                 or a block begins with the end of a line and ends with its beginning (centred transforms).
#ifndef ULPFFT_PLANNER_CONVERT_STAGED_H_
#define ULPFFT_PLANNER_CONVERT_STAGED_H_

#include <cstdint>

#include "codelets/contract/step.h"
#include "planner/convert/narrow_rows.h"
#include "planner/convert/stored_rows.h"

namespace ulpfft {

struct Staged {
  PassFn run = nullptr;    // of the pass; null: rows are converted, and that is all
  PassArgs args;           // its edge at the narrow array is replaced by one at the tile
  std::int64_t radix = 1;  // points of a butterfly
  std::int64_t chunk = 1;  // positions, or columns of a line, in a slice
};

// ---- panels

struct StagedPanel : Staged, ContextOf<StagedPanel> {
  NarrowRows array;
  Slot codes = Slot::kIn;
  Slot scales = Slot::kInScales;
  NarrowPlace origin;                 // of position 0, point 0
  NarrowPlace number;                 // added per Buffers::number,
  NarrowPlace step;                   // per position,
  NarrowPlace point;                  // per point of a butterfly (encode_twist: per block),
  NarrowPlace wrap;                   // from the wrap point of the edge on
  Slot tile_slot = Slot::kWork0;
  std::int64_t tile_offset = 0;
  std::int64_t skip = 0;              // reals of a row before those the pass reads: decoded with them
  bool looks = false;                 // encode_columns: only finds the exponent
  bool streams = false;               // codes go past the caches, by way of a buffer
  bool joins = false;                 // short rows of whole blocks (of `streams`: and of whole bytes) are converted as one, by way of it
  std::int64_t codes_offset = 0;      // reals from the slot of the tile to that buffer
  std::int64_t most_rows = 1;         // of codes and scales in it
};

// Reals that a tile may take.
inline constexpr std::int64_t kTileBytes = 16 << 10;

// The context of these is a StagedPanel. Of kColumns: positions of axes[0].
void decode_columns(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// Encodes what kColumns and kColumnsTwiddled with one position of axes[0] leave, in chunks along axes[1].
void encode_columns(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// `chunk` rows of the array, from or to dense rows in the tile.
void decode_staged_rows(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
void encode_staged_rows(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// Encodes what kTwist leaves into a matrix in blocks: block by block, rows of a block to rows of the array.
void encode_twist(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);

// ---- lines

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
  NarrowPlace step;                   // between rows that all begin alike; else 0
  int scale_shift = -1;               // of the length of a block; -1: no scales, or one for all
  std::int64_t scale_size = 0;
};

// Sets what follows from the rest: how args.lanes columns, vectors of `width`, are cut.
void cut_tiles(StagedLine& tiles, int width);

// Tiles first .. first + count - 1.
void decode_first_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);

// Looks through a prescaled line for the power that the tiles are multiplied by, and leaves what undoes it.
void find_prescale(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// choose_exponents() of a transform that lies as encode_kept() says.
void fit_kept(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// Pieces first .. first + count - 1 of a transform that lies in the work array as StoredRows::im_offset and `shift` say; where a
// line is one piece (is_line), with its exponent.
void encode_kept(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_STAGED_H_
