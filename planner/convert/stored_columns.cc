// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/convert/stored_columns.h"

#include <algorithm>
#include <cstdint>

#include "planner/convert/array_shape.h"

namespace ulpfft {
namespace {

// A row that is converted by itself costs a call: 4096*64 f16 16 / 32 / 64 at a time 1080 / 345 / 241 us.
constexpr std::int64_t kMostTransforms = 64, kFewestTransforms = 16;
constexpr std::int64_t kMostGroupBytes = 8 << 20;

bool lies_across(const Problem& problem, const Dimension& loop, bool output) {
  const Storage storage = find_storage_of(output ? problem.storage_out : problem.storage_in, output ? "storage_out" : "storage_in");
  if (storage.scale != nullptr || is_packed(*storage.element)) return false;
  const Dimension& last = problem.dims.back();
  return last.length > 1 && (output ? last.out_stride : last.in_stride) != 1 && (output ? loop.out_stride : loop.in_stride) == 1;
}

}  // namespace

std::int64_t transforms_across(const Problem& problem, std::int64_t element) {
  const Dimension* inner = nullptr;
  for (const Dimension& d : problem.batch) inner = d.length > 1 ? &d : inner;
  if (inner == nullptr || problem.layout != ArrayLayout::kInterleaved || !problem.chain.empty() || problem.kind != Kind::kC2C) return 0;
  if (problem.prescale_kind != PrescaleKind::kNone) return 0;  // looks at whole transforms
  bool narrow = false;
  for (const bool output : {false, true}) {
    if (is_wide(output ? problem.storage_out : problem.storage_in)) continue;
    if (!lies_across(problem, *inner, output)) return 0;
    narrow = true;
  }
  const std::int64_t fit = kMostGroupBytes / (transform_points(problem) * element);
  return narrow && fit >= kFewestTransforms ? std::min(fit, kMostTransforms) : 0;
}

}  // namespace ulpfft
