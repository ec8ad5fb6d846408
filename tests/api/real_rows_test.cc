// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Real nodes in rows through the C interface: every odd length with every radix against the oracle, random problems between guard pages,
// bits, and what is refused.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/api/real_checks.h"
#include "tests/api/rows_of_reals.h"
#include "tests/support/api.h"
#include "tests/support/real_case.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

void check_length(std::int64_t n, Sampler& cases) {
  for (const std::int64_t radix : radices_of(n)) {
    for (const bool f64 : {false, true}) {
      const std::string recipe = recipe_in_rows(n, radix, f64);
      for (const bool c2r : {false, true}) {
        if (!cases.next()) continue;
        RealCase problem;
        problem.c2r = c2r;
        problem.f64 = f64;
        problem.backward = n % 4 == 1;
        problem.in_place = n % 5 == 2;
        problem.dims = {{n, 1, 1}};
        problem.batch = {{(kGateOutputs + n / 2) / (n / 2 + 1), 1, 1}};
        set_dense(problem);
        with_real(f64, [&](auto real) {
          using T = decltype(real);
          check_recipe<T>(problem, recipe, Flush::kStart, gate_of<T>(recipe, n));
        });
      }
    }
  }
}

TEST(RealRows, OfEveryOddLengthAreWithinTheGateAndHaveOneResult) {
  const std::int64_t last = full_run() ? 1023 : 199;
  Sampler cases(3);
  for (std::int64_t n = 9; n <= last; n += 2) check_length(n, cases);
}

TEST(RealRows, OfLargerLengthsAreWithinTheGateAndHaveOneResult) {
  Sampler cases(3);
  for (const std::int64_t n : {225, 315, 375, 405, 625, 729, 1125, 2187, 3 * 1009, 3375, 15625, 59049}) check_length(n, cases);
}

// Strides, batches, several lengths, in place, centred and scaled.
TEST(RealRows, OfRandomProblemsAreRightAndTouchNothingElse) {
  Random random(20261124);
  const int cases = full_run() ? 2000 : 200;
  int checked = 0;
  Sampler sampler(3);
  for (int i = 0; checked < cases && i < 40 * cases; ++i) {
    const RealCase problem = random_real_case(random, 1500);
    const std::int64_t n = problem.dims.back().length;
    const std::set<std::int64_t> radices = radices_of(n);
    if (n % 2 == 0 || radices.empty()) continue;
    ++checked;
    const std::int64_t radix = *std::next(radices.begin(), static_cast<std::ptrdiff_t>(random.below(radices.size())));
    std::string rows = recipe_in_rows(n, radix, problem.f64);
    if (problem.dims.size() > 1) {
      const std::string whole = recipe_of(make_plan(default_target().context, text_of(problem)).get());
      const std::size_t last = whole.rfind("; real(");
      if (last == std::string::npos) continue;  // one codelet
      rows = whole.substr(0, last) + "; " + rows.substr(4) + ")";
    }
    const std::int64_t points = transform_points(problem);
    const bool convolves = rows.find("rader") != std::string::npos || rows.find("bluestein") != std::string::npos;
    const double most = (convolves ? 80 : 2) * (problem.f64 ? theorem_bound<double>(points) : theorem_bound<float>(points));
    const Flush flush = random.chance(0.5) ? Flush::kStart : Flush::kEnd;
    if (!sampler.next()) continue;
    with_real(problem.f64, [&](auto real) { check_recipe<decltype(real)>(problem, rows, flush, most); });
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GE(checked, cases / 4);
}

TEST(RealRows, HaveOneHashForAnyThreads) {
  for (const char* problem : {"r2c 1125*40 f32", "c2r 1125*40 f32", "r2c 59049 f64", "c2r 59049 f64 inverse", "r2c 31x45 f32"}) {
    const std::string text = problem;
    const bool f64 = text.find("f64") != std::string::npos;
    const std::string recipe = text.find("x45") != std::string::npos     ? "f32:rank(rader(31; dit(6 5)); real(5x9; n9))"
                               : text.find("1125") != std::string::npos ? recipe_in_rows(1125, 9, f64)
                                                                         : recipe_in_rows(59049, 9, f64);
    const PlanPtr one = make_plan(default_target().context, text, recipe);
    const PlanPtr three = make_plan(default_target().context, text + " threads=3", recipe);
    ASSERT_NE(one, nullptr) << text;
    ASSERT_NE(three, nullptr) << text;
    EXPECT_EQ(hash_of(one.get()), hash_of(three.get())) << text;
  }
}

TEST(RealRows, HavePredictedErrorsNearTheMeasuredOnes) {
  for (const char* problem : {"r2c 1125 f32", "c2r 1125 f32", "r2c 729 f64", "c2r 729 f64"}) {
    const std::string text = problem;
    const PlanPtr plan = make_plan(default_target().context, text, recipe_in_rows(text.find("729") != std::string::npos ? 729 : 1125, 9,
                                                                                  text.find("f64") != std::string::npos));
    auto report = sized<ulpfft_error_report>();
    ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK) << problem << " " << last_error_text();
    const double ratio = report.relative_l2 / ulpfft_plan_error(plan.get());
    EXPECT_GT(ratio, 1 / 1.3) << problem;
    EXPECT_LT(ratio, 1.3) << problem;
  }
}

TEST(RealRows, ThatAreWrongAreRefusedByASentence) {
  constexpr Refused kWrong[] = {
      {"r2c 18 f32", "f32:real(9x2; n2)", "has an odd length, not 18"},
      {"r2c 15 f32", "f32:real(1x15; n15)", "has one row; write real(15; ...)"},
      {"r2c 51 f32", "f32:real(17x3; n3)", "There is no codelet of this transform of 17 reals"},
      {"r2c 45 f32", "f32:real(9x5; n9)", "needs a child of length 5, not 9"},
      {"r2c 45 f16 scheme=rounded:f16", "rounded:f16:real(9x5; n5)", "computes in f32 or f64"},
      {"45 f32", "f32:real(9x5; n5)", "nodes only"},
      {"r2c 45 f32", "f32:real(9x7; n7)", "the recipe gives 63"},
  };
  for (const Refused& one : kWrong) expect_refused(one);
}

}  // namespace
}  // namespace ulpfft::test
