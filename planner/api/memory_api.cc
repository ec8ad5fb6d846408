// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Predicted bytes through the C interface.
#include <algorithm>
#include <cstdint>

#include "planner/api/context.h"
#include "planner/api/guard.h"
#include "planner/api/request.h"
#include "planner/plan/memory_need.h"
#include "planner/plan/plan.h"
#include "planner/search/search.h"
#include "wisdom/problem_text.h"

using namespace ulpfft;

namespace {

std::uint64_t whole(double bytes) { return bytes >= 0x1p64 ? UINT64_MAX : static_cast<std::uint64_t>(bytes); }

void fill(const Problem& problem, const PlanFacts& plan, ulpfft_memory& memory) {
  const bool in_place = problem.placement == Placement::kInPlace;
  memory.in_bytes = whole(in_place ? bytes_of_arrays(problem) : bytes_of_array(problem, false));
  memory.out_bytes = in_place ? 0 : whole(bytes_of_array(problem, true));
  memory.table_bytes = whole(plan.table_bytes);
  memory.making_bytes = whole(plan.making_bytes);
  memory.workspace_bytes = plan.workspace_bytes;
  memory.process_bytes = whole(memory_of_process());
}

void require_memory(const ulpfft_memory* memory) {
  require_pointer(memory, "memory");
  require_size(*memory, "memory.size");
}

void predict(ulpfft_context* given, Problem problem, ulpfft_memory& memory) {
  const ulpfft_context& context = context_of(given);
  complete(problem);
  require_addressable(problem);
  const CodeletTable& codelets = codelets_for(context, problem);
  SearchOptions options;
  options.effort = Effort::kEstimate;
  options.memory = MemoryLimit::none();
  options.team = context.team;
  Candidate candidate;
  try {
    candidate = estimated_recipe(problem, codelets, options);
  } catch (const PlanError& error) {
    if (error.status != ULPFFT_NO_MEMORY) throw;
    // No plan keeps its max_workspace: what is told is how much one takes.
    problem.max_workspace = ULPFFT_WORKSPACE_ONE;
    candidate = estimated_recipe(problem, codelets, options);
  }
  TableCache cache;
  fill(problem, make_program(problem, candidate.recipe, {codelets, candidate.threads}, cache), memory);
}

}  // namespace

extern "C" {

ulpfft_status ulpfft_predict_memory(ulpfft_context* context, const ulpfft_problem* problem, ulpfft_memory* memory) {
  return guard([&] {
    require_pointer(problem, "problem");
    require_memory(memory);
    predict(context, problem_from_c(*problem), *memory);
  });
}

ulpfft_status ulpfft_predict_memory_text(ulpfft_context* context, const char* problem_text, ulpfft_memory* memory) {
  return guard([&] {
    require_pointer(problem_text, "problem_text");
    require_memory(memory);
    with_text_range(problem_text, [&] {
      predict(context, parse_problem(problem_text), *memory);
      return 0;
    });
  });
}

ulpfft_status ulpfft_plan_memory(const ulpfft_plan* plan, ulpfft_memory* memory) {
  return guard([&] {
    require_pointer(plan, "plan");
    require_memory(memory);
    fill(plan->problem, *plan->facts, *memory);
  });
}

}  // extern "C"
