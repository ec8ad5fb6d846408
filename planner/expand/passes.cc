// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes as steps: codelets, edges, tables, and where a circular shift cuts them.
#include <algorithm>

#include "codelets/registry.h"
#include "planner/expand/plan_builder.h"
#include "planner/scheme/rounded_scheme.h"
#include "planner/scheme/scheme_of.h"
#include "planner/table/find_codelet.h"
#include "planner/table/table_cache.h"

namespace ulpfft {
namespace {

// Whether what is fetched by prefetchnta is still there a transform later. Measured on Zen 5, taken for true of AMD alone.
bool keeps_brief_lines() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_is("amd");
#else
  return false;
#endif
}

}  // namespace

const CodeletInfo& PlanBuilder::require(PassKind kind, std::int64_t radix, TwiddleForm form) const {
  // Line passes of rounded schemes convert what their numbers are kept in.
  const ComputeType compute = rounded_ && !has_body(kind) ? compute_type_of_scheme(working_) : plan_.compute;
  const bool slow = rounded_ && has_body(kind) && !has_fast_codelets(*rounded_);
  const CodeletInfo* codelet = find_codelet(cache_, slow ? registered_targets().back().table : codelets_, kind, compute, radix, form);
  if (codelet == nullptr && rounded_) refuse_rounded(kind, radix, form);
  if (codelet == nullptr) {
    const bool twiddled = form != TwiddleForm::kNone;
    const std::string suffix(twiddle_suffix(form));
    refuse("There is no codelet of radix " + std::to_string(radix) + (suffix.empty() ? "" : ":" + suffix) +
           (twiddled ? " with" : " without") + " twiddles for this place on target " + codelets_.target);
  }
  return *codelet;
}

void PlanBuilder::add_pass(const CodeletInfo& codelet, PassArgs args, std::int64_t extent, PassUse use) {
  Step step;
  step.run = codelet.run;
  step.args = args;
  step.count = extent;
  if (rounded_ && has_body(codelet.kind)) step.args.rounded = add_rounded(codelet);
  plan_.steps.push_back(step);
  plan_.streams = plan_.streams || args.out.non_temporal;
  use.codelet = &codelet;
  use.calls *= loop_calls_;
  use.butterflies *= loop_calls_;
  const double points = codelet.body->radix * (codelet.second != nullptr ? codelet.second->radix : 1);
  use.share = static_cast<double>(use.butterflies) * points / scope_points_;
  const auto count = [&](const BodyFacts& body, double times) {
    plan_.adds += body.ops.add * times;
    plan_.muls += body.ops.mul * times;
    plan_.fmas += body.ops.fma * times;
  };
  if (codelet.second == nullptr) {
    count(*codelet.body, static_cast<double>(use.butterflies) * (1 - use.standard_part));
    if (use.standard != nullptr) count(*use.standard, static_cast<double>(use.butterflies) * use.standard_part);
  } else {
    count(*codelet.body, static_cast<double>(use.butterflies) * codelet.second->radix);
    count(*codelet.second, static_cast<double>(use.butterflies) * codelet.body->radix);
  }
  plan_.passes.push_back(use);
}

void PlanBuilder::add_line_pass(PassKind kind, const Edge& in, const Edge& out, std::int64_t points, PassArgs args) {
  args.in = in;
  args.out = out;
  args.lanes = points;
  PassUse use;
  use.lanes = points;
  use.butterflies = args.axes[0].count * args.axes[1].count * points;
  use.direct = in.layout == Layout::kPaired && out.layout == Layout::kPaired && in.point_stride == 2 && out.point_stride == 2;
  use.working_set = 4.0 * static_cast<double>(points) * static_cast<double>(real_bytes(plan_.compute));
  add_pass(require_line(kind), args, args.axes[0].count, use);
  plan_.steps.back().parallel = args.axes[0].count > 1;
}

bool PlanBuilder::interleaved(const LineEnd& end) const {
  return end.slot >= Slot::kWork0 || problem_.layout == ArrayLayout::kInterleaved;
}

Ahead PlanBuilder::fetch_later(const Place& place, std::int64_t point_stride) const {
  const bool here = place.in.slot >= Slot::kWork0 && (back_.empty() || keeps_spectrum_);  // in the caches already
  if (here || place.in.stored != nullptr || place.in.blocks != nullptr || place.loops.empty() || place.in.stride != 2 || !interleaved(place.in) || place.in.shift != 0) return {};
  const std::int64_t real = static_cast<std::int64_t>(real_bytes(plan_.compute));
  const std::int64_t unit = place.in.format.empty() ? real : slot_bytes(place.in.slot);
  const std::int64_t step = place.loops.back().in_stride;
  const std::int64_t offset = place.in.offset + std::max<std::int64_t>(1, kFetchAhead / (2 * place.n * unit)) * step;
  // In reals of the compute type, whatever is there: points are whole vectors of codes, and so are their steps.
  const bool brief = problem_.dims.size() == 1 && 2 * place.n * unit <= kBriefBytes && keeps_brief_lines();
  return {true, brief, place.in.slot, offset * unit / real, point_stride * unit / real, step * unit / real, 2 * unit / real};
}

Edge PlanBuilder::edge_of(const LineEnd& end, std::int64_t point_stride, std::int64_t lane_stride) const {
  Edge edge;
  edge.slot = end.slot;
  edge.layout = interleaved(end) ? Layout::kPaired : Layout::kSplit;
  edge.offset = end.offset;
  edge.point_stride = point_stride;
  edge.lane_stride = lane_stride;
  edge.swap = end.swap;
  return edge;
}

Edge PlanBuilder::line_edge(const LineEnd& end, std::int64_t n) const {
  Edge edge = edge_of(end, end.stride, 0);
  if (end.shift != 0) {
    edge.offset += end.shift * end.stride;
    edge.wrap = -n * end.stride;
    edge.wrap_point = static_cast<std::int32_t>(n - end.shift);
  }
  return edge;
}

std::vector<PlanBuilder::Range> PlanBuilder::shifted_ranges(std::int64_t radix, std::int64_t rows, std::int64_t shift,
                                                            bool path_groups) const {
  // Point j of row c is element j * rows + c, moved up by `shift` modulo radix * rows.
  if (shift == 0) return {{0, rows, 0, INT32_MAX}};
  const std::int64_t q = shift / rows;
  const std::int64_t d = shift % rows;
  const auto wrap = [&](std::int64_t turns) { return static_cast<std::int32_t>(radix - turns); };
  std::vector<Range> ranges;
  ranges.push_back({0, rows - d, q * rows + d, wrap(q)});
  if (d == 0) return ranges;
  const std::int64_t split = rows - d;
  // Dual-select groups start at multiples of kPathGroup, so a range must not begin inside one and reach into the next.
  const std::int64_t aligned = std::min(rows, (split + kPathGroup - 1) / kPathGroup * kPathGroup);
  if (path_groups && aligned != split && aligned < rows) {
    ranges.push_back({split, aligned, (q + 1) * rows, wrap(q + 1)});
    ranges.push_back({aligned, rows, (q + 1) * rows + aligned - split, wrap(q + 1)});
  } else {
    ranges.push_back({split, rows, (q + 1) * rows, wrap(q + 1)});
  }
  return ranges;
}

const std::vector<std::uint32_t>& PlanBuilder::add_rows(std::int64_t count, const std::function<void(std::vector<std::uint32_t>&)>& make) {
  plan_.table_bytes += static_cast<double>(count) * sizeof(std::uint32_t);
  std::vector<std::uint32_t> rows;
  if (fill_tables_) {
    rows.reserve(static_cast<std::size_t>(count));
    make(rows);
  }
  plan_.rows.push_back(std::make_shared<const std::vector<std::uint32_t>>(std::move(rows)));
  return *plan_.rows.back();
}

void PlanBuilder::count_table(const std::string& key, double bytes) {
  if (counted_tables_.insert(key).second) plan_.table_bytes += bytes;
}

// Not a local static: its guard, held by another thread while it forks, would stay held in the child.
static constinit const TwiddleTable kNoTwiddles;

const TwiddleTable& PlanBuilder::add_twiddles(const TwiddleRequest& request) {
  const TableCache::Key key{plan_.compute, request.body,  request.length,     request.begin,    request.end,
                            request.row,   request.lanes, request.lane_order,  request.broadcast, request.packed, request.element};
  if (counted_twiddles_.insert(key).second) plan_.table_bytes += twiddle_table_bytes(request, plan_.compute);
  if (!fill_tables_) return kNoTwiddles;
  auto known = cache_.twiddles.find(key);
  if (known == cache_.twiddles.end()) {
    known = cache_.twiddles.emplace(key, std::make_shared<const TwiddleTable>(make_twiddle_table(request, plan_.compute, cache_.roots))).first;
  }
  plan_.tables.push_back(known->second);
  return *known->second;
}

const void* PlanBuilder::add_line_table(const std::string& key, std::int64_t values, const std::function<AlignedBuffer()>& make) {
  count_table(key, static_cast<double>(values) * static_cast<double>(real_bytes(plan_.compute)));
  if (!fill_tables_) return nullptr;
  const std::string name = key + " " + scheme_of_compute(plan_.compute);
  auto known = cache_.lines.find(name);
  if (known == cache_.lines.end()) {
    auto table = std::make_shared<TwiddleTable>();
    table->values = make();
    known = cache_.lines.emplace(name, std::move(table)).first;
  }
  plan_.tables.push_back(known->second);
  return known->second->values.data();
}

std::vector<PlanBuilder::ColumnRange> PlanBuilder::column_ranges(std::int64_t rows, std::int64_t columns, std::int64_t shift) {
  // Element (row, column) is element row * columns + column of the line, moved up by `shift` modulo its length.
  const std::int64_t turns = shift / columns;
  const std::int64_t d = shift % columns;
  std::vector<ColumnRange> ranges{{0, columns - d, d, turns}};
  if (d > 0) ranges.push_back({columns - d, columns, 0, (turns + 1) % rows});
  return ranges;
}

}  // namespace ulpfft
