// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The clock of plannings and measurements.
#ifndef ULPFFT_PLANNER_SYSTEM_CLOCK_H_
#define ULPFFT_PLANNER_SYSTEM_CLOCK_H_

#include <functional>

namespace ulpfft {

// Seconds since some start. Tests pass a clock of their own.
using Clock = std::function<double()>;
Clock steady_clock();
// Processor time of the calling thread.
Clock thread_clock();

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SYSTEM_CLOCK_H_
