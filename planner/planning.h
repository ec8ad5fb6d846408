// What one planning shares: codelets, tables, the clock and the caller's progress callback.
#ifndef ULPFFT_PLANNER_PLANNING_H_
#define ULPFFT_PLANNER_PLANNING_H_

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner/search.h"
#include "planner/strategy/node_ranker.h"

namespace ulpfft {

class Planning {
 public:
  // References are kept. Time runs from here on.
  Planning(const CodeletTable& codelets, const SearchOptions& options);
  Planning(const Planning&) = delete;
  Planning& operator=(const Planning&) = delete;

  // Fills in what a recipe is predicted to take and to err by; false when it cannot be built. `candidate.threads` becomes what the
  // steps can be cut for.
  bool predict(const Problem& problem, Candidate& candidate);
  // Why the last recipe that could not be built could not; empty without one.
  const std::string& refusal() const { return refusal_; }
  // Executes on the team when the candidate has several threads.
  std::unique_ptr<ulpfft_plan> build(const Problem& problem, const Candidate& candidate);
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
  // What is proposed by then is still predicted for as long again.
  bool too_late() const { return !options.deterministic && now() > predict_until_ + predict_for_; }
  Hurry hurry() const { return !options.deterministic && now() > predict_until_ ? when_late_ : Hurry::kNo; }
  // Reports progress before something about this recipe takes time. Throws PlanError (ULPFFT_CANCELLED) when the caller cancels.
  void report(const Recipe& recipe);
  // Progress is at least here: a phase ended early.
  void reached(double fraction) { fraction_ = std::max(fraction_, fraction); }

  const CodeletTable& codelets;
  const SearchOptions& options;
  NodeRanker& ranker() { return ranker_; }
  // What predictions go by: `codelets`, or for deterministic plans a table every build has.
  const CodeletTable& predicted_codelets() const { return predicted_codelets_; }

 private:
  // By the part of the points that its steps let threads share.
  double seconds_on_threads(const CompiledPlan& compiled, double seconds_on_one) const;

  std::vector<CodeletInfo> everywhere_;  // of deterministic plans
  CodeletTable predicted_codelets_;
  std::optional<CostTable> shipped_;     // of deterministic plans
  const CostTable* costs_;
  TableCache cache_;
  NodeRanker ranker_;
  std::string refusal_;
  double begin_ = 0;
  double predict_for_ = INFINITY;
  double predict_until_ = INFINITY;
  Hurry when_late_ = Hurry::kFirstWillDo;
  double fraction_ = 0;  // reported so far; never falls
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PLANNING_H_
