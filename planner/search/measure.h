// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Times plans on the library's own arrays, alternating between them.
#ifndef ULPFFT_PLANNER_SEARCH_MEASURE_H_
#define ULPFFT_PLANNER_SEARCH_MEASURE_H_

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "planner/judge/problem_slice.h"
#include "planner/judge/stored_array.h"
#include "planner/plan/plan.h"
#include "planner/system/clock.h"

namespace ulpfft {

struct Timing {
  // Median of one execution. For plans after the first it is the first plan's median times the ratio of the two (round_ratio.h).
  double seconds = 0;
  double spread = 0;   // relative median absolute deviation
  double doubt = 0;    // relative standard error of the ratio to the first plan
};

struct TimingLimits {
  double seconds = 0;       // exceeded by at most one execution
  int rounds = 7;           // on average over the plans; rounds that a plan leaves when it drops out go to the other plans
  int most_rounds = 7;      // of one plan
  double apart = 0.1;       // a plan drops out when it certainly takes longer than the best by more than this part
  bool force_first = true;  // the first plan is timed whatever the limit
  const Clock* work_clock = nullptr;  // where all plans have one thread, see SearchOptions; null: the clock of the limit
};

// Bytes of the largest arrays that are timed at all.
inline constexpr std::int64_t kLargestTimed = std::int64_t{1} << 30;
// Bytes of arrays that tell recipes of a larger batch apart: several times the caches.
inline constexpr std::int64_t kEnoughTimed = std::int64_t{1} << 27;
// Points of a batch that one execution computes while it is timed: about 5 ms of an array beyond the caches, beside which a call is nothing.
inline constexpr std::int64_t kPointsTimed = std::int64_t{1} << 20;
// From this many bytes of arrays on. What the caches keep of smaller ones depends on the plan that ran before: beside 32 MiB of L3 and with
// other plans between its executions, 18*175616 f32 (48 MiB) seemed to gain by streaming and took 1.8 times as long by itself.
inline constexpr double kSlicedFrom = 96 << 20;

// The most bytes of arrays with which this problem is timed: kLargestTimed, or a quarter of the
// memory that this process may use if that is less.
std::int64_t largest_timed(const Problem& problem);

// The arrays on which plans of one problem are timed. They are made when they are first used.
class PlanTimer {
 public:
  explicit PlanTimer(TimingSlice slice) : slice_(std::move(slice)) {}
  explicit PlanTimer(const Problem& problem) : PlanTimer(TimingSlice(problem)) {}

  // All plans solve the problem of the slice, on one backend. Executions take the places of the slice by turns, whatever plan they are of. Every round times each plan once, for 12 us or one execution. Plans behind the best drop
  // out. The last round is the one after which all others are known well enough. `keep_going(index)` is asked between measurements; false
  // ends the timing and keeps the times so far (seconds 0: never timed).
  std::vector<Timing> time(const std::vector<const ulpfft_plan*>& plans, const Clock& clock, const TimingLimits& limits,
                           const std::function<bool(std::size_t)>& keep_going, Poll* poll = nullptr);
  // Of the arrays of a problem, and the factors of its chain.
  static double bytes_of(const Problem& problem);
  // Predicted seconds before the arrays are made; 0 afterwards.
  double seconds_to_make_arrays() const;

 private:
  void make_arrays(const Memory& memory, Poll* poll);

  const Problem& arrays() const { return slice_.arrays; }

  TimingSlice slice_;
  std::size_t turn_ = 0;  // executions so far
  bool made_ = false;
  std::optional<OwnArray> in_, out_;
  std::optional<SharedBytes> factors_;  // of chains that multiply
};

// Times plans once, on arrays that are made for this call.
std::vector<Timing> time_plans(const Problem& problem, const std::vector<const ulpfft_plan*>& plans, const Clock& clock,
                               double limit_seconds, const std::function<bool(std::size_t)>& keep_going);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_MEASURE_H_
