// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes as steps: codelets, edges, tables, and where a circular shift cuts them.
#include <algorithm>

#include "codelets/registry.h"
#include "planner/expand/plan_builder.h"
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
  const ComputeType compute = rounded_ && !has_body(kind) ? compute_type_of_scheme(working_) : program_.compute;
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

Pass& PlanBuilder::add_pass(const CodeletInfo& codelet, Pass pass, std::int64_t extent, PassUse use) {
  pass.codelet = &codelet;
  pass.extent = extent;
  pass.use = program_.passes.size();
  pass.rounds_input = rounds_input_ && codelet.body->form == TwiddleForm::kNone;
  program_.streams = program_.streams || pass.args.out.non_temporal;
  use.codelet = &codelet;
  use.calls *= loop_calls_;
  use.butterflies *= loop_calls_;
  const double points = codelet.body->radix * (codelet.second != nullptr ? codelet.second->radix : 1);
  use.share = static_cast<double>(use.butterflies) * points / scope_points_;
  const auto count = [&](const BodyFacts& facts, double times) {
    program_.adds += facts.ops.add * times;
    program_.muls += facts.ops.mul * times;
    program_.fmas += facts.ops.fma * times;
  };
  if (codelet.second == nullptr) {
    count(*codelet.body, static_cast<double>(use.butterflies) * (1 - use.standard_part));
    if (use.standard != nullptr) count(*use.standard, static_cast<double>(use.butterflies) * use.standard_part);
  } else {
    count(*codelet.body, static_cast<double>(use.butterflies) * codelet.second->radix);
    count(*codelet.second, static_cast<double>(use.butterflies) * codelet.body->radix);
  }
  program_.passes.push_back(use);
  body().emplace_back(std::move(pass));
  return *body().back().pass();
}

void PlanBuilder::add_line_pass(PassKind kind, const View& in, const View& out, std::int64_t points, Pass pass) {
  Operands& args = pass.args;
  args.in = in;
  args.out = out;
  args.lanes = points;
  PassUse use;
  use.lanes = points;
  use.butterflies = args.axes[0].count * args.axes[1].count * points;
  use.direct = in.layout == Layout::kPaired && out.layout == Layout::kPaired && in.point_stride == 2 && out.point_stride == 2;
  use.working_set = 4.0 * static_cast<double>(points) * static_cast<double>(real_bytes(program_.compute));
  pass.parallel = args.axes[0].count > 1;
  const std::int64_t extent = args.axes[0].count;
  add_pass(require_line(kind), std::move(pass), extent, use);
}

bool PlanBuilder::interleaved(const LineEnd& end) const {
  return is_work(end.array) || problem_.layout == ArrayLayout::kInterleaved;
}

Fetch PlanBuilder::fetch_later(const Place& place, std::int64_t point_stride) const {
  const bool here = is_work(place.in.array) && (back_.empty() || keeps_spectrum_);  // in the caches already
  if (here || place.in.stored != nullptr || place.in.blocks != nullptr || place.loops.empty() || place.in.stride != 2 || !interleaved(place.in) || place.in.shift != 0) return {};
  const std::int64_t real = static_cast<std::int64_t>(real_bytes(program_.compute));
  const std::int64_t unit = place.in.format.empty() ? real : array_bytes(place.in.array);
  const std::int64_t step = place.loops.back().in_stride;
  const std::int64_t offset = place.in.offset + std::max<std::int64_t>(1, kFetchAhead / (2 * place.n * unit)) * step;
  // In reals of the compute type, whatever is there: points are whole vectors of codes, and so are their steps.
  const bool brief = problem_.dims.size() == 1 && 2 * place.n * unit <= kBriefBytes && keeps_brief_lines();
  return {true, brief, place.in.array, offset * unit / real, point_stride * unit / real, step * unit / real, 2 * unit / real};
}

View PlanBuilder::edge_of(const LineEnd& end, std::int64_t point_stride, std::int64_t lane_stride) const {
  View edge;
  edge.array = end.array;
  edge.layout = interleaved(end) ? Layout::kPaired : Layout::kSplit;
  edge.offset = end.offset;
  edge.point_stride = point_stride;
  edge.lane_stride = lane_stride;
  edge.swap = end.swap;
  return edge;
}

View PlanBuilder::line_edge(const LineEnd& end, std::int64_t n) const {
  View edge = edge_of(end, end.stride, 0);
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

int PlanBuilder::add_rows(RowOrder order) {
  program_.rows.push_back(std::move(order));
  return static_cast<int>(program_.rows.size()) - 1;
}

int PlanBuilder::add_table(TableOrder order) {
  program_.tables.push_back(std::move(order));
  return static_cast<int>(program_.tables.size()) - 1;
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
