// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms of real numbers through the C interface: every length against the oracle, random problems between guard pages, bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/api/real_checks.h"
#include "tests/support/api.h"
#include "tests/support/real_case.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

// ---- every length

// Of so many outputs the mean is within the gate of complex transforms.
void check_length(std::int64_t n, Sampler& cases) {
  for (const bool f64 : {false, true}) {
    for (const bool c2r : {false, true}) {
      if (!cases.next()) continue;
      RealCase problem;
      problem.c2r = c2r;
      problem.f64 = f64;
      problem.backward = n % 3 == 1;
      problem.in_place = n % 5 == 2;
      problem.dims = {{n, 1, 1}};
      problem.batch = {{(kGateOutputs + n / 2) / (n / 2 + 1), 1, 1}};
      set_dense(problem);
      with_real(f64, [&](auto real) { expect_accurate<decltype(real)>(problem, n == 1 ? 0 : 1); });
    }
  }
}

TEST(RealTransforms, OfEveryLengthAreWithinTheGate) {
  const std::int64_t last = full_run() ? 1024 : 200;
  Sampler cases(3);
  for (std::int64_t n = 1; n <= last; ++n) check_length(n, cases);
}

TEST(RealTransforms, OfLargerLengthsAreWithinTheGate) {
  Random random(20261123);
  Sampler cases(3);
  for (const std::int64_t n : {256, 512, 1000, 1024, 2048, 2187, 4096, 6000, 8192, 10007, 16384, 65536, 100000}) check_length(n, cases);
  for (int i = 0; i < 47; ++i) check_length(random.between(201, i % 8 == 0 ? 60000 : 4096), cases);
}

// ---- random problems

// Below this many points the mean of an error says little: the bound of the theorem, of the transform and of what untangles it.
double bound_of(const RealCase& problem) {
  const std::int64_t points = std::max<std::int64_t>(2, transform_points(problem));
  return 2 * (problem.f64 ? theorem_bound<double>(points) : theorem_bound<float>(points));
}

TEST(RealTransforms, OfRandomProblemsAreRightAndTouchNothingElse) {
  Random random(20261125);
  const int cases = full_run() ? 4000 : 400;
  Sampler sampler(3);
  for (int i = 0; i < cases; ++i) {
    const RealCase problem = random_real_case(random, i % 20 == 0 ? 20000 : 1500);
    const Flush flush = random.chance(0.5) ? Flush::kStart : Flush::kEnd;
    const bool own_workspace = random.chance(0.3);
    if (!sampler.next()) continue;
    with_real(problem.f64, [&](auto real) { check_random<decltype(real)>(problem, bound_of(problem), flush, own_workspace); });
    if (testing::Test::HasFatalFailure()) return;
  }
}

// ---- bits

TEST(RealTransforms, HaveTheSameBitsOnEveryTargetAndForAnyThreads) {
  for (const char* problem : {"r2c 1000*40 f32", "c2r 1000*40 f32", "r2c 105*9 f64", "c2r 105*9 f64 inverse", "r2c 48x64 f32",
                              "c2r 48x64x10 f64", "r2c 65536 f32", "c2r 65536 f64", "r2c 34*100 f32 inverse"}) {
    expect_one_hash(problem, false);
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
    expect_predicted_within(1.3, problem);
  }
}

// ---- planning

TEST(RealTransforms, AreRememberedAndKeptWithinLimits) {
  const ContextPtr context = make_context();
  for (const char* problem : {"r2c 1000 f32", "c2r 48x64 f64", "r2c 105*7 f32 inplace"}) {
    expect_remembered_and_limited(context.get(), problem);
  }
}

TEST(RealTransforms, OfEveryKindOfRecipeThatIsWrongAreRefusedByASentence) {
  constexpr Refused kWrong[] = {
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
  for (const Refused& one : kWrong) expect_refused(one);
}

}  // namespace
}  // namespace ulpfft::test
