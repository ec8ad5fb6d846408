// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/program/narrow_runs.h"

#include <algorithm>

namespace ulpfft {
namespace {

// Reals first .. first + count - 1 of a row whose codes and scales begin at `at`.
struct RowPart {
  NarrowPlace at;
  std::int64_t first = 0, count = 0;
  Groups codes;
};

// Calls place(i) for the place of real i of the part.
template <typename Place>
NarrowRun run_of(const Storage& storage, const RowPart& row, const Place& place) {
  NarrowRun run;
  const std::int64_t bits = storage.element->bits;
  for (std::int64_t i = 0; i < row.count; ++i) {
    NarrowReal real;
    const std::int64_t index = row.first + i;
    real.bit = 8 * row.at.codes + row.codes(index) * bits;
    if (storage.scale != nullptr) {
      const std::int64_t block = storage.length == 0 ? 0 : index / storage.length;
      real.scale = row.at.scales + block * ((storage.scale->bits + 7) / 8);
    }
    real.real = place(i);
    run.reals.push_back(real);
    run.end = real.bit + bits;
  }
  return run;
}

// Elements begin .. begin + points - 1 of a row, of one part.
RowPart part_of_row(const StoredRows& rows, const NarrowPlace& at, std::int64_t begin, std::int64_t points) {
  const std::int64_t reals = rows.part_reals();
  RowPart part{at, begin * reals, points * reals, {}};
  if (rows.split || rows.code_stride != 1) part.codes = {reals, reals * rows.code_stride};
  return part;
}

NarrowPlace place_of_row(const StoredRows& rows, std::int64_t row) {
  NarrowPlace place = rows.origin;
  for (std::size_t l = rows.loops.size(); l-- > 0;) {
    const StoredRows::Loop& loop = rows.loops[l];
    const std::int64_t i = l == 0 ? row : row % loop.count;
    row /= loop.count;
    place = place + loop.step * i;
  }
  return place;
}

int parts_of(const StoredRows& rows) { return rows.split ? 2 : 1; }

}  // namespace

void visit_stored_runs(const StoredRows& rows, std::int64_t unit, const RunVisitor& visit) {
  const std::int64_t row = unit / rows.pieces, begin = unit % rows.pieces * rows.piece_points;
  const std::int64_t points = rows.pieces == 1 ? rows.row_points : std::min(rows.piece_points, rows.row_points - begin);
  const std::int64_t first = rows.work_offset + row * rows.row_step + begin * rows.element_reals;
  const std::int64_t reals = rows.part_reals();
  for (int part = 0; part < parts_of(rows); ++part) {
    NarrowRun run = run_of(rows.storage, part_of_row(rows, place_of_row(rows, row), begin, points),
                           [&](std::int64_t i) { return first + i / reals * rows.element_reals + i % reals + part; });
    run.part = part;
    visit(run);
  }
}

std::int64_t kept_real(const StoredRows& rows, std::int64_t point, int part) {
  const std::int64_t n = rows.transform_points, from = (point + n - rows.shift) % n;
  return rows.work_offset + (rows.im_offset == 1 ? 2 * from : from) + part * rows.im_offset;
}

void visit_kept_runs(const StoredRows& rows, std::int64_t piece, const RunVisitor& visit) {
  const std::int64_t begin = piece * rows.piece_points, points = std::min(rows.piece_points, rows.transform_points - begin);
  for (int part = 0; part < parts_of(rows); ++part) {
    NarrowRun run = run_of(rows.storage, part_of_row(rows, rows.origin, begin, points), [&](std::int64_t i) {
      return rows.split ? kept_real(rows, begin + i, part) : kept_real(rows, begin + i / 2, static_cast<int>(i % 2));
    });
    run.part = part;
    visit(run);
  }
}

TileOfLine tile_of_line(const StagedLine& line, std::int64_t tile) {
  const std::int64_t first = tile * line.chunk;
  return {first, tile + 1 < line.tiles ? line.chunk : line.args.lanes - first};
}

void visit_tile_runs(const StagedLine& line, std::int64_t tile, const RunVisitor& visit) {
  const StoredRows& rows = *line.rows;
  const TileOfLine columns = tile_of_line(line, tile);
  const std::int64_t reals = rows.part_reals();
  for (std::int64_t j = 0; j < line.radix; ++j) {
    const std::int64_t point = line.begin + columns.first + j * line.columns - (j < line.wrap_point ? 0 : line.points);
    for (int part = 0; part < parts_of(rows); ++part) {
      NarrowRun run = run_of(rows.storage, part_of_row(rows, rows.origin, point, columns.count),
                             [&](std::int64_t i) { return 2 * (j * columns.count + i / reals) + i % reals + part; });
      run.part = part;
      visit(run);
    }
  }
}

NarrowPlace panel_place(const StagedPanel& panel, const View& view, std::int64_t position, std::int64_t j) {
  return panel.origin + panel.step * position + panel.point * j + (j >= view.wrap_point ? panel.wrap : NarrowPlace());
}

NarrowRun run_of_row(const Storage& storage, const NarrowPlace& at, std::int64_t count, std::int64_t real) {
  return run_of(storage, {at, 0, count, {}}, [&](std::int64_t i) { return real + i; });
}

}  // namespace ulpfft
