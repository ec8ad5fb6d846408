// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The state that one planning shares: codelets, tables, the clock and the caller's progress callback.
#ifndef ULPFFT_PLANNER_SEARCH_PLANNING_H_
#define ULPFFT_PLANNER_SEARCH_PLANNING_H_

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner/cost/streams_from.h"
#include "planner/search/search.h"
#include "planner/strategy/node_ranker.h"
#include "wisdom/error.h"

namespace ulpfft {

// Thrown when a deadline has passed; the code that set the deadline catches it.
struct OutOfTime {};
// Thrown when the caller cancels. It is no PlanError, because a PlanError often ends only the work on one recipe.
struct Cancelled {};
// Runs `body` and turns Cancelled into a PlanError (ULPFFT_CANCELLED).
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
  // Keeps the references. The time limit begins here.
  Planning(const CodeletTable& codelets, const SearchOptions& options);
  Planning(const Planning&) = delete;
  Planning& operator=(const Planning&) = delete;

  // Fills in the predicted time and error of a recipe; false when it cannot be built, has too long a text, or is no choice here
  // (workspace_limit.h).
  // `candidate.threads` becomes the number of threads that the steps can be cut for. The recipe becomes the one that runs: it loses twiddle
  // forms that are standard here, and 'decode' and 'encode' where passes do not convert.
  bool predict(const Problem& problem, Candidate& candidate);
  // Why the last refused recipe could not be built; empty if none was refused.
  const std::string& refusal() const { return refusal_; }
  // Bytes of the shortest text that was too long; 0: none was.
  std::size_t shortest_refused_text() const { return shortest_refused_text_; }
  // Whether some recipe was refused only for its size.
  bool refused_for_size() const { return too_large_.has_value(); }
  [[noreturn]] void refuse_size() const { throw *too_large_; }
  // The plan as a program, without tables and workspace. Throws PlanError.
  Program outline(const Problem& problem, const Candidate& candidate) {
    return make_program(problem, candidate.recipe, {codelets_of(candidate), candidate.threads}, cache_);
  }
  // The plan executes on the team when the candidate has several threads.
  std::unique_ptr<ulpfft_plan> build(const Problem& problem, const Candidate& candidate);
  const CodeletTable& codelets_of(const Candidate& candidate) const {
    return candidate.codelets != nullptr ? *candidate.codelets : codelets;
  }
  // Builds candidates[chosen]. The plan gets all candidates, the chosen one first, and its times
  // and error. `level` tells how the error was found.
  std::unique_ptr<ulpfft_plan> build_chosen(const Problem& problem, std::vector<Candidate> candidates, std::size_t chosen,
                                            ErrorLevel level);

  // Counts the work of every long loop. It asks the caller at most every kAskSeconds, and looks at the deadline.
  Poll& poll() { return cache_.roots.poll; }
  // While a Deadline exists, polled loops throw OutOfTime once `share` of the time limit is used up.
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
  // Forgets all of them where the caller limits memory.
  void make_room();

  double now() const { return options.clock(); }
  // Seconds until this share of the time limit is used up, at least 0. The time limit is that of the whole planning.
  double left(double share) const;
  // Gives predictions this many seconds from now on. Then they stop at once if there is a candidate already (`have_some`), else after the
  // first one. Predictions of deterministic plans have no limit: a choice that is to be the same everywhere must not depend on how fast
  // candidates are predicted.
  void predict_for(double seconds, bool have_some) {
    predict_for_ = seconds;
    predict_until_ = now() + seconds;
    when_late_ = have_some ? Hurry::kStop : Hurry::kFirstWillDo;
  }
  // Lifts the limit of predict_for(). Rankings that were cut short are forgotten.
  void take_time();
  // Recipes that were proposed in time are predicted for as long again. This tells when that time is over as well.
  bool too_late() const { return !options.deterministic && now() > predict_until_ + predict_for_; }
  Hurry hurry() const { return !options.deterministic && now() > predict_until_ ? when_late_ : Hurry::kNo; }
  // Reports progress before and during long work on this recipe. Throws Cancelled.
  void report(const Recipe& recipe);
  // Raises the progress to at least this fraction, for a phase that ended early.
  void reached(double fraction) { fraction_ = std::max(fraction_, fraction); }

  const CodeletTable& codelets;
  const SearchOptions& options;
  NodeRanker& ranker() { return *ranker_; }
  // The table that predictions use: `codelets`, or for deterministic plans a table that every build has.
  const CodeletTable& predicted_codelets() const { return predicted_codelets_; }
  // Of the machine that predictions are for.
  const StreamsFrom& streams_from() const { return streams_from_; }

 private:
  void forget_unused_tables();
  void ask();
  void tell();

  // The time on all threads of the plan, from the part of the points whose passes threads share.
  static double seconds_on_threads(const Program& program, const CodeletTable& codelets, double seconds_on_one);

  std::vector<CodeletInfo> everywhere_;  // the codelets that every build has; deterministic plans only
  CodeletTable predicted_codelets_;
  std::optional<CostTable> shipped_;  // deterministic plans only
  const CostTable* costs_;
  StreamsFrom streams_from_;
  TableCache cache_;
  std::optional<NodeRanker> ranker_;
  std::string refusal_;
  std::size_t shortest_refused_text_ = 0;
  std::optional<PlanError> too_large_;  // the error of the smallest recipe that was refused for its size
  double least_bytes_ = INFINITY;       // bytes of that recipe, or of its workspace where the problem limits it
  double begin_ = 0;
  double predict_for_ = INFINITY;
  double predict_until_ = INFINITY;
  Hurry when_late_ = Hurry::kFirstWillDo;
  double deadline_ = INFINITY;
  double fraction_ = 0;  // progress reported so far; never falls
  double told_ = 0;      // the time of the last report
  std::string what_;     // the recipe that was reported last
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_PLANNING_H_
