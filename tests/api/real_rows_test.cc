// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Real nodes in rows, and r2r nodes over them, through the C interface: every odd length with every radix against the oracle,
// random problems between guard pages, bits, predicted errors, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/compare.h"
#include "tests/support/gates.h"
#include "tests/support/plan_checks.h"
#include "tests/support/problems.h"
#include "tests/support/r2r_case.h"
#include "tests/support/run_case.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

constexpr int kKindsOverRows[] = {ULPFFT_R2HC, ULPFFT_HC2R, ULPFFT_REDFT10, ULPFFT_RODFT10, ULPFFT_REDFT01, ULPFFT_RODFT01};

bool has_rows(int kind) {
  return std::find(std::begin(kKindsOverRows), std::end(kKindsOverRows), kind) != std::end(kKindsOverRows);
}

// The radices of real codelets that leave rows of more than one number.
std::set<std::int64_t> radices_of(std::int64_t n) {
  static const std::set<std::int64_t> all = [] {
    std::set<std::int64_t> found;
    for (std::int64_t radix = 3; radix < 64; radix += 2) {
      const std::string text = std::to_string(radix);
      if (try_plan(default_target().context, "r2c " + text + " f32", "f32:n" + text) != nullptr) found.insert(radix);
    }
    return found;
  }();
  std::set<std::int64_t> radices;
  for (const std::int64_t radix : all) {
    if (n % 2 == 1 && radix < n && n % radix == 0) radices.insert(radix);
  }
  return radices;
}

// A node in rows, whose child is what the default target chooses for them, without its scheme.
std::string node_in_rows(bool r2r, std::int64_t n, std::int64_t radix, bool f64) {
  const std::string row = std::to_string(n / radix);
  const std::string child = recipe_of(make_plan(default_target().context, row + (f64 ? " f64" : " f32")).get());
  const std::string node = "real(" + std::to_string(radix) + "x" + row + "; " + child.substr(child.find(':') + 1) + ")";
  return r2r ? "r2r(" + std::to_string(n) + "; " + node + ")" : node;
}
std::string recipe_in_rows(bool r2r, std::int64_t n, std::int64_t radix, bool f64) {
  return (f64 ? "f64:" : "f32:") + node_in_rows(r2r, n, radix, f64);
}

template <typename T>
void check_recipe(const Case& problem, const std::string& recipe, Flush flush, double most) {
  const std::string text = text_of(problem);
  const auto in = input_of<T>(problem);
  const PlanPtr plan = make_plan(default_target().context, text, recipe);
  ASSERT_NE(plan, nullptr) << text << " " << recipe << ": " << last_error_text();
  const RunResult<T> run = run_case<T>(plan.get(), problem, in, run_options(flush, false));
  ASSERT_EQ(run.trouble, "") << text << " " << recipe;
  EXPECT_LE(relative_l2<T>(run.out, exact_result(problem, widen(in))), most) << text << " " << recipe;
  if (!default_target().has_fma) return;
  for (const Target& target : targets()) {
    if (!target.has_fma) continue;
    const PlanPtr other = try_plan(target.context, text, recipe);
    if (other == nullptr) continue;  // no codelet of this radix there
    const RunResult<T> same = run_case<T>(other.get(), problem, in);
    EXPECT_EQ(std::memcmp(same.out.data(), run.out.data(), run.out.size() * sizeof run.out[0]), 0)
        << target.name << " " << text << " " << recipe;
  }
}

// Dense batches of one length, of either direction or of every kind that has rows.
std::vector<Case> cases_of(bool r2r, std::int64_t n, std::int64_t radix) {
  std::vector<Case> cases;
  const std::int64_t row = r2r ? n : n / 2 + 1, count = (kGateOutputs + row - 1) / row;
  if (r2r) {
    for (const int kind : kKindsOverRows) cases.push_back(dense_r2r_case(kind, {n}, count));
  } else {
    cases = {dense_case(ULPFFT_R2C, {n}, count), dense_case(ULPFFT_C2R, {n}, count)};
  }
  for (Case& problem : cases) {
    problem.backward = !r2r && n % 4 == 1;
    problem.in_place = n % 5 == 2;
    problem.scale_kind = r2r && (n + radix) % 4 == 2 ? ULPFFT_SCALE_ORTHO : ULPFFT_SCALE_NONE;
    set_dense(problem);
  }
  return cases;
}

void check_length(bool r2r, std::int64_t n, Sampler& sampler) {
  for (const std::int64_t radix : radices_of(n)) {
    for (Case& problem : cases_of(r2r, n, radix)) {
      for (const bool f64 : {false, true}) {
        if (!sampler.next()) continue;
        problem.f64 = f64;
        const std::string recipe = recipe_in_rows(r2r, n, radix, f64);
        const double factor = r2r && problem.kinds[0] > ULPFFT_DHT ? 1.5 : 1.0;
        with_real(f64, [&](auto real) {
          check_recipe<decltype(real)>(problem, recipe, Flush::kStart, factor * gate_of<decltype(real)>(recipe, n));
        });
      }
    }
  }
}

// Of r2c and c2r, or of r2r.
class RealRows : public testing::TestWithParam<bool> {};

TEST_P(RealRows, OfEveryOddLengthAreWithinTheGateAndHaveOneResult) {
  const bool r2r = GetParam();
  const std::int64_t last = r2r ? (full_run() ? 513 : 99) : (full_run() ? 1023 : 199);
  Sampler cases(3);
  for (std::int64_t n = 9; n <= last; n += 2) check_length(r2r, n, cases);
}

TEST_P(RealRows, OfLargerLengthsAreWithinTheGateAndHaveOneResult) {
  Sampler cases(3);
  for (const std::int64_t n : {135, 225, 315, 375, 405, 625, 675, 729, 1125, 2187, 3 * 1009, 3375, 15625, 59049}) {
    if (!GetParam() || n == 135 || n == 225 || n == 675 || n == 1125 || n == 3 * 1009 || n == 3375)
      check_length(GetParam(), n, cases);
  }
}

std::int64_t any_of(Random& random, const std::set<std::int64_t>& radices) {
  return *std::next(radices.begin(), static_cast<std::ptrdiff_t>(random.below(radices.size())));
}

// The planner's recipe with rows wherever there can be some; "" where there can be none.
std::string rows_of_r2r(Random& random, const Case& problem) {
  const std::string scheme = problem.f64 ? "f64" : "f32";
  std::string nodes;
  bool any = false;
  for (std::size_t d = 0; d < problem.dims.size(); ++d) {
    const std::int64_t n = problem.dims[d].length;
    const std::set<std::int64_t> radices = radices_of(n);
    std::string node;
    if (!has_rows(problem.kinds[d]) || radices.empty()) {
      Case one = dense_r2r_case(problem.kinds[d], {n}, 1);
      one.f64 = problem.f64;
      node = recipe_of(make_plan(default_target().context, text_of(one)).get()).substr(4);
    } else {
      any = true;
      node = node_in_rows(true, n, any_of(random, radices), problem.f64);
    }
    nodes += (d == 0 ? "" : "; ") + node;
  }
  return any ? scheme + ":" + (problem.dims.size() > 1 ? "rank(" + nodes + ")" : nodes) : "";
}
std::string rows_of_last(Random& random, const Case& problem) {
  const std::int64_t n = problem.dims.back().length;
  const std::set<std::int64_t> radices = radices_of(n);
  if (radices.empty()) return "";
  const std::string rows = recipe_in_rows(false, n, any_of(random, radices), problem.f64);
  if (problem.dims.size() == 1) return rows;
  const std::string whole = recipe_of(make_plan(default_target().context, text_of(problem)).get());
  const std::size_t last = whole.rfind("; real(");
  return last == std::string::npos ? "" : whole.substr(0, last) + "; " + rows.substr(4) + ")";  // else one codelet
}

// Strides, batches, several lengths, in place, centred and scaled.
TEST_P(RealRows, OfRandomProblemsAreRightAndTouchNothingElse) {
  const bool r2r = GetParam();
  Random random(20261124);
  const int cases = full_run() ? 2000 : 200;
  int checked = 0;
  Sampler sampler(3);
  for (int i = 0; checked < cases && i < 60 * cases; ++i) {
    const Case problem = r2r ? random_r2r_case(random, 1500) : random_real_case(random, 1500);
    const std::string recipe = r2r ? rows_of_r2r(random, problem) : rows_of_last(random, problem);
    if (recipe.empty()) continue;
    ++checked;
    const std::int64_t points = (r2r ? 4 : 1) * transform_points(problem);
    const bool convolves = recipe.find("rader") != std::string::npos || recipe.find("bluestein") != std::string::npos;
    const double rank = r2r ? static_cast<double>(problem.dims.size()) : 1;
    const double most =
        (convolves ? 80 : 2) * rank * (problem.f64 ? theorem_bound<double>(points) : theorem_bound<float>(points));
    const Flush flush = random.chance(0.5) ? Flush::kStart : Flush::kEnd;
    if (!sampler.next()) continue;
    with_real(problem.f64, [&](auto real) { check_recipe<decltype(real)>(problem, recipe, flush, most); });
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_EQ(checked, cases);
}

INSTANTIATE_TEST_SUITE_P(Kinds, RealRows, testing::Bool(), [](const auto& r2r) { return r2r.param ? "R2r" : "R2cAndC2r"; });

TEST(RealRowsOfPlans, HaveOneHashForAnyThreads) {
  std::vector<std::pair<std::string, std::string>> plans = {{"r2c 1125*40 f32", recipe_in_rows(false, 1125, 9, false)},
                                                            {"c2r 1125*40 f32", recipe_in_rows(false, 1125, 9, false)},
                                                            {"r2c 59049 f64", recipe_in_rows(false, 59049, 9, true)},
                                                            {"c2r 59049 f64 inverse", recipe_in_rows(false, 59049, 9, true)},
                                                            {"r2c 31x45 f32", "f32:rank(rader(31; dit(6 5)); real(5x9; n9))"}};
  for (const int kind : kKindsOverRows)
    plans.emplace_back(text_of(dense_r2r_case(kind, {1125}, 40)), recipe_in_rows(true, 1125, 9, false));
  for (const auto& [text, recipe] : plans) {
    const PlanPtr one = make_plan(default_target().context, text, recipe);
    const PlanPtr three = make_plan(default_target().context, text + " threads=3", recipe);
    ASSERT_TRUE(one != nullptr && three != nullptr) << text << ": " << last_error_text();
    EXPECT_EQ(hash_of(one.get()), hash_of(three.get())) << text;
  }
}

TEST(RealRowsOfPlans, HavePredictedErrorsNearTheMeasuredOnes) {
  for (const bool f64 : {false, true}) {
    const std::int64_t n = f64 ? 729 : 1125;
    for (const int kind : {ULPFFT_R2C, ULPFFT_C2R}) {
      Case problem = dense_case(kind, {n});
      problem.f64 = f64;
      expect_predicted_within(1.3, text_of(problem), recipe_in_rows(false, n, 9, f64));
    }
    for (const int kind : kKindsOverRows) {
      Case problem = dense_r2r_case(kind, {n}, 1);
      problem.f64 = f64;
      problem.scale_kind = f64 ? ULPFFT_SCALE_ORTHO : ULPFFT_SCALE_NONE;
      expect_predicted_within(1.3, text_of(problem), recipe_in_rows(true, n, 9, f64));
    }
  }
}

TEST(RealRowsOfPlans, ThatAreWrongAreRefusedByASentence) {
  expect_refused({
      {"r2c 18 f32", "f32:real(9x2; n2)", "has an odd length, not 18"},
      {"r2c 15 f32", "f32:real(1x15; n15)", "has one row; write real(15; ...)"},
      {"r2c 51 f32", "f32:real(17x3; n3)", "There is no codelet of this transform of 17 reals"},
      {"r2c 45 f32", "f32:real(9x5; n9)", "needs a child of length 5, not 9"},
      {"r2c 45 f16 scheme=rounded:f16", "rounded:f16:real(9x5; n5)", "computes in f32 or f64"},
      {"45 f32", "f32:real(9x5; n5)", "nodes only"},
      {"r2c 45 f32", "f32:real(9x7; n7)", "the recipe gives 63"},
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
  });
}

}  // namespace
}  // namespace ulpfft::test
