// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms between real numbers over rows of reals through the C interface: every odd length against the oracle, random problems between
// guard pages, bits, errors, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "tests/api/real_checks.h"
#include "tests/api/rows_of_reals.h"
#include "tests/support/api.h"
#include "tests/support/r2r_case.h"
#include "tests/support/real_case.h"
#include "tests/support/sample.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

constexpr int kKinds[] = {ULPFFT_R2HC, ULPFFT_HC2R, ULPFFT_REDFT10, ULPFFT_RODFT10, ULPFFT_REDFT01, ULPFFT_RODFT01};

bool has_rows(int kind) { return std::find(std::begin(kKinds), std::end(kKinds), kind) != std::end(kKinds); }

// The node of a length without its scheme.
std::string node_over_rows(std::int64_t n, std::int64_t radix, bool f64) {
  return "r2r(" + std::to_string(n) + "; " + recipe_in_rows(n, radix, f64).substr(4) + ")";
}
std::string recipe_over_rows(std::int64_t n, std::int64_t radix, bool f64) {
  return (f64 ? "f64:" : "f32:") + node_over_rows(n, radix, f64);
}

void check_rows_of(std::int64_t n, Sampler& cases) {
  for (const std::int64_t radix : radices_of(n)) {
    for (const int kind : kKinds) {
      for (const bool f64 : {false, true}) {
        if (!cases.next()) continue;
        RealCase problem = dense_r2r_case(kind, {n}, (kGateOutputs + n - 1) / n);
        problem.f64 = f64;
        problem.in_place = n % 5 == 2;
        problem.scale_kind = (n + radix) % 4 == 2 ? ULPFFT_SCALE_ORTHO : ULPFFT_SCALE_NONE;
        const std::string recipe = recipe_over_rows(n, radix, f64);
        with_real(f64, [&](auto real) {
          using T = decltype(real);
          check_recipe<T>(problem, recipe, Flush::kStart, (kind <= ULPFFT_DHT ? 1.0 : 1.5) * gate_of<T>(recipe, n));
        });
      }
    }
  }
}

TEST(R2rOverRows, OfEveryOddLengthAreWithinTheGateAndHaveOneResult) {
  const std::int64_t last = full_run() ? 513 : 99;
  Sampler cases(3);
  for (std::int64_t n = 9; n <= last; n += 2) check_rows_of(n, cases);
}

TEST(R2rOverRows, OfLargerLengthsAreWithinTheGateAndHaveOneResult) {
  Sampler cases(3);
  for (const std::int64_t n : {135, 225, 675, 1125, 3 * 1009, 3375}) check_rows_of(n, cases);
}

// Strides, batches, several lengths, in place and scaled.
TEST(R2rOverRows, OfRandomProblemsAreRightAndTouchNothingElse) {
  Random random(20261125);
  const int cases = full_run() ? 2000 : 200;
  int checked = 0;
  Sampler sampler(3);
  for (int i = 0; checked < cases && i < 40 * cases; ++i) {
    const RealCase problem = random_r2r_case(random, 1500);
    const std::string scheme = problem.f64 ? "f64" : "f32";
    std::string nodes;
    bool any = false;
    for (std::size_t d = 0; d < problem.dims.size(); ++d) {
      const std::int64_t n = problem.dims[d].length;
      const std::set<std::int64_t> radices = n % 2 == 0 ? std::set<std::int64_t>() : radices_of(n);
      std::string node;
      if (!has_rows(problem.kinds[d]) || radices.empty()) {
        const std::string name(kR2rNames[static_cast<std::size_t>(problem.kinds[d])]);
        node = recipe_of(make_plan(default_target().context, "r2r " + std::to_string(n) + " " + scheme + " kinds=" + name).get()).substr(4);
      } else {
        any = true;
        node = node_over_rows(n, *std::next(radices.begin(), static_cast<std::ptrdiff_t>(random.below(radices.size()))), problem.f64);
      }
      nodes += (d == 0 ? "" : "; ") + node;
    }
    if (!any) continue;
    ++checked;
    const std::string recipe = scheme + ":" + (problem.dims.size() > 1 ? "rank(" + nodes + ")" : nodes);
    const std::int64_t points = 4 * transform_points(problem);
    const bool convolves = recipe.find("rader") != std::string::npos || recipe.find("bluestein") != std::string::npos;
    const double rank = static_cast<double>(problem.dims.size());
    const double most = (convolves ? 80 : 2) * rank * (problem.f64 ? theorem_bound<double>(points) : theorem_bound<float>(points));
    const Flush flush = random.chance(0.5) ? Flush::kStart : Flush::kEnd;
    if (!sampler.next()) continue;
    with_real(problem.f64, [&](auto real) { check_recipe<decltype(real)>(problem, recipe, flush, most); });
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GE(checked, cases / 4);
}

TEST(R2rOverRows, HaveOneHashForAnyThreads) {
  for (const int kind : kKinds) {
    const std::string text = "r2r 1125*40 f32 kinds=" + std::string(kR2rNames[static_cast<std::size_t>(kind)]);
    const std::string recipe = recipe_over_rows(1125, 9, false);
    const PlanPtr one = make_plan(default_target().context, text, recipe);
    const PlanPtr three = make_plan(default_target().context, text + " threads=3", recipe);
    ASSERT_NE(one, nullptr) << text << ": " << last_error_text();
    ASSERT_NE(three, nullptr) << text;
    EXPECT_EQ(hash_of(one.get()), hash_of(three.get())) << text;
  }
}

TEST(R2rOverRows, HavePredictedErrorsNearTheMeasuredOnes) {
  for (const int kind : kKinds) {
    for (const bool f64 : {false, true}) {
      const std::string kinds = " kinds=" + std::string(kR2rNames[static_cast<std::size_t>(kind)]);
      const std::string text = "r2r " + std::string(f64 ? "729 f64 scale=ortho" : "1125 f32") + kinds;
      const PlanPtr plan = make_plan(default_target().context, text, recipe_over_rows(f64 ? 729 : 1125, 9, f64));
      ASSERT_NE(plan, nullptr) << text << ": " << last_error_text();
      auto report = sized<ulpfft_error_report>();
      ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK) << text << " " << last_error_text();
      const double ratio = report.relative_l2 / ulpfft_plan_error(plan.get());
      EXPECT_GT(ratio, 1 / 1.3) << text;
      EXPECT_LT(ratio, 1.3) << text;
    }
  }
}

TEST(R2rOverRows, ThatAreWrongAreRefusedByASentence) {
  constexpr Refused kWrong[] = {
      {"r2r 45 f32 kinds=dct4", "f32:r2r(45; real(9x5; n5))", "computes r2hc, hc2r, dct2, dst2, dct3 and dst3, not dct4"},
      {"r2r 45 f32 kinds=dst4", "f32:r2r(45; real(9x5; n5))", "not dst4"},
      {"r2r 45 f32 kinds=dht", "f32:r2r(45; real(9x5; n5))", "not dht"},
      {"r2r 45 f32 kinds=dct1", "f32:r2r(45; real(9x5; n5))", "not dct1"},
      {"r2r 44 f32 kinds=dst1", "f32:r2r(44; real(9x5; n5))", "not dst1"},
      {"r2r 18 f32 kinds=dct2", "f32:r2r(18; real(9x2; n2))", "has an odd length, not 18"},
      {"r2r 45 f32 kinds=dct2", "f32:r2r(45; real(45; dit(9 5)))", "an odd count of reals in rows"},
      {"r2r 45 f32 kinds=dct2", "f32:r2r(45; real(9x7; n7))", "needs a child of length 45, not 63"},
      {"r2r 45 f32 kinds=dct2", "f32:r2r(45; real(9x5; n9))", "needs a child of length 5, not 9"},
      {"r2r 45 f32 kinds=dct2", "f32:r2r(45; real(1x45; dit(9 5)))", "has one row"},
      {"r2r 45 f16 kinds=dct2 scheme=rounded:f16", "rounded:f16:r2r(45; real(9x5; n5))", "over numbers in any scheme"},
      {"r2r 45 f32 kinds=dct2", "f32:real(9x5; n5)", "has an r2r node"},
  };
  for (const Refused& one : kWrong) expect_refused(one);
}

}  // namespace
}  // namespace ulpfft::test
