// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/search/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>

#include "planner/plan/memory_need.h"
#include "planner/search/planning.h"
#include "planner/search/round_ratio.h"

namespace ulpfft {
namespace {

constexpr double kBatchSeconds = 20e-6;  // long enough for the clock, short enough to stay inside one scheduler slice
constexpr double kBytesPerSecond = 3e9;  // for memory that is touched for the first time
constexpr int kMostTries = 4;            // to find how often a batch repeats
constexpr std::int64_t kMostRepeats = std::int64_t{1} << 20;
// After this many rounds a plan is not timed again if it seems to take longer than the best by more
// than this part and the uncertainty of its ratio.
struct Hopeless {
  std::size_t rounds;
  double part;
};
constexpr Hopeless kHopeless[] = {{3, 0.15}, {5, 0.1}};
constexpr std::size_t kRoundsToTell = 10;  // TimingLimits::apart holds from this round on
// Where noise leaves everything uncertain, samples go to the plans that seem fastest: after this
// many rounds only this many plans stay beside the first.
struct Halving {
  std::size_t rounds, plans;
};
constexpr Halving kHalving[] = {{4, 6}, {7, 4}, {15, 2}};
constexpr double kCertain = 3;            // standard errors
constexpr double kLeastDoubt = 0.001;     // few ratios may be equal by chance
// Executions below this many seconds are preceded by one that warms up. Another plan leaves other data in the caches than a caller's own
// last execution does: 1024*512 f32 seemed to gain by streaming, and lost a tenth. Other threads sleep after a turn without them.
constexpr double kWarmUpBelow = 5e-3;

// A scheduler that gives the core to another program every few milliseconds would hit the same plan in every round of a fixed order.
void shuffle(std::vector<std::size_t>& order, std::uint64_t& random) {
  for (std::size_t i = order.size(); i > 1; --i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    std::swap(order[i - 1], order[static_cast<std::size_t>(random >> 33) % i]);
  }
}

struct TimedPlan {
  std::int64_t repeats = 1;
  std::vector<double> samples;  // by round
  double usual = 0;             // median of the samples, disturbed or not
  double wait = 1;              // seconds on the clock of the limit that the last second of a sample took
  bool active = true;
};

// Seconds of one execution, from a batch that seconds_of(repeats) times. An execution that was cold or disturbed seemed long and is
// repeated too seldom. Then the batch takes too little time, and its time tells how often to repeat.
template <typename SecondsOf>
double sample(TimedPlan& entry, const SecondsOf& seconds_of) {
  double seconds = 0;
  for (int tries = 0; tries < kMostTries; ++tries) {
    const double batch = seconds_of(entry.repeats);
    seconds = batch / static_cast<double>(entry.repeats);
    if (batch >= kBatchSeconds / 2 || entry.repeats == kMostRepeats) break;
    entry.repeats = std::clamp<std::int64_t>(static_cast<std::int64_t>(kBatchSeconds / std::max(seconds, 1e-9)), 1, kMostRepeats);
  }
  return seconds;
}

void keep_fastest(std::vector<TimedPlan>& entries, const std::vector<RoundRatio>& ratios, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (entries[i].active) values.push_back(ratios[i].value);
  }
  if (values.size() <= count) return;
  std::sort(values.begin(), values.end());
  for (std::size_t i = 1; i < entries.size(); ++i) entries[i].active = entries[i].active && ratios[i].value <= values[count - 1];
}

// Drops plans that are behind. The first plan stays, because the others are compared with it.
// Returns whether plans remain whose order more rounds may tell.
bool drop_out(std::vector<TimedPlan>& entries, double apart) {
  const std::size_t rounds = entries[0].samples.size();
  if (rounds < kHopeless[0].rounds) return true;
  double part = apart;
  for (const Hopeless& hopeless : kHopeless) {
    if (rounds < kRoundsToTell && rounds >= hopeless.rounds) part = std::max(hopeless.part, apart);
  }
  std::vector<RoundRatio> ratios(entries.size());
  std::size_t best = 0;
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (!entries[i].active) continue;
    ratios[i] = round_ratio(entries[i].samples, entries[0].samples);
    if (ratios[i].value < ratios[best].value) best = i;
  }
  bool open = false;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].active || i == best) continue;
    const double behind = ratios[i].value / ratios[best].value - 1;
    const double doubt = kCertain * std::max(kLeastDoubt, ratios[i].doubt + ratios[best].doubt);
    if (behind > part + doubt) {
      entries[i].active = i == 0;
    } else {
      open = open || part > apart || behind + doubt > apart;
    }
  }
  for (const Halving& halving : kHalving) {
    if (rounds >= halving.rounds) keep_fastest(entries, ratios, halving.plans);
  }
  return open;
}

std::vector<Timing> timings_of(const std::vector<TimedPlan>& entries) {
  std::vector<Timing> timings(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::vector<double>& samples = entries[i].samples;
    if (samples.empty()) continue;
    timings[i].seconds = undisturbed_median(samples);
    std::vector<double> deviations;
    for (const double sample : samples) deviations.push_back(std::abs(sample - timings[i].seconds) / timings[i].seconds);
    timings[i].spread = median_of(std::move(deviations));
    if (i == 0) continue;
    const RoundRatio ratio = round_ratio(samples, entries[0].samples);
    timings[i].seconds = ratio.value * timings[0].seconds;
    timings[i].doubt = ratio.doubt;
  }
  return timings;
}

}  // namespace

std::int64_t largest_timed(const Problem& problem) {
  const double arrays = bytes_of_arrays(problem);
  if (arrays <= static_cast<double>(kEnoughTimed)) return kEnoughTimed;
  return static_cast<std::int64_t>(std::min(static_cast<double>(kLargestTimed), memory_of_process() / 4));
}

double PlanTimer::bytes_of(const Problem& problem) {
  const double factors = problem.chain == "mul" ? 2 * sizeof(double) * static_cast<double>(transform_points(problem)) : 0;
  return bytes_of_arrays(problem) + factors;
}

double PlanTimer::seconds_to_make_arrays() const { return made_ ? 0 : bytes_of_arrays(arrays()) / kBytesPerSecond; }

void PlanTimer::make_arrays(const Memory& memory, Poll* poll) {
  if (made_) return;
  // Zeros: no overflow and no subnormals however often an array is transformed in place, and times do not depend on values.
  in_.emplace(arrays(), false, memory, poll);
  // Blocks of zeros get scales of 1, because blocks of the least scale are a case of their own.
  const Side shape = side_of(arrays(), false);
  if (shape.storage.scale != nullptr && shape.storage.scale->bits <= 8) {
    const auto one = static_cast<int>(encode(*shape.storage.scale, 1, Rounding::kNearestSaturate).code);
    for (int part = 0; part < shape.parts(); ++part) {
      char* const scales = static_cast<char*>(in_->view().address().scales[part]) + shape.scales.low;
      std::memset(scales, one, static_cast<std::size_t>(shape.scales.high - shape.scales.low));
    }
  }
  in_->send();
  if (arrays().chain == "mul") factors_.emplace(memory, 2 * sizeof(double) * static_cast<std::size_t>(transform_points(arrays())), poll);
  if (arrays().placement == Placement::kOutOfPlace) out_.emplace(arrays(), true, memory, poll);
  made_ = true;
}

std::vector<Timing> PlanTimer::time(const std::vector<const ulpfft_plan*>& plans, const Clock& clock, const TimingLimits& limits,
                                    const std::function<bool(std::size_t)>& keep_going, Poll* poll) {
  const double start = clock();
  const Backend& backend = plans[0]->executable->backend;
  make_arrays(backend.memory, poll);
  const Side in_shape = side_of(arrays(), false), out_shape = side_of(arrays(), true);
  std::vector<ArrayAddress> in, out;  // by place
  for (const SlicePlace& place : slice_.places) {
    in.push_back(at_place(in_->on_backend(), in_shape, place.in));
    out.push_back(at_place((out_ ? out_ : in_)->on_backend(), out_shape, place.out));
  }
  ChainOperation chain;
  if (factors_) chain.factors = factors_->backend();
  std::vector<TimedPlan> entries(plans.size());
  // A plan on several threads waits where another program has a core of them, and is compared with others by the same clock.
  const bool works = limits.work_clock != nullptr &&
                     std::all_of(plans.begin(), plans.end(), [](const ulpfft_plan* plan) { return plan->facts->threads == 1; });
  // Seconds of so many executions.
  const auto seconds_of = [&](std::size_t i, std::int64_t repeats) {
    const auto batch = [&] {
      for (std::int64_t r = 0; r < repeats; ++r) {
        const std::size_t place = turn_++ % in.size();
        require_executed(run_interruptibly(*plans[i], in[place], out[place], &chain, poll));
      }
    };
    if (!works) return backend.seconds(clock, batch);
    const double begin = clock();
    const double seconds = backend.seconds(*limits.work_clock, batch);
    entries[i].wait = seconds > 0 ? std::max(1.0, (clock() - begin) / seconds) : 1;
    return seconds;
  };
  std::vector<std::size_t> order(plans.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint64_t random = 1;
  // False when time is over. Such a round lacks the samples of some plans and is the last one.
  const auto round_in_time = [&](int round) {
    if (round > 0) shuffle(order, random);  // plan 0 is the first of the first round
    for (const std::size_t i : order) {
      TimedPlan& entry = entries[i];
      if (!entry.active) continue;
      const bool forced = limits.force_first && round == 0 && i == 0;
      const bool cools = entry.repeats == 1 || plans[i]->facts->threads > 1;
      const bool warms_up = round > 0 && cools && entry.usual < kWarmUpBelow;
      const double left = limits.seconds - (clock() - start);
      // No sample is begun that is known to end beyond the limit.
      const double known = entry.usual * entry.wait * static_cast<double>(entry.repeats + (warms_up ? 1 : 0));
      if ((!forced && (left < 0 || left < known)) || !keep_going(i)) return false;
      const double seconds = warms_up || round == 0 ? seconds_of(i, 1) : 0;
      // The first run warms caches and pages; of long transforms it tells enough to go on.
      const bool tells = round == 0 && seconds > kBatchSeconds && clock() - start + seconds > limits.seconds;
      entry.samples.push_back(tells ? seconds : sample(entry, [&](std::int64_t repeats) { return seconds_of(i, repeats); }));
      entry.usual = median_of(entry.samples);
    }
    return true;
  };
  int samples_left = limits.rounds * static_cast<int>(plans.size());
  for (int round = 0; round < limits.most_rounds; ++round) {
    const auto active = static_cast<int>(std::count_if(entries.begin(), entries.end(), [](const TimedPlan& one) { return one.active; }));
    try {
      if (active > samples_left || !round_in_time(round)) break;
    } catch (const OutOfTime&) {
      break;  // in the middle of an execution, whose sample is lost
    }
    samples_left -= active;
    if (plans.size() > 1 && !drop_out(entries, limits.apart)) break;
  }
  return timings_of(entries);
}

std::vector<Timing> time_plans(const Problem& problem, const std::vector<const ulpfft_plan*>& plans, const Clock& clock,
                               double limit_seconds, const std::function<bool(std::size_t)>& keep_going) {
  TimingLimits limits;
  limits.seconds = limit_seconds;
  return PlanTimer(problem).time(plans, clock, limits, keep_going);
}

}  // namespace ulpfft
