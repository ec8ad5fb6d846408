// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Timing by turns: contenders for one problem alternate round by round on the same arrays, so that drift of clock and
// neighbours falls on all of them.
//
// Clock    processor time of the thread for work on one thread: what other processes take of the core is not counted, and on an
//          idle core it equals wall time. Wall time for several threads. What reading the clock costs is subtracted.
// Values   medians over the rounds; spread = median absolute deviation over the median.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_TIMING_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_TIMING_H_

#include <sched.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ulpfft_tool::bench {

// A planned transform of fixed arrays, executed `repeats` times per call, so that the loop lies next to the work.
class Contender {
 public:
  virtual ~Contender() = default;
  virtual void run(std::int64_t repeats) = 0;
};

class Stopwatch {
 public:
  explicit Stopwatch(bool one_thread);
  double seconds_of(Contender& contender, std::int64_t repeats) const;

 private:
  double now() const;
  bool one_thread_;
  double overhead_ = 0;
};

struct Estimate {
  double value = 0;
  double spread = 0;
};

Estimate median_of(std::vector<double> values);
double geometric_mean(const std::vector<double>& values);
double wall_seconds();

struct TurnSettings {
  double budget_seconds = 0.5;          // for all rounds; 9 rounds are timed even where they take longer
  std::int64_t most_repeats = 0;        // without a refresh; 0: any number
  std::function<void()> refresh;        // restores the input
  bool one_thread = true;
};

// Seconds of one execution: samples[contender][round], 9 to 51 rounds, each of enough repeats for 50 us.
std::vector<std::vector<double>> take_turns(const std::vector<Contender*>& contenders, const TurnSettings& settings);

// Seconds of one execution by five samples: to choose between plans of one library.
double quick_seconds(Contender& contender, const TurnSettings& settings);

// Keeps the calling thread on the CPU it runs on, until destroyed.
class Pin {
 public:
  Pin();
  ~Pin();
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;
  int cpu() const { return cpu_; }  // -1: the system refuses

 private:
  cpu_set_t before_;
  int cpu_ = -1;
};

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_TIMING_H_
