// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Conversions of narrow arrays: in passes, by tiles of panels and lines, and of groups.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "codelets/contract/pass_rows.h"
#include "planner/convert/storage_by_name.h"
#include "tests/planner/interpret.h"

namespace ulpfft::test {
namespace {

// A view of a tile, as redirect_edge() (pass_slice.h) makes it.
View tile_view(View view, ArrayId tile, std::int64_t offset, std::int64_t point_stride, std::int64_t lane_stride) {
  view.array = tile;
  view.layout = Layout::kPaired;
  view.im_offset = 1;
  view.offset = offset;
  view.point_stride = point_stride;
  view.lane_stride = lane_stride;
  view.wrap = 0;
  view.wrap_point = INT32_MAX;
  return view;
}

// Rows that are converted as one hold whole bytes and blocks. What is copied fits its buffer, which lies behind the tile: that has rows for
// every point of a chunk, and of a matrix for every lane.
void check_buffer(const StagedPanel& panel, const Array& tile, std::int64_t real, std::int64_t rows, std::int64_t count) {
  const Storage& storage = panel.array.storage;
  const bool is_matrix = panel.radix * panel.chunk == 1 && panel.most_rows > 1;
  const std::int64_t tile_end = is_matrix ? panel.most_rows * panel.array.row_reals : panel.radix * panel.chunk * count;
  if (panel.codes_offset < panel.tile_offset + tile_end) throw std::out_of_range("a buffer of codes in the tile");
  const std::int64_t row = code_bytes(storage, count) + (panel.joins ? scale_bytes(storage, count) : 0);
  if (panel.joins && (run_alignment(storage) == 0 || count % run_alignment(storage) != 0)) throw std::out_of_range("parts of blocks");
  if (rows > panel.most_rows || panel.codes_offset * real + panel.most_rows * row > tile.reals * real)
    throw std::out_of_range("beyond the buffer of codes");
}

}  // namespace

// ---- codes

Interpreter::Codes Interpreter::caller_codes(const Storage& storage, bool output) const {
  const ArrayId codes = output ? ArrayId::kOut : ArrayId::kIn, scales = output ? ArrayId::kOutScales : ArrayId::kInScales;
  return {codes, scales, &storage, {moved(codes), moved(scales)}};
}

Interpreter::Codes Interpreter::panel_codes(const StagedEnd& end) const {
  const Storage& storage = end.panel->array.storage;
  Codes codes = is_work(end.codes) ? Codes{end.codes, end.codes, &storage, {moved(end.codes), moved(end.codes)}}
                                   : caller_codes(storage, end.codes == ArrayId::kOut);
  codes.moved = codes.moved + end.panel->number * number_;
  return codes;
}

double Interpreter::decoded(const Codes& from, int part, const NarrowReal& real) {
  const double code = bits(from.codes, part).read(real.bit + 8 * from.moved.codes, from.storage->element->bits);
  if (real.scale == kNoScale) return code;
  return code * bits(from.scales, part).read(8 * (real.scale + from.moved.scales), from.storage->scale->bits);
}

void Interpreter::decode(const Codes& from, const NarrowRun& run, ArrayId to, double factor) {
  RealMemory& reals = array(to).reals[0];
  for (const NarrowReal& real : run.reals) reals.at(real.real + moved_reals(to)) = factor * decoded(from, run.part, real);
}

void Interpreter::encode(const Codes& to, const NarrowRun& run, ArrayId from) {
  RealMemory& reals = array(from).reals[0];
  BitMemory& codes = bits(to.codes, run.part);
  std::int64_t block = kNoScale;
  double factor = 1;
  for (const NarrowReal& real : run.reals) {
    if (real.scale != block) {
      block = real.scale;
      factor = factors_.next();
      bits(to.scales, run.part).write(8 * (block + to.moved.scales), to.storage->scale->bits, factor);
    }
    codes.write(real.bit + 8 * to.moved.codes, to.storage->element->bits, reals.at(real.real + moved_reals(from)) / factor);
  }
  if (run.end % 8 != 0) codes.spoil(run.end + 8 * to.moved.codes, 8 - run.end % 8);
}

// ---- in the pass

bool Interpreter::converts(const Pass& pass, bool output) const {
  const auto* const compute = std::get_if<Compute>(&pass.op);
  if (compute == nullptr || compute->fused == nullptr) return false;
  if (output) return pass.args.out.array == ArrayId::kOut && !program_.out.format.empty();
  return pass.args.in.array == ArrayId::kIn && !program_.in.format.empty();
}

double Interpreter::load_code(const Pass& pass, const View& view, std::int64_t code) {
  const BlockRows* const blocks = std::get<Compute>(pass.op).blocks;
  const Storage storage = blocks != nullptr ? blocks->storage : find_storage_of(program_.in.storage, "storage_in");
  NarrowReal real;
  real.bit = code * storage.element->bits;
  if (blocks != nullptr) {
    const std::int64_t row = (code - view.offset) / blocks->row_bytes, inside = (code - view.offset) % blocks->row_bytes;
    real.scale = blocks->scale_offset + row * blocks->row_scale_bytes + (inside >> blocks->shift);
  }
  return decoded(caller_codes(storage, false), 0, real);
}

void Interpreter::store_code(const View& view, std::int64_t code, double value) {
  const int width = find_storage_of(program_.out.storage, "storage_out").element->bits;
  bits(view.array, 0).write(code * width + 8 * moved(view.array), width, value);
}

// ---- staged

void Interpreter::run_pass(const StagedPass& op, const Pass& pass) {
  const PassKind kind = pass.codelet->kind;
  if (is_conversion(kind)) return run_rows(op, pass);
  if (op.in.line != nullptr) return run_line(op.in, pass);
  if (op.in.panel != nullptr) return run_from_panel(op, pass);
  for (std::int64_t a = 0; a < pass.args.axes[0].count; ++a) run_to_end(op, pass, a);
}

// Rows without a pass.
void Interpreter::run_rows(const StagedPass& op, const Pass& pass) {
  const bool encodes = op.out.panel != nullptr;
  const StagedEnd& end = encodes ? op.out : op.in;
  const StagedPanel& panel = *end.panel;
  const std::int64_t count = 2 * pass.args.lanes;
  const double factor = !encodes && panel.array.user && has_exponents(false) ? exponent(false, 0) : 1;
  for (std::int64_t r = 0; r < panel.chunk; ++r) {
    const NarrowRun run = run_of_row(panel.array.storage, panel.origin + panel.step * r, count, panel.tile_offset + r * count);
    if (encodes) encode(panel_codes(end), run, end.tile);
    else decode(panel_codes(end), run, end.tile, factor);
  }
}

void Interpreter::run_line(const StagedEnd& end, const Pass& pass) {
  const StagedLine& line = *end.line;
  const StoredRows& rows = *line.rows;
  double factor = has_exponents(false) ? exponent(false, rows.exponent_offset) : 1;
  if (rows.prescale_target != 0) factor /= undo(rows, end.tile, 0);
  for (std::int64_t i = 0; i < pass.extent; ++i) {
    const TileOfLine columns = tile_of_line(line, i);
    set(stack_tile(), 0, 0, std::vector<double>(static_cast<std::size_t>(2 * line.radix * columns.count), kNothing));
    visit_tile_runs(line, i, [&](const NarrowRun& run) { decode(caller_codes(rows.storage, false), run, stack_tile(), factor); });
    Pass slice = pass;
    slice.args.in = tile_view(pass.args.in, stack_tile(), 0, 2 * columns.count, 2);
    slice.args.lanes = columns.count;
    slice.rows_begin += columns.first;
    run_codelet(slice, 0);
  }
}

// Chunks of positions of axes[0].
void Interpreter::run_from_panel(const StagedPass& op, const Pass& pass) {
  const StagedPanel& panel = *op.in.panel;
  const std::int64_t row = panel.skip + 2 * pass.args.lanes, all = pass.args.axes[0].count;
  const double factor = panel.array.user && has_exponents(false) ? exponent(false, 0) : 1;
  const auto first_real = [&](std::int64_t j) { return panel.tile_offset + j * panel.chunk * row; };
  for (std::int64_t a = 0; a < all; a += panel.chunk) {
    const std::int64_t positions = std::min(panel.chunk, all - a);
    if (panel.joins && positions > 1) check_buffer(panel, work_of(program_, op.in.tile), real_, positions, row);
    for (std::int64_t j = 0; j < panel.radix; ++j) {
      for (std::int64_t p = 0; p < positions; ++p) {
        const NarrowPlace at = panel_place(panel, pass.args.in, a + p, j);
        decode(panel_codes(op.in), run_of_row(panel.array.storage, at, row, first_real(j) + p * row), op.in.tile, factor);
      }
    }
    Pass slice = pass;
    slice.args.in = tile_view(pass.args.in, op.in.tile, first_real(0) + panel.skip - a * row, panel.chunk * row, 2);
    slice.args.axes[0].in_stride = row;
    slice.args.axes[1].in_stride = 0;
    for (std::int64_t p = a; p < a + positions; ++p) run_to_end(op, slice, p);
  }
}

// Chunks of positions of axes[1], or blocks of a matrix.
void Interpreter::run_to_end(const StagedPass& op, const Pass& pass, std::int64_t position) {
  if (op.out.panel == nullptr) return run_codelet(pass, position);
  const StagedEnd& end = op.out;
  const StagedPanel& panel = *end.panel;
  const bool by_blocks = pass.codelet->kind == PassKind::kTwist;
  const Axis& axis = pass.args.axes[1];
  const Twist& twist = pass.args.twist;
  const std::int64_t all = by_blocks ? twist.rows : axis.count, chunk = by_blocks ? twist.block : panel.chunk;
  const std::int64_t row = by_blocks ? panel.array.row_reals : 2 * pass.args.lanes;
  for (std::int64_t a = 0; a < all; a += chunk) {
    const std::int64_t positions = std::min(chunk, all - a);
    Pass slice = pass;
    if (by_blocks) {
      slice.args.twist.begin += a;
      slice.args.twist.end = slice.args.twist.begin + positions;
      slice.args.out = tile_view(pass.args.out, end.tile, panel.tile_offset, 2, row);
    } else {
      slice.args.axes[1].count = positions;
      slice.args.in.offset += a * axis.in_stride;
      slice.table_begin += a * axis.table_stride;
      slice.args.out = tile_view(pass.args.out, end.tile, panel.tile_offset, chunk * row, 2);
      slice.args.axes[0].out_stride = 0;
      slice.args.axes[1].out_stride = row;
    }
    run_codelet(slice, position);
    for (std::int64_t j = 0; j < panel.radix; ++j) {
      const std::int64_t first = panel.tile_offset + j * chunk * row, codes = panel.array.codes(row);
      for (std::int64_t i = 0; panel.array.power != nullptr && i < positions * codes; ++i) square(end.tile, first + 2 * i, first + i);
      if (panel.looks) {
        look(end, first, positions * codes);
        continue;
      }
      if (panel.array.user && has_exponents(true)) scale_rows(end, first, positions * codes, 1 / exponent(true, 0));
      std::vector<std::int64_t> reals;
      for (std::int64_t p = 0; p < (by_blocks ? pass.args.lanes : positions); ++p) reals.push_back(first + p * codes);
      const NarrowPlace at = by_blocks ? panel.origin + panel.point * (a / chunk) : panel_place(panel, pass.args.out, a, j);
      encode_rows(end, at, reals, by_blocks ? 2 * positions : codes);
    }
  }
}

// Rows from `at` on, whose reals begin at `reals`, `count` of each.
void Interpreter::encode_rows(const StagedEnd& end, const NarrowPlace& at, const std::vector<std::int64_t>& reals, std::int64_t count) {
  const StagedPanel& panel = *end.panel;
  if (panel.streams || panel.joins)
    check_buffer(panel, work_of(program_, end.tile), real_, static_cast<std::int64_t>(reals.size()), count);
  for (std::size_t r = 0; r < reals.size(); ++r) {
    const NarrowPlace place = at + panel.step * static_cast<std::int64_t>(r);
    encode(panel_codes(end), run_of_row(panel.array.storage, place, count, reals[r]), end.tile);
  }
}

void Interpreter::scale_rows(const StagedEnd& end, std::int64_t first, std::int64_t reals, double factor) {
  for (std::int64_t i = 0; i < reals; ++i) array(end.tile).reals[0].at(first + moved_reals(end.tile) + i) *= factor;
}

void Interpreter::look(const StagedEnd& end, std::int64_t first, std::int64_t reals) {
  for (std::int64_t i = 0; i < reals; ++i) {
    const double magnitude = std::abs(array(end.tile).reals[0].at(first + moved_reals(end.tile) + i));
    found() = std::isnan(magnitude) ? kNothing : std::max(found(), magnitude);
  }
}

// ---- groups

void Interpreter::run_pass(const ConvertGroup& op, const Pass& pass) {
  using Work = ConvertGroup::Work;
  const StoredRows& rows = *op.rows;
  const ArrayId work = rows.output ? pass.args.in.array : pass.args.out.array;
  const Codes codes = caller_codes(rows.storage, rows.output);
  const auto choose = [&](std::int64_t t) { choose_exponents(rows, reals_of(rows, t), work, t); };
  if (op.work == Work::kFindPrescale) {
    double most = 0;
    for (std::int64_t unit = 0; unit < rows.pieces; ++unit) {
      visit_stored_runs(rows, unit, [&](const NarrowRun& run) {
        for (const NarrowReal& real : run.reals) most = std::max(most, std::abs(decoded(codes, run.part, real)));
      });
    }
    undo(rows, work, 0) = (has_exponents(false) ? exponent(false, rows.exponent_offset) : 1) * most;
    return;
  }
  if (op.work == Work::kFitKept || (op.work == Work::kEncodeKept && rows.is_line)) {
    std::vector<std::int64_t> reals;
    for (std::int64_t i = 0; i < 2 * rows.transform_points; ++i) reals.push_back(kept_real(rows, i / 2, static_cast<int>(i % 2)));
    choose_exponents(rows, reals, work, 0);
  }
  const std::vector<double> window = tables_.of_window(pass);
  for (std::int64_t unit = 0; unit < pass.extent; ++unit) {
    switch (op.work) {
      case Work::kDecode:
        visit_stored_runs(rows, unit, [&](const NarrowRun& run) { decode(codes, run, work, 1); });
        if (!window.empty()) apply_window(rows, window, work, unit);
        if (rows.is_line) apply_exponents(rows, work, unit);
        break;
      case Work::kApplyExponents: apply_exponents(rows, work, unit); break;
      case Work::kChooseExponents: choose(unit); break;
      case Work::kEncode:
        if (rows.is_line) choose(unit);
        visit_stored_runs(rows, unit, [&](const NarrowRun& run) { encode(codes, run, work); });
        break;
      case Work::kEncodeKept: visit_kept_runs(rows, unit, [&](const NarrowRun& run) { encode(codes, run, work); }); break;
      case Work::kFitKept: case Work::kFindPrescale: break;
    }
  }
}

// The places of a transform of the group in the work array.
std::vector<std::int64_t> Interpreter::reals_of(const StoredRows& rows, std::int64_t transform) const {
  std::vector<std::int64_t> reals;
  for (std::int64_t i = 0; i < rows.transform_points * rows.element_reals; ++i) {
    const std::int64_t element = i / rows.element_reals, part = i % rows.element_reals;
    const std::int64_t row = rows.across ? element : transform * (rows.transform_points / rows.row_points) + element / rows.row_points;
    const std::int64_t inside = rows.across ? transform : element % rows.row_points;
    reals.push_back(rows.work_offset + row * rows.row_step + inside * rows.element_reals + part);
  }
  return reals;
}

double Interpreter::largest(const std::vector<std::int64_t>& reals, ArrayId work) {
  double most = 0;
  for (const std::int64_t real : reals) most = std::max(most, std::abs(array(work).reals[0].at(real + moved_reals(work))));
  return most;
}

void Interpreter::multiply(const std::vector<std::int64_t>& reals, ArrayId work, double factor) {
  for (const std::int64_t real : reals) array(work).reals[0].at(real + moved_reals(work)) *= factor;
}

double& Interpreter::exponent(bool output, std::int64_t transform) {
  const std::int64_t at = moved(ArrayId::kExponents) / static_cast<std::int64_t>(sizeof(std::int32_t)) + transform;
  return exponents_[output ? 1 : 0].at(static_cast<std::size_t>(at));
}

double& Interpreter::undo(const StoredRows& rows, ArrayId work, std::int64_t transform) {
  const std::int64_t at = rows.undo_offset + moved(work) + transform * static_cast<std::int64_t>(sizeof(std::int32_t));
  return undo_.try_emplace({work, at}, kNothing).first->second;
}

void Interpreter::apply_window(const StoredRows& rows, const std::vector<double>& window, ArrayId work, std::int64_t unit) {
  const std::int64_t row = unit / rows.pieces, begin = unit % rows.pieces * rows.piece_points;
  const std::int64_t points = std::min(rows.piece_points, rows.row_points - begin);
  for (std::int64_t i = 0; i < points * rows.element_reals; ++i) {
    const std::int64_t element = begin + i / rows.element_reals;
    const auto index = static_cast<std::size_t>(rows.across ? row : row * rows.row_points + element) % window.size();
    multiply({rows.work_offset + row * rows.row_step + begin * rows.element_reals + i}, work, window[index]);
  }
}

void Interpreter::apply_exponents(const StoredRows& rows, ArrayId work, std::int64_t transform) {
  const std::vector<std::int64_t> reals = reals_of(rows, transform);
  const double given = has_exponents(false) ? exponent(false, rows.exponent_offset + transform) : 1;
  const double factor = rows.prescale_target != 0 ? 1 / largest(reals, work) : given;
  if (rows.prescale_target != 0) undo(rows, work, transform) = given / factor;
  multiply(reals, work, factor);
}

// The power of the number whose re and im are at `from` and behind it.
void Interpreter::square(ArrayId id, std::int64_t from, std::int64_t to) {
  RealMemory& reals = array(id).reals[0];
  const double re = reals.at(from + moved_reals(id)), im = reals.at(from + 1 + moved_reals(id));
  reals.at(to + moved_reals(id)) = re * re + im * im;
}

void Interpreter::choose_exponents(const StoredRows& rows, std::vector<std::int64_t> reals, ArrayId work, std::int64_t transform) {
  double undoes = rows.prescale_target != 0 ? undo(rows, work, transform) : 1;
  if (rows.power != nullptr) {  // a power lies where re was
    for (std::size_t i = 0; 2 * i < reals.size(); ++i) {
      reals[i] = reals[2 * i];
      square(work, reals[i], reals[i]);
    }
    reals.resize(reals.size() / 2);
    undoes *= undoes;
  }
  if (!has_exponents(true)) return multiply(reals, work, undoes);
  const double most = rows.storage.element->kind == FormatKind::kWide ? 1 : largest(reals, work);
  multiply(reals, work, 1 / most);
  exponent(true, rows.exponent_offset + transform) = most * undoes;
}

}  // namespace ulpfft::test
