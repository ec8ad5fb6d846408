// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How much of the rate that its counted operations allow a pass of a split scheme reaches, for every listed scheme and radix.
//
//   split_rates [--target=T] [--scheme=S] [--radix=R] [--longest=N]
//
// Counted     split_counts() of every pass, where rounding a number to a part and keeping the rest are kOfSplit operations, and a product
//             with a twiddle is its products and half as many sums.
// Allowed     one vector of each operation takes as long as one multiply-add of the widest vectors of the machine, in independent chains.
// Measured    whole transforms of passes of that radix, from interleaved numbers to interleaved numbers, of at most N points (4096), or
//             of two passes, and 4 N points in all. Transforms and multiply-adds take turns, in processor time. "1 x": one transform of
//             one pass.
//
// Not a command of the tool: it counts operations of passes, and the tool knows the public interface alone.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "planner/scheme/families.h"
#include "planner/scheme/split.h"
#include "planner/scheme/split_counts.h"
#include "tests/bench/timing.h"
#include "tools/ulpfft/bench/machine_kernels.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::bench {
namespace {

constexpr double kOfSplit = 7;
constexpr std::int64_t kLongest = 4096;
constexpr int kAlternations = 15;
constexpr double kBatchSeconds = 1e-3;
constexpr std::int64_t kRounds = 4096;  // of twelve multiply-adds

// Powers of a radix: enough passes that most of them are neither first nor last.
std::int64_t passes_of(std::int64_t radix, std::int64_t longest) {
  std::int64_t passes = 2;
  for (std::int64_t n = radix * radix * radix; n <= longest; n *= radix) ++passes;
  return passes;
}

double operations_of(const SplitPass& pass) {
  const SplitCounts counts = split_counts(pass);
  return static_cast<double>(counts.products + counts.sums + counts.norms) + kOfSplit * static_cast<double>(counts.splits) +
         1.5 * static_cast<double>(counts.twiddles);
}

class Transform {
 public:
  Transform(ulpfft_context* context, const std::string& scheme, std::int64_t radix, std::int64_t longest, bool single) {
    const auto constants = std::get<SplitScheme>(scheme_named(scheme).constants);
    const std::int64_t passes = single ? 1 : passes_of(radix, longest);
    std::string node = scheme + (single ? ":n" : ":dit(");
    std::int64_t n = 1;
    for (std::int64_t i = 0; i < passes; ++i, n *= radix) node += (i > 0 ? " " : "") + std::to_string(radix);
    if (!single) node += ")";
    const std::int64_t batch = single ? 1 : (4 * longest + n - 1) / n, reals = 2 * n * batch;
    is_double_ = constants.slices();
    for (std::int64_t length = 1; length < n; length *= radix) {
      const SplitPass pass = split_pass(constants, radix, length, n, length * radix < n ? radix : 0);
      operations_ += operations_of(pass) * static_cast<double>(n / radix * batch);
    }
    const std::string problem = std::to_string(n) + "*" + std::to_string(batch) + (is_double_ ? " f64" : " f32") + " scheme=" + scheme;
    ulpfft_plan* plan = nullptr;
    if (ulpfft_plan_from_recipe(context, problem.c_str(), node.c_str(), &plan) != ULPFFT_OK) {
      std::fprintf(stderr, "%s\n", ulpfft_last_error());
      return;
    }
    plan_.reset(plan);
    is_double_ ? fill(doubles_, reals) : fill(floats_, reals);
  }
  bool is_planned() const { return plan_ != nullptr; }
  bool is_double() const { return is_double_; }
  double operations() const { return operations_; }
  void run() {
    is_double_ ? (void)ulpfft_execute(plan_.get(), doubles_.data(), doubles_.data() + doubles_.size() / 2)
               : (void)ulpfft_execute(plan_.get(), floats_.data(), floats_.data() + floats_.size() / 2);
  }

 private:
  // Input and output.
  template <typename T>
  static void fill(std::vector<T>& reals, std::int64_t count) {
    reals.assign(static_cast<std::size_t>(2 * count), T(0));
    for (std::size_t i = 0; i < reals.size() / 2; ++i) reals[i] = static_cast<T>(static_cast<double>(i * 7919 % 1013) / 1013 - 0.5);
  }

  std::unique_ptr<ulpfft_plan, decltype(&ulpfft_plan_destroy)> plan_{nullptr, &ulpfft_plan_destroy};
  std::vector<float> floats_;
  std::vector<double> doubles_;
  bool is_double_ = false;
  double operations_ = 0;
};

// One row of the table: what the passes of a radix reach.
bool show(ulpfft_context* context, const std::string& scheme, std::int64_t radix, std::int64_t longest, bool single) {
  Transform transform(context, scheme, radix, longest, single);
  if (!transform.is_planned()) return false;
  const ulpfft_tool::bench::MachineKernels& kernels = ulpfft_tool::bench::machine_kernels();
  const std::size_t real = transform.is_double() ? sizeof(double) : sizeof(float);
  const double each = static_cast<double>(kRounds * ulpfft_tool::bench::kChains) * static_cast<double>(kernels.vector_bytes / real);
  volatile double sink = 0;
  const auto multiply_add = [&] {
    sink = transform.is_double() ? kernels.multiply_add_f64(kRounds) : static_cast<double>(kernels.multiply_add_f32(kRounds));
  };
  const Comparison times = alternate([&] { transform.run(); }, multiply_add, kAlternations, kBatchSeconds);
  // Of one operation, over what it takes here.
  const double share = times.ratio / each * transform.operations();
  std::printf("%-20s %s %5lld  %5.2f  +- %4.1f %%  %9.1f us  %6.1f G/s\n", scheme.c_str(), single ? "1 x" : "   ",
              static_cast<long long>(radix), share, 100 * times.ratio_spread, 1e6 * times.first_seconds,
              1e-9 * transform.operations() / times.first_seconds);
  std::fflush(stdout);
  return true;
}

int run(int count, char** words) {
  std::string target, only_scheme, only_radix;
  std::int64_t longest = kLongest;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const std::size_t equals = word.find('=') + 1;
    if (word.starts_with("--target=")) target = word.substr(equals);
    if (word.starts_with("--scheme=")) only_scheme = word.substr(equals);
    if (word.starts_with("--radix=")) only_radix = word.substr(equals);
    if (word.starts_with("--longest=")) longest = std::max<std::int64_t>(1, std::atoll(word.c_str() + equals));
  }
  ulpfft_context_options options{};
  options.size = sizeof options;
  options.target = target.empty() ? nullptr : target.c_str();
  ulpfft_context* made = nullptr;
  if (ulpfft_context_create(&options, &made) != ULPFFT_OK) {
    std::fprintf(stderr, "%s\n", ulpfft_last_error());
    return 1;
  }
  const std::unique_ptr<ulpfft_context, decltype(&ulpfft_context_destroy)> context(made, &ulpfft_context_destroy);
  std::printf("scheme                   radix  share of the rate that multiply-adds have, +-, time, counted operations\n");
  for (const SchemeFamily::Listed& scheme : kSplitFamily.list()) {
    if (!only_scheme.empty() && only_scheme != scheme.name) continue;
    for (const std::int64_t radix : split_radices()) {
      if (!only_radix.empty() && only_radix != std::to_string(radix)) continue;
      if (!show(context.get(), scheme.name, radix, longest, false)) return 1;
      if (radix >= kLeastRowRadix && !show(context.get(), scheme.name, radix, longest, true)) return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace ulpfft::bench

int main(int count, char** words) { return ulpfft::bench::run(count, words); }
