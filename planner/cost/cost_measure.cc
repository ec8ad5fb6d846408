// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Measures every cost of every codelet in rounds; the lower quartiles become the rows.
#include <algorithm>
#include <cstdint>

#include "planner/cost/cost_subjects.h"
#include "planner/cost/cost_table.h"
#include "planner/cost/median.h"
#include "planner/lower/build_plan.h"
#include "planner/table/find_codelet.h"

namespace ulpfft {
namespace {

constexpr double kSweepSeconds = 15e-6;
constexpr std::int64_t kMostSweeps = 1 << 12;
constexpr int kMostRounds = 7;
constexpr double kDefaultSeconds = 2;
constexpr std::size_t kWarming = 32;  // codelets

}  // namespace

class CostMeasurement {
 public:
  CostMeasurement(const CodeletTable& codelets, double seconds, const Clock& clock)
      : codelets_(codelets), clock_(clock), begin_(clock()), seconds_(seconds > 0 ? seconds : kDefaultSeconds),
        may_be_late_(!(seconds > 0)), subjects_(codelets) {}

  CostTable run() {
    for (const CodeletInfo& codelet : codelets_.codelets) {
      const bool is_timed = codelet.body != nullptr && (codelet.compute == ComputeType::kF32 || codelet.compute == ComputeType::kF64);
      if (is_timed) timed_.push_back(&codelet);
    }
    samples_.resize(kCosts * timed_.size());
    CostTable table;
    table.costs_.resize(codelets_.codelets.size());
    table.is_own_.resize(codelets_.codelets.size(), 0);
    if (take_samples()) {
      // No working set is slower than a larger one, so the loop goes from the largest down.
      for (std::size_t i = kSweeps; i-- > 0;) {
        const float ns = static_cast<float>(lower_quartile(sweeps_[i]));
        table.machine_.sweep[i] = i + 1 < kSweeps ? std::min(ns, table.machine_.sweep[i + 1]) : ns;
      }
      for (std::size_t i = 0; i < timed_.size(); ++i) set_row(i, table);
    }
    table.complete(codelets_, nearest_processor());
    table.machine_.streams = streams_from_here();
    return table;
  }

 private:
  // False where no level could be timed.
  bool take_samples() {
    // Rounds are the outermost loop, so that a slow phase of the machine falls on one sample of everything. Levels are the next, so that
    // one codelet leaves the data in the caches that the next one expects.
    for (int rounds = 0; rounds < kMostRounds; ++rounds) {
      const double start = clock_();
      bool whole = sweep();
      for (std::size_t c = 0; c < kCosts && whole; ++c) whole = level(static_cast<Cost>(c));
      if (!whole) return !samples_.empty() && !samples_.front().empty();
      may_be_late_ = false;
      if (clock_() + (clock_() - start) - begin_ > seconds_) break;
    }
    return true;
  }

  // The row of the i-th codelet from the lower quartiles of its samples.
  void set_row(std::size_t i, CostTable& table) {
    std::array<double, kCosts> ns{};
    for (std::size_t c = 0; c < kCosts; ++c) {
      std::vector<double>& values = samples_[c * timed_.size() + i];
      if (!values.empty()) {
        ns[c] = lower_quartile(values);
      } else if (subjects_.make(*timed_[i], static_cast<Cost>(c)).exists) {
        return;  // the first round ended before
      }
    }
    const auto at = [&](Cost cost) { return ns[static_cast<std::size_t>(cost)]; };
    // A short sweep can seem slower than one of L2, because its ends take part of the time.
    const double l1 = std::min(at(Cost::kL1), at(Cost::kL2));
    if (!(l1 > 0)) return;
    const std::size_t place = static_cast<std::size_t>(timed_[i] - codelets_.codelets.data());
    for (std::size_t c = 0; c < kCosts; ++c) {
      const Cost cost = static_cast<Cost>(c);
      double value = cost == Cost::kL1 ? l1 : at(cost);
      if (cost == Cost::kRow || cost == Cost::kCall) {
        value = std::max(0.0, value - l1);
      } else if (value <= 0) {
        value = is_far(cost) ? at(static_cast<Cost>(level_of(cost))) : l1;  // codelets of this kind do not have this cost
      }
      table.costs_[place].ns[c] = static_cast<float>(value);
    }
    table.is_own_[place] = 1;
    table.measured_ = true;
  }

  bool late() const { return !may_be_late_ && clock_() - begin_ > seconds_; }

  double time(const CodeletInfo& codelet, const CostSubject& subject, std::int64_t repeats) const {
    const double start = clock_();
    for (std::int64_t i = 0; i < repeats; ++i) subjects_.execute(codelet, subject);
    return (clock_() - start) / static_cast<double>(repeats);
  }

  // Seconds of one call, from a batch that is long beside a reading of the clock.
  double time_batch(const CodeletInfo& codelet, const CostSubject& subject) const {
    std::int64_t repeats = 1;
    subjects_.execute(codelet, subject);  // brings data and code into the caches
    double seconds = time(codelet, subject, repeats);
    while (static_cast<double>(repeats) * seconds < 0.5 * kSweepSeconds && repeats < kMostSweeps) {
      const double factor = seconds > 0 ? kSweepSeconds / (static_cast<double>(repeats) * seconds) : 16;
      repeats = std::min(kMostSweeps, 1 + static_cast<std::int64_t>(static_cast<double>(repeats) * std::min(factor, 16.0)));
      seconds = time(codelet, subject, repeats);
    }
    return seconds;
  }

  // Adds nanoseconds of a chunk to the samples of each codelet that has this cost. False when time ran out.
  bool level(Cost cost) {
    // The windows must lie in the caches of their level before the first one is timed.
    const std::size_t warming = level_of(cost) == 2 ? std::min(timed_.size(), kWarming) : 0;
    for (std::size_t i = 0; i < warming; ++i) {
      const CostSubject subject = subjects_.make(*timed_[i], cost);
      if (subject.exists) subjects_.execute(*timed_[i], subject);
    }
    for (std::size_t i = 0; i < timed_.size(); ++i) {
      if (late()) return false;
      const CostSubject subject = subjects_.make(*timed_[i], cost);
      if (!subject.exists) continue;
      const double seconds = subject.windowed ? time(*timed_[i], subject, 1) : time_batch(*timed_[i], subject);
      samples_[static_cast<std::size_t>(cost) * timed_.size() + i].push_back(1e9 * seconds / subject.chunks);
    }
    return true;
  }

  // Times the sweeps of a light pass, which tell the levels of the machine apart. False when time ran out.
  bool sweep() {
    const CodeletInfo* light = find_codelet(codelets_, PassKind::kTwiddled, ComputeType::kF32, 4, TwiddleForm::kStandard);
    if (light == nullptr) return false;
    for (std::size_t i = 0; i < kSweeps; ++i) {
      if (late()) return false;
      const CostSubject subject = subjects_.sweep(*light, std::int64_t{1} << (kFirstSweep + static_cast<int>(i)));
      sweeps_[i].push_back(1e9 * time_batch(*light, subject) / subject.chunks);
    }
    return true;
  }

  const CodeletTable& codelets_;
  const Clock& clock_;
  double begin_;
  double seconds_;
  bool may_be_late_;  // in the first round
  CostSubjects subjects_;
  std::vector<const CodeletInfo*> timed_;
  std::array<std::vector<double>, kSweeps> sweeps_;  // nanoseconds of a chunk, round by round
  std::vector<std::vector<double>> samples_;         // the same by cost and timed codelet
};

CostTable CostTable::measure(const CodeletTable& codelets, double seconds, const Clock& clock) {
  return CostMeasurement(codelets, seconds, clock).run();
}

}  // namespace ulpfft
