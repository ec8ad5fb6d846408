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

std::int64_t PlanBuilder::slot_bytes(Slot slot) const {
  if (slot == Slot::kIn && !fused_in_.empty()) return fused_in_bytes_;
  if (slot == Slot::kOut && !fused_out_.empty()) return fused_out_bytes_;
  // Steps through converted arrays, scales and exponents are given in bytes.
  if (slot == Slot::kIn || slot == Slot::kOut) {
    const std::string& storage = slot == Slot::kIn ? problem_.storage_in : problem_.storage_out;
    return through_workspace(problem_, slot == Slot::kOut) ? 1 : static_cast<std::int64_t>(storage_real_bytes(storage));
  }
  if (slot < Slot::kFactors) return 1;
  return static_cast<std::int64_t>(real_bytes(program_.compute));
}

Loop& PlanBuilder::begin_repeat(std::int64_t count, const Increments& increments) {
  OpenRepeat open{{}, loop_calls_, peak_bytes_, used_bytes_};
  open.loop.count = count;
  for (const auto& [slot, reals] : increments) open.loop.increment[static_cast<int>(slot)] += reals * slot_bytes(slot);
  open.loop.body.reserve(kPassesOfALoop);
  open_repeats_.push_back(std::move(open));
  peak_bytes_ = used_bytes_;
  loop_calls_ *= count;
  return open_repeats_.back().loop;
}

Loop& PlanBuilder::begin_parallel(std::int64_t count, const Increments& increments) {
  Loop& loop = begin_repeat(count, increments);
  loop.parallel = true;
  loop.private_from = next_slot_;
  return loop;
}

void PlanBuilder::end_repeat() {
  OpenRepeat open = std::move(open_repeats_.back());
  open_repeats_.pop_back();
  if (open.loop.parallel) {
    open.loop.private_bytes = peak_bytes_ - open.mark;
    open.loop.private_begin = open.mark;
  }
  peak_bytes_ = std::max(peak_bytes_, open.outer_peak);
  loop_calls_ = open.outer_calls;
  body().push_back(std::move(open.loop));
}

std::size_t PlanBuilder::open_loops(const Place& place, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const LoopAround& loop = place.loops[i];
    if (place.in.blocks != nullptr) {
      const BlockRows& blocks = *place.in.blocks;
      const std::int64_t scales = loop.in_stride / blocks.row_bytes * blocks.row_scale_bytes;
      begin_parallel(loop.count, {{place.in.slot, loop.in_stride}, {place.out.slot, loop.out_stride}, {blocks.scales, scales}});
      continue;
    }
    if (place.in.slot == place.out.slot) {
      begin_parallel(loop.count, {{place.out.slot, loop.out_stride}});
    } else {
      begin_parallel(loop.count, {{place.in.slot, loop.in_stride}, {place.out.slot, loop.out_stride}});
    }
  }
  return count;
}

void PlanBuilder::close_loops(std::size_t opened) {
  for (; opened > 0; --opened) end_repeat();
}

std::int64_t PlanBuilder::take_bytes(std::int64_t reals) {
  const std::int64_t bytes = static_cast<std::int64_t>(real_bytes(program_.compute));
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  if (reals > kMost / bytes - used_bytes_) refuse("The workspace would exceed 2^62 bytes");
  const std::int64_t offset = used_bytes_ / bytes;
  used_bytes_ += align_up(reals * bytes, static_cast<std::int64_t>(kBufferAlignment));
  peak_bytes_ = std::max(peak_bytes_, used_bytes_);
  return offset;
}

Area PlanBuilder::allocate(std::int64_t reals) {
  if (next_slot_ >= kSlots) refuse("Transforms are nested too deeply: there are " + std::to_string(kSlots - static_cast<int>(Slot::kWork0)) + " work slots");
  const Slot slot = static_cast<Slot>(next_slot_++);
  return {slot, take_bytes(reals)};
}

Area PlanBuilder::allocate_beside(const Area& area, std::int64_t reals) { return {area.slot, take_bytes(reals)}; }

}  // namespace ulpfft
