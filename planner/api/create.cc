#include "planner/api/create.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "planner/assess.h"
#include "planner/candidates.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"

namespace ulpfft {
namespace {

constexpr std::array<const char*, 3> kLevels = {"predicted", "sampled", "full"};
constexpr double kErrorShare = 0.2;  // of the time limit

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

// Null, with the reason, when the entry is of no use for this problem here.
std::unique_ptr<ulpfft_plan> plan_from_entry(const ulpfft_context& context, const Problem& problem, const Entry& entry, const CodeletTable& codelets,
                                             const PlanRequest& request, std::string& reason) {
  try {
    const Recipe recipe = parse_recipe(entry.recipe);
    const std::vector<std::string> schemes = schemes_to_try(problem);
    if (std::find(schemes.begin(), schemes.end(), recipe.scheme) == schemes.end()) {
      reason = "it computes in " + recipe.scheme + ".";
      return nullptr;
    }
    const std::vector<std::string> between = intermediates_to_try(problem);
    for (const std::string& format : intermediate_formats(recipe.root)) {
      if (std::find(between.begin(), between.end(), format) != between.end()) continue;
      reason = "it stores " + format + " between passes.";
      return nullptr;
    }
    const ErrorLevel level = level_of(entry.error_level);
    if (problem.max_error > 0 && (level == ErrorLevel::kPredicted || !(entry.error <= problem.max_error))) {
      reason = "its error was not measured to be within the limit.";
      return nullptr;
    }
    TableCache cache;
    const int threads = std::min(entry.threads, problem.threads);
    std::unique_ptr<ulpfft_plan> plan =
        make_plan(problem, recipe, codelets, build_plan(problem, recipe, codelets, cache, true, threads), context.team);
    if (recipe_digest(problem, recipe, plan->compiled) != entry.digest) {
      reason = "it was timed with other codelets, or a format means something else now.";
      return nullptr;
    }
    plan->seconds = entry.seconds;
    plan->spread = entry.spread;
    plan->from_wisdom = true;
    if (level != ErrorLevel::kPredicted) {
      plan->error = entry.error;
      plan->error_level = level;
    } else if (request.search.error_level != ErrorLevel::kPredicted) {
      plan->error = measure_error(*plan, ErrorLevel::kSampled, kErrorShare * request.search.time_limit_seconds).relative_l2;
      plan->error_level = ErrorLevel::kSampled;
    }
    plan->candidates = {{.recipe = recipe,
                         .seconds = entry.seconds,
                         .spread = entry.spread,
                         .kind = "wisdom",
                         .threads = plan->compiled.threads,
                         .error = plan->error}};
    return plan;
  } catch (const PlanError& error) {
    reason = error.message;  // does not fit this build: wisdom is a hint, so search as if it were not there
    return nullptr;
  }
}

void remember(ulpfft_context& context, const std::string& key, const ulpfft_plan& plan, Effort effort) {
  Entry entry;
  entry.problem_key = key;
  entry.machine = context.machine;
  entry.threads = plan.compiled.threads;
  entry.recipe = print_recipe(plan.recipe);
  entry.digest = recipe_digest(plan.problem, plan.recipe, plan.compiled);
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

}  // namespace

std::unique_ptr<ulpfft_plan> create_plan(ulpfft_context& context, Problem problem, const PlanRequest& request) {
  const Clock& clock = request.search.clock;
  const double begin = clock();
  complete(problem);
  const RegisteredTarget& target = target_of(context, problem.backend);
  const std::string key = problem_key(problem);
  const auto finish = [&](std::unique_ptr<ulpfft_plan> plan) {
    plan->planning_seconds = clock() - begin;
    return plan;
  };
  std::string reason;
  if (!request.search.deterministic && request.judge == nullptr) {
    // A problem that names another backend has it in its key, so the machine of the context serves it too.
    const char* const effort = request.wisdom_only ? "estimate" : word_of(request.search.effort);
    const auto use = [&](const std::optional<Entry>& entry) {
      return entry ? plan_from_entry(context, problem, *entry, target.table, request, reason) : nullptr;
    };
    if (std::unique_ptr<ulpfft_plan> plan = use(context.store.find(key, context.machine, effort))) return finish(std::move(plan));
    // Whatever limit an entry was made for, its error says which ones it keeps.
    if (problem.max_error > 0) {
      if (std::unique_ptr<ulpfft_plan> plan = use(context.store.find_within(key, context.machine, problem.max_error, effort))) return finish(std::move(plan));
    }
  }
  if (request.wisdom_only) {
    const std::string wanted = "\"" + key + "\" on " + context.machine;
    throw PlanError(ULPFFT_UNAVAILABLE, "effort",
                    reason.empty() ? "Wisdom has no plan for " + wanted + ": import one, or make one with effort measure or more."
                                   : "What wisdom has for " + wanted + " is of no use: " + reason);
  }
  SearchOptions options = request.search;
  options.team = context.team;
  ArrayAddress judge;
  if (request.judge != nullptr) {
    judge = input_address(problem, *request.judge, "judge");
    options.judge = &judge;
  }
  std::shared_ptr<const CostTable> costs;
  if (!options.deterministic && &target == &context.target) costs = context.costs.get(context.store, context.machine, target.table);
  options.costs = costs.get();
  std::unique_ptr<ulpfft_plan> plan = search_plan(problem, target.table, options);
  if (options.judge == nullptr && options.effort != Effort::kEstimate && plan->seconds > 0) remember(context, key, *plan, options.effort);
  return finish(std::move(plan));
}

}  // namespace ulpfft
