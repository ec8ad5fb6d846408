// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/narrow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "tools/ulpfft/bench/facts.h"
#include "tools/ulpfft/bench/suites.h"
#include "tools/ulpfft/bench/timing.h"

namespace ulpfft_tool::bench {
namespace {

struct Free {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<std::byte, Free>;

constexpr std::size_t kPage = 4096;
constexpr std::size_t kApart = 17 * 64;  // ends begin at different places of a page

// Dense rows of complex numbers in any storage.
class End {
 public:
  End(const Facts& facts, std::string storage, std::size_t apart) : storage_(std::move(storage)) {
    const std::int64_t n = facts.lengths.back().n;
    const std::int64_t rows = facts.points() / n;
    ulpfft_layout layout{};
    layout.size = sizeof layout;
    if (storage_ == "f32") {
      layout.data_bytes = facts.points() * 8;
    } else {
      const std::array<std::int64_t, 2> lengths = {rows, 2 * n};
      ulpfft::detail::check(ulpfft_format_layout(storage_.c_str(), 2, lengths.data(), &layout));
    }
    codes_ = take(static_cast<std::size_t>(layout.data_bytes) + apart);
    if (layout.scale_bytes > 0) scales_ = take(static_cast<std::size_t>(layout.scale_bytes));
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
    } else {
      ulpfft::detail::check(ulpfft_encode(context, &conversion_, reals.data(), array_.data[0], array_.scales[0], nullptr));
    }
  }
  const ulpfft_array& array() const { return array_; }
  double bytes() const { return bytes_; }

 private:
  static Memory take(std::size_t bytes) {
    Memory memory(static_cast<std::byte*>(std::aligned_alloc(kPage, (bytes / kPage + 1) * kPage)));
    if (memory == nullptr) throw std::bad_alloc();
    std::fill(memory.get(), memory.get() + bytes, std::byte{0});
    return memory;
  }

  std::string storage_;
  Memory codes_, scales_;
  ulpfft_array array_{};
  ulpfft_conversion conversion_{};
  double bytes_ = 0;
};

class Execution : public Contender {
 public:
  Execution(const ulpfft::Plan& plan, const End& in, const End& out) : plan_(plan.get()), in_(in.array()), out_(out.array()) {}
  void run(std::int64_t repeats) override {
    for (std::int64_t i = 0; i < repeats; ++i) ulpfft::detail::check(ulpfft_execute_arrays(plan_, &in_, &out_, nullptr));
  }

 private:
  const ulpfft_plan* plan_;
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

// The problem with both ends in f32, and computed in it.
std::string in_f32(const Facts& facts, const std::string& problem) {
  const std::string storage = facts.storage_in == facts.storage_out ? facts.storage_in : facts.storage_in + "->" + facts.storage_out;
  std::string text = problem;
  if (const std::string scheme = " scheme=" + facts.scheme; !facts.scheme.empty()) text.erase(text.find(scheme), scheme.size());
  return text.replace(text.find(storage, text.find(' ')), storage.size(), "f32");
}

}  // namespace

Row measure_narrow(ulpfft::Context& context, const Settings& settings, const Machine& machine, std::string_view suite, std::string_view band,
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
  PeerResult& wide_result = row.peers.emplace_back();
  wide_result.peer = kWide;

  const ulpfft::PlanOptions options{.effort = static_cast<ulpfft::Effort>(settings.efforts.ours)};
  double start = wall_seconds();
  const ulpfft::Plan plan = context.parse(problem, options);
  row.planning_seconds = wall_seconds() - start;
  start = wall_seconds();
  const ulpfft::Plan wide_plan = context.parse(in_f32(facts, problem), options);
  wide_result.planning_seconds = wall_seconds() - start;
  row.recipe = plan.recipe();
  row.from_wisdom = plan.from_wisdom();
  row.threads_used = ulpfft_plan_threads(plan.get());
  wide_result.recipe = wide_plan.recipe();

  End in(facts, facts.storage_in, 0), out(facts, facts.storage_out, kApart), wide_in(facts, "f32", 2 * kApart), wide_out(facts, "f32", 3 * kApart);
  // An eighth of the smaller range for the outputs, whose rms grows by the root of n; at most 1 for the inputs.
  const double output_rms = std::fmin(largest_of(facts.storage_in), largest_of(facts.storage_out)) / 8;
  const double rms = std::fmin(1, output_rms / std::sqrt(static_cast<double>(facts.size())));
  const std::vector<float> reals = numbers(2 * facts.points(), rms);
  in.fill(context.get(), reals);
  wide_in.fill(context.get(), reals);

  Execution narrow(plan, in, out), wide(wide_plan, wide_in, wide_out);
  const std::vector<std::vector<double>> samples = take_turns({&narrow, &wide}, {.budget_seconds = settings.seconds, .refresh = [] {}});
  const Estimate mine = median_of(samples[0]), theirs = median_of(samples[1]);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < samples[0].size(); ++i) ratios.push_back(samples[1][i] / samples[0][i]);
  const Estimate ratio = median_of(ratios);
  row.seconds = mine.value;
  row.spread = mine.spread;
  row.rounds = static_cast<int>(samples[0].size());
  row.gflops = 1e-9 * facts.nominal_flops() / row.seconds;
  row.of_peak = machine.flops_f32 > 0 ? 1e9 * row.gflops / machine.flops_f32 : 0;
  const double bytes = in.bytes() + out.bytes();
  const CopySpeed* level = machine.level_of(bytes);
  if (level != nullptr && level->best() > 0) row.of_copy = bytes / row.seconds / level->best();
  wide_result.seconds = theirs.value;
  wide_result.spread = theirs.spread;
  wide_result.ratio = ratio.value;
  wide_result.ratio_spread = ratio.spread;
  return row;
}

}  // namespace ulpfft_tool::bench
