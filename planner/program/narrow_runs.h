// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which codes and scales of a narrow array a conversion of a program reads or writes, and which reals become them: what the verifier of
// programs and their interpreter in the tests walk over. Nothing of an execution is here.
//
// Places   bits and bytes from where the array begins, where loops have not moved it; reals from where the work array or the tile begins.
// Runs     reals that one call converts: a row or a part of one.
#ifndef ULPFFT_PLANNER_PROGRAM_NARROW_RUNS_H_
#define ULPFFT_PLANNER_PROGRAM_NARROW_RUNS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "planner/convert/narrow_rows.h"
#include "planner/convert/staged.h"
#include "planner/convert/stored_rows.h"
#include "planner/program/array.h"

namespace ulpfft {

// A storage without blocks has no scales.
inline constexpr std::int64_t kNoScale = INT64_MIN;

struct NarrowReal {
  std::int64_t bit = 0;           // of its code, the first
  std::int64_t scale = kNoScale;  // byte
  std::int64_t real = 0;
};

struct NarrowRun {
  int part = 0;  // im of split arrays: 1
  std::vector<NarrowReal> reals;
  std::int64_t end = 0;  // the bit behind the last of adjacent codes: what else its byte holds is written over
};

using RunVisitor = std::function<void(const NarrowRun& run)>;

// Unit `unit` of what decode_stored_rows() and encode_stored_rows() convert: a row, or a piece of one.
void visit_stored_runs(const StoredRows& rows, std::int64_t unit, const RunVisitor& visit);
// Piece `piece` of what encode_kept() converts.
void visit_kept_runs(const StoredRows& rows, std::int64_t piece, const RunVisitor& visit);
// Columns of a line that decode_first_pass() decodes into a tile.
void visit_tile_runs(const StagedLine& line, std::int64_t tile, const RunVisitor& visit);
// `count` reals from `at` on, from or to reals that begin at `real`.
NarrowRun run_of_row(const Storage& storage, const NarrowPlace& at, std::int64_t count, std::int64_t real);

// Where the row of point j of the butterflies lies, at a position of a panel.
NarrowPlace panel_place(const StagedPanel& panel, const View& view, std::int64_t position, std::int64_t j);
// Where number `point` of a transform that a dit leaves in the work array lies, of one part.
std::int64_t kept_real(const StoredRows& rows, std::int64_t point, int part);
// Columns of a tile of a line: the first, and how many.
struct TileOfLine {
  std::int64_t first, count;
};
TileOfLine tile_of_line(const StagedLine& line, std::int64_t tile);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_NARROW_RUNS_H_
