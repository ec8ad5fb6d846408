// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Repeats around the passes of a plan, and the workspace they share.
#include <algorithm>

#include "planner/expand/plan_builder.h"
#include "planner/facts/prescale_target.h"
#include "planner/convert/array_shape.h"

namespace ulpfft {
namespace {

constexpr std::size_t kPassesOfALoop = 4;  // most have fewer

}  // namespace

std::int64_t PlanBuilder::array_bytes(ArrayId array) const {
  if (array == ArrayId::kIn && !fused_in_.empty()) return fused_in_bytes_;
  if (array == ArrayId::kOut && !fused_out_.empty()) return fused_out_bytes_;
  // Steps through converted arrays, scales and exponents are given in bytes.
  if (array == ArrayId::kIn || array == ArrayId::kOut) {
    const std::string& storage = array == ArrayId::kIn ? problem_.storage_in : problem_.storage_out;
    return through_workspace(problem_, array == ArrayId::kOut) ? 1 : static_cast<std::int64_t>(storage_real_bytes(storage));
  }
  if (array < ArrayId::kFactors) return 1;
  return static_cast<std::int64_t>(real_bytes(program_.compute));
}

Loop& PlanBuilder::begin_repeat(std::int64_t count, const Increments& increments) {
  OpenRepeat open{{}, loop_calls_};
  open.loop.count = count;
  open.loop.moves.reserve(increments.size());
  for (const auto& [array, reals] : increments) open.loop.moves.emplace_back(array, reals * array_bytes(array));
  open.loop.body.reserve(kPassesOfALoop);
  open_repeats_.push_back(std::move(open));
  loop_calls_ *= count;
  return open_repeats_.back().loop;
}

Loop& PlanBuilder::begin_parallel(std::int64_t count, const Increments& increments) {
  Loop& loop = begin_repeat(count, increments);
  loop.parallel = true;
  return loop;
}

void PlanBuilder::end_repeat() {
  OpenRepeat open = std::move(open_repeats_.back());
  open_repeats_.pop_back();
  loop_calls_ = open.outer_calls;
  body().push_back(std::move(open.loop));
}

std::size_t PlanBuilder::open_loops(const Place& place, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const LoopAround& loop = place.loops[i];
    if (place.in.blocks != nullptr) {
      const BlockRows& blocks = *place.in.blocks;
      const std::int64_t scales = loop.in_stride / blocks.row_bytes * blocks.row_scale_bytes;
      begin_parallel(loop.count, {{place.in.array, loop.in_stride}, {place.out.array, loop.out_stride}, {ArrayId::kInScales, scales}});
      continue;
    }
    if (place.in.array == place.out.array) {
      begin_parallel(loop.count, {{place.out.array, loop.out_stride}});
    } else {
      begin_parallel(loop.count, {{place.in.array, loop.in_stride}, {place.out.array, loop.out_stride}});
    }
  }
  return count;
}

void PlanBuilder::close_loops(std::size_t opened) {
  for (; opened > 0; --opened) end_repeat();
}

void PlanBuilder::leave(Level level) {
  if (level != program_.arrays.size()) body().emplace_back(Release{work_array(level)});
}

Area PlanBuilder::allocate(std::int64_t reals) {
  if (reals > kMostWorkspace / static_cast<std::int64_t>(real_bytes(program_.compute))) refuse("The workspace would exceed 2^62 bytes");
  const ArrayId array = work_array(program_.arrays.size());
  program_.arrays.push_back({reals});
  body().emplace_back(Take{array});
  return {array, 0};
}

Area PlanBuilder::allocate_beside(const Area& area, std::int64_t reals) {
  const std::int64_t bytes = static_cast<std::int64_t>(real_bytes(program_.compute));
  if (reals > kMostWorkspace / bytes) refuse("The workspace would exceed 2^62 bytes");
  Array& array = program_.arrays.back();
  const std::int64_t offset = align_up(array.reals * bytes, static_cast<std::int64_t>(kBufferAlignment)) / bytes;
  array.reals = offset + reals;
  return {area.array, offset};
}

}  // namespace ulpfft
