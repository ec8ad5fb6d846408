// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// chain nodes: transforms there, an operation on the spectrum, and back (design 4).
//
// A group of transforms goes there into a dense spectrum in the workspace, which the passes back read. Where the last sweep there and the
// first one back run panel by panel over the same columns, they become one: a panel is transformed, changed and transformed back while it
// is in the caches, in the order in which the sweep leaves it, so that no spectrum is ever put in order, written or read as a whole.
//   four    the second sweep there holds columns k1, the first one back (of the factors exchanged) the same: three sweeps for four
//   rank    cols of the first length: three sweeps for a plane instead of four
#include "planner/backend/cpu/expand/chain.h"

#include <algorithm>
#include <utility>

#include "planner/backend/cpu/expand/columns.h"
#include "planner/backend/cpu/expand/four.h"
#include "planner/backend/cpu/expand/line_groups.h"
#include "planner/backend/cpu/expand/node.h"
#include "planner/backend/cpu/expand/scope.h"
#include "planner/facts/group_bytes.h"
#include "planner/facts/node_facts.h"

namespace ulpfft {
namespace {

// Of a tile: `rows` of `columns` points, `row` points apart.
struct SpectrumTile {
  LineEnd at;
  std::int64_t rows, row, columns;
  std::int64_t index = 0, row_step = 0;  // see ChainStep
  std::int64_t transform = 0;
  bool rows_are_transforms = false;
};

}  // namespace

static void add_spectrum_step(Scope& scope, const SpectrumTile& tile) {
  const bool multiplies = scope.problem.chain == "mul";
  // A user's operation costs and errs as it likes: counted as a copy.
  const CodeletInfo& codelet = scope.require_line(multiplies ? PassKind::kPointwise : PassKind::kGather);
  Pass pass;
  pass.op = Spectrum{multiplies, tile.index, tile.row_step, tile.transform, tile.rows_are_transforms};
  pass.parallel = tile.rows > 1;
  Operands& args = pass.args;
  args.in.array = tile.at.array;
  args.in.offset = tile.at.offset;
  args.in.point_stride = 2;
  args.out = args.in;
  args.axes[0] = {tile.rows, 2 * tile.row, 2 * tile.row, 2 * tile.row_step};
  args.lanes = tile.columns;
  PassUse use;
  use.lanes = tile.columns;
  use.butterflies = tile.rows * tile.columns;
  use.working_set = 2.0 * static_cast<double>(use.butterflies) * static_cast<double>(real_bytes(scope.program.compute));
  scope.add_pass(codelet, std::move(pass), tile.rows, use);
}

void add_spectrum_group(Scope& scope, const LineEnd& spectrum, std::int64_t points, std::int64_t first, std::int64_t transforms) {
  SpectrumTile tile{spectrum, transforms, points, points};
  tile.transform = first;
  tile.rows_are_transforms = true;
  if (transforms > 1 || points <= kPiecePoints) return add_spectrum_step(scope, tile);
  tile.rows_are_transforms = false;
  tile.rows = points / kPiecePoints;
  tile.row = tile.row_step = tile.columns = kPiecePoints;
  add_spectrum_step(scope, tile);
  if (points % kPiecePoints == 0) return;
  tile.index = tile.rows * kPiecePoints;
  tile.at.offset += 2 * tile.index;
  tile.rows = 1;
  tile.columns = points % kPiecePoints;
  add_spectrum_step(scope, tile);
}

bool columns_are_fused(const Node& there, const Node& back) {
  const auto columns = [](const Node& node) {
    return node.kind == Node::Kind::kCols && node.children.size() == 1 && runs_on_columns(node.children[0]);
  };
  return there.panel == back.panel && there.panel >= 1 && columns(there) && columns(back);
}

bool chain_is_fused(const Scope& scope, const Node& there, const Node& back, const std::vector<std::size_t>& order) {
  if (there.panel != back.panel || there.panel < 1 || there.kind != back.kind) return false;
  if (there.kind == Node::Kind::kFour) {
    const auto panels = [](const Node& node) {
      return node.children.size() == 2 && node.n > 1 && node.m > 1 && runs_on_columns(node.children[0]) &&
             runs_on_columns(node.children[1]) && node_length(node.children[0]) == node.n && node_length(node.children[1]) == node.m;
    };
    return scope.problem.dims.size() == 1 && !scope.problem.centered && there.n == back.m && there.m == back.n && panels(there) &&
           panels(back);
  }
  return order.size() > 1 && columns_are_fused(there, back);
}

void expand_chain_columns(Scope& scope, const Node& there, const Node& back, std::size_t d, const ArrayLines& work, std::int64_t transform,
                          bool outermost) {
  const bool backward = scope.problem.direction == Direction::kBackward;
  const std::int64_t n = scope.problem.dims[d].length;
  const std::int64_t columns = work.dims[d] / 2;
  const std::int64_t panel = std::min(there.panel, columns);
  const std::int64_t shift = scope.problem.centered ? n / 2 : 0;
  const auto open = [&](std::int64_t panels) {
    scope.begin_parallel(panels, {{work.base.array, 2 * panel}, {ArrayId::kFactors, 2 * panel}});
  };
  in_groups(scope, columns, panel, open, [&](std::int64_t begin, std::int64_t lanes) {
    const Scope::Level before = scope.level();
    const Area tile = scope.allocate(2 * n * panel);
    const LineEnd spectrum{tile.array, tile.offset, 2 * panel};
    Place place;
    place.n = n;
    place.transformed = transform_points(scope.problem) / n;
    place.in = {work.base.array, work.base.offset + 2 * begin, 2 * columns};
    place.out = spectrum;
    place.in.shift = place.out.shift = shift;
    place.in.swap = backward && outermost;
    place.out.swap = backward;
    expand_panel(scope, there.children[0], place, {lanes, 2, 2}, lanes, panel);
    SpectrumTile operation{spectrum, n, panel, lanes};
    operation.index = begin;
    operation.row_step = columns;
    operation.transform = transform;
    add_spectrum_step(scope, operation);
    std::swap(place.in, place.out);
    place.in.swap = !backward;
    place.out.swap = !backward && outermost;
    expand_panel(scope, back.children[0], place, {lanes, 2, 2}, lanes, panel);
    scope.leave(before);
  });
}

static void expand_chain_four(Scope& scope, const Node& there, const Node& back, const Place& ends, std::int64_t transform) {
  const bool backward = scope.problem.direction == Direction::kBackward;
  const std::int64_t n1 = there.n;
  const std::int64_t n2 = there.m;
  const std::int64_t panel = std::min(there.panel, n1);
  const FourMatrix first = four_matrix(scope, there);
  expand_first_sweep(scope, there, ends, first);
  const FourMatrix second = four_matrix(scope, back);
  PanelSource source;
  source.moves = {{first.area.array, 2 * panel * n2}, {ArrayId::kFactors, 2 * panel}};
  source.emit = [&](std::int64_t lanes, std::int64_t begin) {
    const Area tile = scope.allocate(2 * n2 * panel);
    Place row;
    row.n = n2;
    row.in = {first.area.array, first.area.offset + begin * 2 * n2, 2 * panel};
    row.out = {tile.array, tile.offset, 2 * panel, backward};
    row.fetches = there.stream;
    expand_panel(scope, there.children[1], row, {lanes, 2, 2}, lanes, panel);
    SpectrumTile operation{{tile.array, tile.offset}, n2, panel, lanes};
    operation.index = begin;
    operation.row_step = n1;
    operation.transform = transform;
    add_spectrum_step(scope, operation);
    return LineEnd{tile.array, tile.offset, 2 * panel, !backward};
  };
  Place line = ends;
  line.scale = 1.0;
  expand_first_sweep(scope, back, line, second, &source);
  expand_second_sweep_panels(scope, back, line, second.area);
}

void expand_chain(Scope& scope, const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order, const SeenArrays& group) {
  const bool backward = scope.problem.direction == Direction::kBackward;
  const double scale = rounded_scale(scope);
  const std::int64_t points = transform_points(scope.problem);
  const std::size_t middle = order.back();
  const bool fused = chain_is_fused(scope, *nodes[middle], *scope.back[middle], order);
  const std::int64_t transforms = group.batch.empty() ? 1 : group.batch[0].count;
  const auto loops = [&](const ArrayLines& from, const ArrayLines& to) {
    std::vector<LoopAround> list;
    if (transforms > 1) list.push_back({transforms, from.step, to.step});
    return list;
  };
  const auto each_transform = [&](const ArrayLines& from, const ArrayLines& to, const auto& emit) {
    if (transforms == 1) return emit();
    Moves moves{{from.base.array, from.step}, {ArrayId::kExponents, static_cast<std::int64_t>(sizeof(std::int32_t))}};
    if (to.base.array != from.base.array) moves.add(to.base.array, to.step);
    scope.begin_parallel(transforms, moves);
    emit();
    scope.end_repeat();
  };
  ArrayLines from = group.in, spectrum = group.spectrum, to = group.out;
  from.base.swap = spectrum.base.swap = backward;
  if (fused && order.size() == 1) {
    to.base.swap = !backward;
    Place ends;
    ends.n = points;
    ends.in = from.base;
    ends.in.stride = from.dims[0];
    ends.out = to.base;
    ends.out.stride = to.dims[0];
    ends.scale = scale;
    each_transform(from, to, [&] { expand_chain_four(scope, *nodes[middle], *scope.back[middle], ends, group.first); });
    return;
  }
  std::int64_t transformed = 1;
  const std::size_t apart = order.size() - (fused ? 1 : 0);  // dimensions transformed on their own
  for (std::size_t i = 0; i < apart; ++i) {
    const bool first = i == 0;
    const ArrayLines& reads = first ? from : spectrum;
    expand_dimension(scope, *nodes[order[i]], order[i], reads, spectrum, scale, first, i + 1 == order.size(), loops(reads, spectrum),
                     transformed);
  }
  if (fused) {
    each_transform(spectrum, spectrum,
                   [&] { expand_chain_columns(scope, *nodes[middle], *scope.back[middle], middle, group.spectrum, group.first, false); });
  } else {
    add_spectrum_group(scope, group.spectrum.base, points, group.first, transforms);
  }
  spectrum.base.swap = to.base.swap = !backward;
  for (std::size_t i = apart; i-- > 0;) {
    const bool first = i + 1 == order.size(), last = i == 0;
    const ArrayLines& writes = last ? to : spectrum;
    expand_dimension(scope, *scope.back[order[i]], order[i], spectrum, writes, 1.0, first, last, loops(spectrum, writes), transformed);
  }
}

}  // namespace ulpfft
