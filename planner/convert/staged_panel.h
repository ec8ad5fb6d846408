// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Rows of a narrow array at the ends of passes over panels and matrices, by way of a tile in the workspace.
//
// Addresses   a pass addresses the array as if it held reals of the compute type (narrow_rows.h).
// Exponents   of the caller's arrays apply tile by tile. Those of an output are known after a first run that only looks (`looks`).
#ifndef ULPFFT_PLANNER_CONVERT_STAGED_PANEL_H_
#define ULPFFT_PLANNER_CONVERT_STAGED_PANEL_H_

#include <cstdint>

#include "codelets/contract/step.h"
#include "planner/convert/narrow_rows.h"
#include "planner/convert/staged.h"

namespace ulpfft {

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

// The context is a StagedPanel. Of kColumns: positions of axes[0].
void decode_columns(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// Encodes what kColumns and kColumnsTwiddled with one position of axes[0] leave, in chunks along axes[1].
void encode_columns(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// `chunk` rows of the array, from or to dense rows in the tile.
void decode_staged_rows(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
void encode_staged_rows(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// Encodes what kTwist leaves into a matrix in blocks: block by block, rows of a block to rows of the array.
void encode_twist(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_STAGED_PANEL_H_
