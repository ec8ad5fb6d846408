// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/plan/plan.h"

#include <new>
#include <utility>

#include "planner/convert/intermediate.h"
#include "planner/scheme/families.h"
#include "planner/scheme/scheme.h"
#include "planner/system/last_error.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

// Operations, and numbers of the caller's arrays, that take a few milliseconds.
constexpr double kBriefWide = 0x1p24, kBriefEmulated = 0x1p20;
constexpr double kOperationsOfANumber = 16;  // of one that is read, converted and written

bool is_brief(const ulpfft_plan& plan) {
  const bool wide = scheme_named(plan.recipe.scheme).family == &kWideFamily && plan.facts->compute != ComputeType::kDoubleDouble;
  const double numbers = static_cast<double>(plan.transforms) * static_cast<double>(transform_points(plan.problem));
  const double work = plan.facts->adds + plan.facts->muls + plan.facts->fmas + kOperationsOfANumber * numbers;
  return work <= (wide ? kBriefWide : kBriefEmulated);
}

}  // namespace

int run_arrays(const ulpfft_plan& plan, const ArrayAddress& in, const ArrayAddress& out, void* workspace, Counts* counts,
               const ChainOperation* chain) {
  if (plan.counts && in.exponents == nullptr && out.exponents == nullptr) {
    std::int64_t beyond = 0;
    const int status = plan.run(plan, in.data[0], in.data[0], out.data[0], &beyond, workspace);
    if (counts != nullptr) *counts = {beyond, 0};
    return status;
  }
  if (plan.narrow || plan.chain) return plan.run_arrays(*plan.executable, in, out, workspace, counts, chain);
  if (counts != nullptr) *counts = {};
  return plan.run(plan, in.data[0], in.data[1], out.data[0], out.data[1], workspace);
}

int run_interruptibly(const ulpfft_plan& plan, const ArrayAddress& in, const ArrayAddress& out, const ChainOperation* chain, Poll* poll) {
  if (poll == nullptr || plan.run_asking == nullptr || is_brief(plan)) return run_arrays(plan, in, out, nullptr, nullptr, chain);
  return plan.run_asking(*plan.executable, in, out, chain, *poll);
}

void require_executed(int status) {
  if (status == ULPFFT_OK) return;
  if (status == ULPFFT_NO_MEMORY) throw std::bad_alloc();
  throw PlanError(static_cast<ulpfft_status>(status), last_error().field, last_error().message);
}

std::unique_ptr<ulpfft_plan> make_plan(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets,
                                       std::unique_ptr<Executable> executable, std::shared_ptr<Team> team, Poll* poll) {
  auto plan = std::make_unique<ulpfft_plan>();
  plan->problem = problem;
  plan->recipe = recipe;
  plan->executable = std::move(executable);
  plan->facts = &plan->executable->facts();
  plan->backend = codelets.backend;
  plan->target = codelets.target;
  plan->error = plan->facts->predicted_error;
  plan->in_place = problem.placement == Placement::kInPlace;
  plan->transforms = batch_count(problem);
  plan->in_shape = side_of(problem, false);
  plan->out_shape = side_of(problem, true);
  plan->narrow = plan->in_shape.by_groups || plan->out_shape.by_groups ||
                 !intermediate_formats(recipe.root).empty() || scheme_named(recipe.scheme).family->counts;
  plan->chain = recipe.root.kind == Node::Kind::kChain;
  plan->in_alignment_mask = static_cast<std::uintptr_t>(plan->in_shape.alignment - 1);
  plan->out_alignment_mask = static_cast<std::uintptr_t>(plan->out_shape.alignment - 1);
  plan->split = problem.layout == ArrayLayout::kSplit;
  plan->in_extent = plan->in_shape.codes;
  plan->out_extent = plan->out_shape.codes;
  const std::int64_t low = plan->in_extent.low - plan->out_extent.high + 1;
  plan->overlap_low = plan->in_place ? 1 : static_cast<std::uintptr_t>(low);
  plan->overlap_range = plan->in_place ? UINTPTR_MAX : static_cast<std::uintptr_t>(plan->in_extent.high - plan->out_extent.low - low);
  const bool has_scales = plan->in_shape.storage.scale != nullptr || plan->out_shape.storage.scale != nullptr;
  const bool arrays_only = plan->split || has_scales || plan->chain;
  plan->in_execute_mask = arrays_only ? UINTPTR_MAX : plan->in_alignment_mask;
  plan->out_execute_mask = arrays_only ? UINTPTR_MAX : plan->out_alignment_mask;
  const Entries entry = plan->executable->backend.run(*plan->executable, {plan->narrow, plan->chain, has_scales, std::move(team), poll});
  static_cast<DirectCall&>(*plan) = entry.call;
  plan->run_arrays = entry.arrays;
  plan->run_on_stream = entry.on_stream;
  plan->run_asking = entry.asking;
  plan->counts = entry.counts;
  return plan;
}

}  // namespace ulpfft
