// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The time that plannings and measurements go by.
#ifndef ULPFFT_PLANNER_SYSTEM_CLOCK_H_
#define ULPFFT_PLANNER_SYSTEM_CLOCK_H_

#include <functional>

namespace ulpfft {

// Seconds since some start; replaced by tests.
using Clock = std::function<double()>;
Clock steady_clock();

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SYSTEM_CLOCK_H_
