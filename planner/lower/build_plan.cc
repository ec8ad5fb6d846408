// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/lower/build_plan.h"

#include <algorithm>
#include <set>

#include "planner/backend/executor.h"
#include "planner/expand/idle_forms.h"
#include "planner/expand/plan_builder.h"
#include "planner/facts/format_digest.h"
#include "planner/system/buffer.h"
#include "planner/system/round_to_nearest.h"

namespace ulpfft {

namespace {

constexpr std::int64_t kWorkOfAPlan = Poll::kWork / 16;  // steps without tables take 10 us to 1 ms

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

CompiledPlan build_plan(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache,
                        bool fill_tables, int threads) {
  const RoundToNearest nearest;  // tables, whatever mode the caller's thread is in
  cache.roots.poll.count(kWorkOfAPlan);
  const Recipe computed = without_idle_forms(recipe, codelets);
  const NodeTransform transform = [&](const Node& node, double* values, std::int64_t m) { transform_in_f64(node, codelets, cache, values, m); };
  CompiledPlan plan = PlanBuilder(problem, computed, codelets, cache, transform, fill_tables, threads).build();
  if (!(computed == recipe)) plan.idle_forms = idle_forms(recipe, codelets);
  if ((plan.decodes || plan.encodes) && !cache.for_digests) {
    Recipe converting = computed;
    converting.root.decode = converting.root.encode = false;
    plan.with_exponents = std::make_shared<const CompiledPlan>(PlanBuilder(problem, converting, codelets, cache, transform, fill_tables, threads).build());
    plan.workspace_bytes = std::max(plan.workspace_bytes, plan.with_exponents->workspace_bytes);
    plan.making_bytes = std::max(plan.making_bytes, plan.with_exponents->making_bytes);
    plan.table_bytes += plan.with_exponents->table_bytes;  // some are the same
  }
  return plan;
}

std::uint64_t recipe_digest(const Problem& problem, const Recipe& recipe, const CompiledPlan& plan) {
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
