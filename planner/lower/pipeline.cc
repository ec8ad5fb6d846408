// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/lower/pipeline.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "planner/facts/idle_forms.h"
#include "planner/facts/predicted_error.h"
#include "planner/lower/place.h"
#include "planner/lower/store.h"
#include "planner/system/poll.h"
#include "planner/system/round_to_nearest.h"

namespace ulpfft {
namespace {

constexpr std::int64_t kWorkOfAPlan = Poll::kWork / 16;  // a program takes 10 us to 1 ms

// One function for each kind of node: passes, loops around them, where their numbers lie.
void expand_stage(const Lowering& given, Program& program) { program = given.backend.expand(given); }

// How passes read and write narrow arrays.
void store_stage(const Lowering& given, Program& program) { store(program, given.machine.codelets); }

// Where work arrays lie: a stack, so that what a loop takes is private to an iteration where iterations run at the same time.
void place_stage(const Lowering& given, Program& program) { place(program, given.recipe); }

// Bytes of tables and the predicted error, from what the passes are and ask for.
void facts_stage(const Lowering& given, Program& program) {
  program.table_bytes += table_bytes(program);  // to what a backend has beside them
  if (!given.cache.for_digests) predict_error(given.problem, given.sides, given.recipe, program, given.cache.block_errors);
}

// Calls visit(stage) for each stage in its order.
template <typename Visit>
void for_each_stage(const Backend& backend, const Visit& visit) {
  visit(Stage{"expand", &expand_stage});               // It makes the program.
  visit(Stage{"store", &store_stage});                 // Passes name narrow arrays as if they held reals; it takes tiles.
  visit(Stage{"place", &place_stage});                 // Every array has been taken by now.
  for (const Stage& own : backend.stages) visit(own);  // They see placed arrays: memory of several threads is laid out from there.
  visit(Stage{"facts", &facts_stage});                 // No stage changes a pass or asks for a table any more.
}

Program lowered(const Lowering& given, const StageVisitor& visit) {
  Program program;
  for_each_stage(given.backend, [&](const Stage& stage) {
    stage.apply(given, program);
    if (visit) visit(stage, program);
  });
  return program;
}

}  // namespace

// Where the problem limits the bytes of a workspace, rows are padded only if that keeps the limit.
static Machine within_workspace(const Lowering& given) {
  Machine tight = given.machine;
  tight.most_scratch = 1;
  const Program roomy = lowered(given, {});
  return roomy.workspace_bytes <= static_cast<std::size_t>(given.problem.max_workspace) ? given.machine : tight;
}

Program make_program(const Problem& problem, const Recipe& recipe, const Machine& given, TableCache& cache, const StageVisitor& visit) {
  const RoundToNearest nearest;  // constants, whatever mode the caller's thread is in
  cache.roots.poll.count(kWorkOfAPlan);
  const Backend& backend = backend_of(given.codelets);
  const Scheme scheme = scheme_named(recipe.scheme);
  const Sides sides(problem);
  std::optional<Recipe> standard;  // most recipes have no idle forms, and are not copied
  if (has_idle_forms(recipe, scheme, given.codelets)) standard = without_idle_forms(recipe, given.codelets);
  const Recipe& computed = standard ? *standard : recipe;
  const Machine machine = problem.max_workspace > 0 ? within_workspace({problem, sides, computed, scheme, given, backend, cache}) : given;
  Program program = lowered({problem, sides, computed, scheme, machine, backend, cache}, visit);
  if (standard) program.idle_forms = idle_forms(recipe, machine.codelets);
  if ((program.decodes || program.encodes) && !cache.for_digests) {
    Recipe converting = computed;
    converting.root.decode = converting.root.encode = false;
    program.with_exponents = std::make_shared<const Program>(lowered({problem, sides, converting, scheme, machine, backend, cache}, {}));
    program.workspace_bytes = std::max(program.workspace_bytes, program.with_exponents->workspace_bytes);
    program.making_bytes = std::max(program.making_bytes, program.with_exponents->making_bytes);
    program.table_bytes += program.with_exponents->table_bytes;  // some are the same
  }
  return program;
}

}  // namespace ulpfft
