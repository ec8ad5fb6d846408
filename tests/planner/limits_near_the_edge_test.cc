// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Error limits close to what the arithmetic can do: what is granted is kept on other data, and no load changes an answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner/facts/stored_error.h"
#include "planner/judge/assess.h"
#include "planner/search/error_limit.h"
#include "planner/search/search.h"
#include "tests/planner/best_target.h"
#include "tests/support/api.h"
#include "tests/support/signals.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

constexpr const char* kProblems[] = {
    "16 f32", "64 f64", "100 f32", "128 f64", "243 f32", "256 f32", "256 f64", "360 f64", "500 f32", "512 f64", "625 f64", "720 f32", "1000 f32", "1000 f64",
    "1009 f32", "1009 f64", "1018 f64", "1024 f32", "1024 f64", "1331 f32", "2048 f32", "2187 f64", "4096 f32", "4096 f64", "5000 f32", "16x16 f64", "20x30 f32",
    "64x48 f32", "8x8x8 f64", "256*16 f64", "64*100 f32", "17*50 f64", "1024 f64->f32", "1000 f32->f64", "256 f16", "1000 f32->bf16", "512 f16->f32", "1024 e4m3",
    "360 f32->i16", "256 mxfp8_e4m3", "1000 mxint8", "1024 f32 scale=ortho", "1000 f64 scale=1/n", "4096 f64 scheme=f32", "1024 f32 scheme=f32",
    "256 f32 scheme=rounded:f16", "1024 f64 inverse centered", "64x64 f64 scheme=f64", "1024 f32 chain=mul scale=1/n", "8192 f64",
    "r2c 1024 f32", "c2r 1000 f64", "r2c 105*3 i16->f32", "r2c 64x48 f64->f32", "c2r 30x20 f32", "r2c 1024 f32 chain=mul scale=1/n", "r2r 512 f32 kinds=dct2"};

// By a clock that gains so many seconds at every look: 25 us is a sample of a machine without load, with 10 ms hardly anything is timed.
std::unique_ptr<ulpfft_plan> plan_within(const std::string& problem, double limit, Effort effort, double step) {
  char text[64];
  std::snprintf(text, sizeof text, " max_error=%.17g", limit);
  SearchOptions options;
  options.effort = effort;
  options.time_limit_seconds = 0.3;
  options.clock = [now = 0.0, step]() mutable { return now += step; };
  try {
    return search_plan(parse_problem(problem + text), best_target().table, options);
  } catch (const PlanError& error) {
    EXPECT_EQ(error.field, "max_error") << problem << text << ": " << error.message;
    EXPECT_EQ(error.status, ULPFFT_UNSUPPORTED) << problem << text << ": " << error.message;
    return nullptr;
  }
}

// The error on data of another seed, stored as the problem stores them.
ErrorMeasurement on_other_data(const ulpfft_plan& plan, std::uint64_t seed) {
  Problem wide = plan.problem;
  const std::size_t points = static_cast<std::size_t>(transform_points(wide) * batch_count(wide));
  const std::vector<std::complex<double>> values = random_signal<double>(points, seed);
  const OwnArray array(plan.problem, false, plan.executable->backend.memory);
  // random_signal has parts of rms 1; a measurement's numbers have error_data_rms() as a whole.
  const double rms = error_data_rms(plan.problem, Sides(plan.problem)) / std::sqrt(2.0);
  const std::size_t each = static_cast<std::size_t>(transform_points(wide));
  for (std::size_t t = 0; t < points / each; ++t) {
    std::vector<std::complex<double>> one(values.begin() + static_cast<std::ptrdiff_t>(t * each), values.begin() + static_cast<std::ptrdiff_t>((t + 1) * each));
    for (std::complex<double>& value : one) value *= rms;
    store_transform(plan.problem, false, array.view(), static_cast<std::int64_t>(t), one);
  }
  return assess(plan, array.view().address(), ErrorLevel::kFull);
}

// A mean of so many arrays that it is at least as good as the certificate.
void expect_kept(const ulpfft_plan& plan, double limit, const std::string& where) {
  const std::int64_t points = transform_points(plan.problem) * batch_count(plan.problem);
  const int arrays = static_cast<int>(std::max<std::int64_t>(1, (1 << 14) / points));
  std::vector<double> squares;
  double error2 = 0, doubt = 0;
  for (int i = 0; i < arrays; ++i) {
    const ErrorMeasurement one = on_other_data(plan, seed_of(where) + static_cast<std::uint64_t>(i));
    squares.push_back(one.relative_l2 * one.relative_l2);
    error2 += squares.back() / arrays;
    doubt = one.standard_error;
  }
  if (arrays > 1) {
    double variance = 0;
    for (const double square : squares) variance += (square - error2) * (square - error2) / (arrays - 1);
    doubt = std::sqrt(variance / arrays / error2) / 2;
  }
  EXPECT_LE(std::sqrt(error2), limit + 3 * doubt) << where << ", recipe " << print_recipe(plan.recipe) << ", certified " << plan.error << " to " << plan.error_bound;
}

TEST(LimitsNearTheEdge, AreKeptOnOtherDataAndAnsweredAlikeUnderAnyLoad) {
  const int limits = full_run() ? 40 : 2;
  std::size_t granted = 0, refused = 0;
  std::size_t index = 0;
  for (const std::string problem : kProblems) {
    SearchOptions estimate;
    estimate.effort = Effort::kEstimate;
    estimate.error_level = ErrorLevel::kSampled;
    const double reachable = search_plan(parse_problem(problem), best_target().table, estimate)->error;
    for (int i = 0; i < limits; ++i, ++index) {
      // 0.9 to 1.1 of an estimate's error, more of them next to it than far away.
      const double at = (static_cast<double>(i) + 0.5 + static_cast<double>(index % 7) / 14) / limits * 2 - 1;
      const double limit = reachable * (1 + 0.1 * at * std::abs(at));
      char text[64];
      std::snprintf(text, sizeof text, " max_error=%.6g", limit);
      const std::string where = problem + text;
      const auto calm = plan_within(problem, limit, Effort::kMeasure, 25e-6);
      const auto loaded = plan_within(problem, limit, Effort::kMeasure, 1e-2);
      const auto estimated = plan_within(problem, limit, Effort::kEstimate, 25e-6);
      EXPECT_EQ(calm != nullptr, loaded != nullptr) << where << ": load changes the answer";
      EXPECT_EQ(calm != nullptr, estimated != nullptr) << where << ": effort changes the answer";
      for (const auto* plan : {&calm, &loaded, &estimated}) {
        if (*plan == nullptr) continue;
        EXPECT_LE((*plan)->error_bound, limit) << where;
        expect_kept(**plan, limit, where);
      }
      (calm != nullptr ? granted : refused) += 1;
    }
  }
  EXPECT_GT(granted, index / 8) << "the limits are not near the edge";
  EXPECT_GT(refused, index / 8) << "the limits are not near the edge";
}

}  // namespace
}  // namespace ulpfft::test
