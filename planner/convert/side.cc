// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/convert/side.h"

#include <algorithm>
#include <string_view>

#include "codelets/registry.h"

namespace ulpfft {
namespace {

// Without the length and rule of blocks.
const char* format_named(std::string_view name) {
  const std::string_view format = name.substr(0, name.find(':'));
  return std::find_if(block_formats().begin(), block_formats().end(), [&](const BlockInfo& b) { return format == b.name; })->name;
}

// A row that is converted by itself costs a call: 256*64 f16 98 -> 7 us with columns together; 4096*64 f16, 16 / 32 / 64 of them,
// 1080 / 345 / 241 us.
constexpr std::int64_t kMostTransforms = 64, kFewestTransforms = 16;
constexpr std::int64_t kMostGroupBytes = 8 << 20;

bool lies_across(const Side& side, const Dimension& last, const Dimension& loop) {
  return !side.rows && last.length > 1 && side.stride(last) != 1 && side.stride(loop) == 1;
}

void grow(Extent& extent, std::int64_t reach) { (reach < 0 ? extent.low : extent.high) += reach; }

}  // namespace

Side side_of(const Problem& problem, bool output) {
  Side side;
  side.output = output;
  const std::string& name = problem.storage(output);
  side.storage = find_storage_of(name, output ? "storage_out" : "storage_in");
  side.format = side.storage.scale == nullptr ? side.storage.element->name : format_named(name);
  side.wide = is_wide(name);
  side.rows = side.storage.scale != nullptr || (is_packed(*side.storage.element) && !side.wide);
  side.power = output && problem.output_kind == OutputKind::kPower;
  side.windowed = !output && problem.window;
  side.changed = side.windowed || problem.prescale_kind != PrescaleKind::kNone;
  side.by_groups = !side.wide || side.power || side.changed;
  side.real = holds_reals(problem, output);
  side.half = holds_half(problem, output);
  side.split = problem.layout == ArrayLayout::kSplit && !side.real;
  const Dimension& last = problem.dims.back();
  side.row = stored_length(problem, last, output);
  side.turn = first_index(problem, last, output);
  side.row_reals = side.element_reals() * side.row;
  side.alignment = is_packed(*side.storage.element) && !side.wide ? 1 : side.storage.element->bits / 8;
  if (side.rows) {
    side.outer_bytes = code_bytes(side.storage, side.row_reals);
    side.scale_bytes = scale_bytes(side.storage, side.row_reals);
  } else {
    side.element_bytes = side.outer_bytes = side.element_reals() * side.storage.element->bits / 8;
  }
  side.codes = {0, side.outer_bytes};
  side.scales = {0, side.scale_bytes};
  const auto add = [&](std::int64_t length, const Dimension& d) {
    const std::int64_t reach = (length - 1) * side.stride(d);
    grow(side.codes, reach * side.outer_bytes);
    grow(side.scales, reach * side.scale_bytes);
  };
  for (const Dimension& d : problem.dims) {
    if (&d != &last) add(d.length, d);
  }
  if (!side.rows) add(side.row, last);
  for (const Dimension& d : problem.batch) add(d.length, d);
  return side;
}

Extent array_extent(const Problem& problem, bool output) { return side_of(problem, output).codes; }

Side memory_of_side(const Problem& problem, bool output) {
  Side side = side_of(problem, output);
  if (problem.placement != Placement::kInPlace) return side;
  const Side other = side_of(problem, !output);
  side.codes = {std::min(side.codes.low, other.codes.low), std::max(side.codes.high, other.codes.high)};
  side.scales = {std::min(side.scales.low, other.scales.low), std::max(side.scales.high, other.scales.high)};
  return side;
}

std::int64_t transforms_across(const Problem& problem, const Sides& sides, std::int64_t element) {
  const Dimension* inner = nullptr;
  for (const Dimension& d : problem.batch) inner = d.length > 1 ? &d : inner;
  if (inner == nullptr || problem.layout != ArrayLayout::kInterleaved || !problem.chain.empty()) return 0;
  if (sides.in.real || sides.out.real || problem.kind == Kind::kCzt) return 0;
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
