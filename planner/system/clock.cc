// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/system/clock.h"

#include <time.h>

#include <chrono>

namespace ulpfft {

Clock steady_clock() {
  return [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
}

Clock thread_clock() {
  return [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
}

}  // namespace ulpfft
