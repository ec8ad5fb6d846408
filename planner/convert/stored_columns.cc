// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/convert/stored_columns.h"

#include <algorithm>
#include <cstdint>

namespace ulpfft {
namespace {

// A row that is converted by itself costs a call: 4096*64 f16 16 / 32 / 64 at a time 1080 / 345 / 241 us.
constexpr std::int64_t kMostTransforms = 64, kFewestTransforms = 16;
constexpr std::int64_t kMostGroupBytes = 8 << 20;

bool lies_across(const Side& side, const Dimension& last, const Dimension& loop) {
  return !side.rows && last.length > 1 && side.stride(last) != 1 && side.stride(loop) == 1;
}

}  // namespace

std::int64_t transforms_across(const Problem& problem, const Sides& sides, std::int64_t element) {
  const Dimension* inner = nullptr;
  for (const Dimension& d : problem.batch) inner = d.length > 1 ? &d : inner;
  if (inner == nullptr || problem.layout != ArrayLayout::kInterleaved || !problem.chain.empty()) return 0;
  if (sides.in.real || sides.out.real) return 0;
  if (problem.prescale_kind != PrescaleKind::kNone) return 0;  // looks at whole transforms
  bool narrow = false;
  for (const Side* side : {&sides.in, &sides.out}) {
    if (!side->by_groups) continue;
    if (!lies_across(*side, problem.dims.back(), *inner)) return 0;
    narrow = true;
  }
  const std::int64_t fit = kMostGroupBytes / (transform_points(problem) * element);
  return narrow && fit >= kFewestTransforms ? std::min(fit, kMostTransforms) : 0;
}

}  // namespace ulpfft
