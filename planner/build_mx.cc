// Transforms in mx schemes: the digit reversal first, then passes in place whose twiddles are multiplied in MX arithmetic and whose
// butterflies are sums in f32.
#include <cmath>
#include <limits>

#include "codelets/contract/quantisation_error.h"
#include "codelets/registry.h"
#include "planner/mx_scheme.h"
#include "planner/plan_builder.h"

namespace ulpfft {
namespace {

// Element that each place holds after the reversal: places of the last radix are the coarsest.
std::vector<std::uint32_t> reversed_points(const std::vector<PassSpec>& passes) {
  std::vector<std::uint32_t> points{0};
  for (const PassSpec& pass : passes) {
    std::vector<std::uint32_t> next;
    next.reserve(points.size() * static_cast<std::size_t>(pass.radix));
    for (std::uint32_t q = 0; q < pass.radix; ++q) {
      for (const std::uint32_t point : points) next.push_back(point * static_cast<std::uint32_t>(pass.radix) + q);
    }
    points = std::move(next);
  }
  return points;
}

}  // namespace

std::shared_ptr<const MxTables> PlanBuilder::add_mx(std::int64_t radix, std::int64_t length, std::int64_t butterflies) {
  const std::string key = recipe_.scheme + " " + std::to_string(radix) + " " + std::to_string(length) + " " + std::to_string(butterflies) +
                          (fill_tables_ ? "" : " empty");
  std::shared_ptr<const MxTables>& slot = cache_.mx[key];
  if (slot == nullptr) slot = make_mx_tables(*mx_, radix, length, butterflies, fill_tables_, cache_.roots);
  plan_.mx.push_back(slot);
  return slot;
}

void PlanBuilder::add_mx_pass(const MxTables& tables, const Area& area, bool butterflies) {
  const MxPass& pass = tables.pass;
  PassArgs args;
  args.in.slot = args.out.slot = area.slot;
  args.in.offset = args.out.offset = area.offset;
  args.in.point_stride = args.out.point_stride = 2;
  args.table = &pass;
  PassUse use;
  use.lanes = pass.butterflies;
  use.butterflies = (pass.radix - 1) * pass.butterflies;
  use.working_set = 8.0 * static_cast<double>(pass.radix * pass.butterflies);
  use.direct = true;
  add_pass(require_line(PassKind::kPointwise), args, mx_units(pass), use);
  plan_.steps.back().run = butterflies ? codelets_.mx_butterfly : codelets_.mx_multiply;
  plan_.steps.back().parallel = mx_units(pass) > 1;
  // The data, the twiddles and the products are rounded to elements; products with 1 and -i, which have an element, are elements.
  const Storage& storage = mx_->storage;
  const auto [known, is_new] = cache_.block_errors.try_emplace(
      std::string(storage.element->name) + " " + std::to_string(storage.length) + " " + kScaleRuleNames[static_cast<int>(storage.rule)]);
  if (is_new) known->second = block_quantisation_error(storage);
  const double block = known->second;
  const bool exact = pass.length == 1 || pass.length * pass.radix <= 4;
  mx_error_ += plan_.passes.back().share * (exact ? block * block : 2 * block * block + (fill_tables_ ? tables.twiddle_error : block * block));
}

// A sum of two exact numbers rounds once on every target; where the body has FMAs, targets without them leave it to ref.
const CodeletInfo& PlanBuilder::require_mx_sums(std::int64_t radix) const {
  const CodeletInfo& codelet = require(PassKind::kColumns, radix, TwiddleForm::kNone);
  if (codelets_.has_fma || codelet.body->ops.fma == 0) return codelet;
  return *find_codelet(registered_targets().back().table, PassKind::kColumns, plan_.compute, radix, TwiddleForm::kNone);
}

void PlanBuilder::emit_mx(const std::vector<PassSpec>& passes, const Place& place) {
  const std::int64_t n = place.n;
  if (n > std::numeric_limits<std::uint32_t>::max()) refuse("This length needs a row list beyond 2^32 rows");
  for (const PassSpec& pass : passes) {
    if (!pass.format.empty()) refuse("Intermediate formats are not part of mx schemes, whose sums are f32");
    if (pass.form != TwiddleForm::kStandard) refuse("mx schemes multiply by standard twiddles only");
    require_mx_sums(pass.radix);
  }
  const std::size_t opened = open_loops(place, place.loops.size());
  // Radix 2 works in place; what other radices, and the last pass, sum up goes elsewhere.
  bool moves = false;
  for (std::size_t i = 0; i + 1 < passes.size(); ++i) moves = moves || passes[i].radix != 2;
  Area from = allocate(2 * n);
  Area other = moves ? allocate_beside(from, 2 * n) : from;

  PassArgs gather;
  gather.rows = add_rows(fill_tables_ ? reversed_points(passes) : std::vector<std::uint32_t>()).data();
  gather.scale = place.scale;
  LineEnd line;
  line.slot = from.slot;
  line.offset = from.offset;
  add_line_pass(PassKind::kGather, line_edge(place.in, n), line_edge(line, n), n, gather);

  std::int64_t l = 1;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const std::int64_t radix = passes[i].radix;
    const std::int64_t count = n / (l * radix);
    const bool last = i + 1 == passes.size();
    const std::shared_ptr<const MxTables> tables = add_mx(radix, l, n / radix);
    const bool fused = radix == 2 && !last;
    add_mx_pass(*tables, from, fused);
    if (!fused) {
      const CodeletInfo& sums = require_mx_sums(radix);
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
      if (!last) std::swap(from, other);
    }
    l *= radix;
  }
  close_loops(opened);
}

}  // namespace ulpfft
