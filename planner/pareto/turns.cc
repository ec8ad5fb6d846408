// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/pareto/turns.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "planner/search/round_ratio.h"

namespace ulpfft {
namespace {

constexpr double kShortestSample = 50e-6;
constexpr double kLongestSample = 2e-3;  // as long as one execution takes no longer
constexpr double kLongAlone = 50e-3;     // one sample is enough
constexpr int kSamplesAlone = 5;
constexpr double kMostRepeatsAlone = 1000;
constexpr std::size_t kFewestRounds = 9, kMostRounds = 51;
constexpr double kWarmUpBelow = 5e-3;  // seconds of an execution; caches hold nothing of the last turn beyond

}  // namespace

TimeEstimate estimate_of(const std::vector<double>& samples) {
  if (samples.empty()) return {};
  TimeEstimate estimate{median_of(samples), 0};
  std::vector<double> deviations;
  for (const double sample : samples) deviations.push_back(std::abs(sample - estimate.seconds));
  if (estimate.seconds > 0) estimate.spread = median_of(std::move(deviations)) / estimate.seconds;
  return estimate;
}

Turns::Turns(bool one_thread, Poll& poll) : clock_(one_thread ? thread_clock() : steady_clock()), poll_(poll) {
  std::vector<double> gaps;
  for (int i = 0; i < 101; ++i) {
    const double begin = clock_();
    gaps.push_back(clock_() - begin);
  }
  overhead_ = median_of(std::move(gaps));
}

double Turns::sample(const Contender& contender, std::int64_t repeats) const {
  const Backend& backend = contender.plan->executable->backend;
  const double seconds = backend.seconds(clock_, [&] {
    for (std::int64_t i = 0; i < repeats; ++i) {
      require_executed(run_interruptibly(*contender.plan, contender.in, contender.out, nullptr, &poll_));
    }
  });
  return std::max(seconds - overhead_, 0.0);
}

TimeEstimate Turns::alone(const Contender& contender) const {
  std::vector<double> samples{sample(contender, 1)};
  if (samples[0] < kLongAlone) {
    const double repeats = std::clamp(std::ceil(kShortestSample / std::max(samples[0], 1e-9)), 1.0, kMostRepeatsAlone);
    samples.clear();
    for (int i = 0; i < kSamplesAlone; ++i) samples.push_back(sample(contender, static_cast<std::int64_t>(repeats)) / repeats);
  }
  return estimate_of(samples);
}

// Repeats that take so many seconds or more.
std::int64_t Turns::repeats_for(const Contender& contender, double seconds) const {
  for (std::int64_t repeats = 1;;) {
    const double took = sample(contender, repeats);
    if (took >= seconds) return repeats;
    const double factor = took > 0 ? std::min(1.2 * seconds / took, 100.0) : 100.0;
    repeats = std::max(repeats + 1, static_cast<std::int64_t>(static_cast<double>(repeats) * factor));
  }
}

std::vector<std::vector<double>> Turns::all(const std::vector<Contender>& contenders, double budget,
                                            const std::function<bool()>& enough) const {
  const std::size_t count = contenders.size();
  const double target = std::clamp(budget / (21.0 * static_cast<double>(count)), kShortestSample, kLongestSample);
  std::vector<std::int64_t> repeats;
  std::vector<double> once;
  double round = 0;
  std::vector<std::vector<double>> samples(count);
  for (const Contender& contender : contenders) {
    if (enough()) return samples;
    repeats.push_back(repeats_for(contender, target));
    const double took = sample(contender, repeats.back());
    once.push_back(took / static_cast<double>(repeats.back()));
    round += took;
  }
  const double fit = round > 0 ? budget / round : 0;
  const auto rounds =
      static_cast<std::size_t>(std::clamp(fit, static_cast<double>(kFewestRounds), static_cast<double>(kMostRounds)));
  for (std::size_t i = 0; i < rounds; ++i) {
    for (std::size_t turn = 0; turn < count; ++turn) {
      if (enough()) {
        for (std::vector<double>& values : samples) values.resize(std::min(values.size(), i));
        return samples;
      }
      const std::size_t which = (i + turn) % count;  // none is always the first after another
      if (once[which] < kWarmUpBelow) sample(contenders[which], 1);
      samples[which].push_back(sample(contenders[which], repeats[which]) / static_cast<double>(repeats[which]));
    }
  }
  return samples;
}

}  // namespace ulpfft
