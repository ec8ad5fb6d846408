// Times plans on the library's own buffers, alternating between them.
#ifndef ULPFFT_PLANNER_MEASURE_H_
#define ULPFFT_PLANNER_MEASURE_H_

#include <functional>
#include <vector>

#include "planner/plan.h"

namespace ulpfft {

// Seconds since some start; replaced by tests.
using Clock = std::function<double()>;
Clock steady_clock();

struct Timing {
  double seconds = 0;  // median of one execution
  double spread = 0;   // relative median absolute deviation
};

// Every round times each plan once, so slow phases of the machine hit all of them alike; plans far behind the best drop out. All
// plans solve `problem`. `keep_going(fraction)` is asked between measurements; false stops and keeps what was timed (seconds 0: never).
std::vector<Timing> time_plans(const Problem& problem, const std::vector<const ulpfft_plan*>& plans, const Clock& clock, double limit_seconds,
                               const std::function<bool(std::size_t)>& keep_going);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_MEASURE_H_
