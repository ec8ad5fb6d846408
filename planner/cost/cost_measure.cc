// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Measures every cost of every codelet in rounds; the medians become the rows.
#include <algorithm>
#include <cstdint>

#include "planner/cost/cost_subjects.h"
#include "planner/cost/cost_table.h"
#include "planner/lower/build_plan.h"
#include "planner/table/find_codelet.h"

namespace ulpfft {
namespace {

constexpr double kBatchSeconds = 15e-6;
constexpr std::int64_t kMostRepeats = 1 << 12;
constexpr int kMostRounds = 7;
constexpr std::size_t kWarming = 32;  // codelets

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

class CostMeasurement {
 public:
  CostMeasurement(const CodeletTable& codelets, double seconds, const Clock& clock)
      : codelets_(codelets), clock_(clock), begin_(clock()), seconds_(seconds), subjects_(codelets) {}

  CostTable run() {
    std::vector<const CodeletInfo*> timed;
    for (const CodeletInfo& codelet : codelets_.codelets) {
      const bool is_timed = codelet.body != nullptr && (codelet.compute == ComputeType::kF32 || codelet.compute == ComputeType::kF64);
      if (is_timed) timed.push_back(&codelet);
    }
    CostTable table;
    table.costs_.resize(codelets_.codelets.size());
    table.is_own_.resize(codelets_.codelets.size(), 0);
    // Rounds are the outermost loop, so that a slow phase of the machine falls on one sample of everything. Levels are the next, so that
    // one codelet leaves the data in the caches that the next one expects.
    std::array<std::vector<double>, kSweeps> sweeps;
    std::vector<std::vector<double>> samples(kCosts * timed.size());
    int rounds = 0;
    for (; rounds < kMostRounds; ++rounds) {
      const double start = clock_();
      bool whole = sweep(sweeps);
      for (std::size_t c = 0; c < kCosts && whole; ++c) whole = level(static_cast<Cost>(c), timed, &samples[c * timed.size()]);
      if (!whole) break;
      if (clock_() + (clock_() - start) - begin_ > seconds_) {
        ++rounds;
        break;
      }
    }
    if (rounds == 0) {  // there was no time for one round
      table.complete(codelets_);
      return table;
    }
    // No working set is slower than a larger one, so the loop goes from the largest down.
    for (std::size_t i = kSweeps; i-- > 0;) {
      const float ns = static_cast<float>(median(sweeps[i]));
      table.machine_.sweep[i] = i + 1 < kSweeps ? std::min(ns, table.machine_.sweep[i + 1]) : ns;
    }
    std::vector<std::vector<double>> ns(kCosts, std::vector<double>(timed.size(), 0.0));
    for (std::size_t c = 0; c < kCosts; ++c) {
      for (std::size_t i = 0; i < timed.size(); ++i) {
        std::vector<double>& values = samples[c * timed.size() + i];
        if (!values.empty()) ns[c][i] = median(values);
      }
    }
    for (std::size_t i = 0; i < timed.size(); ++i) {
      const std::size_t place = static_cast<std::size_t>(timed[i] - codelets_.codelets.data());
      const auto at = [&](Cost cost) { return ns[static_cast<std::size_t>(cost)][i]; };
      // A short sweep can seem slower than one of L2, because its ends take part of the time.
      const double l1 = std::min(at(Cost::kL1), at(Cost::kL2));
      if (!(l1 > 0)) continue;
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
    table.complete(codelets_);
    return table;
  }

 private:
  bool late() const { return clock_() - begin_ > seconds_; }

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
    while (static_cast<double>(repeats) * seconds < 0.5 * kBatchSeconds && repeats < kMostRepeats) {
      const double factor = seconds > 0 ? kBatchSeconds / (static_cast<double>(repeats) * seconds) : 16;
      repeats = std::min(kMostRepeats, 1 + static_cast<std::int64_t>(static_cast<double>(repeats) * std::min(factor, 16.0)));
      seconds = time(codelet, subject, repeats);
    }
    return seconds;
  }

  // Adds nanoseconds of a chunk to the samples of each codelet that has this cost. False when time ran out.
  bool level(Cost cost, const std::vector<const CodeletInfo*>& timed, std::vector<double>* samples) {
    // The windows must lie in the caches of their level before the first one is timed.
    const std::size_t warming = level_of(cost) == 2 ? std::min(timed.size(), kWarming) : 0;
    for (std::size_t i = 0; i < warming; ++i) {
      const CostSubject subject = subjects_.make(*timed[i], cost);
      if (subject.exists) subjects_.execute(*timed[i], subject);
    }
    for (std::size_t i = 0; i < timed.size(); ++i) {
      if (late()) return false;
      const CostSubject subject = subjects_.make(*timed[i], cost);
      if (!subject.exists) continue;
      const double seconds = subject.windowed ? time(*timed[i], subject, 1) : time_batch(*timed[i], subject);
      samples[i].push_back(1e9 * seconds / subject.chunks);
    }
    return true;
  }

  // Times the sweeps of a light pass, which tell the levels of the machine apart. False when time ran out.
  bool sweep(std::array<std::vector<double>, kSweeps>& samples) {
    const CodeletInfo* light = find_codelet(codelets_, PassKind::kTwiddled, ComputeType::kF32, 4, TwiddleForm::kStandard);
    if (light == nullptr) return false;
    for (std::size_t i = 0; i < kSweeps; ++i) {
      if (late()) return false;
      const CostSubject subject = subjects_.sweep(*light, std::int64_t{1} << (kFirstSweep + static_cast<int>(i)));
      samples[i].push_back(1e9 * time_batch(*light, subject) / subject.chunks);
    }
    return true;
  }

  const CodeletTable& codelets_;
  const Clock& clock_;
  double begin_;
  double seconds_;
  CostSubjects subjects_;
};

CostTable CostTable::measure(const CodeletTable& codelets, double seconds, const Clock& clock) {
  return CostMeasurement(codelets, seconds, clock).run();
}

}  // namespace ulpfft
