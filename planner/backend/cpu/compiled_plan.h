// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The steps of a plan, with the tables they read.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_COMPILED_PLAN_H_
#define ULPFFT_PLANNER_BACKEND_CPU_COMPILED_PLAN_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "codelets/contract/codelet.h"
#include "planner/convert/stored_rows.h"
#include "planner/program/program.h"
#include "planner/scheme/mx.h"
#include "planner/scheme/split.h"
#include "planner/table/twiddle_table.h"

namespace ulpfft {

// One transform in registers with conversions before or after it, by way of a tile on the stack: what walking over steps takes is more than
// short transforms do (256 points i16->f32, AVX-512: 103 -> 72 ns of which the transform takes 48).
struct TiledTransform {
  static constexpr std::int64_t kMostPoints = kMostTiledPoints;
  DirectCall::Run run = nullptr;
  const void* table = nullptr;
  const StoredRows* in = nullptr;   // null: the end is wide
  const StoredRows* out = nullptr;
  const DirectCall* pair = nullptr;  // instead of `run`: two codelets, the second works in the tile. Both null: the plan is none
  bool is_used() const { return run != nullptr || pair != nullptr; }
};

struct CompiledPlan : PlanFacts {
  std::vector<Step> steps;
  std::vector<std::shared_ptr<const TwiddleTable>> tables;
  std::vector<std::shared_ptr<const std::vector<std::uint32_t>>> rows;
  std::vector<std::shared_ptr<const StepContext>> contexts;  // of the steps
  bool bare = false;               // one kWhole pass that needs no loop, shift or scale
  bool direct = false;             // one kPacked pass without a loop
  DirectCall::Run direct_fused = nullptr;  // one kPacked pass that does, without a loop
  TiledTransform tiled;
  DirectCall pair[2];              // of a real transform: from the input to the output, then in place; null: the plan is none
  DirectCall::Run both = nullptr;  // the pair as one codelet, if there is one
  PairTables pair_tables;          // its tables
  bool work_may_be_out = false;    // a vector-aligned output array can serve as kWork0
  // Where passes decode or encode: the same arithmetic with conversions of their own, for executions with exponents per transform.
  std::shared_ptr<const CompiledPlan> with_exponents;
  std::vector<std::shared_ptr<const MxTables>> mx;          // of mx schemes
  std::vector<std::shared_ptr<const SplitTables>> split_tables;  // of split schemes
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_COMPILED_PLAN_H_
