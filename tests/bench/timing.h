// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Timing by alternation: two subjects take turns, so that drift of clock and neighbours falls on both.
//
// Batches are timed in processor time of the thread: what other processes take of the core is not counted. On an idle core it
// equals wall time.
#ifndef ULPFFT_TESTS_BENCH_TIMING_H_
#define ULPFFT_TESTS_BENCH_TIMING_H_

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

#include <sched.h>
#include <time.h>

namespace ulpfft::bench {

// Wall time, for planning.
inline double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Stays on one core; false where the system does not let us.
inline bool pin(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

template <typename Work>
double seconds_of(const Work& work, std::int64_t repeats) {
  const double start = thread_seconds();
  for (std::int64_t i = 0; i < repeats; ++i) work();
  return thread_seconds() - start;
}

// Repeats that take `target` seconds or more.
template <typename Work>
std::int64_t calibrate(const Work& work, double target) {
  std::int64_t repeats = 1;
  for (;;) {
    const double took = seconds_of(work, repeats);
    if (took >= target) return repeats;
    const double factor = took > 0 ? 1.2 * target / took : 100;
    repeats = std::max(repeats + 1, static_cast<std::int64_t>(static_cast<double>(repeats) * std::min(factor, 100.0)));
  }
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Median absolute deviation, relative to the median.
inline double spread(const std::vector<double>& values) {
  const double middle = median(values);
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - middle));
  return median(deviations) / middle;
}

struct Comparison {
  double first_seconds = 0;   // medians, of one execution
  double second_seconds = 0;
  double ratio = 0;           // second / first: median over the alternations
  double ratio_spread = 0;
};

template <typename First, typename Second>
Comparison alternate(const First& first, const Second& second, int alternations, double batch_seconds) {
  const std::int64_t first_repeats = calibrate(first, batch_seconds);
  const std::int64_t second_repeats = calibrate(second, batch_seconds);
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> ratios;
  for (int i = 0; i < alternations; ++i) {
    a.push_back(seconds_of(first, first_repeats) / static_cast<double>(first_repeats));
    b.push_back(seconds_of(second, second_repeats) / static_cast<double>(second_repeats));
    ratios.push_back(b.back() / a.back());
  }
  return {median(a), median(b), median(ratios), spread(ratios)};
}

}  // namespace ulpfft::bench

#endif  // ULPFFT_TESTS_BENCH_TIMING_H_
