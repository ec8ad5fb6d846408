// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// dit nodes, of lines and of panels of columns: the passes of design 7.1-7.4 as passes of a program.
#include "planner/backend/cpu/expand/dit.h"

#include <algorithm>
#include <limits>

#include "planner/backend/cpu/expand/line_groups.h"
#include "planner/backend/cpu/expand/line_packing.h"
#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/shifts.h"
#include "planner/backend/cpu/expand/staging.h"
#include "planner/convert/storage_by_name.h"
#include "planner/facts/conversion_cost.h"
#include "planner/facts/group_bytes.h"
#include "planner/facts/idle_forms.h"
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

// Row lists count in 32 bits.
static void require_row_list(const Scope& scope, const Node& node, std::int64_t n) {
  if (n / node.passes[0].radix > std::numeric_limits<std::uint32_t>::max() - 1)
    scope.refuse("This length needs a row list beyond 2^32 rows");
}

namespace {

constexpr ShiftedRange whole_range(std::int64_t count) { return {0, count, 0, INT32_MAX}; }

// A dit over one line while it is expanded.
class LineDit {
 public:
  LineDit(Scope& scope, const Node& node, const Place& place, const LinePacking& packing, const Area& area)
      : scope_(scope), passes_(node.passes), node_(node), place_(place), p_(packing), streams_(node.stream && !scope.rewrites(place)) {
    work_.array = area.array;
    work_.offset = area.offset;
    work_.im_offset = p_.im_offset;
    work_.planar = true;
    work_.lane_stride = p_.unit;
    work_.lane_order = p_.lane_order;
    bytes_ = static_cast<double>(real_bytes(scope.program.compute));
    fill_ = p_.padded ? 0.5 * static_cast<double>(p_.row) / static_cast<double>(p_.radix) : 1.0;
  }

  void first_passes() {
    for_ranges(scope_, shifted_ranges(p_.radix, p_.columns, place_.in.shift, false), [&](const ShiftedRange& range) { first_pass(range); });
    store(passes_[0], p_.radix, place_.n);
  }

  void later_passes() {
    expand_groups(scope_, passes_, work_.array, p_.row, [&](std::size_t i, std::int64_t l, std::int64_t count, std::int64_t block) {
      const PassSpec& spec = passes_[i];
      const bool last = i + 1 == passes_.size() && !p_.leaves;
      if (last) {
        const bool path_groups = selects_path(spec.form) && scope_.scheme.family->path_groups;
        for_ranges(scope_, shifted_ranges(spec.radix, l, place_.out.shift, path_groups),
                   [&](const ShiftedRange& range) { later_pass(spec, l, count, block, range, true); });
      } else {
        later_pass(spec, l, count, block, whole_range(l), false);
      }
      store(spec, l * spec.radix, block);
    });
  }

 private:
  void first_pass(const ShiftedRange& range) {
    const std::int64_t count = range.end - range.begin;
    const int w = static_cast<int>(p_.lanes);
    Pass pass;
    Operands& args = pass.args;
    args.in = scope_.edge_of(place_.in, p_.columns * place_.in.stride, place_.in.stride);
    args.in.offset += range.offset * place_.in.stride;
    args.in.wrap_point = range.wrap_point;
    args.in.wrap = -place_.n * place_.in.stride;
    args.out = work_;
    args.out.point_stride = p_.lanes * p_.unit;
    args.lanes = count;
    pass.rows = scope_.add_rows({.kind = RowOrder::Kind::kDigitsOfLanes,
                                 .count = vectors_of(count, w) * w,
                                 .begin = range.begin,
                                 .columns = count,
                                 .none = p_.columns,
                                 .lanes = w,
                                 .reals_in_block = reals_in_block(),
                                 .radices = radices_of(passes_)});
    args.row_stride = p_.row;
    args.scale = place_.scale;
    args.ahead.fetches = place_.in.blocks != nullptr && place_.in.blocks->fetch != 0;  // by what BlockRows says
    pass.op = Compute{.blocks = place_.in.blocks, .line = place_.in.stored, .line_work = place_.in.stored_work};
    PassUse use;
    use.butterflies = use.lanes = count;
    use.working_set = 2.0 * (1.0 + fill_) * static_cast<double>(place_.n) * bytes_;
    use.direct = place_.in.stride == 2 && scope_.interleaved(place_.in);
    if (!place_.in.format.empty()) use.user_bits = storage_bits(place_.in.format);
    if (place_.in.stored != nullptr) {
      use.in_bits = storage_bits(scope_.sides.in.storage);
      use.conversion = relative_cost(place_.in.stored->storage, false);
    }
    scope_.add_pass(scope_.require(PassKind::kFirst, p_.radix, TwiddleForm::kNone), std::move(pass), 1, use);
  }

  // Pass `spec` behind sub-transforms of length l, `count` times in a block of `block` points; the last one writes the output.
  void later_pass(const PassSpec& spec, std::int64_t l, std::int64_t count, std::int64_t block, const ShiftedRange& range, bool last) {
    const CodeletInfo& codelet = scope_.require(PassKind::kTwiddled, spec.radix, spec.form);
    const std::int64_t lanes = range.end - range.begin;
    Pass pass;
    Operands& args = pass.args;
    args.in = work_;
    args.in.offset += p_.at(range.begin);
    args.in.point_stride = p_.at(l);
    args.out = args.in;
    if (last) write_output(l, range, args);
    const std::int64_t block_stride = p_.at(l * spec.radix);
    args.axes[0] = {count, block_stride, block_stride, 0};
    args.lanes = p_.at(lanes) / p_.unit;
    pass.table = scope_.add_table(twiddles(codelet, l, range));
    PassUse use;
    use.lanes = lanes;
    use.padded_lanes = args.lanes;
    use.butterflies = count * lanes;
    use.working_set = 2.0 * (last ? 1.0 + fill_ : fill_) * static_cast<double>(block) * bytes_;
    use.shuffled = last && !p_.planar_out;
    use.direct = !last || p_.planar_out || (place_.out.stride == 2 && scope_.interleaved(place_.out));
    if (last && !place_.out.format.empty()) use.user_bits = storage_bits(place_.out.format);
    if (selects_path(spec.form) && scope_.scheme.family->path_groups) {
      use.standard = scope_.require(PassKind::kTwiddled, spec.radix, TwiddleForm::kStandard).body;
      use.standard_part = 1 - static_cast<double>(indices_on_paths(spec.form, spec.radix, l)) / static_cast<double>(l);
    }
    scope_.add_pass(codelet, std::move(pass), count, use);
  }

  void write_output(std::int64_t l, const ShiftedRange& range, Operands& args) const {
    args.row = p_.padded ? p_.radix : 0;
    args.out = scope_.edge_of(place_.out, l * place_.out.stride, place_.out.stride);
    args.out.planar = p_.planar_out;
    args.out.non_temporal = streams_;
    if (node_.stream) args.ahead = scope_.fetch_later(place_, 2 * l);
    args.out.offset += range.offset * place_.out.stride;
    args.out.wrap_point = range.wrap_point;
    args.out.wrap = -place_.n * place_.out.stride;
  }

  TwiddleRequest twiddles(const CodeletInfo& codelet, std::int64_t l, const ShiftedRange& range) const {
    TwiddleRequest request;
    request.body = codelet.body;
    request.length = l;
    request.begin = range.begin;
    request.end = range.end;
    request.row = p_.padded ? p_.radix : 0;
    request.lanes = static_cast<int>(p_.lanes);
    request.lane_order = p_.lane_order;
    request.lanes_per_block = scope_.lanes_per_block;
    if (scope_.scheme.element != nullptr) {
      request.element = scope_.scheme.element;
      request.lanes = rounded_lanes(static_cast<int>(real_bytes(scope_.program.compute)));
    }
    return request;
  }

  // Where the recipe says "|" behind a pass.
  void store(const PassSpec& pass, std::int64_t length, std::int64_t block) {
    if (pass.format.empty()) return;
    const int w = static_cast<int>(p_.lanes);
    RoundedStage layout;
    layout.row_points = p_.radix;
    layout.row_stride = p_.row;
    layout.columns = {0};
    for (std::int64_t v = 0; v < vectors_of(p_.radix, w); ++v) {
      const std::int64_t begin = vector_begin(v, p_.radix, w);
      for (int l = 0; l < w; ++l) {
        const std::int64_t k = begin + (p_.lane_order ? index_of_lane(l, w, reals_in_block()) : l);
        if (k < p_.radix) layout.places.push_back({k, p_.blocks ? v * w * p_.unit + l : k});
      }
    }
    add_stage(scope_, pass, length, block, place_, work_, std::move(layout));
  }

  int reals_in_block() const { return static_cast<int>(16 / real_bytes(scope_.program.compute)); }

  Scope& scope_;
  const std::vector<PassSpec>& passes_;
  const Node& node_;
  const Place& place_;
  const LinePacking p_;
  const bool streams_;
  View work_;
  double bytes_ = 0;  // of a real
  double fill_ = 1;   // numbers of the work array, by the numbers of the line
};

}  // namespace

void expand_dit(Scope& scope, const Node& node, const Place& place) {
  require_passes(scope, node, PassKind::kFirst, PassKind::kTwiddled);
  require_row_list(scope, node, place.n);
  const LinePacking packing = pack_line(scope, node, place);
  if (place.out.array == ArrayId::kOut) scope.program.work_may_be_out = packing.is_output;
  const std::size_t opened = scope.open_loops(place, place.loops.size());
  const bool elsewhere = place.in.array != place.out.array || place.in.offset != place.out.offset;
  const bool in_output = place.out.keeps || (packing.is_output && is_work(place.out.array) && elsewhere);
  const Area area = in_output ? Area{place.out.array, place.out.offset} : scope.allocate(packing.reals());
  if (packing.leaves) work_of(scope.program, area.array).im_offset = packing.im_offset;
  scope.program.making_bytes = std::max(scope.program.making_bytes, 4.0 * static_cast<double>(packing.columns));
  LineDit dit(scope, node, place, packing, area);
  dit.first_passes();
  dit.later_passes();
  scope.close_loops(opened);
}

namespace {

// A dit over `lanes` columns of a panel while it is expanded.
class PanelDit {
 public:
  PanelDit(Scope& scope, const Node& node, const Place& place, const LoopAround& lane, std::int64_t lanes, const Panel& panel)
      : scope_(scope), passes_(node.passes), place_(place), lane_(lane), lanes_(lanes), panel_(panel) {
    work_.array = panel.area.array;
    work_.offset = panel.area.offset;
    work_.planar = true;
    work_.im_offset = scope.lanes;
    work_.lane_stride = 2;
    bytes_ = static_cast<std::int64_t>(real_bytes(scope.program.compute));
  }

  void first_passes() {
    const std::int64_t radix = passes_[0].radix, columns = place_.n / radix;
    const int rows = scope_.add_rows({.kind = RowOrder::Kind::kDigits, .count = columns, .radices = radices_of(passes_)});
    for_ranges(scope_, shifted_ranges(radix, columns, place_.in.shift, false),
               [&](const ShiftedRange& range) { first_pass(range, columns, rows); });
    store(passes_[0], radix, place_.n);
  }

  // With `keep` the last pass leaves its numbers in the panel, too.
  void later_passes(bool keep) {
    const std::int64_t row = passes_[0].radix * panel_.pitch;
    expand_groups(scope_, passes_, work_.array, row, [&](std::size_t i, std::int64_t l, std::int64_t count, std::int64_t block) {
      const PassSpec& spec = passes_[i];
      const bool last = i + 1 == passes_.size() && !keep;
      TwiddleRequest request;
      request.body = scope_.require(PassKind::kColumnsTwiddled, spec.radix, spec.form).body;
      request.length = request.end = l;
      request.broadcast = true;
      const int table = scope_.add_table(request);
      if (last) {
        for_ranges(scope_, shifted_ranges(spec.radix, l, place_.out.shift, false),
                   [&](const ShiftedRange& range) { later_pass(spec, l, count, block, table, range, true); });
      } else {
        later_pass(spec, l, count, block, table, whole_range(l), false);
      }
      store(spec, l * spec.radix, block);
    });
  }

 private:
  void first_pass(const ShiftedRange& range, std::int64_t columns, int rows) {
    const std::int64_t radix = passes_[0].radix;
    Pass pass;
    Operands& args = pass.args;
    args.in = scope_.edge_of(place_.in, columns * place_.in.stride, lane_.in_stride);
    args.in.offset += range.offset * place_.in.stride;
    args.in.wrap_point = range.wrap_point;
    args.in.wrap = -place_.n * place_.in.stride;
    args.out = work_;
    args.out.point_stride = panel_.pitch;
    args.axes[0] = {range.end - range.begin, place_.in.stride, 0, 0};
    args.lanes = lanes_;
    pass.rows = rows;
    pass.rows_begin = range.begin;
    args.row_stride = radix * panel_.pitch;
    args.scale = place_.scale;
    // Whole panels cannot be fetched: rows a power of two apart meet in few sets of L2. What is fetched are the next rows of the first
    // pass.
    const bool dense = lane_.in_stride == 2 && scope_.interleaved(place_.in);
    if (place_.fetches && dense && place_.in.shift == 0 && !scope_.is_narrow(place_.in)) {
      const std::int64_t distance = std::max<std::int64_t>(1, kFetchAhead / (2 * radix * lanes_ * bytes_));
      args.ahead = {true, false, args.in.array, args.in.offset + distance * place_.in.stride, args.in.point_stride, place_.in.stride};
    }
    PassUse use;
    const std::int64_t extent = args.axes[0].count;
    use.butterflies = extent * lanes_;
    use.lanes = lanes_;
    use.working_set = 4.0 * static_cast<double>(place_.n) * static_cast<double>(lanes_) * static_cast<double>(bytes_);
    use.direct = dense && !place_.in.swap && place_.scale == 1.0;
    scope_.add_pass(scope_.require(PassKind::kColumns, radix, TwiddleForm::kNone), std::move(pass), extent, use);
  }

  // As LineDit::later_pass(); a table has one set for each k.
  void later_pass(const PassSpec& spec, std::int64_t l, std::int64_t count, std::int64_t block, int table, const ShiftedRange& range,
                  bool last) {
    const CodeletInfo& codelet = scope_.require(PassKind::kColumnsTwiddled, spec.radix, spec.form);
    const std::int64_t values = static_cast<std::int64_t>(codelet.body->table.size()), pitch = panel_.pitch;
    Pass pass;
    Operands& args = pass.args;
    args.in = work_;
    args.in.offset += range.begin * pitch;
    args.in.point_stride = l * pitch;
    args.out = args.in;
    if (last) {
      args.out = scope_.edge_of(place_.out, l * place_.out.stride, lane_.out_stride);
      args.out.offset += range.offset * place_.out.stride;
      args.out.wrap_point = range.wrap_point;
      args.out.wrap = -place_.n * place_.out.stride;
      args.out.non_temporal = place_.streams;
    }
    const std::int64_t block_stride = l * spec.radix * pitch;
    args.axes[0] = {count, block_stride, block_stride, 0};
    args.axes[1] = {range.end - range.begin, pitch, last ? place_.out.stride : pitch, values};
    args.lanes = lanes_;
    pass.table = table;
    pass.table_begin = range.begin * values;
    pass.paths_begin = range.begin;
    args.path_stride = selects_path(spec.form) ? 1 : 0;
    PassUse use;
    use.butterflies = count * args.axes[1].count * lanes_;
    use.lanes = lanes_;
    use.working_set = (last ? 4.0 : 2.0) * static_cast<double>(block) * static_cast<double>(lanes_) * static_cast<double>(bytes_);
    use.shuffled = last;
    use.direct = !last || (lane_.out_stride == 2 && scope_.interleaved(place_.out));
    scope_.add_pass(codelet, std::move(pass), count, use);
  }

  void store(const PassSpec& pass, std::int64_t length, std::int64_t block) {
    if (pass.format.empty()) return;
    RoundedStage layout;
    layout.row_stride = panel_.pitch;
    layout.places = {{0, 0}};
    // Lanes of a last vector that hold no column are left alone.
    for (std::int64_t v = 0; v < align_up(lanes_, scope_.lanes); v += scope_.lanes) {
      for (int l = 0; l < scope_.lanes; ++l) {
        if (v + index_of_lane(l, scope_.lanes, static_cast<int>(16 / bytes_)) < lanes_) layout.columns.push_back(2 * v + l);
      }
    }
    add_stage(scope_, pass, length, block, place_, work_, std::move(layout));
  }

  Scope& scope_;
  const std::vector<PassSpec>& passes_;
  const Place& place_;
  const LoopAround& lane_;
  const std::int64_t lanes_;
  const Panel& panel_;
  View work_;
  std::int64_t bytes_ = 0;  // of a real
};

}  // namespace

void expand_panel_dit(Scope& scope, const Node& node, const Place& place, const LoopAround& lane, std::int64_t lanes, const Panel& panel,
                      bool keep) {
  check_dit(scope, node);
  require_passes(scope, node, PassKind::kColumns, PassKind::kColumnsTwiddled);
  if (node.stream) scope.refuse("Inside a panel it is cols or four that streams, not dit");
  require_row_list(scope, node, place.n);
  PanelDit dit(scope, node, place, lane, lanes, panel);
  dit.first_passes();
  dit.later_passes(keep);
}

}  // namespace ulpfft
