// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms between real numbers through the C interface: every kind and length against the oracle, random problems between guard pages,
// bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/compare.h"
#include "tests/support/gates.h"
#include "tests/support/r2r_case.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

constexpr int kKinds = static_cast<int>(kR2rNames.size());

template <typename Use>
void with_real(bool f64, const Use& use) {
  f64 ? use(double()) : use(float());
}

template <typename T>
std::vector<DoubleDouble> widened(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

template <typename T>
double relative_l2(const std::vector<T>& out, const std::vector<DoubleDouble>& exact) {
  double error = 0, signal = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double difference = (DoubleDouble(static_cast<double>(out[i])) - exact[i]).value();
    error += difference * difference;
    signal += exact[i].value() * exact[i].value();
  }
  return error == 0 ? 0 : std::sqrt(error / signal);
}

TEST(R2rOracle, OfExtensionsEqualsTheDefinition) {
  Random random(20261130);
  for (const std::int64_t n : {1, 2, 3, 4, 5, 8, 9, 12, 15, 31, 64, 65, 100}) {
    for (int kind = 0; kind < kKinds; ++kind) {
      if (kind == ULPFFT_REDFT00 && n == 1) continue;
      std::vector<DoubleDouble> in;
      for (std::int64_t j = 0; j < n; ++j) in.emplace_back(random.normal());
      const auto sums = r2r_by_definition(kind, in), extended = r2r_by_extension(kind, in);
      for (std::size_t k = 0; k < in.size(); ++k) {
        EXPECT_LE(std::abs((sums[k] - extended[k]).value()), 0x1p-90 * static_cast<double>(n)) << kR2rNames[static_cast<std::size_t>(kind)] << " " << n << " " << k;
      }
    }
  }
}

// ---- every length

// Enough for a mean that a hundredth of it is off.
constexpr std::int64_t kOutputs = 1 << 12;

// The gate of a kind beside that of complex transforms.
double gate_factor(int kind) { return kind <= ULPFFT_DHT ? 1.0 : is_type_1(kind) ? 2.0 : 1.5; }

// The slow judge of other targets is spared.
bool is_fast(const Target& target) { return target.backend != "ref" || targets().size() == 1; }

template <typename T>
void expect_accurate(const R2rCase& problem) {
  const std::string text = text_of(problem);
  const auto in = r2r_case_input<T>(problem);
  const auto exact = exact_result(problem, widened(in));
  const std::int64_t n = transform_points(problem);
  for (const Target& target : targets()) {
    if (!is_fast(target)) continue;
    const PlanPtr plan = make_plan(target.context, text);
    ASSERT_NE(plan, nullptr) << target.name << " " << text;
    const R2rRun<T> run = run_r2r_case<T>(plan.get(), problem, in, Flush::kStart, false);
    ASSERT_EQ(run.trouble, "") << target.name << " " << text;
    const double most = gate_factor(problem.kinds[0]) * gate_of<T>(recipe_of(plan.get()), std::max<std::int64_t>(2, n));
    EXPECT_LE(relative_l2(run.out, exact), most) << target.name << " " << text << " " << recipe_of(plan.get());
  }
}

void check_length(std::int64_t n) {
  for (const bool f64 : {false, true}) {
    for (int kind = 0; kind < kKinds; ++kind) {
      if (kind == ULPFFT_REDFT00 && n == 1) continue;
      R2rCase problem;
      problem.f64 = f64;
      problem.in_place = n % 5 == 2;
      problem.dims = {{n, 1, 1}};
      problem.kinds = {kind};
      problem.batch = {{(kOutputs + n - 1) / n, 1, 1}};
      set_dense(problem);
      with_real(f64, [&](auto real) { expect_accurate<decltype(real)>(problem); });
    }
  }
}

TEST(R2rTransforms, OfEveryLengthAreWithinTheGate) {
  const std::int64_t last = full_run() ? 1024 : 200;
  for (std::int64_t n = 1; n <= last; ++n) check_length(n);
}

TEST(R2rTransforms, OfLargerLengthsAreWithinTheGate) {
  Random random(20261131);
  for (const std::int64_t n : {256, 512, 1000, 1024, 2047, 2048, 2049, 2187, 4096, 6000, 8192, 10007, 16384}) check_length(n);
  for (int i = 0; i < 47; ++i) check_length(random.between(201, i % 8 == 0 ? 20000 : 2048));
}

// ---- random problems

// Below this many points the mean of an error says little: the bound of the theorem for each pass, of the child and of those around it.
double bound_of(const R2rCase& problem, const std::string& recipe) {
  const double rank = static_cast<double>(problem.dims.size());
  const std::int64_t points = std::max<std::int64_t>(2, transform_points(problem));
  const double of_passes = problem.f64 ? theorem_bound<double>(4 * points) : theorem_bound<float>(4 * points);
  const double convolutions = recipe.find("rader") != std::string::npos || recipe.find("bluestein") != std::string::npos ? 40 : 1;
  return 2 * rank * convolutions * of_passes;
}

template <typename T>
void check_random(const R2rCase& problem, bool flush_start, bool own_workspace) {
  const std::string text = text_of(problem);
  const PlanPtr plan = make_plan(default_target().context, text);
  ASSERT_NE(plan, nullptr) << text;
  const std::string recipe = recipe_of(plan.get());
  const auto in = r2r_case_input<T>(problem);
  const R2rRun<T> run = run_r2r_case<T>(plan.get(), problem, in, flush_start ? Flush::kStart : Flush::kEnd, own_workspace);
  ASSERT_EQ(run.trouble, "") << text << " " << recipe;
  EXPECT_LE(relative_l2(run.out, exact_result(problem, widened(in))), bound_of(problem, recipe)) << text << " " << recipe;
  if (!default_target().has_fma) return;
  const PlanPtr judge = make_plan(ref_target().context, text, recipe);
  ASSERT_NE(judge, nullptr) << text << " " << recipe;
  const R2rRun<T> same = run_r2r_case<T>(judge.get(), problem, in, Flush::kEnd, false);
  EXPECT_EQ(std::memcmp(same.out.data(), run.out.data(), run.out.size() * sizeof(T)), 0) << text << " " << recipe;
}

TEST(R2rTransforms, OfRandomProblemsAreRightAndTouchNothingElse) {
  Random random(20261132);
  const int cases = full_run() ? 6000 : 600;
  for (int i = 0; i < cases; ++i) {
    const R2rCase problem = random_r2r_case(random, i % 20 == 0 ? 20000 : 1500);
    const bool flush_start = random.chance(0.5), own_workspace = random.chance(0.3);
    with_real(problem.f64, [&](auto real) { check_random<decltype(real)>(problem, flush_start, own_workspace); });
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Batches of several groups and a rest, in both orders of sizes and with gaps between lines and transforms.
TEST(R2rTransforms, OfShortTransformsThatGoThroughAllDimensionsTogetherAreRight) {
  for (const bool f64 : {false, true}) {
    for (int i = 0; i < 4; ++i) {
      R2rCase problem;
      problem.f64 = f64;
      problem.in_place = i == 1;
      problem.threads = i == 2 ? 3 : 1;
      problem.scale_kind = i == 3 ? ULPFFT_SCALE_ORTHO : ULPFFT_SCALE_NONE;
      problem.dims = i % 2 == 0 ? std::vector<Dim>{{8, 1, 1}, {8, 1, 1}} : std::vector<Dim>{{15, 1, 1}, {36, 1, 1}};
      problem.kinds = i % 2 == 0 ? std::vector<int>{ULPFFT_REDFT10, ULPFFT_RODFT01} : std::vector<int>{ULPFFT_REDFT01, ULPFFT_REDFT11};
      problem.batch = {{i % 2 == 0 ? 301 : 38, 1, 1}};
      set_dense(problem);
      if (i == 2) {
        problem.dense = false;
        problem.dims = {{8, 9, 10}, {8, 1, 1}};
        problem.batch = {{301, 75, 83}};
      }
      with_real(f64, [&](auto real) { check_random<decltype(real)>(problem, i % 2 == 0, i == 3); });
    }
  }
}

// ---- bits

TEST(R2rTransforms, HaveTheSameBitsOnEveryTargetAndForAnyThreads) {
  for (const char* problem :
       {"r2r 1000*40 f32 kinds=dct2", "r2r 1000*40 f64 kinds=dst3", "r2r 105*9 f32 kinds=dct4", "r2r 48x64 f32 kinds=dct2,dct2",
        "r2r 48x63x10 f64 kinds=dst4,dct3,dht", "r2r 65536 f32 kinds=dct4", "r2r 65 f64 kinds=dct1", "r2r 34*100 f32 kinds=r2hc",
        "r2r 8x8*301 f32 kinds=dct2,dct2", "r2r 24x30*23 f64 kinds=dct4,dst2"}) {
    const PlanPtr judge = make_plan(ref_target().context, problem);
    ASSERT_NE(judge, nullptr) << problem;
    const std::string recipe = recipe_of(judge.get());
    for (const Target& target : targets()) {
      if (!target.has_fma) continue;
      for (const char* threads : {"", " threads=3"}) {
        const PlanPtr plan = try_plan(target.context, std::string(problem) + threads, recipe);
        if (plan == nullptr) continue;  // a codelet that only some targets have
        EXPECT_EQ(hash_of(plan.get()), hash_of(judge.get())) << target.name << " " << problem << threads << " " << recipe;
      }
    }
  }
}

// ---- errors and predictions

TEST(R2rTransforms, HavePredictedErrorsNearTheMeasuredOnes) {
  for (const char* size : {"1024", "1000", "105", "64x64", "60x45"}) {
    for (const std::string_view kind : kR2rNames) {
      for (const char* storage : {" f32 kinds=", " f64 scale=ortho kinds="}) {
        const std::string name(kind);
        const std::string problem = std::string("r2r ") + size + storage + name + (std::strchr(size, 'x') != nullptr ? "," + name : "");
        const PlanPtr plan = make_plan(default_target().context, problem);
        ASSERT_NE(plan, nullptr) << problem;
        auto report = sized<ulpfft_error_report>();
        ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK) << problem << " " << last_error_text();
        const double ratio = report.relative_l2 / ulpfft_plan_error(plan.get());
        EXPECT_GT(ratio, 1 / 1.4) << problem << " " << recipe_of(plan.get());
        EXPECT_LT(ratio, 1.4) << problem << " " << recipe_of(plan.get());
      }
    }
  }
}

// ---- planning

TEST(R2rTransforms, AreRememberedAndKeptWithinLimits) {
  const ContextPtr context = make_context();
  for (const char* problem : {"r2r 1000 f32 kinds=dct2", "r2r 48x64 f64 kinds=dst1,dct4", "r2r 105*7 f32 kinds=hc2r inplace"}) {
    const PlanPtr measured = make_plan(context.get(), problem, ULPFFT_MEASURE);
    ASSERT_NE(measured, nullptr) << problem;
    EXPECT_GT(ulpfft_plan_seconds(measured.get()), 0) << problem;
    const PlanPtr again = make_plan(context.get(), problem, ULPFFT_WISDOM_ONLY);
    ASSERT_NE(again, nullptr) << problem;
    EXPECT_EQ(ulpfft_plan_from_wisdom(again.get()), 1) << problem;
    EXPECT_EQ(recipe_of(again.get()), recipe_of(measured.get())) << problem;
    const PlanPtr limited = make_plan(context.get(), std::string(problem) + " max_error=1e-5");
    ASSERT_NE(limited, nullptr) << problem;
    EXPECT_LE(ulpfft_plan_error(limited.get()), 1e-5) << problem;
    EXPECT_EQ(ulpfft_plan_error_level(limited.get()), ULPFFT_ERROR_SAMPLED) << problem;
  }
}

TEST(R2rTransforms, OfOtherKindsAreOtherProblemsToWisdom) {
  const ContextPtr context = make_context();
  ASSERT_NE(make_plan(context.get(), "r2r 64 f32 kinds=dct2", ULPFFT_MEASURE), nullptr);
  auto options = sized<ulpfft_plan_options>();
  options.effort = ULPFFT_WISDOM_ONLY;
  ulpfft_plan* plan = nullptr;
  EXPECT_EQ(ulpfft_plan_parse_options(context.get(), "r2r 64 f32 kinds=dct3", &options, &plan), ULPFFT_UNAVAILABLE);
}

TEST(R2rTransforms, OfEveryKindOfRecipeThatIsWrongAreRefusedByASentence) {
  const struct {
    const char *problem, *recipe, *says;
  } wrong[] = {
      {"r2r 16 f32 kinds=dct2", "f32:dit(4 4)", "has an r2r node"},
      {"r2r 1024 f32 kinds=dct2", "f32:n1024", "no codelet"},
      {"r2r 16 f32 kinds=dct2", "f32:r2r(16; n16)", "needs a child of length 8, not 16"},
      {"r2r 15 f32 kinds=dst4", "f32:r2r(15; n5)", "needs a child of length 15, not 5"},
      {"r2r 17 f32 kinds=dct1", "f32:r2r(17; n8)", "needs a child of length 16, not 8"},
      {"r2r 16 f32 kinds=dct2", "f32:r2r(16; cols(p8; n8))", "transforms one complex line"},
      {"r2r 1024 f32 kinds=dct2", "f32:r2r(1024; dit(16 8 4 stream))", "Nothing streams inside r2r"},
      {"16 f32", "f32:r2r(16; n8)", "nodes only"},
      {"r2c 16 f32", "f32:r2r(16; n8)", "has a real node"},
      {"r2r 16 f32 kinds=dct2", "f32:r2r(18; n9)", "the recipe gives 18"},
      {"r2r 16 f32 kinds=dct2", "f64:r2r(16; n8)", "the type of its arrays, f32"},
      {"r2r 16 f64 kinds=dct2", "f32:n16", "the type of its arrays, f64"},
      {"r2r 16 f32 kinds=dct2", "rounded:f16:r2r(16; n8)", "the type of its arrays, f32"},
  };
  for (const auto& one : wrong) {
    EXPECT_EQ(try_plan(default_target().context, one.problem, one.recipe), nullptr) << one.problem << " " << one.recipe;
    EXPECT_NE(last_error().message.find(one.says), std::string::npos) << one.recipe << ": " << last_error_text();
  }
}

TEST(R2rTransforms, AreTimedWithinAnErrorLimit) {
  for (const char* problem : {"r2r 50 f32 kinds=dct2 max_error=1e-6", "r2r 64 f64 kinds=dst4 max_error=1e-6",
                              "r2r 8x9 f32 kinds=dct2,dht max_error=1e-6", "r2r 9 f32 kinds=dct1 max_error=1e-3"}) {
    auto options = sized<ulpfft_plan_options>();
    options.effort = ULPFFT_MEASURE;
    options.time_limit_seconds = 0.2;
    ulpfft_plan* made = nullptr;
    ASSERT_EQ(ulpfft_plan_parse_options(default_target().context, problem, &options, &made), ULPFFT_OK) << problem << last_error_text();
    const PlanPtr plan(made);
    EXPECT_EQ(recipe_of(made).substr(0, 3), std::string(problem).find("f64") == std::string::npos ? "f32" : "f64") << problem;
  }
}

TEST(R2rTransforms, ThatAreNotPossibleAreRefusedByASentence) {
  const struct {
    const char *problem, *says;
  } wrong[] = {
      {"r2r 16 f32", "one kind per length"},
      {"r2r 16x16 f32 kinds=dct2", "one kind per length, e.g. kinds=dct2,dct2"},
      {"r2r 16 f32 kinds=dct2,dct2", "one kind per length"},
      {"r2r 16 f32 kinds=dct5", "Did you mean 'dct"},
      {"r2r 1 f32 kinds=dct1", "length of 2 or more"},
      {"r2r 1x4 f32 kinds=redft00,dct2", "length of 2 or more"},
      {"r2r 16x16 f32 kinds=dct2,dst3 inverse", "name the kinds that invert, kinds=dct3,dst2"},
      {"r2r 16 f32 kinds=dct2 split", "no parts to split"},
      {"r2r 16 f32 kinds=dct2 centered", "not centered"},
      {"r2r 16 f32 kinds=dct2 prescale=amax", "no prescale"},
      {"r2r 16 f32 kinds=dct2 chain=mul", "chains of real numbers are r2c"},
      {"r2r 16 f32 kinds=dct2 backend=cuda", "real numbers"},
      {"r2r 16 f32 kinds=dct2 scheme=mx:mxfp8_e4m3", "r2r"},
      {"r2r 16 f16 kinds=dct2", "f32 or f64"},
      {"16 f32 kinds=dct2", "leave 'kinds' out"},
      {"r2c 16 f32 kinds=dct2", "leave 'kinds' out"},
  };
  for (const auto& one : wrong) {
    ulpfft_plan* plan = nullptr;
    EXPECT_NE(ulpfft_plan_parse_options(default_target().context, one.problem, nullptr, &plan), ULPFFT_OK) << one.problem;
    EXPECT_NE(last_error().message.find(one.says), std::string::npos) << one.problem << ": " << last_error_text();
  }
}

}  // namespace
}  // namespace ulpfft::test
