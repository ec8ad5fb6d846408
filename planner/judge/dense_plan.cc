// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/judge/dense_plan.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "codelets/registry.h"
#include "planner/lower/build_plan.h"
#include "planner/plan/memory_need.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

constexpr double kWorthIt = 2;            // times the bytes without gaps
constexpr double kNeverWorthIt = 1 << 20;  // bytes of arrays

std::int64_t& stride_of(Dimension& d, bool output) { return output ? d.out_stride : d.in_stride; }

// Calls visit(dimension, elements that the side stores along it), the last length first.
template <typename Visit>
void visit_dimensions(Problem& problem, bool output, const Visit& visit) {
  for (std::size_t d = problem.dims.size(); d-- > 0;) visit(problem.dims[d], stored_length(problem, problem.dims[d], output));
  for (std::size_t b = problem.batch.size(); b-- > 0;) visit(problem.batch[b], problem.batch[b].length);
}

// Elements, or rows of them, from the first to the last that the strides reach.
double span(Problem& problem, bool output) {
  double elements = 1;
  visit_dimensions(problem, output, [&](Dimension& d, std::int64_t length) {
    elements += static_cast<double>(length - 1) * std::abs(static_cast<double>(stride_of(d, output)));
  });
  return elements;
}

// Where the last length has adjacent elements of which nothing is between two rows, its stride stays; strides of others then count from
// `row`, the elements of a row or 1.
void close_side(Problem& problem, bool output, bool keeps_last, std::int64_t row) {
  struct Line {
    Dimension* dimension;
    std::int64_t length;
    std::size_t at;  // in the order of the problem
  };
  Problem closed = problem;
  std::vector<Line> lines;
  visit_dimensions(closed, output, [&](Dimension& d, std::int64_t length) {
    const bool kept = keeps_last && &d == &closed.dims.back();
    if (length > 1 && stride_of(d, output) != 0 && !kept) lines.push_back({&d, length, lines.size()});
  });
  std::sort(lines.begin(), lines.end(), [&](const Line& a, const Line& b) {
    const std::int64_t one = std::abs(stride_of(*a.dimension, output)), other = std::abs(stride_of(*b.dimension, output));
    return one != other ? one < other : a.at < b.at;
  });
  std::int64_t reach = row;
  for (const Line& line : lines) {
    std::int64_t& stride = stride_of(*line.dimension, output);
    stride = stride < 0 ? -reach : reach;
    reach *= line.length;
  }
  if (span(closed, output) < span(problem, output)) problem = std::move(closed);
}

}  // namespace

Problem without_gaps(const Problem& problem) {
  Problem closed = problem;
  if (problem.placement == Placement::kOutOfPlace) {
    for (const bool output : {false, true}) close_side(closed, output, side_of(problem, output).rows, 1);
    return closed;
  }
  const bool real_in = holds_reals(problem, false), real_out = holds_reals(problem, true);
  if (real_in == real_out) {
    close_side(closed, false, side_of(problem, false).rows, 1);
    for (std::vector<Dimension>* dims : {&closed.dims, &closed.batch}) {
      for (Dimension& d : *dims) d.out_stride = d.in_stride;
    }
    return closed;
  }
  // Rows of numbers on both sides, of which the real ones have room for the spectrum.
  const bool output = !real_out;  // the side of the spectrum
  close_side(closed, output, true, stored_length(problem, problem.dims.back(), output));
  for (std::vector<Dimension>* dims : {&closed.dims, &closed.batch}) {
    for (Dimension& d : *dims) {
      if (&d != &closed.dims.back()) stride_of(d, !output) = 2 * stride_of(d, output);
    }
  }
  return closed;
}

const CodeletTable* registered_table(const std::string& backend, const std::string& target) {
  for (const RegisteredTarget& t : registered_targets()) {
    if (t.available && backend == t.table.backend && target == t.table.target) return &t.table;
  }
  return nullptr;
}

DensePlan::DensePlan(const ulpfft_plan& plan, Poll* poll) : given_(plan) {
  const double bytes = bytes_of_arrays(plan.problem);
  if (bytes <= kNeverWorthIt) return;
  const Problem closed = without_gaps(plan.problem);
  if (bytes <= kWorthIt * bytes_of_arrays(closed)) return;
  const CodeletTable* table = registered_table(plan.backend, plan.target);
  if (const auto of_backend = plan.executable->backend.codelets; table == nullptr && of_backend != nullptr) table = &of_backend();
  if (table == nullptr) return;
  try {
    TableCache cache;
    if (poll != nullptr) cache.roots.poll = Poll([poll] { poll->count(Poll::kWork); });
    own_ = make_plan(closed, plan.recipe, *table, build_plan(closed, plan.recipe, *table, cache), nullptr, poll);
  } catch (const PlanError&) {
    // A recipe for neighbouring transforms, whose neighbours are others now.
  }
}

}  // namespace ulpfft
