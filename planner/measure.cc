// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "planner/memory_need.h"

namespace ulpfft {
namespace {

constexpr double kBatchSeconds = 20e-6;  // long enough for the clock, short enough to stay inside one scheduler slice
constexpr double kBytesPerSecond = 3e9;  // of memory touched for the first time
constexpr double kDropRatio = 1.4;
constexpr std::size_t kRoundsForRatios = 5;
constexpr int kMostTries = 4;  // to find how often a batch repeats
// What another plan left in the caches is not what a caller's own last execution leaves: 1024*512 f32 seemed to gain by streaming, and lost
// a tenth. Other threads sleep after a turn without them.
constexpr double kWarmUpBelow = 5e-3;

// Of an even number the lower one: what disturbs a sample makes it longer, and after two rounds one such must not put a plan out.
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Entry {
  std::int64_t repeats = 1;
  std::vector<double> samples;
  bool active = true;
};

}  // namespace

Clock steady_clock() {
  return [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
}

bool timing_slice(const Problem& problem, std::int64_t largest, Problem& slice, double& share) {
  slice = problem;
  share = 1;
  const auto too_large = [&] {
    const Extent in = array_extent(slice, false);
    const Extent out = array_extent(slice, true);
    const std::int64_t in_bytes = in.high - in.low;
    const std::int64_t out_bytes = slice.placement == Placement::kInPlace ? 0 : out.high - out.low;
    return in_bytes > largest || out_bytes > largest || in_bytes + out_bytes > largest;
  };
  while (too_large()) {
    Dimension* longest = nullptr;
    for (Dimension& d : slice.batch) {
      if (d.length > 1 && (longest == nullptr || d.length * std::abs(d.out_stride) > longest->length * std::abs(longest->out_stride))) longest = &d;
    }
    if (longest == nullptr) return false;
    const std::int64_t half = (longest->length + 1) / 2;
    share *= static_cast<double>(half) / static_cast<double>(longest->length);
    longest->length = half;
  }
  return true;
}

std::int64_t largest_timed(const Problem& problem) {
  const double arrays = bytes_of_arrays(problem);
  if (arrays <= static_cast<double>(kEnoughTimed)) return kEnoughTimed;
  return static_cast<std::int64_t>(std::min(static_cast<double>(kLargestTimed), memory_of_process() / 4));
}

double PlanTimer::seconds_to_make_arrays() const { return made_ ? 0 : bytes_of_arrays(problem_) / kBytesPerSecond; }

void PlanTimer::make_arrays(Poll* poll) {
  if (made_) return;
  // Zeros: no overflow and no subnormals however often an array is transformed in place, and times do not depend on values.
  in_.emplace(problem_, false, poll);
  // Blocks of zeros have scales of 1: those of the least scale are a case of their own.
  const ArrayShape shape = array_shape(problem_, false);
  if (shape.storage.scale != nullptr && shape.storage.scale->bits == 8) {
    for (int part = 0; part < (shape.split ? 2 : 1); ++part) {
      char* const scales = static_cast<char*>(in_->view().address().scales[part]) + shape.scales.low;
      std::memset(scales, shape.storage.scale->bias, static_cast<std::size_t>(shape.scales.high - shape.scales.low));
    }
  }
  if (problem_.chain == "mul") factors_.emplace(2 * sizeof(double) * static_cast<std::size_t>(transform_points(problem_)), poll);
  if (problem_.placement == Placement::kOutOfPlace) out_.emplace(problem_, true, poll);
  made_ = true;
}

std::vector<Timing> PlanTimer::time(const std::vector<const ulpfft_plan*>& plans, const Clock& clock, const TimingLimits& limits,
                                    const std::function<bool(std::size_t)>& keep_going, Poll* poll) {
  const double start = clock();
  make_arrays(poll);
  std::vector<Entry> entries(plans.size());
  std::vector<Timing> timings(plans.size());
  const ArrayAddress in = in_->view().address();
  const ArrayAddress out = out_ ? out_->view().address() : in;
  ChainCall chain;
  if (factors_) chain.factors = factors_->data();
  const auto execute = [&](const ulpfft_plan& plan) { run_arrays(plan, in, out, nullptr, nullptr, &chain); };
  const auto run = [&](std::size_t i) {
    const double begin = clock();
    for (std::int64_t r = 0; r < entries[i].repeats; ++r) execute(*plans[i]);
    return (clock() - begin) / static_cast<double>(entries[i].repeats);
  };
  bool stopped = false;
  for (int round = 0; round < limits.rounds && !stopped; ++round) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (!entries[i].active) continue;
      const bool forced = limits.force_first && round == 0 && i == 0;
      const bool cools = entries[i].repeats == 1 || plans[i]->team != nullptr;
      const bool warms_up = round > 0 && cools && timings[i].seconds < kWarmUpBelow;
      const double left = limits.seconds - (clock() - start);
      // None is begun that is known to end beyond the limit.
      const double known = timings[i].seconds * static_cast<double>(entries[i].repeats) * (warms_up ? 2 : 1);
      if ((!forced && (left < 0 || left < known)) || !keep_going(i)) {
        stopped = true;
        break;
      }
      if (round == 0) {
        // The first run warms caches and pages; of long transforms it tells enough to go on. What is cold or interrupted seems long and is
        // repeated too seldom: then the batch takes too little time, and tells how often.
        double sample = run(i);
        for (int tries = 0; tries < kMostTries; ++tries) {
          if (sample > kBatchSeconds && clock() - start + sample > limits.seconds) break;
          entries[i].repeats = std::clamp<std::int64_t>(static_cast<std::int64_t>(kBatchSeconds / std::max(sample, 1e-9)), 1, 1 << 20);
          sample = run(i);
          if (sample * static_cast<double>(entries[i].repeats) >= kBatchSeconds / 2) break;
        }
        entries[i].samples.push_back(sample);
      } else {
        if (warms_up) execute(*plans[i]);
        entries[i].samples.push_back(run(i));
      }
      timings[i].seconds = median(entries[i].samples);
    }
    double best = INFINITY;
    for (const Timing& t : timings) {
      if (t.seconds > 0) best = std::min(best, t.seconds);
    }
    if (round >= 1) {
      for (std::size_t i = 0; i < plans.size(); ++i) entries[i].active = entries[i].active && timings[i].seconds < kDropRatio * best;
    }
  }
  // Where the machine changed its pace during a round, plans after the first have one sample less from before than the first has, and a
  // median may fall on the other side. Ratios to the first plan's sample of the same round do not.
  for (std::size_t i = 1; i < plans.size(); ++i) {
    if (entries[i].samples.size() < kRoundsForRatios || entries[i].samples.size() > entries[0].samples.size()) continue;
    std::vector<double> ratios;
    for (std::size_t r = 0; r < entries[i].samples.size(); ++r) ratios.push_back(entries[i].samples[r] / entries[0].samples[r]);
    timings[i].seconds = timings[0].seconds * median(ratios);
  }
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (entries[i].samples.empty()) continue;
    std::vector<double> deviations;
    for (const double s : entries[i].samples) deviations.push_back(std::abs(s - timings[i].seconds) / timings[i].seconds);
    timings[i].spread = median(deviations);
  }
  return timings;
}

std::vector<Timing> time_plans(const Problem& problem, const std::vector<const ulpfft_plan*>& plans, const Clock& clock, double limit_seconds,
                               const std::function<bool(std::size_t)>& keep_going) {
  TimingLimits limits;
  limits.seconds = limit_seconds;
  return PlanTimer(problem).time(plans, clock, limits, keep_going);
}

}  // namespace ulpfft
