// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/timing.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ulpfft_tool::bench {
namespace {

constexpr double kShortestSample = 50e-6;
constexpr double kLongestSample = 2e-3;  // as long as one execution takes no longer
constexpr std::size_t kFewestRounds = 9;
constexpr std::size_t kMostRounds = 51;
constexpr double kWarmUpBelow = 5e-3;  // seconds of an execution; caches hold nothing of the last turn beyond

double seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// `repeats` executions in parts that the numbers survive.
double sample(Contender& contender, std::int64_t repeats, const Stopwatch& watch, const TurnSettings& settings) {
  double total = 0;
  while (repeats > 0) {
    const std::int64_t part = settings.most_repeats > 0 ? std::min(repeats, settings.most_repeats) : repeats;
    settings.refresh();
    total += watch.seconds_of(contender, part);
    repeats -= part;
  }
  return total;
}

// Repeats that take `target` seconds or more.
std::int64_t calibrate(Contender& contender, double target, const Stopwatch& watch, const TurnSettings& settings) {
  for (std::int64_t repeats = 1;;) {
    const double took = sample(contender, repeats, watch, settings);
    if (took >= target) return repeats;
    const double factor = took > 0 ? std::min(1.2 * target / took, 100.0) : 100.0;
    repeats = std::max(repeats + 1, static_cast<std::int64_t>(static_cast<double>(repeats) * factor));
  }
}

}  // namespace

double wall_seconds() { return seconds(CLOCK_MONOTONIC); }

Stopwatch::Stopwatch(bool one_thread) : one_thread_(one_thread) {
  std::vector<double> gaps;
  for (int i = 0; i < 101; ++i) {
    const double start = now();
    gaps.push_back(now() - start);
  }
  overhead_ = median_of(gaps).value;
}

double Stopwatch::now() const { return seconds(one_thread_ ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC); }

double Stopwatch::seconds_of(Contender& contender, std::int64_t repeats) const {
  const double start = now();
  contender.run(repeats);
  return std::max(now() - start - overhead_, 0.0);
}

Estimate median_of(std::vector<double> values) {
  if (values.empty()) return {};
  const auto middle = [](std::vector<double>& list) {
    std::sort(list.begin(), list.end());
    const std::size_t half = list.size() / 2;
    return list.size() % 2 == 1 ? list[half] : (list[half - 1] + list[half]) / 2;
  };
  Estimate estimate;
  estimate.value = middle(values);
  for (double& value : values) value = std::abs(value - estimate.value);
  estimate.spread = estimate.value > 0 ? middle(values) / estimate.value : 0;
  return estimate;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

std::vector<std::vector<double>> take_turns(const std::vector<Contender*>& contenders, const TurnSettings& settings) {
  const Stopwatch watch(settings.one_thread);
  const std::size_t count = contenders.size();
  const double target =
      std::clamp(settings.budget_seconds / (21.0 * static_cast<double>(count)), kShortestSample, kLongestSample);
  std::vector<std::int64_t> repeats;
  std::vector<double> once;
  double round = 0;
  std::vector<std::vector<double>> samples(count);
  for (Contender* contender : contenders) {
    repeats.push_back(calibrate(*contender, target, watch, settings));
    const double took = sample(*contender, repeats.back(), watch, settings);
    once.push_back(took / static_cast<double>(repeats.back()));
    round += took;
  }
  const double fit = round > 0 ? settings.budget_seconds / round : 0;
  const std::size_t rounds = fit >= static_cast<double>(kMostRounds) ? kMostRounds : std::max(kFewestRounds, static_cast<std::size_t>(fit));
  for (std::size_t i = 0; i < rounds; ++i) {
    for (std::size_t turn = 0; turn < count; ++turn) {
      const std::size_t which = (i + turn) % count;  // none is always the first after another
      settings.refresh();
      if (once[which] < kWarmUpBelow) contenders[which]->run(1);
      samples[which].push_back(sample(*contenders[which], repeats[which], watch, settings) / static_cast<double>(repeats[which]));
    }
  }
  return samples;
}

double quick_seconds(Contender& contender, const TurnSettings& settings) {
  const Stopwatch watch(settings.one_thread);
  const double target = std::clamp(settings.budget_seconds / 100.0, kShortestSample, kLongestSample);
  const std::int64_t repeats = calibrate(contender, target, watch, settings);
  std::vector<double> samples;
  for (int i = 0; i < 5; ++i) samples.push_back(sample(contender, repeats, watch, settings) / static_cast<double>(repeats));
  return median_of(samples).value;
}

Pin::Pin() {
  CPU_ZERO(&before_);
  const int here = sched_getcpu();
  if (here < 0 || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(static_cast<std::size_t>(here), &only);
  if (sched_setaffinity(0, sizeof only, &only) == 0) cpu_ = here;
}

Pin::~Pin() {
  if (cpu_ >= 0) sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace ulpfft_tool::bench
