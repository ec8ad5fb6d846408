// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/lower/build_plan.h"

#include <algorithm>
#include <set>

#include "planner/backend/executor.h"
#include "planner/backend/link.h"
#include "planner/expand/idle_forms.h"
#include "planner/expand/expand.h"
#include "planner/facts/format_digest.h"
#include "planner/facts/predicted_error.h"
#include "planner/lower/place.h"
#include "planner/lower/share.h"
#include "planner/system/buffer.h"
#include "planner/system/round_to_nearest.h"

namespace ulpfft {

namespace {

constexpr std::int64_t kWorkOfAPlan = Poll::kWork / 16;  // a program takes 10 us to 1 ms

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

// The stages, in their order.
//   expand   one function for each kind of node: passes, loops around them, where their numbers lie
//   place    where work arrays lie: a stack, so that what a loop takes is private to an iteration where threads share it
//   share    which loops the threads share; it needs all of them, and adds the memory of each thread
//   facts    bytes of tables and the predicted error, from what the passes are and ask for
Program lowered(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache, int threads) {
  Program program = expand(problem, recipe, codelets, cache, threads);
  place(program, recipe);
  share(program, threads);
  program.table_bytes = table_bytes(program);
  if (!cache.for_digests) predict_error(problem, recipe, program, cache.block_errors);
  return program;
}

}  // namespace

Program make_program(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache, int threads) {
  const RoundToNearest nearest;  // constants, whatever mode the caller's thread is in
  cache.roots.poll.count(kWorkOfAPlan);
  const Recipe computed = without_idle_forms(recipe, codelets);
  Program program = lowered(problem, computed, codelets, cache, threads);
  if (!(computed == recipe)) program.idle_forms = idle_forms(recipe, codelets);
  if ((program.decodes || program.encodes) && !cache.for_digests) {
    Recipe converting = computed;
    converting.root.decode = converting.root.encode = false;
    program.with_exponents = std::make_shared<const Program>(lowered(problem, converting, codelets, cache, threads));
    program.workspace_bytes = std::max(program.workspace_bytes, program.with_exponents->workspace_bytes);
    program.making_bytes = std::max(program.making_bytes, program.with_exponents->making_bytes);
    program.table_bytes += program.with_exponents->table_bytes;  // some are the same
  }
  return program;
}

CompiledPlan build_plan(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache, int threads) {
  const RoundToNearest nearest;  // tables, likewise
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
