// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// four nodes: a line as a matrix of n1 x n2, transformed in two sweeps (design 7.5).
//
// Element j1 n2 + j2 is row j1, column j2. The first sweep transforms the columns, panel by panel, multiplies by w^(k1 j2) and writes a
// matrix of the workspace; the second transforms along j2 for every k1 and writes element k1 + n1 k2.
//
// Panels   children that are n or dit run with neighbouring columns in the lanes. The matrix then consists of blocks of `panel` values
//          of k1, each n2 rows of `panel` neighbours, so that a panel of the second sweep is read from one end to the other.
// Lines    other children run line by line: the second child on rows of the matrix [k1][j2]; if the first one is such a node, both.
// Shifts   a circular shift of the line is one of the columns, in two ranges, and one of the rows inside each.
#include "planner/backend/cpu/expand/four.h"

#include <algorithm>
#include <cmath>

#include "planner/backend/cpu/expand/columns.h"
#include "planner/backend/cpu/expand/line_groups.h"
#include "planner/backend/cpu/expand/node.h"
#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/shifts.h"
#include "planner/backend/cpu/expand/staging.h"
#include "planner/facts/node_facts.h"
#include "planner/table/line_table.h"

namespace ulpfft {
namespace {

// Values of k1 per step of the coarse twiddle table: about the square root, so that both tables stay small.
std::int64_t twist_split(std::int64_t rows) {
  std::int64_t split = 16;
  while (split * split < rows) split *= 2;
  return split;
}

}  // namespace

static void expand_four_lines(Scope& scope, const Node& node, const Place& place);

void expand_four(Scope& scope, const Node& node, const Place& place) {
  if (node.children.size() != 2 || node_length(node.children[0]) != node.n || node_length(node.children[1]) != node.m) {
    scope.refuse("four(" + std::to_string(node.n) + "x" + std::to_string(node.m) + ") needs children of these two lengths");
  }
  if (node.panel < 1) scope.refuse("four needs a panel of at least one column");
  if (node.n < 2 || node.m < 2) scope.refuse("four needs two factors of at least 2");
  const std::size_t opened = scope.open_loops(place, place.loops.size());
  Place line = place;
  line.loops.clear();
  if (!node.format.empty() && !(runs_on_columns(node.children[0]) && runs_on_columns(node.children[1]))) {
    scope.refuse("The matrix of four is narrow only between children that are n or dit");
  }
  if (!runs_on_columns(node.children[0])) {
    expand_four_lines(scope, node, line);
    scope.close_loops(opened);
    return;
  }
  const std::int64_t n1 = node.n;
  const std::int64_t n2 = node.m;
  const FourMatrix matrix = four_matrix(scope, node);
  expand_first_sweep(scope, node, line, matrix);
  line.transformed *= n1;
  if (matrix.panels_again) {
    ExponentSearch search(scope, scope.is_narrow(place.out));
    expand_second_sweep_panels(scope, node, line, matrix.area);
    search.end();
  } else {
    for (const ColumnRange& range : column_ranges(n2, n1, place.out.shift)) {
      Place row;
      row.n = n2;
      row.transformed = line.transformed;
      row.in = {matrix.area.array, matrix.area.offset + range.begin * 2 * n2, 2, false, 0};
      row.out = place.out;
      row.out.offset += range.at * place.out.stride;
      row.out.stride = n1 * place.out.stride;
      row.out.shift = range.turns;
      row.loops = {{range.end - range.begin, 2 * n2, place.out.stride}};
      expand_node(scope, node.children[1], row);
    }
  }
  scope.close_loops(opened);
}

FourMatrix four_matrix(Scope& scope, const Node& node) {
  FourMatrix matrix;
  matrix.panels_again = runs_on_columns(node.children[1]);
  matrix.block = std::min(node.panel, node.n);
  const std::int64_t rows = align_up(node.n, matrix.block);
  matrix.area = node.format.empty() ? scope.allocate(2 * (matrix.panels_again ? rows : node.n) * node.m)
                                    : narrow_matrix(scope, node.format, rows / matrix.block * node.m, matrix.block, true);
  return matrix;
}

namespace {

// The first sweep while it is expanded: panels of columns are transformed, twisted and stored in the matrix.
class FirstSweep {
 public:
  FirstSweep(Scope& scope, const Node& node, const Place& place, const FourMatrix& matrix, const PanelSource* source)
      : scope_(scope),
        node_(node),
        place_(place),
        matrix_(matrix),
        source_(source),
        panel_(std::min(node.panel, node.m)),
        is_narrow_(narrow_rows(scope.program, matrix.area.array) != nullptr) {
    twist_.out.array = matrix.area.array;
    twist_.twist = {node.n, node.n, 0, twist_split(node.n)};
    twist_.out.point_stride = 2 * node.m;
    twist_.out.lane_stride = 2;
    twist_.out.non_temporal = node.stream;
    if (!matrix.panels_again) return;
    twist_.twist.block = matrix.block;
    twist_.twist.block_stride = 2 * matrix.block * node.m;
    twist_.out.point_stride = 2;
    twist_.out.lane_stride = 2 * matrix.block;
  }

  void expand(const ColumnRange& range) {
    TwistRequest request;
    request.n = place_.n;
    request.rows = node_.n;
    request.split = twist_.twist.split;
    request.begin = range.begin;
    request.end = range.end;
    request.panel = panel_;
    request.lanes = scope_.lanes;
    table_ = scope_.add_table(request);
    values_ = twist_panel_values(request);

    Place column;
    column.n = node_.n;
    column.transformed = place_.transformed;
    column.in = place_.in;
    column.in.offset += range.at * place_.in.stride;
    column.in.stride = node_.m * place_.in.stride;
    column.in.shift = range.turns;
    column.scale = place_.scale;
    column.fetches = node_.stream && source_ == nullptr;
    const std::int64_t columns = range.end - range.begin;
    const bool several = columns / panel_ > 1;
    const auto open = [&](std::int64_t panels) { scope_.begin_parallel(panels, moves()).numbered = true; };
    in_groups(scope_, columns, std::min(panel_, columns), open, [&](std::int64_t first, std::int64_t lanes) {
      Place part = column;
      part.in.offset += first * place_.in.stride;
      expand_panel_of(part, lanes, range.begin + first, first / panel_, several && first == 0);
    });
  }

 private:
  Moves moves() const {
    Moves moves{{matrix_.area.array, is_narrow_ ? 0 : panel_ * twist_.out.lane_stride}};
    if (source_ == nullptr) {
      moves.add(place_.in.array, scope_.is_narrow(place_.in) ? 0 : panel_ * place_.in.stride);
    } else {
      for (const auto& [array, by] : source_->moves) moves.add(array, by);
    }
    return moves;
  }

  // Columns `begin` .. `begin` + `lanes` - 1, behind `panels` whole panels of the range. `numbered`: the first of the panels of a loop.
  void expand_panel_of(Place column, std::int64_t lanes, std::int64_t begin, std::int64_t panels, bool numbered) {
    const Scope::Level before = scope_.level();
    Panel work;
    work.pitch = panel_pitch(scope_, panel_);
    work.area = scope_.allocate(node_.n * work.pitch);
    column.out.array = work.area.array;
    column.in.number_stride = numbered && scope_.is_narrow(place_.in) ? panel_ * place_.in.stride : 0;
    LoopAround lane{lanes, place_.in.stride, 2};
    if (source_ != nullptr) {
      column.in = source_->emit(lanes, begin);
      lane.in_stride = 2;
    }
    expand_panel(scope_, node_.children[0], column, lane, lanes, panel_, &work);
    add_twist(work, lanes, begin, panels, numbered);
    scope_.leave(before);
  }

  void add_twist(const Panel& work, std::int64_t lanes, std::int64_t begin, std::int64_t panels, bool numbered) {
    Pass pass;
    Operands& args = pass.args;
    args = twist_;
    args.in.array = work.area.array;
    args.in.offset = work.area.offset;
    args.in.planar = true;
    args.in.im_offset = scope_.lanes;
    args.in.lane_stride = 2;
    args.in.point_stride = work.pitch;
    args.out.offset = matrix_.area.offset + begin * twist_.out.lane_stride;
    args.lanes = lanes;
    pass.table = table_;
    pass.table_begin = values_ * panels;
    // A panel alone must not see the number of a repeat around this node.
    if (numbered) args.number_stride = values_;
    PassUse use;
    use.lanes = lanes;
    use.butterflies = lanes * node_.n;
    use.working_set = 4.0 * static_cast<double>(node_.n * lanes) * static_cast<double>(real_bytes(scope_.program.compute));
    if (is_narrow_ && numbered) args.out.number_stride = panel_ * args.out.lane_stride;
    scope_.add_pass(scope_.require_line(PassKind::kTwist), std::move(pass), 1, use);
  }

  Scope& scope_;
  const Node& node_;
  const Place& place_;
  const FourMatrix& matrix_;
  const PanelSource* const source_;
  const std::int64_t panel_;
  const bool is_narrow_;  // the matrix is
  Operands twist_;
  int table_ = -1;           // of the range
  std::int64_t values_ = 0;  // of a panel of it
};

}  // namespace

void expand_first_sweep(Scope& scope, const Node& node, const Place& place, const FourMatrix& matrix, const PanelSource* source) {
  FirstSweep sweep(scope, node, place, matrix, source);
  for_ranges(scope, column_ranges(node.n, node.m, place.in.shift), [&](const ColumnRange& range) { sweep.expand(range); });
}

void expand_second_sweep_panels(Scope& scope, const Node& node, const Place& place, const Area& matrix) {
  const bool reads_narrow = narrow_rows(scope.program, matrix.array) != nullptr, writes_narrow = scope.is_narrow(place.out);
  const std::int64_t n1 = node.n;
  const std::int64_t n2 = node.m;
  const std::int64_t panel = std::min(node.panel, n1);
  const double grown = scope.grown;
  for (const ColumnRange& range : column_ranges(n2, n1, place.out.shift)) {
    // A range may begin and end inside a block of the matrix.
    for (std::int64_t begin = range.begin; begin < range.end;) {
      const std::int64_t inside = begin % panel;
      const std::int64_t blocks = inside == 0 ? (range.end - begin) / panel : 0;
      const std::int64_t lanes = blocks > 0 ? panel : std::min(panel - inside, range.end - begin);
      Place row;
      row.n = n2;
      row.transformed = place.transformed;
      row.in = {matrix.array, matrix.offset + begin / panel * (2 * panel * n2) + 2 * inside, 2 * panel, false, 0};
      row.out = place.out;
      row.out.offset += (range.at + begin - range.begin) * place.out.stride;
      row.out.stride = n1 * place.out.stride;
      row.out.shift = range.turns;
      row.streams = node.stream && !(scope.stores_narrow && is_work(place.out.array));
      row.fetches = node.stream;
      const bool loops = blocks > 1;
      scope.grown = grown;
      if (reads_narrow) row.scale = std::ldexp(1.0, scope.power_after(place.transformed));
      row.in.number_stride = loops && reads_narrow ? 2 * panel * n2 : 0;
      row.out.number_stride = loops && writes_narrow ? panel * place.out.stride : 0;
      if (loops) {
        Loop& loop = scope.begin_parallel(blocks, {{matrix.array, reads_narrow ? 0 : 2 * panel * n2},
                                             {place.out.array, writes_narrow ? 0 : panel * place.out.stride}});
        loop.panels = true;
        loop.numbered = reads_narrow || writes_narrow;
      }
      expand_panel(scope, node.children[1], row, {lanes, 2, place.out.stride}, lanes, panel);
      if (loops) scope.end_repeat();
      begin += blocks > 0 ? blocks * panel : lanes;
    }
  }
}

static void expand_four_lines(Scope& scope, const Node& node, const Place& place) {
  const std::int64_t n1 = node.n;
  const std::int64_t n2 = node.m;
  const Area matrix = scope.allocate(2 * n1 * n2);  // [j2][k1]
  const int table = scope.add_table(LineTwiddles{n1, n2, n2});
  for (const ColumnRange& range : column_ranges(n1, n2, place.in.shift)) {
    scope.begin_parallel(range.end - range.begin, {{place.in.array, place.in.stride}, {matrix.array, 2 * n1}}).numbered = true;
    Place column;
    column.n = n1;
    column.transformed = place.transformed;
    column.in = place.in;
    column.in.offset += range.at * place.in.stride;
    column.in.stride = n2 * place.in.stride;
    column.in.shift = range.turns;
    column.out = {matrix.array, matrix.offset + 2 * n1 * range.begin, 2, false, 0};
    column.scale = place.scale;
    expand_node(scope, node.children[0], column);
    Pass pass;
    pass.table = table;
    pass.table_begin = 2 * n1 * range.begin;
    pass.args.number_stride = 2 * n1;
    const View line = scope.line_edge(column.out, n1);
    scope.add_line_pass(PassKind::kPointwise, line, line, n1, std::move(pass));
    scope.end_repeat();
  }
  for (const ColumnRange& range : column_ranges(n2, n1, place.out.shift)) {
    Place row;
    row.n = n2;
    row.transformed = place.transformed * n1;
    row.in = {matrix.array, matrix.offset + 2 * range.begin, 2 * n1, false, 0};
    row.out = place.out;
    row.out.offset += range.at * place.out.stride;
    row.out.stride = n1 * place.out.stride;
    row.out.shift = range.turns;
    row.loops = {{range.end - range.begin, 2, place.out.stride}};
    expand_node(scope, node.children[1], row);
  }
}

}  // namespace ulpfft
