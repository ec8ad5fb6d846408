// From a problem to a plan: proposes recipes, predicts, times the best few, keeps the fastest.
//
// The dimensions of a problem are independent sweeps, so each is searched as a problem of its own (its line, all others as loops)
// and the best nodes are put together; whole combinations are timed at the end.
#ifndef ULPFFT_PLANNER_SEARCH_H_
#define ULPFFT_PLANNER_SEARCH_H_

#include <functional>
#include <memory>
#include <string>

#include "planner/cost_table.h"
#include "planner/measure.h"
#include "planner/plan.h"

namespace ulpfft {

enum class Effort { kEstimate, kMeasure, kPatient, kExhaustive };

struct SearchOptions {
  Effort effort = Effort::kMeasure;
  double time_limit_seconds = 1.0;
  ErrorLevel error_level = ErrorLevel::kPredicted;  // a max_error of the problem asks for sampled by itself
  const CostTable* costs = nullptr;                 // null: shipped
  std::shared_ptr<Team> team;                       // executes candidates of more than one thread; null: none are tried
  // fraction in 0..1 and the recipe about to be timed; returning false cancels.
  std::function<bool(double, const std::string&)> progress;
  Clock clock = steady_clock();
};

// `problem` has passed check(). Throws PlanError: no strategy for a length, cancelled, ...
std::unique_ptr<ulpfft_plan> search_plan(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options);

// Candidates of every dimension, cheapest predicted first: what estimate effort chooses from. For tests and tools.
std::vector<std::vector<Candidate>> predicted_candidates(const Problem& problem, const CodeletTable& codelets);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_H_
