// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/lower/pipeline.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "planner/expand/expand.h"
#include "planner/expand/idle_forms.h"
#include "planner/facts/predicted_error.h"
#include "planner/lower/entry_point.h"
#include "planner/lower/place.h"
#include "planner/lower/share.h"
#include "planner/system/poll.h"
#include "planner/system/round_to_nearest.h"

namespace ulpfft {
namespace {

constexpr std::int64_t kWorkOfAPlan = Poll::kWork / 16;  // a program takes 10 us to 1 ms

// One function for each kind of node: passes, loops around them, where their numbers lie.
void expand_stage(const Lowering& given, Program& program) {
  program = expand(given.problem, given.recipe, given.codelets, given.cache, given.threads);
}

// Where work arrays lie: a stack, so that what a loop takes is private to an iteration where threads share it.
void place_stage(const Lowering& given, Program& program) { place(program, given.recipe); }

// Which loops the threads share. The stage needs all of them, and adds the memory of each thread.
void share_stage(const Lowering& given, Program& program) { share(program, given.threads); }

// Bytes of tables and the predicted error, from what the passes are and ask for.
void facts_stage(const Lowering& given, Program& program) {
  program.table_bytes = table_bytes(program);
  if (!given.cache.for_digests) predict_error(given.problem, given.recipe, program, given.cache.block_errors);
}

// The shortest way into the plan: whether the program is one pass in the end.
void entry_point_stage(const Lowering& given, Program& program) { program.entry_point = find_entry_point(given.problem, program); }

constexpr Stage kStages[] = {
    {"expand", &expand_stage},
    {"place", &place_stage},
    {"share", &share_stage},
    {"entry point", &entry_point_stage},
    {"facts", &facts_stage},
};

Program lowered(const Lowering& given, const StageVisitor& visit) {
  Program program;
  for (const Stage& stage : kStages) {
    stage.apply(given, program);
    if (visit) visit(stage, program);
  }
  return program;
}

}  // namespace

std::span<const Stage> stages() { return kStages; }

Program make_program(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache, int threads,
                     const StageVisitor& visit) {
  const RoundToNearest nearest;  // constants, whatever mode the caller's thread is in
  cache.roots.poll.count(kWorkOfAPlan);
  std::optional<Recipe> standard;  // most recipes have no idle forms, and are not copied
  if (has_idle_forms(recipe, codelets)) standard = without_idle_forms(recipe, codelets);
  const Recipe& computed = standard ? *standard : recipe;
  Program program = lowered({problem, computed, codelets, cache, threads}, visit);
  if (standard) program.idle_forms = idle_forms(recipe, codelets);
  if ((program.decodes || program.encodes) && !cache.for_digests) {
    Recipe converting = computed;
    converting.root.decode = converting.root.encode = false;
    program.with_exponents = std::make_shared<const Program>(lowered({problem, converting, codelets, cache, threads}, {}));
    program.workspace_bytes = std::max(program.workspace_bytes, program.with_exponents->workspace_bytes);
    program.making_bytes = std::max(program.making_bytes, program.with_exponents->making_bytes);
    program.table_bytes += program.with_exponents->table_bytes;  // some are the same
  }
  return program;
}

}  // namespace ulpfft
