// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Times plans on the library's own buffers, alternating between them.
#ifndef ULPFFT_PLANNER_SEARCH_MEASURE_H_
#define ULPFFT_PLANNER_SEARCH_MEASURE_H_

#include <functional>
#include <optional>
#include <vector>

#include "planner/judge/problem_slice.h"
#include "planner/judge/stored_array.h"
#include "planner/plan/plan.h"
#include "planner/system/clock.h"

namespace ulpfft {

struct Timing {
  double seconds = 0;  // median of one execution; of plans after the first the first one's times the ratio of both (round_ratio.h)
  double spread = 0;   // relative median absolute deviation
  double doubt = 0;    // relative standard error of the ratio to the first plan
};

struct TimingLimits {
  double seconds = 0;       // kept within one execution
  int rounds = 7;           // on average over the plans: what those that drop out leave, the others have,
  int most_rounds = 7;      // up to so many each
  double apart = 0.1;       // what certainly takes longer than the best by more than this part drops out; what differs by less stays
  bool force_first = true;  // the first plan is timed whatever the limit
};

// Bytes of arrays: what can be timed at all, and what tells recipes of a larger batch apart, being several times the caches.
inline constexpr std::int64_t kLargestTimed = std::int64_t{1} << 30;
inline constexpr std::int64_t kEnoughTimed = std::int64_t{1} << 27;

// The most that arrays may have for a problem to be timed: kLargestTimed, and a quarter of what this process may use.
std::int64_t largest_timed(const Problem& problem);

// The arrays that plans of one problem are timed on, made when first used.
class PlanTimer {
 public:
  explicit PlanTimer(const Problem& problem) : problem_(problem) {}

  // Every round times each plan once, for 20 us or one execution; plans behind the best drop out, and there is no further round when
  // all others are known well enough. All plans solve the problem. `keep_going(index)` is asked between measurements; false stops and keeps
  // what was timed (seconds 0: never).
  std::vector<Timing> time(const std::vector<const ulpfft_plan*>& plans, const Clock& clock, const TimingLimits& limits,
                           const std::function<bool(std::size_t)>& keep_going, Poll* poll = nullptr);
  // Predicted, before they are made; 0 afterwards.
  double seconds_to_make_arrays() const;

 private:
  void make_arrays(Poll* poll);

  Problem problem_;
  bool made_ = false;
  std::optional<OwnArray> in_, out_;
  std::optional<AlignedBuffer> factors_;  // of chains that multiply
};

// The same for one time only.
std::vector<Timing> time_plans(const Problem& problem, const std::vector<const ulpfft_plan*>& plans, const Clock& clock, double limit_seconds,
                               const std::function<bool(std::size_t)>& keep_going);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_MEASURE_H_
