// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Recipes for one problem, timed against each other in heats.
//
// The fastest recipe so far takes part in every heat, timed in the same rounds. All times of a heat are multiplied so that this recipe
// keeps its seconds: times of different heats compare although the machine's pace changes between them. The final times the best few once
// more, for longer, and its pace becomes the pace of all. Recipes that the final does not tell from the fastest get the time of the
// fastest, and the cheapest predicted of them comes first.
#ifndef ULPFFT_PLANNER_SEARCH_RACE_H_
#define ULPFFT_PLANNER_SEARCH_RACE_H_

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "planner/search/planning.h"

namespace ulpfft {

class Race {
 public:
  // Keeps `planning`. Of a large batch only a slice is timed (problem_slice.h). Seconds of candidates are those of the whole problem.
  Race(Planning& planning, const Problem& problem);

  // The candidate takes part from now on, untimed. False when its recipe is known with this number of threads and these
  // codelets.
  bool add(Candidate candidate);
  // Times the candidates of these indices until this share of the time limit is used up. With `force` the first of them is timed beside the
  // best so far in any case, in the fewest executions that tell the two apart.
  void heat(const std::vector<std::size_t>& entrants, double share, bool force = false);
  // The final: times up to `count` recipes within a tenth of the fastest, `also`, the cheapest predicted, and the recipes that were the
  // fastest before, once more and in more rounds. Nothing is timed afterwards.
  void finish(std::size_t count, const std::vector<std::size_t>& also, double share);

  // The first timing happens whatever the share, unless it is predicted to take a millisecond and to end beyond the limit of the
  // whole planning and a tenth.
  void force_first() { forced_ = true; }
  // Says that the next candidates were built before: their tables exist, and building them again takes little of the time left.
  void expect_known_tables() { last_build_ = 0; }
  // False where an array is too large to be timed.
  bool can_time() const { return can_time_; }
  // Indices are kept until sorted() ends the race.
  const std::vector<Candidate>& candidates() const { return candidates_; }
  // Indices of the timed candidates, fastest first.
  std::vector<std::size_t> ranking() const;
  // Timed candidates before untimed ones, both fastest first. Frees the plan and the arrays that were kept.
  std::vector<Candidate> sorted();

 private:
  static constexpr std::size_t kNone = SIZE_MAX;
  struct Lineup;

  // Builds the plans of the next heat and moves `next` behind the entrants that were taken. No entrants are built where no time is left.
  Lineup line_up(const std::vector<std::size_t>& entrants, std::size_t& next, double share, bool force);
  // Keeps the times of a heat, and its fastest plan if that is the best of all.
  void record(Lineup& lineup, const std::vector<Timing>& timings);
  bool force_first_execution() const { return forced_ && best_ == kNone; }
  std::vector<Timing> time(const std::vector<const ulpfft_plan*>& plans, const std::vector<std::size_t>& running, TimingLimits limits,
                           double seconds);
  // Whether plans of so many bytes fit the caller's limit of memory, beside the arrays on which they are timed and tables that are kept.
  bool has_room(double bytes_of_plans) const;
  std::vector<std::size_t> finalists(std::size_t count, const std::vector<std::size_t>& also) const;

  Planning& planning_;
  TimingSlice slice_;
  bool can_time_;
  bool forced_ = false;
  double arrays_ = 0;  // bytes of what is timed on
  PlanTimer timer_;
  std::vector<Candidate> candidates_;
  std::set<std::tuple<std::string, int, const CodeletTable*>> known_;
  std::size_t best_ = kNone;
  std::vector<std::size_t> dethroned_;  // candidates that were the fastest of an earlier heat
  std::unique_ptr<ulpfft_plan> best_plan_;
  double last_build_ = 0;  // seconds; the first build makes the roots of all others
};

// Times a candidate that was chosen by its error and that no heat has timed, whatever is left of the time limit.
void time_alone(Planning& planning, const Problem& problem, Candidate& candidate);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_RACE_H_
