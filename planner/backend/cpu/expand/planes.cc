// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// rank([|format; ]cols(...); node) with something narrow: planes whose rows go into a matrix, and whose columns come from it. Without a
// format: where cols streams.
//
// Narrow arrays of the caller are decoded by groups of rows and encoded by panels of columns. The matrix is one transform of workspace, or
// its codes: then rows of a group are transformed in a buffer and encoded, and panels decode them.
#include "planner/backend/cpu/expand/planes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "planner/backend/cpu/expand/between.h"
#include "planner/backend/cpu/expand/columns.h"
#include "planner/backend/cpu/expand/line_groups.h"
#include "planner/backend/cpu/expand/node.h"
#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/staging.h"
#include "planner/backend/cpu/expand/stored.h"
#include "planner/facts/group_bytes.h"

namespace ulpfft {

// `rows` rows of `points` of a plane, `row_step` reals apart, from or to dense reals. The first of them is row `first`, and `rows` further
// for every iteration of the loop around, if that is `numbered`.
static void add_narrow_rows(Scope& scope, ArrayId array, bool encodes, std::int64_t first, std::int64_t rows, std::int64_t row_step,
                            std::int64_t points, bool numbered, const Area& reals) {
  Pass pass;
  Operands& args = pass.args;
  View narrow, wide;
  narrow.array = array;
  narrow.offset = first * row_step;
  narrow.number_stride = numbered ? rows * row_step : 0;
  wide.array = reals.array;
  wide.offset = reals.offset;
  narrow.point_stride = wide.point_stride = 2;
  args.in = encodes ? wide : narrow;
  args.out = encodes ? narrow : wide;
  args.axes[0] = {rows, encodes ? 2 * points : row_step, encodes ? row_step : 2 * points, 0};
  args.lanes = points;
  PassUse use;
  use.lanes = points;
  use.butterflies = rows * points;
  use.working_set = 4.0 * static_cast<double>(use.butterflies) * static_cast<double>(real_bytes(scope.program.compute));
  scope.add_pass(scope.require_line(encodes ? PassKind::kEncode : PassKind::kDecode), std::move(pass), 1, use);
}

namespace {

// A plane while it is expanded.
class Plane {
 public:
  Plane(Scope& scope, const Node& root, const StoredSide& in, const StoredSide& out)
      : scope_(scope),
        root_(root),
        in_(in),
        out_(out),
        n0_(scope.problem.dims[0].length),
        n1_(scope.problem.dims[1].length),
        panel_(std::min(root.children[0].panel, n1_)),
        narrow_(!root.format.empty()) {
    matrix_ = narrow_ ? narrow_matrix(scope, root.format, n0_, n1_, false) : scope.allocate(2 * n0_ * n1_);
    if (narrow_ && !panels_fit(scope.program.arrays.back().narrow->storage, panel_, n1_, 2)) {
      scope.refuse("Blocks of '" + root.format + "' do not divide panels of " + std::to_string(panel_) + " columns");
    }
  }

  void expand_rows() {
    const std::int64_t row_bytes = 2 * n1_ * static_cast<std::int64_t>(real_bytes(scope_.program.compute));
    const std::int64_t group = std::clamp<std::int64_t>(kStoredGroupBytes / row_bytes, 1, n0_);
    const bool encodes = std::exchange(scope_.stores_narrow, narrow_), several = n0_ / group > 1;
    const std::int64_t in_step = in_.by_panels() ? 0 : group * in_.unit * scope_.problem.dims[0].in_stride;
    const auto open = [&](std::int64_t groups) {
      scope_.begin_parallel(groups, {{ArrayId::kIn, in_step}, {matrix_.array, narrow_ ? 0 : 2 * n1_ * group}}).numbered = true;
    };
    in_groups(scope_, n0_, group, open,
              [&](std::int64_t first, std::int64_t rows) { expand_row_group(first, rows, several && first == 0); });
    scope_.stores_narrow = encodes;
  }

  void expand_columns() {
    const Node& columns = root_.children[0];
    const bool takes = out_.by_panels(), copies = !takes && !out_.direct();
    StoredGroup copy;  // of the result; over a wide matrix, which panels may overwrite with theirs
    copy.row_step = 2 * n1_;
    if (copies) copy.work = narrow_ ? scope_.allocate(2 * n0_ * n1_) : matrix_;
    ExponentSearch search(scope_, takes);
    LoopAround lane{n1_, 2, 2};
    const Place place = column_place(takes, copy.work, lane);
    const bool several = n1_ / panel_ > 1;
    const std::int64_t out_step = takes ? 2 : lane.out_stride;
    const auto open = [&](std::int64_t panels) {
      const bool in_place = place.out.array == matrix_.array;
      scope_.begin_parallel(panels, {{matrix_.array, narrow_ || in_place ? 0 : 2 * panel_},
                                     {place.out.array, takes ? 0 : panel_ * out_step}}).numbered = true;
    };
    in_groups(scope_, n1_, panel_, open, [&](std::int64_t first, std::int64_t lanes) {
      const bool numbered = several && first == 0;
      Place part = place;
      part.in.number_stride = numbered && narrow_ ? 2 * panel_ : 0;
      part.out.number_stride = numbered && takes ? 2 * panel_ : 0;
      part.in.offset += first * 2;
      part.out.offset += first * out_step;
      expand_panel(scope_, columns.children[0], part, lane, lanes, panel_);
    });
    search.end();
    if (copies) add_stored_rows(scope_, out_, copy);
  }

 private:
  // Rows `first` .. `first` + `rows` - 1; `numbered`: the first group of a loop.
  void expand_row_group(std::int64_t first, std::int64_t rows, bool numbered) {
    const std::vector<Dimension>& dims = scope_.problem.dims;
    const Scope::Level before = scope_.level();
    const Area buffer = in_.by_panels() || narrow_ ? scope_.allocate(2 * n1_ * rows) : Area();
    Place place;
    place.n = n1_;
    place.out = narrow_ ? LineEnd{buffer.array, buffer.offset} : LineEnd{matrix_.array, matrix_.offset + 2 * n1_ * first};
    if (in_.by_panels()) {
      add_narrow_rows(scope_, ArrayId::kIn, false, first, rows, in_.row_step, n1_, numbered, buffer);
      place.in = {buffer.array, buffer.offset};
      place.loops = {{rows, 2 * n1_, 2 * n1_}};
    } else {
      place.in.array = ArrayId::kIn;
      place.in.offset = first * in_.unit * dims[0].in_stride;
      place.in.stride = in_.unit * dims[1].in_stride;
      place.loops = {{rows, in_.unit * dims[0].in_stride, 2 * n1_}};
    }
    place.in.swap = scope_.problem.direction == Direction::kBackward;
    place.in.shift = place.out.shift = scope_.problem.centered ? n1_ / 2 : 0;
    place.scale = rounded_scale(scope_);
    if (rows == 1) place.loops.clear();
    scope_.next_line = out_.power && in_.direct() && rows == 1 ? in_.unit * dims[0].in_stride : 0;
    expand_node(scope_, root_.children[1], place);
    scope_.next_line = 0;
    if (narrow_) add_narrow_rows(scope_, matrix_.array, true, first, rows, 2 * n1_, n1_, numbered, buffer);
    scope_.leave(before);
  }

  // A column; where it goes sets the stride of `lane` at the output. `takes`: the passes encode.
  Place column_place(bool takes, const Area& copy, LoopAround& lane) const {
    const std::vector<Dimension>& dims = scope_.problem.dims;
    const std::int64_t shift = scope_.problem.centered ? n0_ / 2 : 0;
    Place place;
    place.n = n0_;
    place.transformed = n1_;
    place.in = {matrix_.array, matrix_.offset, 2 * n1_, false, shift};
    place.out.shift = shift;
    place.out.swap = scope_.problem.direction == Direction::kBackward;
    place.scale = std::ldexp(1.0, scope_.power_after(n1_));
    if (takes) {
      place.out.stride = out_.row_step;
    } else if (out_.direct()) {
      place.out.stride = out_.unit * dims[0].out_stride;
      lane.out_stride = out_.unit * dims[1].out_stride;
    } else {
      place.out.array = copy.array;
      place.out.offset = copy.offset;
      place.out.stride = 2 * n1_;
    }
    place.streams = root_.children[0].stream && (takes || out_.direct());
    place.fetches = root_.children[0].stream;
    return place;
  }

  Scope& scope_;
  const Node& root_;
  const StoredSide &in_, &out_;
  const std::int64_t n0_, n1_, panel_;
  const bool narrow_;  // the matrix is
  Area matrix_;
};

}  // namespace

bool expand_planes(Scope& scope, const std::vector<const Node*>& nodes) {
  const Node& root = scope.recipe.root;
  const std::vector<Dimension>& dims = scope.problem.dims;
  const bool must = !root.format.empty();
  const bool columns = nodes.size() == 2 && nodes[0]->kind == Node::Kind::kCols && nodes[0]->children.size() == 1 && nodes[0]->panel >= 1 &&
                       (nodes[0]->children[0].kind == Node::Kind::kDit || nodes[0]->children[0].kind == Node::Kind::kN);
  if (!columns || dims[0].length < 2 || dims[1].length < 2) {
    if (must) scope.refuse("A narrow array lies between two dimensions, the first of them cols of n or dit");
    return false;
  }
  const std::optional<SettledEnds> ends = settle_plane_ends(scope, *nodes[0], must);
  if (!ends) return false;
  tell_end(scope, ends->in);
  tell_end(scope, ends->out);
  for_transforms(scope, *ends, [&](std::int64_t, std::int64_t) {
    const Scope::Level before = scope.level();
    Plane plane(scope, root, ends->in, ends->out);
    plane.expand_rows();
    plane.expand_columns();
    scope.leave(before);
  });
  return true;
}

}  // namespace ulpfft
