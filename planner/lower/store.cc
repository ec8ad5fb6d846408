// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/lower/store.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "codelets/contract/pass_rows.h"
#include "planner/convert/staged.h"
#include "planner/table/find_codelet.h"

namespace ulpfft {
namespace {

class Storing {
 public:
  Storing(Program& program, const CodeletTable& codelets)
      : program_(program), codelets_(codelets), real_(static_cast<std::int64_t>(real_bytes(program.compute))) {}

  void store_body(std::vector<Item>& body) {
    std::vector<Item> stored;
    stored.reserve(body.size() + 4);
    for (Item& item : body) {
      tiles_.clear();
      if (Loop* loop = item.loop()) {
        store_body(loop->body);
      } else if (Pass* pass = item.pass()) {
        store_pass(*pass);
      }
      const std::vector<ArrayId> tiles = std::exchange(tiles_, {});
      for (const ArrayId tile : tiles) stored.emplace_back(Take{tile});
      stored.push_back(std::move(item));
      if (!tiles.empty()) stored.emplace_back(Release{tiles.front()});
    }
    body = std::move(stored);
  }

 private:
  void store_pass(Pass& pass) {
    const auto* const compute = std::get_if<Compute>(&pass.op);
    if (compute == nullptr) return;
    const Compute op = *compute;
    const NarrowRows* const in = narrow_rows(program_, pass.args.in.array);
    const NarrowRows* const out = narrow_rows(program_, pass.args.out.array);
    if (op.line != nullptr) return stage_line(pass, op);
    if (in == nullptr && out == nullptr) return convert_in_the_pass(pass);
    PassUse& use = program_.passes[pass.use];
    StagedPass staged;
    if (const PassKind kind = pass.codelet->kind; is_conversion(kind)) {
      (in != nullptr ? staged.in : staged.out) = rows_of(pass, in != nullptr);
    } else {
      if (out != nullptr) {
        staged.out = kind == PassKind::kTwist ? matrix_of(pass, *out) : panel_of(pass, *out, true, op.looks);
        use.out_bits = bits_of(*out);
      }
      if (in != nullptr) {
        staged.in = panel_of(pass, *in, false, false);
        use.in_bits = bits_of(*in);
      }
    }
    pass.op = std::move(staged);
  }

  // ---- in the pass

  void convert_in_the_pass(Pass& pass) {
    const std::string in = pass.args.in.array == ArrayId::kIn ? program_.in.format : "";
    const std::string out = pass.args.out.array == ArrayId::kOut ? program_.out.format : "";
    if (in.empty() && out.empty()) return;
    const CodeletInfo& codelet = *pass.codelet;
    const CodeletInfo* const fused = find_fused(codelets_, codelet.kind, program_.compute, codelet.body->radix, codelet.body->form,
                                                codelet.second != nullptr ? codelet.second->radix : 0, in, out);
    if (fused == nullptr) throw std::logic_error("No codelet converts in the pass.");  // expanders asked before
    std::get<Compute>(pass.op).fused = fused;
    if (fused->index_order && pass.rows >= 0) program_.rows[static_cast<std::size_t>(pass.rows)].reals_in_block = 1;
  }

  // ---- staged

  ArrayId take_tile(std::int64_t reals) {
    tiles_.push_back(work_array(program_.arrays.size()));
    program_.arrays.push_back({reals});
    return tiles_.back();
  }
  // Codes and scales of some rows beside the tile that was taken last. Codes have at most half the bits of a real, scales an eighth.
  std::int64_t take_codes(std::int64_t reals) { return add_beside(program_.arrays.back(), reals, program_.compute); }

  // Where the array of a view begins, in bytes of it: the scales of a work array lie behind its codes.
  NarrowPlace origin_of(const View& view, const NarrowRows& rows, std::int64_t skip) const {
    NarrowPlace origin = narrow_place(rows, view.offset - skip);
    if (is_work(view.array)) origin.scales += placed(program_, view.array).scales_at * real_;
    return origin;
  }

  // A panel, by butterflies.
  StagedEnd panel_of(const Pass& pass, const NarrowRows& rows, bool output, bool looks) {
    const Operands& args = pass.args;
    const View& view = output ? args.out : args.in;
    const int radix = pass.codelet->body->radix;
    const std::int64_t positions = output ? args.axes[1].count : pass.extent;
    auto panel = std::make_shared<StagedPanel>();
    panel->array = rows;
    panel->radix = radix;
    panel->looks = looks;
    panel->skip = !output && rows.whole_rows ? view.offset % rows.row_reals : 0;
    panel->origin = origin_of(view, rows, panel->skip);
    panel->number = narrow_place(rows, view.number_stride);
    panel->step = narrow_place(rows, output ? args.axes[1].out_stride : args.axes[0].in_stride);
    panel->point = narrow_place(rows, view.point_stride);
    panel->wrap = narrow_place(rows, view.wrap);
    const std::int64_t row = panel->skip + 2 * args.lanes, codes = rows.codes(row);
    panel->chunk = std::clamp<std::int64_t>(kTileBytes / (radix * row * real_), 1, positions);
    const ArrayId tile = take_tile(radix * panel->chunk * row);
    panel->streams = output && args.out.non_temporal;
    const std::int64_t aligned = run_alignment(rows.storage);
    const bool apart = !(rows.joins && codes == rows.row_reals);  // else rows are one already
    panel->joins = aligned != 0 && codes % aligned == 0 && (panel->streams || (rows.storage.scale != nullptr && apart));
    panel->most_rows = panel->chunk;
    if (panel->streams || panel->joins) panel->codes_offset = take_codes(panel->chunk * codes);
    return {std::move(panel), nullptr, view.array, tile};
  }

  // A matrix in blocks, by blocks of a twist.
  StagedEnd matrix_of(const Pass& pass, const NarrowRows& rows) {
    const Operands& args = pass.args;
    auto panel = std::make_shared<StagedPanel>();
    panel->array = rows;
    panel->origin = origin_of(args.out, rows, 0);
    panel->number = narrow_place(rows, args.out.number_stride);
    panel->step = {rows.row_bytes, rows.row_scale_bytes};
    panel->point = narrow_place(rows, args.twist.block_stride);
    const ArrayId tile = take_tile(args.lanes * rows.row_reals);
    panel->streams = args.out.non_temporal;
    panel->most_rows = args.lanes;
    if (panel->streams) panel->codes_offset = take_codes(args.lanes * rows.row_reals);
    return {std::move(panel), nullptr, args.out.array, tile};
  }

  // Whole rows, by a pass that does nothing else. The array at its other end is the tile.
  StagedEnd rows_of(const Pass& pass, bool decodes) const {
    const Operands& args = pass.args;
    const View &narrow = decodes ? args.in : args.out, &wide = decodes ? args.out : args.in;
    const NarrowRows& rows = *narrow_rows(program_, narrow.array);
    auto panel = std::make_shared<StagedPanel>();
    panel->array = rows;
    panel->origin = origin_of(narrow, rows, 0);
    panel->number = narrow_place(rows, narrow.number_stride);
    panel->step = narrow_place(rows, decodes ? args.axes[0].in_stride : args.axes[0].out_stride);
    panel->chunk = args.axes[0].count;
    panel->tile_offset = wide.offset;
    return {std::move(panel), nullptr, narrow.array, wide.array};
  }

  // The first pass of a line reads columns of it.
  void stage_line(Pass& pass, const Compute& op) const {
    const View& view = pass.args.in;
    auto line = std::make_shared<StagedLine>();
    line->rows = op.line;
    line->args.lanes = pass.args.lanes;
    line->radix = pass.codelet->body->radix;
    line->points = -view.wrap / 2;
    line->columns = view.point_stride / 2;
    line->begin = view.offset / 2;
    line->wrap_point = std::min<std::int64_t>(view.wrap_point, line->radix);
    cut_tiles(*line, real_ == 4 ? codelets_.lanes_f32 : codelets_.lanes_f64);
    pass.extent = line->tiles;
    pass.parallel = line->tiles > 1;
    pass.op = StagedPass{{nullptr, std::move(line), view.array, op.line_work}, {}};
  }

  Program& program_;
  const CodeletTable& codelets_;
  const std::int64_t real_;        // bytes
  std::vector<ArrayId> tiles_;     // of the pass at hand
};

bool has_narrow_arrays(const Program& program) {
  const auto is_narrow = [](const Array& array) { return array.narrow != nullptr; };
  return program.in.narrow != nullptr || program.out.narrow != nullptr || !program.in.format.empty() || !program.out.format.empty() ||
         !program.stored_rows.empty() || std::any_of(program.arrays.begin(), program.arrays.end(), is_narrow);
}

}  // namespace

void store(Program& program, const CodeletTable& codelets) {
  if (has_narrow_arrays(program)) Storing(program, codelets).store_body(program.body);
}

}  // namespace ulpfft
