// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Sides of plans through the C interface.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "planner/api/guard.h"
#include "planner/convert/side.h"
#include "planner/plan/plan.h"

using namespace ulpfft;

namespace {

void set_dimensions(const std::vector<Dimension>& dims, const Side& side, int& rank, std::int64_t (&lengths)[kMaxRank],
                    std::int64_t (&strides)[kMaxRank]) {
  rank = static_cast<int>(dims.size());
  std::transform(dims.begin(), dims.end(), lengths, [](const Dimension& d) { return d.length; });
  std::transform(dims.begin(), dims.end(), strides, [&](const Dimension& d) { return side.stride(d); });
}

// Elements, or rows, that the strides reach behind the first one, and those they reach before it.
struct Reach {
  std::int64_t behind = 0, before = 0;
};

Reach reach_of(const ulpfft_side& side) {
  Reach reach;
  const auto add = [&](std::int64_t length, std::int64_t stride) {
    const std::int64_t last = (length - 1) * stride;
    (last < 0 ? reach.before : reach.behind) += std::abs(last);
  };
  for (int b = 0; b < side.batch_rank; ++b) add(side.batch_lengths[b], side.batch_strides[b]);
  for (int d = 0; d < side.rank - side.rows; ++d) add(side.lengths[d], side.strides[d]);
  return reach;
}

ulpfft_side alone(const Problem& problem, bool output) {
  const Side from = side_of(problem, output);
  ulpfft_side to = ULPFFT_SIDE_INIT;
  to.storage = problem.storage(output).c_str();
  to.element = from.real ? ULPFFT_ELEMENT_REAL : ULPFFT_ELEMENT_COMPLEX;
  to.extent = from.half ? ULPFFT_EXTENT_HALF : ULPFFT_EXTENT_FULL;
  to.parts = from.parts();
  to.in_place = problem.placement == Placement::kInPlace ? 1 : 0;
  to.rows = from.rows ? 1 : 0;
  set_dimensions(problem.dims, from, to.rank, to.lengths, to.strides);
  set_dimensions(problem.batch, from, to.batch_rank, to.batch_lengths, to.batch_strides);
  to.lengths[to.rank - 1] = from.row;
  const Reach reach = reach_of(to);
  const std::int64_t unit = from.rows ? from.row : 1;
  to.elements = (reach.behind + 1) * unit;
  to.elements_before = reach.before * unit;
  to.bytes = from.codes.high;
  to.bytes_before = -from.codes.low;
  to.scale_bytes = from.scales.high;
  to.scale_bytes_before = -from.scales.low;
  if (from.rows) {
    to.row_bytes = from.outer_bytes;
    to.row_scale_bytes = from.scale_bytes;
  }
  return to;
}

// In place, bytes are those of the memory of both sides, and real numbers reach as far as their spectrum.
ulpfft_side side_of_array(const Problem& problem, bool output) {
  ulpfft_side side = alone(problem, output);
  if (side.in_place == 0) return side;
  const ulpfft_side other = alone(problem, !output);
  if (side.element == ULPFFT_ELEMENT_REAL && other.element == ULPFFT_ELEMENT_COMPLEX) {
    side.elements = std::max(side.elements, 2 * other.elements);
    side.elements_before = std::max(side.elements_before, 2 * other.elements_before);
  }
  side.bytes = std::max(side.bytes, other.bytes);
  side.bytes_before = std::max(side.bytes_before, other.bytes_before);
  side.scale_bytes = std::max(side.scale_bytes, other.scale_bytes);
  side.scale_bytes_before = std::max(side.scale_bytes_before, other.scale_bytes_before);
  return side;
}

ulpfft_side side_of_factors(const ulpfft_plan& plan) {
  if (!plan.chain) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "plan",
                    "The plan is no chain: call ulpfft_execute, or plan a problem with chain=mul or chain=user.");
  }
  const Problem& problem = plan.problem;
  const bool is_real = is_real_chain(problem);
  ulpfft_side to = ULPFFT_SIDE_INIT;
  to.storage = real_bytes(plan.facts->compute) == sizeof(double) ? "f64" : "f32";
  to.extent = is_real ? ULPFFT_EXTENT_HALF : ULPFFT_EXTENT_FULL;
  to.parts = 1;
  to.rank = static_cast<int>(problem.dims.size());
  to.elements = 1;
  for (int d = to.rank; d-- > 0;) {
    const std::int64_t length = problem.dims[static_cast<std::size_t>(d)].length;
    to.lengths[d] = is_real && d + 1 == to.rank ? length / 2 + 1 : length;
    to.strides[d] = to.elements;
    to.elements *= to.lengths[d];
  }
  to.bytes = to.elements * 2 * static_cast<std::int64_t>(real_bytes(plan.facts->compute));
  return to;
}

}  // namespace

extern "C" ulpfft_status ulpfft_plan_side(const ulpfft_plan* plan, int which, ulpfft_side* side) {
  return guard([&] {
    require_pointer(plan, "plan");
    require_pointer(side, "side");
    require_size(*side, "side.size");
    if (which < ULPFFT_SIDE_IN || which > ULPFFT_SIDE_FACTORS) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "which",
                      "which is " + std::to_string(which) + ", but the sides are ULPFFT_SIDE_IN, _OUT and _FACTORS.");
    }
    ulpfft_side to = which == ULPFFT_SIDE_FACTORS ? side_of_factors(*plan) : side_of_array(plan->problem, which == ULPFFT_SIDE_OUT);
    to.size = side->size;
    std::memcpy(side, &to, std::min(to.size, sizeof to));
  });
}
