// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/narrow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "tools/ulpfft/bench/arrays.h"
#include "tools/ulpfft/bench/facts.h"
#include "tools/ulpfft/bench/memory.h"
#include "tools/ulpfft/bench/suites.h"
#include "tools/ulpfft/bench/timing.h"
#include "tools/ulpfft/bench/ulpfft_plan.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool::bench {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kApart = 17 * 64;  // ends begin at different places of a page

// Dense rows of complex numbers in any storage.
class End {
 public:
  End(const Facts& facts, std::string storage, std::size_t apart) : storage_(std::move(storage)) {
    const std::int64_t n = facts.lengths.back().n;
    const std::int64_t rows = facts.points() / n;
    ulpfft_layout layout{};
    layout.size = sizeof layout;
    if (storage_ == kWide || storage_ == kWider) {
      layout.data_bytes = facts.points() * (storage_ == kWide ? 8 : 16);
    } else {
      const std::array<std::int64_t, 2> lengths = {rows, 2 * n};
      ulpfft::detail::check(ulpfft_format_layout(storage_.c_str(), 2, lengths.data(), &layout));
    }
    codes_ = take(static_cast<std::size_t>(layout.data_bytes) + apart);
    if (layout.scale_bytes > 0) scales_ = take(static_cast<std::size_t>(layout.scale_bytes));
    data_bytes_ = layout.data_bytes;
    bytes_ = static_cast<double>(layout.data_bytes + layout.scale_bytes);
    array_.size = sizeof array_;
    array_.data[0] = codes_.get() + apart;
    array_.scales[0] = scales_.get();
    conversion_.size = sizeof conversion_;
    conversion_.storage = storage_.c_str();
    conversion_.rows = rows;
    conversion_.reals = 2 * n;
  }
  void fill(ulpfft_context* context, const std::vector<float>& reals) {
    if (storage_ == "f32") {
      std::copy(reals.begin(), reals.end(), static_cast<float*>(array_.data[0]));
    } else if (storage_ == kWider) {
      std::copy(reals.begin(), reals.end(), static_cast<double*>(array_.data[0]));
    } else {
      ulpfft::detail::check(ulpfft_encode(context, &conversion_, reals.data(), array_.data[0], array_.scales[0], nullptr));
    }
  }
  std::vector<double> read(ulpfft_context* context) const {
    if (storage_ == kWider) {
      const auto* from = static_cast<const double*>(array_.data[0]);
      return {from, from + conversion_.rows * conversion_.reals};
    }
    std::vector<float> reals(static_cast<std::size_t>(conversion_.rows * conversion_.reals));
    if (storage_ == "f32") {
      const auto* from = static_cast<const float*>(array_.data[0]);
      std::copy(from, from + reals.size(), reals.begin());
    } else {
      ulpfft::detail::check(ulpfft_decode(context, &conversion_, array_.data[0], array_.scales[0], reals.data()));
    }
    return {reals.begin(), reals.end()};
  }
  void clear() const { std::fill_n(static_cast<std::byte*>(array_.data[0]), data_bytes_, std::byte{0}); }
  const ulpfft_array& array() const { return array_; }
  double bytes() const { return bytes_; }

 private:
  static Memory take(std::size_t bytes) {
    Memory memory(static_cast<std::byte*>(std::aligned_alloc(kPageBytes, (bytes / kPageBytes + 1) * kPageBytes)));
    if (memory == nullptr) throw std::bad_alloc();
    std::fill(memory.get(), memory.get() + bytes, std::byte{0});
    return memory;
  }

  std::string storage_;
  Memory codes_, scales_;
  ulpfft_array array_{};
  ulpfft_conversion conversion_{};
  std::int64_t data_bytes_ = 0;
  double bytes_ = 0;
};

class Execution : public Contender {
 public:
  Execution(UlpfftPlan plan, const End& in, const End& out) : plan_(std::move(plan)), in_(in.array()), out_(out.array()) {}
  void run(std::int64_t repeats) override {
    for (std::int64_t i = 0; i < repeats; ++i) (void)plan_.execute_arrays(plan_.plan.get(), &in_, &out_, nullptr);
  }
  const UlpfftPlan& plan() const { return plan_; }
  // What one execution gives, as the library of the tool decodes it. A plan that fails gives zeros, which equal no result.
  std::vector<double> output(const End& out, ulpfft_context* context) const {
    out.clear();
    (void)plan_.execute_arrays(plan_.plan.get(), &in_, &out_, nullptr);
    return out.read(context);
  }

 private:
  const UlpfftPlan plan_;
  ulpfft_array in_, out_;
};

// Sums of four uniform numbers: nearly normal, of this rms.
std::vector<float> numbers(std::int64_t count, double rms) {
  std::vector<float> reals(static_cast<std::size_t>(count));
  std::uint64_t state = 1;
  for (float& x : reals) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      sum += static_cast<double>(state >> 40) * 0x1p-24 - 0.5;
    }
    x = static_cast<float>(sum * rms * 1.7320508);
  }
  return reals;
}

double largest_of(const std::string& storage) {
  for (const ulpfft_format& format : ulpfft::formats()) {
    if (storage.substr(0, storage.find(':')) == format.name && format.largest > 0) return std::fmin(format.largest, 65504.0);
  }
  return 65504;
}

// The arithmetic to compare with: f64 where the arrays are in f64.
std::string wide_of(const Facts& facts) { return std::string(facts.storage_in == kWider ? kWider : kWide); }

// The problem with both ends in it, and computed in it.
std::string in_wide(const Facts& facts, const std::string& problem) {
  const std::string storage = facts.storage_in == facts.storage_out ? facts.storage_in : facts.storage_in + "->" + facts.storage_out;
  std::string text = problem;
  if (const std::string scheme = " scheme=" + facts.scheme; !facts.scheme.empty()) text.erase(text.find(scheme), scheme.size());
  return text.replace(text.find(storage, text.find(' ')), storage.size(), wide_of(facts));
}

// A peer beside ours: f32 on arrays of its own, or ulpfft once more on the same ones.
struct Beside {
  PeerResult result;
  std::optional<Execution> execution;  // none: see the reason
};

UlpfftPlan planned(ulpfft::Context& context, const Settings& settings, const std::string& problem, double& seconds) {
  const double start = wall_seconds();
  ulpfft::Plan plan = context.parse(problem, {.effort = static_cast<ulpfft::Effort>(settings.efforts.ours)});
  seconds = wall_seconds() - start;
  return ulpfft_plan_of(std::move(plan));
}

// Both round the same exact numbers: they differ by the sum of their errors at most, which are predicted within a factor of 1.6.
std::string disagreement(const std::vector<double>& theirs, const std::vector<double>& ours, double their_error, double our_error) {
  const double limit = 1.6 * (their_error + our_error);
  const double difference = relative_l2(theirs, ours);
  if (difference <= limit) return "";
  return "its result differs from ours by " + show_error(difference) + " (relative L2), more than both errors together, " +
         show_error(limit);
}

std::vector<Beside> peers_beside(const std::vector<std::unique_ptr<Peer>>& peers, const Settings& settings, const std::string& problem,
                                 const End& in, const End& out, const Execution& ours, ulpfft_context* context) {
  std::vector<Beside> list;
  const std::vector<double> our_output = ours.output(out, context);
  for (const std::unique_ptr<Peer>& peer : peers) {
    if (!peer->is_ulpfft()) continue;
    Beside beside;
    beside.result.peer = peer->name();
    beside.result.is_ulpfft = true;
    const double start = wall_seconds();
    UlpfftPlan plan = peer->plan_text(problem, settings.efforts);
    beside.result.planning_seconds = wall_seconds() - start;
    beside.result.recipe = plan.recipe;
    beside.result.reason = plan.reason;
    if (plan.plan != nullptr) {
      beside.execution.emplace(std::move(plan), in, out);
      const std::vector<double> output = beside.execution->output(out, context);
      beside.result.reason = disagreement(output, our_output, beside.execution->plan().error, ours.plan().error);
      if (!beside.result.reason.empty()) beside.execution.reset();
    }
    list.push_back(std::move(beside));
  }
  return list;
}

// Times of all by turns, and ratios, round by round.
void compete(Row& row, Execution& ours, std::vector<Beside>& besides, double budget_seconds) {
  std::vector<Contender*> contenders = {&ours};
  for (Beside& beside : besides) {
    if (beside.execution) contenders.push_back(&*beside.execution);
  }
  const std::vector<std::vector<double>> samples = take_turns(contenders, {.budget_seconds = budget_seconds, .refresh = [] {}});
  const Estimate mine = median_of(samples[0]);
  row.seconds = mine.value;
  row.spread = mine.spread;
  row.rounds = static_cast<int>(samples[0].size());
  std::size_t next = 1;
  for (Beside& beside : besides) {
    if (beside.execution) take_times(samples[next++], samples[0], beside.result);
    row.peers.push_back(std::move(beside.result));
  }
}

}  // namespace

Row measure_narrow(ulpfft::Context& context, const Settings& settings, const Machine& machine,
                   const std::vector<std::unique_ptr<Peer>>& peers, std::string_view suite, std::string_view band,
                   const std::string& problem) {
  const Facts facts = read_facts(problem);
  Row row;
  row.suite = suite;
  row.band = band;
  row.problem = problem;
  row.storage = facts.storage_in;
  row.size = facts.size();
  row.points = facts.points();
  const Pin pin;
  row.cpu = pin.cpu();

  UlpfftPlan plan = planned(context, settings, problem, row.planning_seconds);
  row.recipe = plan.recipe;
  row.from_wisdom = ulpfft_plan_from_wisdom(plan.plan.get()) != 0;
  row.threads_used = ulpfft_plan_threads(plan.plan.get());
  Beside wide;
  wide.result.peer = wide_of(facts);
  wide.result.is_ulpfft = true;
  UlpfftPlan wide_plan = planned(context, settings, in_wide(facts, problem), wide.result.planning_seconds);
  wide.result.recipe = wide_plan.recipe;

  End in(facts, facts.storage_in, 0), out(facts, facts.storage_out, kApart), wide_in(facts, wide_of(facts), 2 * kApart),
      wide_out(facts, wide_of(facts), 3 * kApart);
  // An eighth of the smaller range for the outputs, whose rms grows by the root of n; at most 1 for the inputs.
  const double output_rms = std::fmin(largest_of(facts.storage_in), largest_of(facts.storage_out)) / 8;
  const double rms = std::fmin(1, output_rms / std::sqrt(static_cast<double>(facts.size())));
  const std::vector<float> reals = numbers(2 * facts.points(), rms);
  in.fill(context.get(), reals);
  wide_in.fill(context.get(), reals);

  Execution ours(std::move(plan), in, out);
  wide.execution.emplace(std::move(wide_plan), wide_in, wide_out);
  std::vector<Beside> besides;
  besides.push_back(std::move(wide));
  for (Beside& beside : peers_beside(peers, settings, problem, in, out, ours, context.get())) besides.push_back(std::move(beside));
  compete(row, ours, besides, settings.seconds);

  row.gflops = 1e-9 * facts.nominal_flops() / row.seconds;
  const double peak = facts.storage_in == kWider ? machine.flops_f64 : machine.flops_f32;
  row.of_peak = peak > 0 ? 1e9 * row.gflops / peak : 0;
  const double bytes = in.bytes() + out.bytes();
  const CopySpeed* level = machine.level_of(bytes);
  if (level != nullptr && level->best() > 0) row.of_copy = bytes / row.seconds / level->best();
  return row;
}

}  // namespace ulpfft_tool::bench
