// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A planning whose clock and memory are watched: processor seconds of its own code, so that a loaded machine does not decide, and the bytes
// that it has allocated at a time (failing_malloc.h).
#ifndef ULPFFT_TESTS_ROBUST_WATCHED_PLANNING_H_
#define ULPFFT_TESTS_ROBUST_WATCHED_PLANNING_H_

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/support/failing_malloc.h"
#include "tests/support/api.h"

namespace ulpfft::test {

// Without the seconds of the system: a page fault may take long where it must find 2 MiB first, whoever plans.
inline double own_seconds() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

struct Watched {
  ulpfft_status status = ULPFFT_OK;
  std::string message;
  PlanPtr plan;
  double seconds = 0;
  double longest = 0;       // seconds between two questions, or before the first or after the last
  bool cancelled = false;
  std::int64_t peak = 0;    // bytes
};

// `cancel_after` seconds from its begin the caller wants it to stop; below 0: never.
inline Watched watch(ulpfft_context* context, const std::string& problem, int effort, double limit, double cancel_after,
                     std::uint64_t max_memory) {
  struct Caller {
    double begin, last, longest, cancel_after;
    bool cancelled;
    static int hear(void* user, double, const char*) {
      Caller& caller = *static_cast<Caller*>(user);
      const double now = own_seconds();
      caller.longest = std::max(caller.longest, now - caller.last);
      caller.last = now;
      caller.cancelled = caller.cancel_after >= 0 && now - caller.begin >= caller.cancel_after;
      return caller.cancelled ? 1 : 0;
    }
  };
  Watched result;
  const double begin = own_seconds();
  Caller caller{begin, begin, 0, cancel_after, false};
  auto options = sized<ulpfft_plan_options>();
  options.effort = effort;
  options.time_limit_seconds = limit;
  options.max_memory = max_memory;
  options.progress = &Caller::hear;
  options.progress_user = &caller;
  ulpfft_plan* plan = nullptr;
  {
    const Allocations memory;
    result.status = ulpfft_plan_parse_options(context, problem.c_str(), &options, &plan);
    result.peak = memory.peak_bytes();
  }
  const double end = own_seconds();
  result.plan.reset(plan);
  result.seconds = end - begin;
  result.longest = std::max(caller.longest, end - caller.last);
  result.cancelled = caller.cancelled;
  if (result.status != ULPFFT_OK) result.message = last_error_text();
  return result;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_ROBUST_WATCHED_PLANNING_H_
