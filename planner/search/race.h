// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Recipes for one problem, timed against each other in heats.
//
// Every heat has the fastest recipe so far in it, timed in the same rounds, and all its times are multiplied so that this one keeps its
// seconds: times of different heats compare although the machine's pace changes between them. The final times the best few once more,
// for longer, and the pace of that is the pace of all. Those that it does not tell from the fastest get the time of the fastest; of these
// the cheapest predicted comes first.
#ifndef ULPFFT_PLANNER_SEARCH_RACE_H_
#define ULPFFT_PLANNER_SEARCH_RACE_H_

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "planner/search/planning.h"

namespace ulpfft {

class Race {
 public:
  // `planning` is kept. Of a batch whose arrays are several times the caches a part is timed.
  Race(Planning& planning, const Problem& problem);

  // Takes part from now on, untimed; false when the recipe is known with this number of threads.
  bool add(Candidate candidate);
  // Times these, by their index, until this share of the time limit is used up; the first one beside the best so far in any case with
  // `force`, in as few executions as tell them apart.
  void heat(const std::vector<std::size_t>& entrants, double share, bool force = false);
  // Times the fastest `count` (of those within a tenth of the fastest), `also`, the cheapest predicted, and what was the fastest before,
  // once more, in more rounds. Nothing is timed afterwards.
  void finish(std::size_t count, const std::vector<std::size_t>& also, double share);

  // The first timing happens whatever the share, unless it is predicted to take a millisecond and to end beyond the limit of the
  // whole planning and a tenth.
  void force_first() { forced_ = true; }
  // What enters next was built before: its tables exist, and building it again costs little of the time left.
  void expect_known_tables() { last_build_ = 0; }
  // Untimed: an array is too large.
  bool can_time() const { return can_time_; }
  // Indices are kept until sorted() ends the race.
  const std::vector<Candidate>& candidates() const { return candidates_; }
  // Timed ones, fastest first.
  std::vector<std::size_t> ranking() const;
  // Timed before untimed, each fastest first.
  std::vector<Candidate> sorted();

 private:
  static constexpr std::size_t kNone = SIZE_MAX;
  bool force_first_execution() const { return forced_ && best_ == kNone; }
  std::vector<Timing> time(const std::vector<const ulpfft_plan*>& plans, const std::vector<std::size_t>& running, TimingLimits limits,
                           double seconds);
  std::vector<std::size_t> finalists(std::size_t count, const std::vector<std::size_t>& also) const;

  Planning& planning_;
  Problem slice_;
  double part_ = 1;  // of the problem that is timed
  bool can_time_;
  bool forced_ = false;
  PlanTimer timer_;
  std::vector<Candidate> candidates_;
  std::set<std::pair<std::string, int>> known_;
  std::size_t best_ = kNone;
  std::vector<std::size_t> dethroned_;
  std::unique_ptr<ulpfft_plan> best_plan_;
  double last_build_ = 0;  // seconds: the first one makes roots for all
};

// A choice by its error that no heat had timed, timed whatever is left of the time limit.
void time_alone(Planning& planning, const Problem& problem, Candidate& candidate);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_RACE_H_
