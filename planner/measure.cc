#include "planner/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ulpfft {
namespace {

constexpr int kRounds = 7;
constexpr double kBatchSeconds = 20e-6;  // long enough for the clock, short enough to stay inside one scheduler slice
constexpr double kDropRatio = 1.4;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
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

std::vector<Timing> time_plans(const Problem& problem, const std::vector<const ulpfft_plan*>& plans, const Clock& clock, double limit_seconds,
                               const std::function<bool(std::size_t)>& keep_going) {
  // Zeros: no overflow and no subnormals however often an array is transformed in place, and times do not depend on values.
  const bool split = problem.layout == ArrayLayout::kSplit;
  const Extent in_extent = array_extent(problem, false);
  const Extent out_extent = array_extent(problem, true);
  AlignedBuffer in(static_cast<std::size_t>(in_extent.high - in_extent.low) * (split ? 2 : 1));
  AlignedBuffer out;
  const bool in_place = problem.placement == Placement::kInPlace;
  if (!in_place) out = AlignedBuffer(static_cast<std::size_t>(out_extent.high - out_extent.low) * (split ? 2 : 1));
  const auto base = [&](const AlignedBuffer& buffer, const Extent& extent, int part) -> void* {
    return static_cast<char*>(buffer.data()) + part * (extent.high - extent.low) - extent.low;
  };
  void* const in_re = base(in, in_extent, 0);
  void* const in_im = base(in, in_extent, split ? 1 : 0);
  void* const out_re = in_place ? in_re : base(out, out_extent, 0);
  void* const out_im = in_place ? in_im : base(out, out_extent, split ? 1 : 0);

  const double start = clock();
  std::vector<Entry> entries(plans.size());
  std::vector<Timing> timings(plans.size());
  const auto run = [&](std::size_t i) {
    const double begin = clock();
    for (std::int64_t r = 0; r < entries[i].repeats; ++r) plans[i]->run(*plans[i], in_re, in_im, out_re, out_im, nullptr);
    return (clock() - begin) / static_cast<double>(entries[i].repeats);
  };
  bool stopped = false;
  for (int round = 0; round < kRounds && !stopped; ++round) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (!entries[i].active) continue;
      // One plan is always timed; after that the limit holds, also inside the first round.
      if ((round > 0 || i > 0) && clock() - start > limit_seconds) {
        stopped = true;
        break;
      }
      if (!keep_going(i)) {
        stopped = true;
        break;
      }
      if (round == 0) {
        // The first run warms caches and pages; of long transforms it tells enough to go on.
        double once = std::max(run(i), 1e-9);
        if (once < kBatchSeconds) once = std::max(run(i), 1e-9);
        entries[i].repeats = std::clamp<std::int64_t>(static_cast<std::int64_t>(kBatchSeconds / once), 1, 1 << 20);
      }
      entries[i].samples.push_back(run(i));
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
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (entries[i].samples.empty()) continue;
    std::vector<double> deviations;
    for (const double s : entries[i].samples) deviations.push_back(std::abs(s - timings[i].seconds) / timings[i].seconds);
    timings[i].spread = median(deviations);
  }
  return timings;
}

}  // namespace ulpfft
