// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What one planning shares: codelets, tables, the clock and the caller's progress callback.
#ifndef ULPFFT_PLANNER_SEARCH_PLANNING_H_
#define ULPFFT_PLANNER_SEARCH_PLANNING_H_

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner/search/search.h"
#include "planner/strategy/node_ranker.h"
#include "wisdom/error.h"

namespace ulpfft {

// Thrown where something that has a deadline is not done by then; caught by whoever set it.
struct OutOfTime {};
// Thrown where the caller cancels. No PlanError: those are often no more than the end of one recipe.
struct Cancelled {};
// Runs `body`; Cancelled becomes a PlanError (ULPFFT_CANCELLED).
template <typename Body>
auto hearing_cancel(const Body& body) {
  try {
    return body();
  } catch (const Cancelled&) {
    throw PlanError(ULPFFT_CANCELLED, "progress", "Planning was cancelled by the progress callback.");
  }
}

class Planning {
 public:
  // References are kept. Time runs from here on.
  Planning(const CodeletTable& codelets, const SearchOptions& options);
  Planning(const Planning&) = delete;
  Planning& operator=(const Planning&) = delete;

  // Fills in what a recipe is predicted to take and to err by; false when it cannot be built, or is no choice here (workspace_limit.h).
  // `candidate.threads` becomes what the steps can be cut for, and the recipe that of what runs: without twiddle forms that are standard here,
  // and without 'decode' and 'encode' where passes do not convert.
  bool predict(const Problem& problem, Candidate& candidate);
  // Why the last recipe that could not be built could not; empty without one.
  const std::string& refusal() const { return refusal_; }
  // Whether it, or one before it, could be built but for its size.
  bool refused_for_size() const { return too_large_.has_value(); }
  [[noreturn]] void refuse_size() const { throw *too_large_; }
  // Executes on the team when the candidate has several threads.
  std::unique_ptr<ulpfft_plan> build(const Problem& problem, const Candidate& candidate);
  // What counts the work of everything that takes long: asks the caller, at most every kAskSeconds, and looks at the deadline.
  Poll& poll() { return cache_.roots.poll; }
  // While one exists, whatever is polled throws OutOfTime once `share` of the time limit is used up.
  class Deadline {
   public:
    Deadline(Planning& planning, double share) : planning_(planning), before_(planning.deadline_) {
      planning.deadline_ = std::min(before_, planning.begin_ + share * planning.options.time_limit_seconds);
    }
    ~Deadline() { planning_.deadline_ = before_; }
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;

   private:
    Planning& planning_;
    double before_;
  };
  // Forgets tables that no plan uses while all tables together exceed what a search may keep.
  void trim_tables();

  double now() const { return options.clock(); }
  // Seconds until this share of the time limit is used up, at least 0; shares are of the whole planning.
  double left(double share) const;
  // Predictions have so many seconds from now on; then they stop as soon as there is something, or, where there is something already,
  // at once. Of a deterministic plan they have as many as they take: a choice that is to be the same everywhere must not depend on how
  // fast candidates are predicted.
  void predict_for(double seconds, bool have_some) {
    predict_for_ = seconds;
    predict_until_ = now() + seconds;
    when_late_ = have_some ? Hurry::kStop : Hurry::kFirstWillDo;
  }
  // From now on predictions have as many seconds as they take, and know nothing of those that were cut short.
  void take_time();
  // What is proposed by then is still predicted for as long again.
  bool too_late() const { return !options.deterministic && now() > predict_until_ + predict_for_; }
  Hurry hurry() const { return !options.deterministic && now() > predict_until_ ? when_late_ : Hurry::kNo; }
  // Reports progress before something about this recipe takes time, and while it does. Throws Cancelled.
  void report(const Recipe& recipe);
  // Progress is at least here: a phase ended early.
  void reached(double fraction) { fraction_ = std::max(fraction_, fraction); }

  const CodeletTable& codelets;
  const SearchOptions& options;
  NodeRanker& ranker() { return *ranker_; }
  // What predictions go by: `codelets`, or for deterministic plans a table every build has.
  const CodeletTable& predicted_codelets() const { return predicted_codelets_; }

 private:
  void ask();
  void tell();

  // By the part of the points that its steps let threads share.
  double seconds_on_threads(const Program& program, double seconds_on_one) const;

  std::vector<CodeletInfo> everywhere_;  // of deterministic plans
  CodeletTable predicted_codelets_;
  std::optional<CostTable> shipped_;     // of deterministic plans
  const CostTable* costs_;
  TableCache cache_;
  std::optional<NodeRanker> ranker_;
  std::string refusal_;
  std::optional<PlanError> too_large_;  // of the smallest
  double least_bytes_ = INFINITY;
  double begin_ = 0;
  double predict_for_ = INFINITY;
  double predict_until_ = INFINITY;
  Hurry when_late_ = Hurry::kFirstWillDo;
  double deadline_ = INFINITY;
  double fraction_ = 0;  // reported so far; never falls
  double told_ = 0;      // when
  std::string what_;     // the recipe last reported
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_PLANNING_H_
