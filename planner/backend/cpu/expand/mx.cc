// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms in mx schemes: passes whose twiddles are multiplied in MX arithmetic, one rounding of the data where they are 1, and whose
// butterflies are sums in f32.
//
// The first pass reads the caller's line where that is interleaved and dense, else a copy. Of radix 2 it does its butterflies by way of a
// list of points, the digit reversal. Others round rows of columns, which a kFirst codelet sums up and sends, planar, to their places;
// the second pass makes them interleaved again.
#include "planner/backend/cpu/expand/mx.h"

#include <limits>

#include "codelets/registry.h"
#include "planner/backend/cpu/expand/dit.h"
#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/shifts.h"
#include "planner/scheme/mx.h"
#include "planner/table/find_codelet.h"

namespace ulpfft {

static void add_mx_pass(Scope& scope, MxProducts products, Pass pass) {
  PassUse use;
  use.lanes = products.butterflies;
  use.butterflies = (products.radix - 1) * products.butterflies;
  use.working_set = 8.0 * static_cast<double>(products.radix * products.butterflies);
  use.direct = true;
  const auto& scheme = std::get<MxScheme>(scope.scheme.constants);
  const MxPass outline = mx_pass(scheme, products.radix, products.length, products.butterflies, products.ones);
  // Products with an array take 13 ns a vector of 16 numbers against 3, half of it without the second rounding.
  use.conversion = outline.ones && outline.parameters.keeps_products_with_one() ? 2 : 4;
  pass.parallel = mx_units(outline) > 1;
  pass.op = std::move(products);
  scope.add_pass(scope.require_line(PassKind::kPointwise), std::move(pass), mx_units(outline), use);
}

// A sum of two exact numbers rounds once on every target; where the body has FMAs, targets without them leave it to ref, as do those of few
// registers where they have no such radix.
static const CodeletTable& mx_sums_table(const Scope& scope, PassKind kind, std::int64_t radix) {
  const CodeletInfo* const codelet = find_codelet(scope.codelets, kind, scope.program.compute, radix, TwiddleForm::kNone);
  return codelet != nullptr && (scope.codelets.has_fma || codelet->body->ops.fma == 0) ? scope.codelets : registered_targets().back().table;
}
static const CodeletInfo& require_mx_sums(const Scope& scope, PassKind kind, std::int64_t radix) {
  const CodeletInfo* const codelet =
      find_codelet(mx_sums_table(scope, kind, radix), kind, scope.program.compute, radix, TwiddleForm::kNone);
  return codelet != nullptr ? *codelet : scope.require(kind, radix, TwiddleForm::kNone);  // which says what is missing
}

// Reals of a plane that columns of the first pass go to, with one more row for the lanes that hold none.
static std::int64_t mx_plane(const Scope& scope, std::int64_t n, std::int64_t radix) {
  const std::int64_t columns = n / radix;
  return align_up((columns < mx_sums_table(scope, PassKind::kFirst, radix).lanes_f32 ? columns + 1 : columns) * radix, 16) + 16;
}

// Sums of the columns of the first pass, interleaved rows, go to their digit-reversed places, planar.
static View add_mx_columns(Scope& scope, const std::vector<PassSpec>& passes, std::int64_t n, const View& rows, const Area& planes) {
  const std::int64_t radix = passes[0].radix, columns = n / radix, plane = mx_plane(scope, n, radix);
  const int w = mx_sums_table(scope, PassKind::kFirst, radix).lanes_f32;
  Pass pass;
  Operands& args = pass.args;
  args.in = rows;
  args.in.point_stride = 2 * columns;
  args.in.lane_stride = 2;
  args.out.array = planes.array;
  args.out.offset = planes.offset;
  args.out.im_offset = plane;
  args.out.planar = true;
  args.out.lane_stride = 1;
  args.out.lane_order = radix % w == 0 && w > 1;
  args.out.point_stride = w;
  args.lanes = columns;
  pass.rows = scope.add_rows({.kind = RowOrder::Kind::kDigitsOfLanes,
                        .count = vectors_of(columns, w) * w,
                        .columns = columns,
                        .none = columns,
                        .lanes = w,
                        .reals_in_block = std::min(w, 4),
                        .radices = radices_of(passes)});
  args.row_stride = radix;
  PassUse use;
  use.lanes = use.butterflies = columns;
  use.working_set = 16.0 * static_cast<double>(n);
  use.direct = true;
  return scope.add_pass(require_mx_sums(scope, PassKind::kFirst, radix), std::move(pass), 1, use).args.out;
}

namespace {

View interleaved_view(const Area& area) {
  View view;
  view.array = area.array;
  view.offset = area.offset;
  view.point_stride = view.lane_stride = 2;
  return view;
}

// A line while it is expanded. Radix 2 works in place, in `from`; sums of other radices, and of the last pass, go elsewhere.
class MxLine {
 public:
  MxLine(Scope& scope, const std::vector<PassSpec>& passes, const Place& place)
      : scope_(scope), passes_(passes), place_(place), alone_(passes.size() == 1), pairs_(passes[0].radix == 2 && !alone_) {}

  void check() const {
    const std::int64_t columns = place_.n / passes_[0].radix;
    if (columns > std::numeric_limits<std::uint32_t>::max() - 1) scope_.refuse("This length needs a row list beyond 2^32 rows");
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      if (!passes_[i].format.empty()) scope_.refuse("Intermediate formats are not part of mx schemes, whose sums are f32");
      if (passes_[i].starts_group) scope_.refuse("Passes of mx schemes go over the whole line, without '/'");
      if (passes_[i].form != TwiddleForm::kStandard) scope_.refuse("mx schemes multiply by standard twiddles only");
      require_mx_sums(scope_, i == 0 && !alone_ && !pairs_ ? PassKind::kFirst : PassKind::kColumns, passes_[i].radix);
    }
  }

  void expand() {
    Operands ends = begin();
    std::int64_t l = 1;
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      const std::int64_t radix = passes_[i].radix;
      const bool first = i == 0, last = i + 1 == passes_.size();
      const bool sums_at_once = radix == 2 && !last;
      ends.out = interleaved_view(from_);
      add_products(ends, l, radix, first, sums_at_once);
      ends = {};
      ends.in = interleaved_view(from_);
      if (first && !alone_ && !pairs_) {
        ends.in = add_mx_columns(scope_, passes_, place_.n, interleaved_view(from_), other_);
      } else if (!sums_at_once) {
        add_sums(l, radix, last);
        if (!last) std::swap(from_, other_);
        ends.in = interleaved_view(from_);
      }
      l *= radix;
    }
  }

 private:
  // Takes the work arrays; returns where the first pass reads. A line that is not dense is copied first.
  Operands begin() {
    const std::int64_t n = place_.n;
    bool moves = false;
    for (std::size_t i = 1; i + 1 < passes_.size(); ++i) moves = moves || passes_[i].radix != 2;
    const bool dense = place_.in.stride == 2 && scope_.interleaved(place_.in) && place_.in.shift == 0;
    from_ = other_ = scope_.allocate(2 * n);
    if (!alone_ && !pairs_) {
      other_ = scope_.allocate_beside(from_, 2 * mx_plane(scope_, n, passes_[0].radix));
    } else if (moves || !dense) {
      other_ = scope_.allocate_beside(from_, 2 * n);
    }
    Operands ends;
    if (dense) {
      ends.in = scope_.edge_of(place_.in, 2, 2);
      ends.scale = place_.scale;
      return ends;
    }
    Pass copy;
    copy.rows = scope_.add_rows({.kind = RowOrder::Kind::kNatural, .count = n});
    copy.args.scale = place_.scale;
    LineEnd line;
    line.array = other_.array;
    line.offset = other_.offset;
    scope_.add_line_pass(PassKind::kGather, scope_.line_edge(place_.in, n), scope_.line_edge(line, n), n, std::move(copy));
    ends.in = interleaved_view(other_);
    return ends;
  }

  void add_products(const Operands& ends, std::int64_t l, std::int64_t radix, bool first, bool sums) {
    const std::int64_t columns = place_.n / passes_[0].radix;
    std::vector<std::int64_t> digits;
    if (first && pairs_) digits = radices_of(passes_);
    Pass pass;
    pass.args = ends;
    add_mx_pass(scope_, {radix, first && !pairs_ ? columns : l, place_.n / radix, first, sums, std::move(digits)}, std::move(pass));
  }

  // Butterflies of radix `radix` behind sub-transforms of length l. Lanes are the k of one transform, or transforms.
  void add_sums(std::int64_t l, std::int64_t radix, bool last) {
    const CodeletInfo& sums = require_mx_sums(scope_, PassKind::kColumns, radix);
    const std::int64_t count = place_.n / (l * radix);
    const bool along = l >= count;
    const std::vector<ShiftedRange> ranges =
        last ? shifted_ranges(radix, l, place_.out.shift, false) : std::vector<ShiftedRange>{{0, along ? l : count, 0, INT32_MAX}};
    for (const ShiftedRange& range : ranges) {
      Pass pass;
      Operands& args = pass.args;
      args.in.array = from_.array;
      args.in.offset = from_.offset;
      args.in.point_stride = 2 * l;
      args.in.lane_stride = along ? 2 : 2 * radix * l;
      args.in.offset += range.begin * args.in.lane_stride;
      args.lanes = range.end - range.begin;
      args.axes[0] = along ? Axis{count, 2 * radix * l, 2 * radix * l, 0} : Axis{l, 2, 2, 0};
      if (last) {
        args.out = scope_.edge_of(place_.out, l * place_.out.stride, place_.out.stride);
        args.out.offset += range.offset * place_.out.stride;
        args.out.wrap_point = range.wrap_point;
        args.out.wrap = -place_.n * place_.out.stride;
      } else {
        args.out = args.in;
        args.out.array = other_.array;
        args.out.offset += other_.offset - from_.offset;
      }
      PassUse use;
      const std::int64_t extent = args.axes[0].count;
      use.lanes = args.lanes;
      use.butterflies = extent * args.lanes;
      use.working_set = 16.0 * static_cast<double>(place_.n);
      use.direct = along && (!last || (place_.out.stride == 2 && scope_.interleaved(place_.out)));
      scope_.add_pass(sums, std::move(pass), extent, use);
    }
  }

  Scope& scope_;
  const std::vector<PassSpec>& passes_;
  const Place& place_;
  const bool alone_;
  const bool pairs_;  // butterflies are summed at once, in place
  Area from_, other_;
};

}  // namespace

void expand_mx(Scope& scope, const std::vector<PassSpec>& passes, const Place& place) {
  MxLine line(scope, passes, place);
  line.check();
  const std::size_t opened = scope.open_loops(place, place.loops.size());
  line.expand();
  scope.close_loops(opened);
}

}  // namespace ulpfft
