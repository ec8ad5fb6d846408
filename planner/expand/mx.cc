// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms in mx schemes: passes whose twiddles are multiplied in MX arithmetic, one rounding of the data where they are 1, and whose
// butterflies are sums in f32.
//
// The first pass reads the caller's line where that is interleaved and dense, else a copy. Of radix 2 it does its butterflies by way of a
// list of points, the digit reversal. Others round rows of columns, which a kFirst codelet sums up and sends, planar, to their places;
// the second pass makes them interleaved again.
#include <cmath>
#include <limits>
#include <numeric>

#include "codelets/contract/quantisation_error.h"
#include "codelets/registry.h"
#include "planner/expand/plan_builder.h"
#include "planner/scheme/mx_scheme.h"
#include "planner/table/find_codelet.h"

namespace ulpfft {
namespace {

// Column whose transform comes to each row.
std::vector<std::uint32_t> columns_of_rows(const std::vector<PassSpec>& passes, Poll& poll) {
  const std::vector<std::uint32_t> rows = digit_reversed_rows(passes, poll);
  std::vector<std::uint32_t> columns(rows.size());
  for (std::size_t c = 0; c < rows.size(); ++c) columns[rows[c]] = static_cast<std::uint32_t>(c);
  return columns;
}

}  // namespace

std::shared_ptr<const MxTables> PlanBuilder::add_mx(std::int64_t radix, std::int64_t length, std::int64_t butterflies, bool ones,
                                                    const std::vector<PassSpec>* reversed) {
  std::string key = recipe_.scheme + " " + std::to_string(radix) + " " + std::to_string(length) + " " + std::to_string(butterflies) + (ones ? " ones" : "");
  for (std::size_t i = 0; reversed != nullptr && i < reversed->size(); ++i) key += " " + std::to_string((*reversed)[i].radix);
  const std::string name = key + (fill_tables_ ? "" : " empty");
  auto known = cache_.mx.find(name);
  if (known == cache_.mx.end()) {
    std::vector<std::uint32_t> points = reversed != nullptr && fill_tables_ ? columns_of_rows(*reversed, cache_.roots.poll) : std::vector<std::uint32_t>();
    known = cache_.mx.emplace(name, make_mx_tables(*mx_, radix, length, butterflies, ones, std::move(points), fill_tables_, cache_.roots)).first;
  }
  const double points = reversed != nullptr ? static_cast<double>(radix * butterflies / (*reversed)[0].radix) : 0;
  count_table(key, static_cast<double>(known->second->value_bytes) + points * sizeof(std::uint32_t));
  plan_.mx.push_back(known->second);
  return known->second;
}

void PlanBuilder::add_mx_pass(const MxTables& tables, const PassArgs& ends, bool butterflies) {
  const MxPass& pass = tables.pass;
  PassArgs args = ends;
  args.table = &pass;
  PassUse use;
  use.lanes = pass.butterflies;
  use.butterflies = (pass.radix - 1) * pass.butterflies;
  use.working_set = 8.0 * static_cast<double>(pass.radix * pass.butterflies);
  use.direct = true;
  // Of products with an array: 13 ns a vector of 16 numbers against 3, half of it without the second rounding.
  use.conversion = pass.ones && pass.parameters.keeps_products_with_one() ? 2 : 4;
  add_pass(require_line(PassKind::kPointwise), args, mx_units(pass), use);
  plan_.steps.back().run = butterflies ? codelets_.mx_butterfly : codelets_.mx_multiply;
  plan_.steps.back().parallel = mx_units(pass) > 1;
  if (cache_.for_digests) return;
  // The data, the twiddles and the products are rounded to elements; products with 1 and -i, which have an element, are elements.
  const Storage& storage = mx_->storage;
  const auto [known, is_new] = cache_.block_errors.try_emplace(
      std::string(storage.element->name) + " " + std::to_string(storage.length) + " " + kScaleRuleNames[static_cast<int>(storage.rule)]);
  if (is_new) known->second = block_quantisation_error(storage);
  const double block = known->second;
  const bool exact = pass.ones || pass.length * pass.radix <= 4;
  mx_error_ += plan_.passes.back().share * (exact ? block * block : 2 * block * block + (fill_tables_ ? tables.twiddle_error : block * block));
}

// A sum of two exact numbers rounds once on every target; where the body has FMAs, targets without them leave it to ref, as do those of few
// registers where they have no such radix.
const CodeletTable& PlanBuilder::mx_sums_table(PassKind kind, std::int64_t radix) const {
  const CodeletInfo* const codelet = find_codelet(codelets_, kind, plan_.compute, radix, TwiddleForm::kNone);
  return codelet != nullptr && (codelets_.has_fma || codelet->body->ops.fma == 0) ? codelets_ : registered_targets().back().table;
}
const CodeletInfo& PlanBuilder::require_mx_sums(PassKind kind, std::int64_t radix) const {
  const CodeletInfo* const codelet = find_codelet(mx_sums_table(kind, radix), kind, plan_.compute, radix, TwiddleForm::kNone);
  return codelet != nullptr ? *codelet : require(kind, radix, TwiddleForm::kNone);  // which says what is missing
}

// Reals of a plane that columns of the first pass go to, with one more row for the lanes that hold none.
std::int64_t PlanBuilder::mx_plane(std::int64_t n, std::int64_t radix) const {
  const std::int64_t columns = n / radix;
  return align_up((columns < mx_sums_table(PassKind::kFirst, radix).lanes_f32 ? columns + 1 : columns) * radix, 16) + 16;
}

Edge PlanBuilder::add_mx_columns(const std::vector<PassSpec>& passes, std::int64_t n, const Edge& rows, const Area& planes) {
  const std::int64_t radix = passes[0].radix, columns = n / radix, plane = mx_plane(n, radix);
  const int w = mx_sums_table(PassKind::kFirst, radix).lanes_f32;
  const auto rows_of_lanes = [&](std::vector<std::uint32_t>& row_of_lanes) {
    const std::vector<std::uint32_t> reversed = digit_reversed_rows(passes, cache_.roots.poll);
    for (std::int64_t v = 0; v < vectors_of(columns, w); ++v) {
      const std::int64_t begin = vector_begin(v, columns, w);
      for (int l = 0; l < w; ++l) {
        const std::int64_t c = begin + index_of_lane(l, w, std::min(w, 4));
        row_of_lanes.push_back(c < columns ? reversed[static_cast<std::size_t>(c)] : static_cast<std::uint32_t>(columns));
      }
    }
  };
  PassArgs args;
  args.in = rows;
  args.in.point_stride = 2 * columns;
  args.in.lane_stride = 2;
  args.out.slot = planes.slot;
  args.out.offset = planes.offset;
  args.out.im_offset = plane;
  args.out.planar = true;
  args.out.lane_stride = 1;
  args.out.lane_order = radix % w == 0 && w > 1;
  args.out.point_stride = w;
  args.lanes = columns;
  args.rows = add_rows(vectors_of(columns, w) * w, rows_of_lanes).data();
  args.row_stride = radix;
  PassUse use;
  use.lanes = use.butterflies = columns;
  use.working_set = 16.0 * static_cast<double>(n);
  use.direct = true;
  add_pass(require_mx_sums(PassKind::kFirst, radix), args, 1, use);
  return args.out;
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
    Edge edge;
    edge.slot = area.slot;
    edge.offset = area.offset;
    edge.point_stride = edge.lane_stride = 2;
    return edge;
  };

  PassArgs ends;
  if (dense) {
    ends.in = edge_of(place.in, 2, 2);
    ends.scale = place.scale;
  } else {
    PassArgs copy;
    copy.rows = add_rows(n, [&](std::vector<std::uint32_t>& in_order) {
                  in_order.resize(static_cast<std::size_t>(n));
                  std::iota(in_order.begin(), in_order.end(), 0U);
                }).data();
    copy.scale = place.scale;
    LineEnd line;
    line.slot = other.slot;
    line.offset = other.offset;
    add_line_pass(PassKind::kGather, line_edge(place.in, n), line_edge(line, n), n, copy);
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
    const std::shared_ptr<const MxTables> tables = add_mx(radix, first && !pairs ? columns : l, n / radix, first, first && pairs ? &passes : nullptr);
    add_mx_pass(*tables, ends, fused);
    ends = {};
    ends.in = edge_at(from);
    if (first && !alone && !pairs) {
      ends.in = add_mx_columns(passes, n, edge_at(from), other);
    } else if (!fused) {
      const CodeletInfo& sums = require_mx_sums(PassKind::kColumns, radix);
      const bool along = l >= count;  // lanes are the k of one transform, or transforms
      const std::vector<Range> ranges = last ? shifted_ranges(radix, l, place.out.shift, false) : std::vector<Range>{{0, along ? l : count, 0, INT32_MAX}};
      for (const Range& range : ranges) {
        PassArgs args;
        args.in.slot = from.slot;
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
          args.out.slot = other.slot;
          args.out.offset += other.offset - from.offset;
        }
        PassUse use;
        use.lanes = args.lanes;
        use.butterflies = args.axes[0].count * args.lanes;
        use.working_set = 16.0 * static_cast<double>(n);
        use.direct = along && (!last || (place.out.stride == 2 && interleaved(place.out)));
        add_pass(sums, args, args.axes[0].count, use);
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
