// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/search/race.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "planner/backend/backend.h"
#include "planner/plan/memory_need.h"
#include "planner/search/candidates.h"

namespace ulpfft {
namespace {

constexpr std::size_t kPlansOfAHeat = 10;
constexpr std::size_t kBytesOfAHeat = std::size_t{1} << 30;  // workspaces and tables
constexpr double kForTiming = 0.4;   // part of the time left when a heat begins that is kept for timing
constexpr double kMeasurement = 3;   // executions of a measurement, with the one that warms up
constexpr double kShortest = 20e-6;  // seconds of such an execution at least (see measure.cc)
constexpr double kForced = 5;        // executions of the best that the first round of two plans takes
constexpr double kUnnoticed = 1e-3;  // seconds
constexpr double kBeyond = 0.1;      // part of the time limit by which planning may exceed it
constexpr double kForArrays = 0.5;   // part of the caller's limit of memory for arrays
constexpr double kForPlans = 0.875;  // part of it for arrays and plans; the rest is for tables that a search keeps
constexpr double kFinalists = 1.1;   // times the fastest
// A whole heat may be wrong. The final corrects that if the next two of its ranking take part up to this many times the fastest.
constexpr double kDoubtful = 1.5;
constexpr std::size_t kRivals = 3;  // the fastest and these two
// Up to this many recipes that were the fastest of an earlier heat are in the final, whatever time they seem to take.
constexpr std::size_t kDethroned = 2;
constexpr TimingLimits kHeat{.rounds = 6, .most_rounds = 16, .apart = kFinalists - 1};
constexpr TimingLimits kFinal{.rounds = 10, .most_rounds = 45, .apart = 0.005};
// Disturbances of long executions are spread evenly, so that fewer rounds do.
constexpr double kLong = 0.5e-3;  // seconds
constexpr int fewer(int rounds) { return rounds * 2 / 3; }
// Among recipes that a final does not tell apart, the cheapest predicted is chosen, because it is the same one every time.
constexpr double kEqual = 0.01;
constexpr double kEqualDoubt = 2;       // standard errors

// The most bytes of arrays that plans are timed on.
std::int64_t most_timed(const Planning& planning, std::int64_t bytes) {
  return static_cast<std::int64_t>(std::min(static_cast<double>(bytes), kForArrays * planning.options.memory.of_caller()));
}

// The most points of a batch that one execution computes. A device computes a small batch at another pace than a large one.
std::int64_t points_timed(const Planning& planning, const Problem& problem) {
  const bool slices = backend_of(planning.codelets).memory.is_host() && bytes_of_arrays(problem) >= kSlicedFrom;
  return slices ? kPointsTimed : std::numeric_limits<std::int64_t>::max();
}

std::size_t bytes_of(const ulpfft_plan& plan) {
  return plan.facts->workspace_bytes + static_cast<std::size_t>(plan.facts->table_bytes);
}

}  // namespace

Race::Race(Planning& planning, const Problem& problem)
    : planning_(planning),
      slice_(problem),
      can_time_(timing_slice(problem, most_timed(planning, kEnoughTimed), points_timed(planning, problem), slice_) ||
                timing_slice(problem, most_timed(planning, largest_timed(problem)), points_timed(planning, problem), slice_)),
      arrays_(can_time_ ? PlanTimer::bytes_of(slice_.arrays) : 0),
      timer_(slice_) {}

bool Race::has_room(double bytes_of_plans) const {
  const double limit = planning_.options.memory.of_caller();
  return bytes_of_plans + arrays_ <= (best_ == kNone ? 1 : kForPlans) * limit;
}

bool Race::add(Candidate candidate) {
  if (!known_.insert({print_recipe(candidate.recipe), candidate.threads, candidate.codelets}).second) return false;
  candidates_.push_back(std::move(candidate));
  return true;
}

// The plans of one heat. The first one is the best so far, if there is one.
struct Race::Lineup {
  std::vector<std::size_t> running;  // candidates by their index
  std::vector<const ulpfft_plan*> plans;
  std::vector<std::unique_ptr<ulpfft_plan>> built;  // the plans of the entrants
  std::size_t entrants() const { return built.size(); }
};

void Race::heat(const std::vector<std::size_t>& entrants, double share, bool force) {
  if (!can_time_) return;
  std::size_t next = 0;
  while (next < entrants.size()) {
    Lineup lineup = line_up(entrants, next, share, force);
    if (lineup.entrants() == 0) break;
    double seconds = planning_.left(share);
    if (force && best_ != kNone) seconds = std::max(seconds, kForced * candidates_[best_].seconds * slice_.share);
    force = false;
    if (force_first_execution()) seconds = std::max(seconds, planning_.left(1 + kBeyond));
    const std::vector<Timing> timings = time(lineup.plans, lineup.running, kHeat, seconds);
    if (timings[0].seconds == 0) break;  // no time left
    record(lineup, timings);
    planning_.trim_tables();
  }
}

Race::Lineup Race::line_up(const std::vector<std::size_t>& entrants, std::size_t& next, double share, bool force) {
  Lineup lineup;
  std::size_t bytes = 0;
  if (best_ != kNone) {
    lineup.running.push_back(best_);
    lineup.plans.push_back(best_plan_.get());
    bytes = bytes_of(*best_plan_);
  }
  const double left = planning_.left(share);
  bool first = force || (forced_ && best_ == kNone);
  while (next < entrants.size() && lineup.entrants() < kPlansOfAHeat && (bytes < kBytesOfAHeat || lineup.entrants() == 0)) {
    // Making tables counts against the limit. A plan that is built shall also be timed.
    const std::size_t index = entrants[next];
    const double remaining = planning_.left(share) - last_build_;
    const double needed =
        kMeasurement * std::max(kShortest, slice_.share * candidates_[index].predicted_seconds) + timer_.seconds_to_make_arrays();
    const bool in_time = remaining > kForTiming * left && remaining >= needed;
    // The first candidate of all is timed at the cost of the other phases. Where nobody notices the time it takes, it is timed in any case.
    const bool unnoticed = first && needed <= kUnnoticed;
    const bool forced = unnoticed || (first && needed <= planning_.left(1 + kBeyond));
    if (!in_time && !forced) break;
    first = false;
    ++next;
    if (index == best_) continue;
    if (!has_room(static_cast<double>(bytes) + candidates_[index].bytes)) {
      if (lineup.entrants() == 0) continue;
      --next;  // in the next heat there may be room
      break;
    }
    planning_.report(candidates_[index].recipe);
    const double begin = planning_.now();
    try {
      const Planning::Deadline deadline(planning_, unnoticed ? INFINITY : forced ? 1 + kBeyond : share);
      lineup.built.push_back(planning_.build(slice_.problem, candidates_[index]));
    } catch (const OutOfTime&) {
      last_build_ = planning_.now() - begin;
      next = entrants.size();
      break;
    }
    last_build_ = planning_.now() - begin;
    bytes += bytes_of(*lineup.built.back());
    lineup.plans.push_back(lineup.built.back().get());
    lineup.running.push_back(index);
  }
  return lineup;
}

void Race::record(Lineup& lineup, const std::vector<Timing>& timings) {
  const std::size_t before = lineup.running.size() - lineup.entrants();
  const double pace = before == 0 ? 1 / slice_.share : candidates_[best_].seconds / timings[0].seconds;
  for (std::size_t i = before; i < lineup.running.size(); ++i) {
    Candidate& candidate = candidates_[lineup.running[i]];
    candidate.seconds = timings[i].seconds * pace;
    candidate.spread = timings[i].spread;
    if (candidate.seconds > 0 && (best_ == kNone || candidate.seconds < candidates_[best_].seconds)) {
      best_ = lineup.running[i];
      best_plan_ = std::move(lineup.built[i - before]);
    }
  }
  if (before > 0 && lineup.running[0] != best_) dethroned_.push_back(lineup.running[0]);
}

std::vector<Timing> Race::time(const std::vector<const ulpfft_plan*>& plans, const std::vector<std::size_t>& running, TimingLimits limits,
                               double seconds) {
  limits.seconds = seconds;
  if (slice_.share * candidates_[running[0]].predicted_seconds > kLong) limits.rounds = fewer(limits.rounds);
  limits.force_first = force_first_execution();
  if (planning_.options.work_clock) limits.work_clock = &planning_.options.work_clock;
  try {
    const Planning::Deadline deadline(planning_, limits.force_first ? INFINITY : 1 + kBeyond);  // for making the arrays
    return timer_.time(plans, planning_.options.clock, limits, [&](std::size_t i) {
      planning_.report(candidates_[running[i]].recipe);
      return true;
    }, &planning_.poll());
  } catch (const OutOfTime&) {
    return std::vector<Timing>(plans.size());
  }
}

std::vector<std::size_t> Race::finalists(std::size_t count, const std::vector<std::size_t>& also) const {
  std::vector<std::size_t> chosen = ranking();
  std::erase(chosen, best_);
  chosen.insert(chosen.begin(), best_);
  std::size_t kept = 0;
  for (; kept < std::min(chosen.size(), count); ++kept) {
    if (candidates_[chosen[kept]].seconds > (kept < kRivals ? kDoubtful : kFinalists) * candidates_[best_].seconds) break;
  }
  chosen.resize(kept);
  const auto add = [&](std::size_t i) {
    if (candidates_[i].seconds > 0 && std::find(chosen.begin(), chosen.end(), i) == chosen.end()) chosen.push_back(i);
  };
  for (const std::size_t i : also) add(i);
  // The recipe that is predicted to be the fastest seldom is far from it, however wrong its times are.
  std::size_t predicted = best_;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (candidates_[i].seconds > 0 && candidates_[i].predicted_seconds < candidates_[predicted].predicted_seconds) predicted = i;
  }
  add(predicted);
  // If another program slowed the fastest recipe down during a whole heat, all others seemed faster.
  for (std::size_t d = 0; d < std::min(kDethroned, dethroned_.size()); ++d) add(dethroned_[dethroned_.size() - 1 - d]);
  return chosen;
}

void Race::finish(std::size_t count, const std::vector<std::size_t>& also, double share) {
  if (best_ == kNone) return;
  std::vector<std::size_t> running = finalists(count, also);
  if (running.size() < 2) return;
  std::vector<std::unique_ptr<ulpfft_plan>> plans;
  std::vector<const ulpfft_plan*> handles{best_plan_.get()};
  std::size_t bytes = bytes_of(*best_plan_);
  for (std::size_t f = 1; f < running.size(); ++f) {
    const bool fits = has_room(static_cast<double>(bytes) + candidates_[running[f]].bytes);
    if (planning_.left(share) <= last_build_ || bytes >= kBytesOfAHeat || !fits) {
      running.resize(f);
      break;
    }
    try {
      const Planning::Deadline deadline(planning_, share);
      plans.push_back(planning_.build(slice_.problem, candidates_[running[f]]));
    } catch (const OutOfTime&) {
      running.resize(f);
      break;
    }
    bytes += bytes_of(*plans.back());
    handles.push_back(plans.back().get());
  }
  const std::vector<Timing> timings = time(handles, running, kFinal, planning_.left(share));
  // Half a final tells nothing.
  for (const Timing& timing : timings) {
    if (timing.seconds == 0) return;
  }
  const double pace = timings[0].seconds / slice_.share / candidates_[best_].seconds;
  for (Candidate& candidate : candidates_) candidate.seconds *= pace;
  std::size_t fastest = 0;
  for (std::size_t f = 0; f < running.size(); ++f) {
    candidates_[running[f]].seconds = timings[f].seconds / slice_.share;
    candidates_[running[f]].spread = timings[f].spread;
    if (timings[f].seconds < timings[fastest].seconds) fastest = f;
  }
  const double least = candidates_[running[fastest]].seconds;
  for (std::size_t f = 0; f < running.size(); ++f) {
    const double equal = std::min(kEqual, kEqualDoubt * (timings[f].doubt + timings[fastest].doubt));
    if (candidates_[running[f]].seconds <= least * (1 + equal)) candidates_[running[f]].seconds = least;
  }
}

std::vector<std::size_t> Race::ranking() const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (candidates_[i].seconds > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Candidate& first = candidates_[a];
    const Candidate& second = candidates_[b];
    return std::tie(first.seconds, first.predicted_seconds, a) < std::tie(second.seconds, second.predicted_seconds, b);
  });
  return order;
}

std::vector<Candidate> Race::sorted() {
  best_plan_.reset();
  timer_ = PlanTimer(slice_);
  std::vector<Candidate> result;
  result.reserve(candidates_.size());
  std::vector<Candidate> untimed;
  for (const std::size_t i : ranking()) result.push_back(candidates_[i]);
  for (Candidate& candidate : candidates_) {
    if (candidate.seconds == 0) untimed.push_back(std::move(candidate));
  }
  sort_by_prediction(untimed);
  for (Candidate& candidate : untimed) result.push_back(std::move(candidate));
  return result;
}

void time_alone(Planning& planning, const Problem& problem, Candidate& candidate) {
  Race race(planning, problem);
  race.force_first();
  race.add(candidate);
  race.heat({0}, 0);
  candidate.seconds = race.candidates()[0].seconds;
  candidate.spread = race.candidates()[0].spread;
}

}  // namespace ulpfft
