// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Narrow arrays under the passes of four: rows of a panel are decoded into a tile before a pass reads them, and encoded from one after a
// pass has written them, so that no wide copy of the array exists. The tile stays in L1.
//
// Addresses   a pass addresses the array as if it held reals of the compute type; rows of `row_reals` begin a byte and a block.
// Exponents   of the caller's arrays apply tile by tile. Those of an output are known after a first run that only looks (`looks`).
#ifndef ULPFFT_PLANNER_CONVERT_CODED_COLUMNS_H_
#define ULPFFT_PLANNER_CONVERT_CODED_COLUMNS_H_

#include <cstdint>
#include <vector>

#include "codelets/contract/conversion.h"
#include "codelets/contract/step.h"

namespace ulpfft {

struct CodedArray {
  Storage storage;
  DecodeFn decode = nullptr;
  EncodeFn encode = nullptr;
  bool is_f64 = false;
  bool user = false;                  // the caller's: exponents apply; else between passes
  double to_zero = -1;                // between passes: largest_to_zero() of the element
  Slot codes = Slot::kIn;
  Slot scales = Slot::kInScales;
  std::int64_t code_offset = 0;       // bytes
  std::int64_t scale_offset = 0;
  std::int64_t row_reals = 0;
  std::int64_t row_bytes = 0;
  std::int64_t row_scale_bytes = 0;
  bool whole_rows = true;             // panels are whole rows: what is read of them begins at their first number
  bool joins = false;                 // rows hold whole blocks and bytes: neighbours are one long row
};

// Bytes of codes and scales; sums of places are places.
struct CodedPlace {
  std::int64_t codes = 0;
  std::int64_t scales = 0;
  friend CodedPlace operator+(const CodedPlace& a, const CodedPlace& b) { return {a.codes + b.codes, a.scales + b.scales}; }
  friend CodedPlace operator*(const CodedPlace& a, std::int64_t n) { return {a.codes * n, a.scales * n}; }
};

struct CodedColumns {
  CodedArray array;
  CodedPlace origin;                  // of position 0, point 0
  CodedPlace number;                  // added per Buffers::number,
  CodedPlace step;                    // per position,
  CodedPlace point;                   // per point of a butterfly (encode_twist: per block),
  CodedPlace wrap;                    // from the wrap point of the edge on
  PassFn run = nullptr;
  PassArgs args;                      // its edge at the array is replaced by one at the tile
  int radix = 1;
  Slot tile_slot = Slot::kWork0;
  std::int64_t tile_offset = 0;
  std::int64_t chunk = 1;             // positions at a time
  std::int64_t skip = 0;              // reals of a row before those the pass reads: decoded with them
  bool looks = false;                 // encode_columns: only finds the exponent
  bool streams = false;               // codes go past the caches, by way of
  bool joins = false;  // short rows of whole blocks (what streams: and of whole bytes) are converted as one, by way of the same
  std::int64_t codes_offset = 0;      // reals: codes and scales of
  std::int64_t most_rows = 1;
};

// Reals that a tile may take.
inline constexpr std::int64_t kTileBytes = 16 << 10;

// PassArgs::table is a CodedColumns. Of kColumns: positions of axes[0].
void decode_columns(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// Of kColumns and kColumnsTwiddled with one position of axes[0]: chunks along axes[1].
void encode_columns(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// `chunk` rows of the array, from or to dense rows in the tile.
void decode_coded_rows(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
void encode_coded_rows(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
// Of kTwist to a matrix in blocks: block by block, rows of a block to rows of the array.
void encode_twist(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_CODED_COLUMNS_H_
