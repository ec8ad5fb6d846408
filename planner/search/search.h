// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From a problem to a plan: proposes recipes, predicts, times, keeps the fastest within the error limit.
//
// The dimensions of a problem are independent sweeps, so each is searched as a problem of its own (its line, all others as loops)
// and the best nodes are put together; whole recipes are timed at the end, on one thread and on several.
//   estimate     the cheapest predicted recipe
//   measure      the cheapest predicted ones timed, at least one of every strategy; the best in other twiddle forms
//   patient      all that, then the strategies' wider proposals and, as long as something improves, what is one change away from the best
//   exhaustive   all that, with everything the strategies can propose
// With an error limit, the fastest recipe whose sampled error keeps it; where the problem names no scheme or no narrow storage between
// passes, all that may pay compete (candidates.h).
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
  double time_limit_seconds = 1.0;  // of all but the last build; kept within 10 % and one measurement
  ErrorLevel error_level = ErrorLevel::kPredicted;  // a max_error of the problem, and a judge, ask for sampled by themselves
  MemoryLimit memory;                               // of tables and workspace of each recipe looked at
  const ArrayAddress* judge = nullptr;              // an input array whose error counts instead of that of random data; only read
  const CostTable* costs = nullptr;                 // null: shipped
  std::shared_ptr<Team> team;                       // executes candidates of more than one thread; null: none are tried
  // Estimate effort by the shipped costs of an ordinary machine, untouched by clock, codelets and CPUs of this one.
  bool deterministic = false;
  // fraction in 0..1 and the recipe about to be timed; returning false cancels.
  std::function<bool(double, const std::string&)> progress;
  Clock clock = steady_clock();
};

// `problem` has passed check(). Throws PlanError: no strategy for a length, no recipe within max_error, cancelled, ...
std::unique_ptr<ulpfft_plan> search_plan(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options);

// What estimate effort chooses, without its tables. Throws PlanError.
Candidate estimated_recipe(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options);

// Of a chain; what search_plan() does with one.
std::unique_ptr<ulpfft_plan> search_chain(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options);

// Candidates of every dimension, cheapest predicted first: what estimate effort chooses from. For tests and tools.
std::vector<std::vector<Candidate>> predicted_candidates(const Problem& problem, const CodeletTable& codelets);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_SEARCH_H_
