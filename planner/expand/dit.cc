// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// dit nodes, of lines and of panels of columns: the passes of design 7.1-7.4 as steps.
#include "planner/expand/dit.h"

#include <algorithm>
#include <limits>

#include "planner/convert/array_shape.h"
#include "planner/expand/scope.h"
#include "planner/expand/shifts.h"
#include "planner/expand/staging.h"
#include "planner/expand/stored.h"
#include "planner/facts/group_bytes.h"
#include "planner/expand/idle_forms.h"
#include "planner/table/find_codelet.h"

namespace ulpfft {

std::vector<std::int64_t> radices_of(const std::vector<PassSpec>& passes) {
  std::vector<std::int64_t> radices;
  radices.reserve(passes.size());
  for (const PassSpec& pass : passes) radices.push_back(pass.radix);
  return radices;
}

void check_dit(const Scope& scope, const Node& node) {
  if (node.passes.size() < 2) scope.refuse("dit needs at least two passes; one codelet is written n" + std::to_string(node_length(node)));
  if (!node.passes.back().format.empty()) scope.refuse("The last pass of dit stores what the node around it says: it has no '|'");
  if (node.passes[0].form != TwiddleForm::kStandard) scope.refuse("The first pass of dit has no twiddles");
}

static void require_passes(const Scope& scope, const Node& node, PassKind first, PassKind later) {
  // Before anything is allocated: a recipe of few bytes can name a length of many.
  scope.require(first, node.passes[0].radix, TwiddleForm::kNone);
  for (std::size_t i = 1; i < node.passes.size(); ++i) scope.require(later, node.passes[i].radix, node.passes[i].form);
}

template <typename EmitPass>
void expand_groups(Scope& scope, const std::vector<PassSpec>& passes, ArrayId work, std::int64_t row, const EmitPass& emit_pass) {
  struct Group {
    std::size_t begin, end;
    std::int64_t block;  // product of the radices up to its end
  };
  std::vector<Group> groups;
  std::int64_t length = passes[0].radix;
  std::size_t begin = 1;
  for (std::size_t i = 1; i < passes.size(); ++i) {
    if (passes[i].starts_group) {
      groups.push_back({begin, i, length});
      begin = i;
    }
    length *= passes[i].radix;
  }
  groups.push_back({begin, passes.size(), length});
  const std::int64_t n = length;

  const auto sweep = [&](const Group& group, std::int64_t block) {
    std::int64_t l = passes[0].radix;
    for (std::size_t i = 1; i < group.begin; ++i) l *= passes[i].radix;
    for (std::size_t i = group.begin; i < group.end; ++i) {
      emit_pass(i, l, block / (l * passes[i].radix), block);
      l *= passes[i].radix;
    }
  };
  // The first group sweeps everything; the others nest, the last one outermost.
  const bool blocked = groups.size() > 1;
  if (blocked || groups[0].begin < groups[0].end) sweep(groups[0], n);
  if (!blocked) return;
  const auto nest = [&](const auto& self, std::size_t g, std::int64_t parent) -> void {
    const Group& group = groups[g];
    const std::int64_t count = parent / group.block;
    if (count > 1) scope.begin_repeat(count, {{work, group.block / passes[0].radix * row}});
    if (g > 1) self(self, g - 1, group.block);
    sweep(group, group.block);
    if (count > 1) scope.end_repeat();
  };
  nest(nest, groups.size() - 1, n);
}

// Reals from one plane to the other of a work array.
static std::int64_t dit_plane(std::int64_t reals) {
  const std::int64_t plane = align_up(reals, 16) + 16;
  return plane % 1024 == 0 ? plane + 16 : plane;
}

std::int64_t kept_reals(const Node& node) {
  const std::int64_t n = node_length(node), r1 = node.passes[0].radix;
  return std::max(2 * n, 2 * dit_plane(n + r1));
}

// A tile takes the place of the input.
static void read_tiles(Scope& scope, const Place& place, const ShiftedRange& range, std::int64_t radix, Pass& first) {
  auto tiles = std::make_shared<StoredTiles>();
  tiles->rows = place.in.stored;
  tiles->args.lanes = first.args.lanes;
  tiles->radix = radix;
  tiles->points = place.n;
  tiles->columns = place.n / radix;
  tiles->begin = range.offset;
  tiles->wrap_point = std::min<std::int64_t>(range.wrap_point, radix);
  cut_tiles(*tiles, scope.lanes);
  first.extent = tiles->tiles;
  first.parallel = tiles->tiles > 1;
  first.op = ReadTiles{std::move(tiles), place.in.stored_work};
}

void expand_dit(Scope& scope, const Node& node, const Place& place) {
  require_passes(scope, node, PassKind::kFirst, PassKind::kTwiddled);
  const std::vector<PassSpec>& passes = node.passes;
  const std::int64_t n = place.n;
  const std::int64_t w = scope.lanes;
  const std::int64_t r1 = passes[0].radix;
  const std::int64_t r_last = passes.back().radix;
  const std::int64_t last_length = n / r_last;
  if (n / r1 > std::numeric_limits<std::uint32_t>::max() - 1) scope.refuse("This length needs a row list beyond 2^32 rows");

  // Blocks of W reals re, W reals im where every chunk is a whole vector; planes otherwise. Rows that are no whole vectors are padded
  // where the workspace may be that long: the last vector of a row repeats outputs of the one before (vector_begin), and so it stays
  // until the last pass writes. Paths of dual-select follow k in groups, which such vectors would straddle.
  const std::int64_t split_k = place.out.shift % last_length;
  const bool paths = std::any_of(passes.begin(), passes.end(), [](const PassSpec& pass) { return selects_path(pass.form); });
  const std::int64_t columns = n / r1;
  // One more for the lanes that hold no column.
  const std::int64_t rows_kept = columns < w || place.in.shift % columns != 0 ? columns + 1 : columns;
  const std::int64_t row_lanes = w * vectors_of(r1, static_cast<int>(w));
  const bool keeps = place.out.keeps;
  const bool padded = !keeps && r1 % w != 0 && !paths && split_k % r1 == 0 && rows_kept * row_lanes <= n + kWorkspacePadding;
  const bool blocks = padded || (r1 % w == 0 && split_k % w == 0 && (!keeps || rows_kept == columns));
  const bool planar_out = !scope.interleaved(place.out) && place.out.stride == 1 && place.out.shift == 0;
  const bool lane_order = blocks && !planar_out && w > 1;
  const std::int64_t unit = blocks ? 2 : 1;
  const std::int64_t row = blocks ? 2 * row_lanes : r1;  // reals
  const auto at = [&](std::int64_t k) { return padded ? k / r1 * row : k * unit; };
  const std::int64_t plane = dit_plane(rows_kept * r1);
  const std::int64_t im_offset = blocks ? w : plane;
  // Blocks of the work array have the size of the output, which can serve as one where nothing else needs it: a shifted last pass
  // stores elsewhere than it reads.
  const bool fits_out = !node.stream && blocks && !padded && rows_kept == columns && place.loops.empty() && place.out.stride == 2 &&
                        place.out.shift == 0 && scope.interleaved(place.out);
  if (place.out.array == ArrayId::kOut) scope.program.work_may_be_out = fits_out;

  const bool streams = node.stream && !scope.rewrites(place);
  const std::size_t opened = scope.open_loops(place, place.loops.size());
  const bool in_out = keeps || (fits_out && is_work(place.out.array) && (place.in.array != place.out.array || place.in.offset != place.out.offset));
  // From planes it is encoded as it lies there.
  const bool leaves = keeps && !blocks;
  scope.kept_im = leaves ? plane : 1;
  const Area area = in_out ? Area{place.out.array, place.out.offset} : scope.allocate(blocks ? rows_kept * row : 2 * plane);
  View work;
  work.array = area.array;
  work.offset = area.offset;
  work.im_offset = im_offset;
  work.planar = true;
  work.lane_stride = unit;
  work.lane_order = lane_order;
  const double bytes = static_cast<double>(real_bytes(scope.program.compute));

  // First pass.
  const CodeletInfo& first = scope.require(PassKind::kFirst, r1, TwiddleForm::kNone);
  const CodeletInfo* decoding = place.in.format.empty() ? nullptr : find_fused(scope.codelets, PassKind::kFirst, scope.program.compute, r1, TwiddleForm::kNone, 0, place.in.format, "");
  const int reals_in_block = decoding != nullptr && decoding->index_order ? 1 : static_cast<int>(16 / real_bytes(scope.program.compute));
  scope.program.making_bytes = std::max(scope.program.making_bytes, 4.0 * static_cast<double>(columns));
  for (const ShiftedRange& range : shifted_ranges(r1, columns, place.in.shift, false)) {
    const std::int64_t count = range.end - range.begin;
    Pass pass;
    Operands& args = pass.args;
    args.in = scope.edge_of(place.in, columns * place.in.stride, place.in.stride);
    args.in.offset += range.offset * place.in.stride;
    args.in.wrap_point = range.wrap_point;
    args.in.wrap = -n * place.in.stride;
    args.out = work;
    args.out.point_stride = w * unit;
    args.lanes = count;
    pass.rows = scope.add_rows({.kind = RowOrder::Kind::kDigitsOfLanes,
                          .count = vectors_of(count, static_cast<int>(w)) * w,
                          .begin = range.begin,
                          .columns = count,
                          .none = columns,
                          .lanes = static_cast<int>(w),
                          .reals_in_block = reals_in_block,
                          .radices = radices_of(passes)});
    args.row_stride = row;
    args.scale = place.scale;
    PassUse use;
    use.butterflies = use.lanes = count;
    use.working_set = 4.0 * static_cast<double>(n) * bytes;
    use.direct = place.in.stride == 2 && scope.interleaved(place.in);
    if (decoding != nullptr) use.user_bits = storage_bits(place.in.format);
    if (place.in.stored != nullptr) {
      use.in_bits = storage_bits(scope.problem.storage_in);
      use.conversion = relative_cost(place.in.stored->storage, false);
    }
    args.ahead.fetches = place.in.blocks != nullptr && place.in.blocks->fetch != 0;  // by what BlockRows says
    pass.op = Compute{decoding, place.in.blocks};
    Pass& added = scope.add_pass(first, std::move(pass), 1, use);
    if (place.in.stored != nullptr) read_tiles(scope, place, range, r1, added);
  }

  const auto store = [&](const PassSpec& pass, std::int64_t length, std::int64_t block) {
    if (pass.format.empty()) return;
    StoredStage layout;
    layout.row_points = r1;
    layout.row_stride = row;
    layout.columns = {0};
    for (std::int64_t v = 0; v < vectors_of(r1, static_cast<int>(w)); ++v) {
      const std::int64_t begin = vector_begin(v, r1, static_cast<int>(w));
      for (int l = 0; l < w; ++l) {
        const std::int64_t k = begin + (lane_order ? index_of_lane(l, static_cast<int>(w), static_cast<int>(16 / real_bytes(scope.program.compute))) : l);
        if (k < r1) layout.places.push_back({k, blocks ? v * w * unit + l : k});
      }
    }
    add_stage(scope, pass, length, block, n, work, std::move(layout));
  };
  store(passes[0], r1, n);
  expand_groups(scope, passes, area.array, row, [&](std::size_t i, std::int64_t l, std::int64_t count, std::int64_t block) {
    const PassSpec& spec = passes[i];
    const bool last = i + 1 == passes.size() && !leaves;
    const CodeletInfo& codelet = scope.require(PassKind::kTwiddled, spec.radix, spec.form);
    const bool ds = selects_path(spec.form) && !scope.rounded;
    const std::vector<ShiftedRange> ranges = last ? shifted_ranges(spec.radix, l, place.out.shift, ds) : std::vector<ShiftedRange>{{0, l, 0, INT32_MAX}};
    for (const ShiftedRange& range : ranges) {
      Pass pass;
    Operands& args = pass.args;
      args.in = work;
      args.in.offset += at(range.begin);
      args.in.point_stride = at(l);
      if (last) {
        args.row = padded ? r1 : 0;
        args.out = scope.edge_of(place.out, l * place.out.stride, place.out.stride);
        args.out.planar = planar_out;
        args.out.non_temporal = streams;
        if (node.stream) args.ahead = scope.fetch_later(place, 2 * l);
        args.out.offset += range.offset * place.out.stride;
        args.out.wrap_point = range.wrap_point;
        args.out.wrap = -n * place.out.stride;
      } else {
        args.out = args.in;
      }
      const std::int64_t block_stride = at(l * spec.radix);
      args.axes[0] = {count, block_stride, block_stride, 0};
      args.lanes = at(range.end - range.begin) / unit;
      TwiddleRequest request;
      request.body = codelet.body;
      request.length = l;
      request.begin = range.begin;
      request.end = range.end;
      request.row = padded ? r1 : 0;
      request.lanes = static_cast<int>(w);
      request.lane_order = lane_order;
      request.lanes_per_block = scope.lanes_per_block;
      if (scope.rounded) {
        request.element = scope.rounded->element;
        request.lanes = rounded_lanes(static_cast<int>(real_bytes(scope.program.compute)));
      }
      pass.table = scope.add_table(request);
      PassUse use;
      use.lanes = range.end - range.begin;
      use.padded_lanes = args.lanes;
      use.butterflies = count * use.lanes;
      use.working_set = (last ? 4.0 : 2.0) * static_cast<double>(block) * bytes;
      use.shuffled = last && !planar_out;
      use.direct = !last || planar_out || (place.out.stride == 2 && scope.interleaved(place.out));
      if (last && !place.out.format.empty()) use.user_bits = storage_bits(place.out.format);
      if (ds) {
        use.standard = scope.require(PassKind::kTwiddled, spec.radix, TwiddleForm::kStandard).body;
        use.standard_part = 1 - static_cast<double>(indices_on_paths(spec.form, spec.radix, l)) / static_cast<double>(l);
      }
      if (last && !place.out.format.empty()) {
        pass.op = Compute{find_fused(scope.codelets, PassKind::kTwiddled, scope.program.compute, spec.radix, spec.form, 0, "", place.out.format)};
      }
      scope.add_pass(codelet, std::move(pass), count, use);
    }
    store(spec, l * spec.radix, block);
  });
  scope.close_loops(opened);
}

void expand_panel_dit(Scope& scope, const Node& node, const Place& place, const LoopAround& lane, std::int64_t lanes, const Panel& panel, bool keep) {
  const std::vector<PassSpec>& passes = node.passes;
  check_dit(scope, node);
  require_passes(scope, node, PassKind::kColumns, PassKind::kColumnsTwiddled);
  if (node.stream) scope.refuse("Inside a panel it is cols or four that streams, not dit");
  // Whole panels cannot be fetched: rows a power of two apart meet in few sets of L2. What is fetched are the next rows of the first pass.
  const bool fetches = place.fetches && lane.in_stride == 2 && scope.interleaved(place.in) && place.in.shift == 0 && place.in.coded == nullptr;
  const std::int64_t n = place.n;
  const std::int64_t pitch = panel.pitch;
  const std::int64_t r1 = passes[0].radix;
  const std::int64_t bytes = static_cast<std::int64_t>(real_bytes(scope.program.compute));
  View work;
  work.array = panel.area.array;
  work.offset = panel.area.offset;
  work.planar = true;
  work.im_offset = scope.lanes;
  work.lane_stride = 2;

  const std::int64_t columns = n / r1;
  if (columns > std::numeric_limits<std::uint32_t>::max() - 1) scope.refuse("This length needs a row list beyond 2^32 rows");
  const CodeletInfo& first = scope.require(PassKind::kColumns, r1, TwiddleForm::kNone);
  const int rows = scope.add_rows({.kind = RowOrder::Kind::kDigits, .count = columns, .radices = radices_of(passes)});
  const bool direct = lane.in_stride == 2 && scope.interleaved(place.in) && !place.in.swap && place.scale == 1.0;
  for (const ShiftedRange& range : shifted_ranges(r1, columns, place.in.shift, false)) {
    Pass pass;
    Operands& args = pass.args;
    args.in = scope.edge_of(place.in, columns * place.in.stride, lane.in_stride);
    args.in.offset += range.offset * place.in.stride;
    args.in.wrap_point = range.wrap_point;
    args.in.wrap = -n * place.in.stride;
    args.out = work;
    args.out.point_stride = pitch;
    args.axes[0] = {range.end - range.begin, place.in.stride, 0, 0};
    args.lanes = lanes;
    pass.rows = rows;
    pass.rows_begin = range.begin;
    args.row_stride = r1 * pitch;
    args.scale = place.scale;
    if (fetches) {
      const std::int64_t distance = std::max<std::int64_t>(1, kFetchAhead / (2 * r1 * lanes * bytes));
      args.ahead = {true, false, args.in.array, args.in.offset + distance * place.in.stride, args.in.point_stride, place.in.stride};
    }
    PassUse use;
    use.butterflies = args.axes[0].count * lanes;
    use.lanes = lanes;
    use.working_set = 4.0 * static_cast<double>(n) * static_cast<double>(lanes) * static_cast<double>(bytes);
    use.direct = direct;
    const std::int64_t extent = args.axes[0].count;
    add_panel_pass(scope, first, std::move(pass), extent, use, &place.in, nullptr);
  }
  const auto store = [&](const PassSpec& pass, std::int64_t length, std::int64_t block) {
    if (pass.format.empty()) return;
    StoredStage layout;
    layout.row_stride = pitch;
    layout.places = {{0, 0}};
    // Lanes of a last vector that hold no column are left alone.
    for (std::int64_t v = 0; v < align_up(lanes, scope.lanes); v += scope.lanes) {
      for (int l = 0; l < scope.lanes; ++l) {
        if (v + index_of_lane(l, scope.lanes, static_cast<int>(16 / bytes)) < lanes) layout.columns.push_back(2 * v + l);
      }
    }
    add_stage(scope, pass, length, block, n, work, std::move(layout));
  };
  store(passes[0], r1, n);
  expand_groups(scope, passes, panel.area.array, r1 * pitch, [&](std::size_t i, std::int64_t l, std::int64_t count, std::int64_t block) {
    const PassSpec& spec = passes[i];
    const bool last = i + 1 == passes.size() && !keep;
    const CodeletInfo& codelet = scope.require(PassKind::kColumnsTwiddled, spec.radix, spec.form);
    TwiddleRequest request;
    request.body = codelet.body;
    request.length = request.end = l;
    request.broadcast = true;
    const int table = scope.add_table(request);
    const std::int64_t values = static_cast<std::int64_t>(codelet.body->table.size());
    const std::vector<ShiftedRange> ranges = last ? shifted_ranges(spec.radix, l, place.out.shift, false) : std::vector<ShiftedRange>{{0, l, 0, INT32_MAX}};
    for (const ShiftedRange& range : ranges) {
      Pass pass;
    Operands& args = pass.args;
      args.in = work;
      args.in.offset += range.begin * pitch;
      args.in.point_stride = l * pitch;
      if (last) {
        args.out = scope.edge_of(place.out, l * place.out.stride, lane.out_stride);
        args.out.offset += range.offset * place.out.stride;
        args.out.wrap_point = range.wrap_point;
        args.out.wrap = -n * place.out.stride;
        args.out.non_temporal = place.streams;
      } else {
        args.out = args.in;
      }
      const std::int64_t block_stride = l * spec.radix * pitch;
      args.axes[0] = {count, block_stride, block_stride, 0};
      args.axes[1] = {range.end - range.begin, pitch, last ? place.out.stride : pitch, values};
      args.lanes = lanes;
      pass.table = table;
      pass.table_begin = range.begin * values;
      pass.paths_begin = range.begin;
      args.path_stride = selects_path(spec.form) ? 1 : 0;
      PassUse use;
      use.butterflies = count * args.axes[1].count * lanes;
      use.lanes = lanes;
      use.working_set = (last ? 4.0 : 2.0) * static_cast<double>(block) * static_cast<double>(lanes) * static_cast<double>(bytes);
      use.shuffled = last;
      use.direct = !last || (lane.out_stride == 2 && scope.interleaved(place.out));
      add_panel_pass(scope, codelet, std::move(pass), count, use, nullptr, last ? &place.out : nullptr);
    }
    store(spec, l * spec.radix, block);
  });
}

}  // namespace ulpfft
