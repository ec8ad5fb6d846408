// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms of real numbers through the C interface: every length against the oracle, random problems between guard pages, bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/compare.h"
#include "tests/support/gates.h"
#include "tests/support/real_case.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

template <typename Use>
void with_real(bool f64, const Use& use) {
  f64 ? use(double()) : use(float());
}

// ---- every length

// The slow judge of other targets is spared.
bool is_fast(const Target& target) { return target.backend != "ref" || targets().size() == 1; }

// A mean over 2^14 outputs is within the gate of complex transforms, on every target.
template <typename T>
void expect_accurate(const RealCase& problem) {
  const std::string text = text_of(problem);
  const auto in = real_case_input<T>(problem);
  const std::vector<ComplexDD> exact = exact_result(problem, widen(in));
  const std::int64_t n = transform_points(problem);
  for (const Target& target : targets()) {
    if (!is_fast(target)) continue;
    const PlanPtr plan = make_plan(target.context, text);
    ASSERT_NE(plan, nullptr) << target.name << " " << text;
    const RealRun<T> run = run_real_case<T>(plan.get(), problem, in, Flush::kStart, false);
    ASSERT_EQ(run.trouble, "") << target.name << " " << text;
    ErrorSum sum;
    for (std::size_t i = 0; i < exact.size(); ++i) sum.add(run.out[i], exact[i]);
    const double most = n == 1 ? 0 : gate_of<T>(recipe_of(plan.get()), n);
    EXPECT_LE(sum.relative_l2(), most) << target.name << " " << text << " " << recipe_of(plan.get());
  }
}

void check_length(std::int64_t n) {
  for (const bool f64 : {false, true}) {
    for (const bool c2r : {false, true}) {
      RealCase problem;
      problem.c2r = c2r;
      problem.f64 = f64;
      problem.backward = n % 3 == 1;
      problem.in_place = n % 5 == 2;
      problem.dims = {{n, 1, 1}};
      problem.batch = {{(kGateOutputs + n / 2) / (n / 2 + 1), 1, 1}};
      set_dense(problem);
      with_real(f64, [&](auto real) { expect_accurate<decltype(real)>(problem); });
    }
  }
}

TEST(RealTransforms, OfEveryLengthAreWithinTheGate) {
  const std::int64_t last = full_run() ? 1024 : 200;
  for (std::int64_t n = 1; n <= last; ++n) check_length(n);
}

TEST(RealTransforms, OfLargerLengthsAreWithinTheGate) {
  Random random(20261123);
  for (const std::int64_t n : {256, 512, 1000, 1024, 2048, 2187, 4096, 6000, 8192, 10007, 16384, 65536, 100000}) check_length(n);
  for (int i = 0; i < 47; ++i) check_length(random.between(201, i % 8 == 0 ? 60000 : 4096));
}

// ---- random problems

// Below this many points the mean of an error says little: the bound of the theorem, of the transform and of what untangles it.
double bound_of(const RealCase& problem, const std::string& recipe) {
  const std::int64_t points = std::max<std::int64_t>(2, transform_points(problem));
  const double of_passes = problem.f64 ? theorem_bound<double>(points) : theorem_bound<float>(points);
  const double convolutions = recipe.find("rader") != std::string::npos || recipe.find("bluestein") != std::string::npos ? 40 : 1;
  return 2 * convolutions * of_passes;
}

template <typename T>
void check_random(const RealCase& problem, bool flush_start, bool own_workspace) {
  const std::string text = text_of(problem);
  const PlanPtr plan = make_plan(default_target().context, text);
  ASSERT_NE(plan, nullptr) << text;
  const std::string recipe = recipe_of(plan.get());
  const auto in = real_case_input<T>(problem);
  const RealRun<T> run = run_real_case<T>(plan.get(), problem, in, flush_start ? Flush::kStart : Flush::kEnd, own_workspace);
  ASSERT_EQ(run.trouble, "") << text << " " << recipe;
  ErrorSum sum;
  const std::vector<ComplexDD> exact = exact_result(problem, widen(in));
  for (std::size_t i = 0; i < exact.size(); ++i) sum.add(run.out[i], exact[i]);
  EXPECT_LE(sum.relative_l2(), bound_of(problem, recipe)) << text << " " << recipe;
  if (!default_target().has_fma) return;
  const PlanPtr judge = make_plan(ref_target().context, text, recipe);
  ASSERT_NE(judge, nullptr) << text << " " << recipe;
  const RealRun<T> same = run_real_case<T>(judge.get(), problem, in, Flush::kEnd, false);
  EXPECT_EQ(std::memcmp(same.out.data(), run.out.data(), run.out.size() * sizeof run.out[0]), 0) << text << " " << recipe;
}

TEST(RealTransforms, OfRandomProblemsAreRightAndTouchNothingElse) {
  Random random(20261125);
  const int cases = full_run() ? 4000 : 400;
  for (int i = 0; i < cases; ++i) {
    const RealCase problem = random_real_case(random, i % 20 == 0 ? 20000 : 1500);
    const bool flush_start = random.chance(0.5), own_workspace = random.chance(0.3);
    with_real(problem.f64, [&](auto real) { check_random<decltype(real)>(problem, flush_start, own_workspace); });
    if (testing::Test::HasFatalFailure()) return;
  }
}

// ---- bits

TEST(RealTransforms, HaveTheSameBitsOnEveryTargetAndForAnyThreads) {
  for (const char* problem : {"r2c 1000*40 f32", "c2r 1000*40 f32", "r2c 105*9 f64", "c2r 105*9 f64 inverse", "r2c 48x64 f32",
                              "c2r 48x64x10 f64", "r2c 65536 f32", "c2r 65536 f64", "r2c 34*100 f32 inverse"}) {
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

TEST(RealTransforms, BackwardIsTheConjugateOfForward) {
  for (const bool f64 : {false, true}) {
    for (const std::int64_t n : {1, 2, 15, 64, 1000}) {
      RealCase problem;
      problem.f64 = f64;
      problem.dims = {{n, 1, 1}};
      set_dense(problem);
      with_real(f64, [&](auto real) {
        using T = decltype(real);
        const auto in = real_case_input<T>(problem);
        const PlanPtr forward = make_plan(default_target().context, text_of(problem));
        problem.backward = true;
        const PlanPtr backward = make_plan(default_target().context, text_of(problem), recipe_of(forward.get()));
        problem.backward = false;
        const RealRun<T> a = run_real_case<T>(forward.get(), problem, in, Flush::kEnd, false);
        const RealRun<T> b = run_real_case<T>(backward.get(), problem, in, Flush::kEnd, false);
        for (std::size_t k = 0; k < a.out.size(); ++k) EXPECT_EQ(a.out[k], std::conj(b.out[k])) << n << " " << k;
      });
    }
  }
}

// ---- errors and predictions

TEST(RealTransforms, HavePredictedErrorsNearTheMeasuredOnes) {
  for (const char* problem : {"r2c 1024 f32", "c2r 1024 f32", "r2c 1000 f64", "c2r 1000 f64", "r2c 105 f32", "c2r 10007 f32",
                              "r2c 64x64 f32", "c2r 64x64 f64", "r2c 60x45 f32"}) {
    const PlanPtr plan = make_plan(default_target().context, problem);
    ASSERT_NE(plan, nullptr) << problem;
    auto report = sized<ulpfft_error_report>();
    ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK) << problem << " " << last_error_text();
    const double ratio = report.relative_l2 / ulpfft_plan_error(plan.get());
    EXPECT_GT(ratio, 1 / 1.3) << problem << " " << recipe_of(plan.get());
    EXPECT_LT(ratio, 1.3) << problem << " " << recipe_of(plan.get());
  }
}

// ---- planning

TEST(RealTransforms, AreRememberedAndKeptWithinLimits) {
  const ContextPtr context = make_context();
  for (const char* problem : {"r2c 1000 f32", "c2r 48x64 f64", "r2c 105*7 f32 inplace"}) {
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

TEST(RealTransforms, OfEveryKindOfRecipeThatIsWrongAreRefusedByASentence) {
  const struct {
    const char *problem, *recipe, *says;
  } wrong[] = {
      {"r2c 16 f32", "f32:dit(8 2)", "has a real node, or is one codelet"},
      {"r2c 16 f32 centered", "f32:n16", "does not shift"},
      {"r2c 17 f32", "f32:n17", "There is no codelet of this transform of 17 reals"},
      {"r2c 16 f32", "f32:real(16; n16)", "needs a child of length 8, not 16"},
      {"c2r 15 f32", "f32:real(15; n5)", "needs a child of length 15, not 5"},
      {"r2c 16 f32", "f32:real(16; cols(p8; n8))", "transforms one complex line"},
      {"r2c 1024 f32", "f32:real(1024; dit(16 8 4 stream))", "Nothing streams inside real"},
      {"16 f32", "f32:real(16; n8)", "nodes only"},
      {"r2c 8x16 f32", "f32:rank(real(8; n4); n16)", "Only the last length has a real node"},
      {"r2c 8x16 f32", "f32:rank(real(8; n4); real(16; n8))", "Only the last length"},
      {"r2c 16 f32", "f32:real(18; n9)", "the recipe gives 18"},
  };
  for (const auto& one : wrong) {
    EXPECT_EQ(try_plan(default_target().context, one.problem, one.recipe), nullptr) << one.problem << " " << one.recipe;
    EXPECT_NE(last_error().message.find(one.says), std::string::npos) << one.recipe << ": " << last_error_text();
  }
}

}  // namespace
}  // namespace ulpfft::test
