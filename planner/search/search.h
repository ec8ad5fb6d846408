// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From a problem to a plan: the search proposes recipes, predicts and times them, and keeps the fastest within the error limit.
//
// The dimensions of a problem are independent sweeps. So each is searched as a problem of its own, one line with all other dimensions as
// loops, and the best nodes are combined. Whole recipes are timed at the end, on one thread and on several.
//   estimate     takes the cheapest predicted recipe.
//   measure      times the cheapest predicted recipes, at least one of every strategy, and the best in other twiddle forms.
//   patient      does all of measure, times wider proposals of the strategies, and then the recipes that are one change away
//                from the best, as long as one of them is better.
//   exhaustive   does all of patient with everything that the strategies can propose.
// With an error limit the search takes the fastest recipe whose sampled error keeps it. Where the problem names no scheme, or no narrow
// storage between passes, all schemes and storages that may pay compete (candidates.h).
#ifndef ULPFFT_PLANNER_SEARCH_SEARCH_H_
#define ULPFFT_PLANNER_SEARCH_SEARCH_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "planner/cost/cost_table.h"
#include "planner/plan/memory_need.h"
#include "planner/plan/plan.h"
#include "planner/search/measure.h"

namespace ulpfft {

enum class Effort { kEstimate, kMeasure, kPatient, kExhaustive };

struct SearchOptions {
  Effort effort = Effort::kMeasure;
  double time_limit_seconds = 1.0;  // for everything but the last build; kept within 10 % and one measurement
  ErrorLevel error_level = ErrorLevel::kPredicted;  // a max_error of the problem, and a judge, raise it to sampled
  MemoryLimit memory;                               // for tables and workspace of each recipe
  std::size_t recipe_bytes = kMaxRecipeText;        // of the text of each recipe
  const ArrayAddress* judge = nullptr;              // an input array whose error counts instead of that of random data; only read
  const CostTable* costs = nullptr;                 // null: the shipped costs
  std::shared_ptr<Team> team;                       // executes candidates of more than one thread; null: none are tried
  // The choice is an estimate by the shipped costs of an ordinary machine. Clock, codelets and CPUs of this machine do not change it.
  bool deterministic = false;
  // Takes a fraction in 0..1 and the recipe that is timed next. It returns false to cancel.
  std::function<bool(double, const std::string&)> progress;
  Clock clock = steady_clock();
  // Times plans on one thread, without the time in which other programs have the core. Empty: `clock` does.
  Clock work_clock;
};

// `problem` has passed check(). Throws PlanError: no strategy for a length, no recipe within max_error, cancelled, ...
std::unique_ptr<ulpfft_plan> search_plan(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options);

// The choice of estimate effort; no tables are made. Throws PlanError.
Candidate estimated_recipe(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options);

// What estimate effort chooses among, its choice first. Not of a chain.
std::vector<Candidate> estimated_candidates(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options);

// estimated_recipe() and search_plan() for a chain.
Candidate estimated_chain(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options);
std::unique_ptr<ulpfft_plan> search_chain(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options);

// The candidates of every dimension among which estimate effort chooses, cheapest predicted first. For tests and tools.
std::vector<std::vector<Candidate>> predicted_candidates(const Problem& problem, const CodeletTable& codelets);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_SEARCH_H_
