// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/lower/build_plan.h"

#include <set>

#include "planner/backend/cpu/executor.h"
#include "planner/backend/cpu/link.h"
#include "planner/facts/format_digest.h"
#include "planner/system/buffer.h"
#include "planner/system/round_to_nearest.h"

namespace ulpfft {

namespace {

// An execution cannot be interrupted.
void transform_in_f64(const Node& node, const CodeletTable& codelets, TableCache& cache, double* values, std::int64_t m) {
  Problem problem;
  problem.dims = {{m, 1, 1}};
  problem.storage_in = problem.storage_out = "f64";
  problem.placement = Placement::kInPlace;
  const CompiledPlan plan = build_plan(problem, {"f64", node}, codelets, cache);
  if (plan.direct) {
    plan.passes[0].codelet->direct({nullptr, plan.steps[0].args.table}, values, values, values, values, nullptr);
    return;
  }
  if (plan.bare) {
    plan.passes[0].codelet->whole(values, values + 1, 2, values, values + 1, 2);
    return;
  }
  const AlignedBuffer workspace(plan.workspace_bytes);
  Buffers buffers{};
  for (SlotAddress& slot : buffers.slot) slot = {workspace.data(), workspace.data()};
  buffers.slot[static_cast<int>(Slot::kIn)] = buffers.slot[static_cast<int>(Slot::kOut)] = {values, values};
  run_steps(plan.steps.data(), plan.steps.data() + plan.steps.size(), buffers);
  if (plan.streams) finish_streams();
}

}  // namespace

CompiledPlan build_plan(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache, int threads) {
  const RoundToNearest nearest;  // tables, whatever mode the caller's thread is in
  return link(make_program(problem, recipe, codelets, cache, threads), codelets, cache,
              [&](const Node& node, double* values, std::int64_t m) { transform_in_f64(node, codelets, cache, values, m); });
}

std::uint64_t recipe_digest(const Problem& problem, const Recipe& recipe, const PlanFacts& plan) {
  std::set<std::uint64_t> digests;
  if (const std::uint64_t formats = formats_digest(problem, recipe); formats != 0) digests.insert(formats);
  for (const PassUse& use : plan.passes) {
    digests.insert(use.codelet->body->digest);
    if (use.codelet->second != nullptr) digests.insert(use.codelet->second->digest);
  }
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint64_t digest : digests) {
    for (int i = 0; i < 8; ++i) hash = (hash ^ ((digest >> (8 * i)) & 0xff)) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace ulpfft
