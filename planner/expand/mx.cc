// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms in mx schemes: passes whose twiddles are multiplied in MX arithmetic, one rounding of the data where they are 1, and whose
// butterflies are sums in f32.
//
// The first pass reads the caller's line where that is interleaved and dense, else a copy. Of radix 2 it does its butterflies by way of a
// list of points, the digit reversal. Others round rows of columns, which a kFirst codelet sums up and sends, planar, to their places;
// the second pass makes them interleaved again.
#include <limits>

#include "codelets/registry.h"
#include "planner/expand/plan_builder.h"
#include "planner/table/find_codelet.h"

namespace ulpfft {

void PlanBuilder::add_mx_pass(MxProducts products, Pass pass) {
  PassUse use;
  use.lanes = products.butterflies;
  use.butterflies = (products.radix - 1) * products.butterflies;
  use.working_set = 8.0 * static_cast<double>(products.radix * products.butterflies);
  use.direct = true;
  const MxPass outline = mx_pass(*mx_, products.radix, products.length, products.butterflies, products.ones);
  // Of products with an array: 13 ns a vector of 16 numbers against 3, half of it without the second rounding.
  use.conversion = outline.ones && outline.parameters.keeps_products_with_one() ? 2 : 4;
  pass.parallel = mx_units(outline) > 1;
  pass.op = std::move(products);
  add_pass(require_line(PassKind::kPointwise), std::move(pass), mx_units(outline), use);
}

// A sum of two exact numbers rounds once on every target; where the body has FMAs, targets without them leave it to ref, as do those of few
// registers where they have no such radix.
const CodeletTable& PlanBuilder::mx_sums_table(PassKind kind, std::int64_t radix) const {
  const CodeletInfo* const codelet = find_codelet(codelets_, kind, program_.compute, radix, TwiddleForm::kNone);
  return codelet != nullptr && (codelets_.has_fma || codelet->body->ops.fma == 0) ? codelets_ : registered_targets().back().table;
}
const CodeletInfo& PlanBuilder::require_mx_sums(PassKind kind, std::int64_t radix) const {
  const CodeletInfo* const codelet = find_codelet(mx_sums_table(kind, radix), kind, program_.compute, radix, TwiddleForm::kNone);
  return codelet != nullptr ? *codelet : require(kind, radix, TwiddleForm::kNone);  // which says what is missing
}

// Reals of a plane that columns of the first pass go to, with one more row for the lanes that hold none.
std::int64_t PlanBuilder::mx_plane(std::int64_t n, std::int64_t radix) const {
  const std::int64_t columns = n / radix;
  return align_up((columns < mx_sums_table(PassKind::kFirst, radix).lanes_f32 ? columns + 1 : columns) * radix, 16) + 16;
}

View PlanBuilder::add_mx_columns(const std::vector<PassSpec>& passes, std::int64_t n, const View& rows, const Area& planes) {
  const std::int64_t radix = passes[0].radix, columns = n / radix, plane = mx_plane(n, radix);
  const int w = mx_sums_table(PassKind::kFirst, radix).lanes_f32;
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
  pass.rows = add_rows({.kind = RowOrder::Kind::kDigitsOfLanes,
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
  return add_pass(require_mx_sums(PassKind::kFirst, radix), std::move(pass), 1, use).args.out;
}

void PlanBuilder::emit_mx(const std::vector<PassSpec>& passes, const Place& place) {
  const std::int64_t n = place.n, first_radix = passes[0].radix, columns = n / first_radix;
  if (columns > std::numeric_limits<std::uint32_t>::max() - 1) refuse("This length needs a row list beyond 2^32 rows");
  const bool alone = passes.size() == 1;
  const bool pairs = first_radix == 2 && !alone;  // butterflies at once
  for (std::size_t i = 0; i < passes.size(); ++i) {
    if (!passes[i].format.empty()) refuse("Intermediate formats are not part of mx schemes, whose sums are f32");
    if (passes[i].starts_group) refuse("Passes of mx schemes go over the whole line, without '/'");
    if (passes[i].form != TwiddleForm::kStandard) refuse("mx schemes multiply by standard twiddles only");
    require_mx_sums(i == 0 && !alone && !pairs ? PassKind::kFirst : PassKind::kColumns, passes[i].radix);
  }
  const std::size_t opened = open_loops(place, place.loops.size());
  // Radix 2 works in place; what other radices, and the last pass, sum up goes elsewhere.
  bool moves = false;
  for (std::size_t i = 1; i + 1 < passes.size(); ++i) moves = moves || passes[i].radix != 2;
  const bool dense = place.in.stride == 2 && interleaved(place.in) && place.in.shift == 0;
  Area from = allocate(2 * n);
  Area other = from;
  if (!alone && !pairs) {
    other = allocate_beside(from, 2 * mx_plane(n, first_radix));
  } else if (moves || !dense) {
    other = allocate_beside(from, 2 * n);
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
    ends.in = edge_of(place.in, 2, 2);
    ends.scale = place.scale;
  } else {
    Pass copy;
    copy.rows = add_rows({.kind = RowOrder::Kind::kNatural, .count = n});
    copy.args.scale = place.scale;
    LineEnd line;
    line.array = other.array;
    line.offset = other.offset;
    add_line_pass(PassKind::kGather, line_edge(place.in, n), line_edge(line, n), n, std::move(copy));
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
    add_mx_pass({radix, first && !pairs ? columns : l, n / radix, first, fused, first && pairs ? radices_of(passes) : std::vector<std::int64_t>()},
                std::move(products));
    ends = {};
    ends.in = edge_at(from);
    if (first && !alone && !pairs) {
      ends.in = add_mx_columns(passes, n, edge_at(from), other);
    } else if (!fused) {
      const CodeletInfo& sums = require_mx_sums(PassKind::kColumns, radix);
      const bool along = l >= count;  // lanes are the k of one transform, or transforms
      const std::vector<Range> ranges = last ? shifted_ranges(radix, l, place.out.shift, false) : std::vector<Range>{{0, along ? l : count, 0, INT32_MAX}};
      for (const Range& range : ranges) {
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
          args.out = edge_of(place.out, l * place.out.stride, place.out.stride);
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
        use.direct = along && (!last || (place.out.stride == 2 && interleaved(place.out)));
        const std::int64_t extent = args.axes[0].count;
        add_pass(sums, std::move(pass), extent, use);
      }
      if (!last) {
        std::swap(from, other);
        ends.in = edge_at(from);
      }
    }
    l *= radix;
  }
  close_loops(opened);
}

}  // namespace ulpfft
