// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/api/create.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "planner/facts/prescale_target.h"
#include "planner/facts/workspace_limit.h"
#include "planner/scheme/scheme.h"
#include "planner/scheme/scheme_of.h"
#include "planner/search/candidates.h"
#include "planner/search/error_limit.h"
#include "planner/search/planning.h"
#include "planner/table/narrower_codelets.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"

namespace ulpfft {
namespace {

constexpr std::array<const char*, 3> kLevels = {"predicted", "sampled", "full"};
// A stored error is believed within this factor of the one predicted here, which is as good as most predictions are.
constexpr double kBelieved = 1.25;

const char* word_of(Effort effort) {
  switch (effort) {
    case Effort::kEstimate: return "estimate";
    case Effort::kMeasure: return "measure";
    case Effort::kPatient: return "patient";
    case Effort::kExhaustive: return "exhaustive";
  }
  return "measure";
}

ErrorLevel level_of(const std::string& word) {
  const auto found = std::find(kLevels.begin(), kLevels.end(), word);
  return found == kLevels.end() ? ErrorLevel::kPredicted : static_cast<ErrorLevel>(found - kLevels.begin());
}

// The error of a recipe on random data, measured once in a process.
Certificate certificate_for(ulpfft_context& context, Planning& planning, const Problem& problem, const Candidate& candidate) {
  if (const std::optional<Certificate> known = context.certificates.find(problem, candidate.recipe)) return *known;
  planning.report(candidate.recipe);
  const Certificate measured = certify(planning, problem, candidate);
  context.certificates.put(problem, candidate.recipe, measured);
  return measured;
}

// Why the texts of an entry make it useless for this problem; empty where it may be of use.
std::string fault_of(const Problem& problem, const Recipe& recipe) {
  const std::vector<std::string> schemes = schemes_to_try(problem);
  if (std::find(schemes.begin(), schemes.end(), recipe.scheme) == schemes.end()) return "it computes in " + recipe.scheme + ".";
  const std::vector<std::string> between = intermediates_to_try(problem);
  for (const std::string& format : intermediate_formats(recipe.root)) {
    if (std::find(between.begin(), between.end(), format) == between.end()) return "it stores " + format + " between passes.";
  }
  return "";
}

// Builds a plan from wisdom, and sets its error. For a limit, and for a caller who asks for a measured error, this process measures it,
// before there is a plan, whose memory it may need. Else the stored error is reported if it is near the predicted one, and the predicted
// one if it is not. Null, with the reason, if the plan is of no use.
std::unique_ptr<ulpfft_plan> build_from_entry(ulpfft_context& context, Planning& planning, const Problem& problem, const Entry& entry,
                                              const Candidate& candidate, std::string& reason) {
  const double limit = problem.max_error;
  std::optional<Certificate> certificate;
  if (limit > 0 || planning.options.error_level != ErrorLevel::kPredicted) {
    certificate = certificate_for(context, planning, problem, candidate);
    if (limit > 0 && !(certificate->bound <= limit)) {
      reason = "its error was measured here, and is not within the limit.";
      return nullptr;
    }
  }
  planning.make_room();
  std::unique_ptr<ulpfft_plan> plan = planning.build(problem, candidate);
  const ErrorLevel stored = level_of(entry.error_level);
  if (certificate) {
    plan->error = certificate->error;
    plan->error_bound = certificate->bound;
    plan->error_level = ErrorLevel::kSampled;
  } else if (stored != ErrorLevel::kPredicted && entry.error <= kBelieved * plan->facts->predicted_error &&
             plan->facts->predicted_error <= kBelieved * entry.error) {
    plan->error = entry.error;
    plan->error_level = stored;
  }
  return plan;
}

// Null, with the reason, when the entry is of no use for this problem here. Its memory is checked before any is taken.
std::unique_ptr<ulpfft_plan> plan_from_entry(ulpfft_context& context, Planning& planning, const Problem& problem, const Entry& entry,
                                             std::string& reason) {
  try {
    Candidate candidate;
    candidate.recipe = parse_recipe(entry.recipe);
    candidate.threads = std::min(entry.threads, problem.threads);
    candidate.kind = "wisdom";
    candidate.seconds = entry.seconds;
    candidate.spread = entry.spread;
    if (!entry.codelets.empty()) {
      candidate.codelets = narrower_codelets(planning.codelets, entry.codelets);
      if (candidate.codelets == nullptr) {
        reason = "it uses codelets of " + entry.codelets + ", which are none that give the same bits here.";
        return nullptr;
      }
    }
    reason = fault_of(problem, candidate.recipe);
    if (!reason.empty()) return nullptr;
    const bool claims = level_of(entry.error_level) != ErrorLevel::kPredicted && entry.error <= problem.max_error;
    if (problem.max_error > 0 && !claims) {
      reason = "its error was not measured to be within the limit.";
      return nullptr;
    }
    TableCache cache;
    const Machine machine(planning.codelets_of(candidate), candidate.threads);
    const Program outline = make_program(problem, candidate.recipe, machine, cache);
    const bool limited = !backend_of(planning.codelets).large_workspace;
    if (limited && !within_workspace_limit(problem, candidate.recipe, outline, machine.most_scratch)) {
      reason = "it takes more workspace than plans do.";
      return nullptr;
    }
    planning.options.memory.check(problem, outline);
    if (recipe_digest(problem, candidate.recipe, outline) != entry.digest) {
      reason = "it was timed with other codelets, or a format means something else now.";
      return nullptr;
    }
    std::unique_ptr<ulpfft_plan> plan = build_from_entry(context, planning, problem, entry, candidate, reason);
    if (plan == nullptr) return nullptr;
    plan->seconds = entry.seconds;
    plan->spread = entry.spread;
    plan->from_wisdom = true;
    candidate.threads = plan->facts->threads;
    candidate.error = plan->error;
    candidate.error_bound = plan->error_bound;
    plan->candidates = {std::move(candidate)};
    return plan;
  } catch (const PlanError& error) {
    reason = error.message;  // the entry does not fit this build; wisdom is a hint, so the search goes on without it
    return nullptr;
  }
}

void remember(ulpfft_context& context, const std::string& key, const std::string& machine, const ulpfft_plan& plan, Effort effort) {
  Entry entry;
  entry.problem_key = key;
  entry.machine = machine;
  entry.threads = plan.facts->threads;
  entry.recipe = print_recipe(plan.recipe);
  if (plan.candidates.front().codelets != nullptr) entry.codelets = plan.target;
  entry.digest = recipe_digest(plan.problem, plan.recipe, *plan.facts);
  entry.seconds = plan.seconds;
  entry.spread = plan.spread;
  entry.error = plan.error;
  entry.error_level = kLevels[static_cast<std::size_t>(plan.error_level)];
  entry.effort = word_of(effort);
  entry.library_version = ulpfft_version();
  try {
    context.store.remember(std::move(entry));
  } catch (const std::exception&) {
    // A plan that cannot be remembered is still a plan.
  }
}

// The machine of the context serves problems that name another backend of the processor, because the backend is part of their key.
std::string machine_of(const ulpfft_context& context, const Backend& backend, const std::string& absence) {
  return backend.machine != nullptr && absence.empty() ? backend.machine() : context.machine;
}

std::unique_ptr<ulpfft_plan> from_wisdom(ulpfft_context& context, const Problem& problem, const std::string& key,
                                         const std::string& machine, Planning& planning, bool wisdom_only, std::string& reason) {
  const char* const effort = wisdom_only ? "estimate" : word_of(planning.options.effort);
  const auto use = [&](const std::optional<Entry>& entry) {
    return entry ? plan_from_entry(context, planning, problem, *entry, reason) : nullptr;
  };
  if (std::unique_ptr<ulpfft_plan> plan = use(context.store.find(key, machine, effort))) return plan;
  if (problem.max_error == 0) return nullptr;
  // An entry may keep other limits than the one it was made for; its error tells which.
  return use(context.store.find_within(key, machine, problem.max_error, effort));
}

// Throws PlanError if no scheme that the problem allows holds the target of its prescale.
void require_prescale(const Problem& problem) {
  std::string first;
  for (const std::string& name : schemes_to_try(problem)) {
    const std::string fault = prescale_fault(problem, scheme_named(name));
    if (fault.empty()) return;
    if (first.empty()) first = fault;
  }
  if (!first.empty()) throw PlanError(ULPFFT_UNSUPPORTED, "prescale_target", first);
}

// The limit within which data choose a scheme of a family: some times the error that f32 makes on them.
double limit_of_data(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options) {
  constexpr double kTimesOfF32 = 2;
  Problem wide = problem;
  wide.scheme = "f32";
  SearchOptions quick = options;
  quick.effort = Effort::kEstimate;
  return kTimesOfF32 * search_plan(wide, codelets, quick)->error;
}

}  // namespace

std::unique_ptr<ulpfft_plan> create_plan(ulpfft_context& context, Problem problem, const PlanRequest& request) {
  const Clock& clock = request.search.clock;
  const double begin = clock();
  complete(problem, request.judge != nullptr);
  require_prescale(problem);
  SearchOptions options = request.search;
  options.team = context.team;
  const CodeletTable& codelets = codelets_for(context, problem);
  const Backend& backend = backend_of(codelets);
  options.memory = memory_limit(context, backend, request.max_memory);
  options.memory.check(problem);
  const std::string absence = absence_of(backend);
  if (!absence.empty()) {
    const bool measures = problem.max_error > 0 || options.error_level != ErrorLevel::kPredicted || request.judge != nullptr;
    if (measures) throw PlanError(ULPFFT_UNAVAILABLE, "backend", "Errors are measured on the device. " + absence);
    options.effort = Effort::kEstimate;  // nothing can be timed
  }
  if (request.wisdom_only && problem.window.given != nullptr) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "window_factors",
                    "Wisdom names windows, and knows none of the caller's: window_factors cannot be had with ULPFFT_WISDOM_ONLY.");
  }
  const std::string key = problem_key(problem);
  const std::string machine = machine_of(context, backend, absence);
  const auto finish = [&](std::unique_ptr<ulpfft_plan> plan) {
    plan->planning_seconds = clock() - begin;
    return plan;
  };
  std::string reason;
  const bool is_private = request.judge != nullptr || problem.window.given != nullptr;  // wisdom knows nothing of these numbers
  if (!options.deterministic && !is_private) {
    Planning planning(codelets, options);
    std::unique_ptr<ulpfft_plan> plan =
        hearing_cancel([&] { return from_wisdom(context, problem, key, machine, planning, request.wisdom_only, reason); });
    if (plan != nullptr) return finish(std::move(plan));
  }
  if (request.wisdom_only) {
    const std::string wanted = "\"" + key + "\" on " + machine;
    throw PlanError(ULPFFT_UNAVAILABLE, "effort",
                    reason.empty() ? "Wisdom has no plan for " + wanted + ": import one, or make one with effort measure or more."
                                   : "What wisdom has for " + wanted + " is of no use: " + reason);
  }
  ArrayAddress judge;
  if (request.judge != nullptr) {
    judge = input_address(problem, *request.judge, "judge");
    options.judge = &judge;
  }
  if (problem.max_error == 0 && scheme_named(scheme_of(problem)).any) problem.max_error = limit_of_data(problem, codelets, options);
  std::shared_ptr<const CostTable> costs;
  if (!options.deterministic && &codelets == &context.target.table) costs = context.costs.get(context.store, context.machine, codelets);
  options.costs = costs.get();
  std::unique_ptr<ulpfft_plan> plan = search_plan(problem, codelets, options);
  if (!is_private && plan->error_bound > 0) context.certificates.put(problem, plan->recipe, {plan->error, plan->error_bound});
  const bool is_timed = options.effort != Effort::kEstimate && plan->seconds > 0;
  if (!is_private && is_timed) remember(context, key, machine, *plan, options.effort);
  return finish(std::move(plan));
}

std::unique_ptr<ulpfft_plan> plan_from_recipe(ulpfft_context& context, const Problem& problem, const Recipe& recipe,
                                              SearchOptions options) {
  options.team = context.team;
  const CodeletTable& codelets = codelets_for(context, problem);
  options.memory = memory_limit(context, backend_of(codelets), 0);
  options.memory.check(problem);
  Planning planning(codelets, options);
  Candidate candidate;
  candidate.recipe = recipe;
  candidate.kind = "recipe";
  candidate.threads = std::min(problem.threads, context.team->size());
  TableCache cache;
  options.memory.check(problem, make_program(problem, recipe, {planning.codelets, candidate.threads}, cache));
  std::optional<Certificate> certificate;  // is found before there is a plan, whose memory it may need
  if (problem.max_error > 0) {
    const bool is_private = problem.window.given != nullptr;
    const std::optional<Certificate> known = is_private ? std::nullopt : context.certificates.find(problem, recipe);
    const bool keeps = known && known->bound <= problem.max_error;
    certificate = keeps ? *known : certify_within_limit(planning, problem, candidate);
    if (!is_private) context.certificates.put(problem, recipe, *certificate);
  }
  planning.make_room();
  std::unique_ptr<ulpfft_plan> plan = planning.build(problem, candidate);
  if (certificate) {
    plan->error = certificate->error;
    plan->error_bound = certificate->bound;
    plan->error_level = ErrorLevel::kSampled;
  }
  candidate.threads = plan->facts->threads;
  candidate.error = plan->error;
  candidate.error_bound = plan->error_bound;
  plan->candidates = {std::move(candidate)};
  return plan;
}

}  // namespace ulpfft
