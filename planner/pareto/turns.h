// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Times of plans on arrays that they share: of one alone, and of several by turns, so that drift of clock and neighbours falls on all.
//
// Clock    processor time of the thread for plans on one thread, else wall time. The time that reading the clock takes is subtracted.
// Values   medians; spread = median absolute deviation over the median.
#ifndef ULPFFT_PLANNER_PARETO_TURNS_H_
#define ULPFFT_PLANNER_PARETO_TURNS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "planner/convert/side.h"
#include "planner/plan/plan.h"
#include "planner/system/clock.h"

namespace ulpfft {

// A plan with its arrays.
struct Contender {
  std::unique_ptr<ulpfft_plan> plan;
  ArrayAddress in, out;
};

struct TimeEstimate {
  double seconds = 0;
  double spread = 0;
};
TimeEstimate estimate_of(const std::vector<double>& samples);

class Turns {
 public:
  // Keeps the poll, which long executions ask.
  Turns(bool one_thread, Poll& poll);

  // A few samples.
  TimeEstimate alone(const Contender& contender) const;
  // Seconds of one execution by contender and round: 9 to 51 rounds that take about `budget` seconds together. `enough` is asked
  // between samples; where it returns true there are fewer rounds, or none, and every contender has equally many.
  std::vector<std::vector<double>> all(const std::vector<Contender>& contenders, double budget,
                                       const std::function<bool()>& enough) const;

 private:
  double sample(const Contender& contender, std::int64_t repeats) const;  // seconds of all of them
  std::int64_t repeats_for(const Contender& contender, double seconds) const;

  Clock clock_;
  Poll& poll_;
  double overhead_ = 0;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PARETO_TURNS_H_
