// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms in mx schemes: passes whose twiddles are multiplied in MX arithmetic, one rounding of the data where they are 1, and whose
// butterflies are sums in f32.
//
// The first pass reads the caller's line where that is interleaved and dense, else a copy. Of radix 2 it does its butterflies by way of a
// list of points, the digit reversal. Others round rows of columns, which a kFirst codelet sums up and sends, planar, to their places;
// the second pass makes them interleaved again.
#include "planner/expand/mx.h"

#include <limits>

#include "codelets/registry.h"
#include "planner/expand/dit.h"
#include "planner/expand/scope.h"
#include "planner/expand/shifts.h"
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
  // Of products with an array: 13 ns a vector of 16 numbers against 3, half of it without the second rounding.
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

void expand_mx(Scope& scope, const std::vector<PassSpec>& passes, const Place& place) {
  const std::int64_t n = place.n, first_radix = passes[0].radix, columns = n / first_radix;
  if (columns > std::numeric_limits<std::uint32_t>::max() - 1) scope.refuse("This length needs a row list beyond 2^32 rows");
  const bool alone = passes.size() == 1;
  const bool pairs = first_radix == 2 && !alone;  // butterflies at once
  for (std::size_t i = 0; i < passes.size(); ++i) {
    if (!passes[i].format.empty()) scope.refuse("Intermediate formats are not part of mx schemes, whose sums are f32");
    if (passes[i].starts_group) scope.refuse("Passes of mx schemes go over the whole line, without '/'");
    if (passes[i].form != TwiddleForm::kStandard) scope.refuse("mx schemes multiply by standard twiddles only");
    require_mx_sums(scope, i == 0 && !alone && !pairs ? PassKind::kFirst : PassKind::kColumns, passes[i].radix);
  }
  const std::size_t opened = scope.open_loops(place, place.loops.size());
  // Radix 2 works in place; what other radices, and the last pass, sum up goes elsewhere.
  bool moves = false;
  for (std::size_t i = 1; i + 1 < passes.size(); ++i) moves = moves || passes[i].radix != 2;
  const bool dense = place.in.stride == 2 && scope.interleaved(place.in) && place.in.shift == 0;
  Area from = scope.allocate(2 * n);
  Area other = from;
  if (!alone && !pairs) {
    other = scope.allocate_beside(from, 2 * mx_plane(scope, n, first_radix));
  } else if (moves || !dense) {
    other = scope.allocate_beside(from, 2 * n);
  }
  const auto edge_at = [](const Area& area) {
    View edge;
    edge.array = area.array;
    edge.offset = area.offset;
    edge.point_stride = edge.lane_stride = 2;
    return edge;
  };

  Operands ends;
  if (dense) {
    ends.in = scope.edge_of(place.in, 2, 2);
    ends.scale = place.scale;
  } else {
    Pass copy;
    copy.rows = scope.add_rows({.kind = RowOrder::Kind::kNatural, .count = n});
    copy.args.scale = place.scale;
    LineEnd line;
    line.array = other.array;
    line.offset = other.offset;
    scope.add_line_pass(PassKind::kGather, scope.line_edge(place.in, n), scope.line_edge(line, n), n, std::move(copy));
    ends.in = edge_at(other);
  }

  std::int64_t l = 1;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const std::int64_t radix = passes[i].radix;
    const std::int64_t count = n / (l * radix);
    const bool last = i + 1 == passes.size();
    const bool fused = radix == 2 && !last;
    const bool first = i == 0;
    ends.out = edge_at(from);
    Pass products;
    products.args = ends;
    add_mx_pass(
        scope,
        {radix, first && !pairs ? columns : l, n / radix, first, fused, first && pairs ? radices_of(passes) : std::vector<std::int64_t>()},
        std::move(products));
    ends = {};
    ends.in = edge_at(from);
    if (first && !alone && !pairs) {
      ends.in = add_mx_columns(scope, passes, n, edge_at(from), other);
    } else if (!fused) {
      const CodeletInfo& sums = require_mx_sums(scope, PassKind::kColumns, radix);
      const bool along = l >= count;  // lanes are the k of one transform, or transforms
      const std::vector<ShiftedRange> ranges =
          last ? shifted_ranges(radix, l, place.out.shift, false) : std::vector<ShiftedRange>{{0, along ? l : count, 0, INT32_MAX}};
      for (const ShiftedRange& range : ranges) {
        Pass pass;
        Operands& args = pass.args;
        args.in.array = from.array;
        args.in.offset = from.offset;
        args.in.point_stride = 2 * l;
        args.in.lane_stride = along ? 2 : 2 * radix * l;
        args.in.offset += range.begin * args.in.lane_stride;
        args.lanes = range.end - range.begin;
        args.axes[0] = along ? Axis{count, 2 * radix * l, 2 * radix * l, 0} : Axis{l, 2, 2, 0};
        if (last) {
          args.out = scope.edge_of(place.out, l * place.out.stride, place.out.stride);
          args.out.offset += range.offset * place.out.stride;
          args.out.wrap_point = range.wrap_point;
          args.out.wrap = -n * place.out.stride;
        } else {
          args.out = args.in;
          args.out.array = other.array;
          args.out.offset += other.offset - from.offset;
        }
        PassUse use;
        use.lanes = args.lanes;
        use.butterflies = args.axes[0].count * args.lanes;
        use.working_set = 16.0 * static_cast<double>(n);
        use.direct = along && (!last || (place.out.stride == 2 && scope.interleaved(place.out)));
        const std::int64_t extent = args.axes[0].count;
        scope.add_pass(sums, std::move(pass), extent, use);
      }
      if (!last) {
        std::swap(from, other);
        ends.in = edge_at(from);
      }
    }
    l *= radix;
  }
  scope.close_loops(opened);
}

}  // namespace ulpfft
