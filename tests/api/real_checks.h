// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What tests of r2c and c2r and of r2r ask alike: accuracy on every target, random problems between guard pages, one hash, predictions.
#ifndef ULPFFT_TESTS_API_REAL_CHECKS_H_
#define ULPFFT_TESTS_API_REAL_CHECKS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/compare.h"
#include "tests/support/gates.h"
#include "tests/support/real_case.h"
#include "tests/support/targets.h"

namespace ulpfft::test {

template <typename Use>
void with_real(bool f64, const Use& use) {
  f64 ? use(double()) : use(float());
}

template <typename T>
double error_of(const std::vector<std::complex<T>>& out, const std::vector<ComplexDD>& exact) {
  ErrorSum sum;
  for (std::size_t i = 0; i < exact.size(); ++i) sum.add(out[i], exact[i]);
  return sum.relative_l2();
}

// The slow judge of other targets is spared.
inline bool is_fast(const Target& target) { return target.backend != "ref" || targets().size() == 1; }

// Within `factor` times the gate of complex transforms, on every target. The outputs of a case are enough for a mean.
template <typename T>
void expect_accurate(const RealCase& problem, double factor) {
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
    const double most = factor == 0 ? 0 : factor * gate_of<T>(recipe_of(plan.get()), std::max<std::int64_t>(2, n));
    EXPECT_LE(error_of(run.out, exact), most) << target.name << " " << text << " " << recipe_of(plan.get());
  }
}

// A random problem is right, touches nothing else, and has the bits of the reference.
template <typename T>
void check_random(const RealCase& problem, double most_by_smooth_passes, Flush flush, bool own_workspace) {
  const std::string text = text_of(problem);
  const PlanPtr plan = make_plan(default_target().context, text);
  ASSERT_NE(plan, nullptr) << text;
  const std::string recipe = recipe_of(plan.get());
  const auto in = real_case_input<T>(problem);
  const RealRun<T> run = run_real_case<T>(plan.get(), problem, in, flush, own_workspace);
  ASSERT_EQ(run.trouble, "") << text << " " << recipe;
  const bool convolves = recipe.find("rader") != std::string::npos || recipe.find("bluestein") != std::string::npos;
  EXPECT_LE(error_of(run.out, exact_result(problem, widen(in))), (convolves ? 40 : 1) * most_by_smooth_passes) << text << " " << recipe;
  if (!default_target().has_fma) return;
  const PlanPtr judge = make_plan(ref_target().context, text, recipe);
  ASSERT_NE(judge, nullptr) << text << " " << recipe;
  const RealRun<T> same = run_real_case<T>(judge.get(), problem, in, Flush::kEnd, false);
  EXPECT_EQ(std::memcmp(same.out.data(), run.out.data(), run.out.size() * sizeof run.out[0]), 0) << text << " " << recipe;
}

// The recipe that the reference chooses has its hash on every target that has the codelets, for any threads.
inline void expect_one_hash(const std::string& problem, bool all_have_it) {
  const PlanPtr judge = make_plan(ref_target().context, problem);
  ASSERT_NE(judge, nullptr) << problem;
  const std::string recipe = recipe_of(judge.get());
  for (const Target& target : targets()) {
    if (!target.has_fma && !all_have_it) continue;
    for (const char* threads : {"", " threads=3"}) {
      const PlanPtr plan = try_plan(target.context, problem + threads, recipe);
      EXPECT_TRUE(plan != nullptr || !all_have_it) << target.name << " " << problem << " " << recipe;
      if (plan == nullptr) continue;
      EXPECT_EQ(hash_of(plan.get()), hash_of(judge.get())) << target.name << " " << problem << threads << " " << recipe;
    }
  }
}

inline void expect_predicted_within(double factor, const std::string& problem) {
  const PlanPtr plan = make_plan(default_target().context, problem);
  ASSERT_NE(plan, nullptr) << problem;
  auto report = sized<ulpfft_error_report>();
  ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK) << problem << " " << last_error_text();
  const double ratio = report.relative_l2 / ulpfft_plan_error(plan.get());
  EXPECT_GT(ratio, 1 / factor) << problem << " " << recipe_of(plan.get());
  EXPECT_LT(ratio, factor) << problem << " " << recipe_of(plan.get());
}

inline void expect_remembered_and_limited(ulpfft_context* context, const std::string& problem) {
  const PlanPtr measured = make_plan(context, problem, ULPFFT_MEASURE);
  ASSERT_NE(measured, nullptr) << problem;
  EXPECT_GT(ulpfft_plan_seconds(measured.get()), 0) << problem;
  const PlanPtr again = make_plan(context, problem, ULPFFT_WISDOM_ONLY);
  ASSERT_NE(again, nullptr) << problem;
  EXPECT_EQ(ulpfft_plan_from_wisdom(again.get()), 1) << problem;
  EXPECT_EQ(recipe_of(again.get()), recipe_of(measured.get())) << problem;
  const PlanPtr limited = make_plan(context, problem + " max_error=1e-5");
  ASSERT_NE(limited, nullptr) << problem;
  EXPECT_LE(ulpfft_plan_error(limited.get()), 1e-5) << problem;
  EXPECT_EQ(ulpfft_plan_error_level(limited.get()), ULPFFT_ERROR_SAMPLED) << problem;
}

// A problem and a recipe, or a problem alone, that cannot be; and words of the sentence that says so.
struct Refused {
  const char *problem, *recipe, *says;
};
inline void expect_refused(const Refused& one) {
  const std::string what = std::string(one.problem) + " " + one.recipe;
  ulpfft_plan* made = nullptr;
  if (*one.recipe == 0) {
    EXPECT_NE(ulpfft_plan_parse_options(default_target().context, one.problem, nullptr, &made), ULPFFT_OK) << what;
  } else {
    EXPECT_EQ(try_plan(default_target().context, one.problem, one.recipe), nullptr) << what;
  }
  EXPECT_NE(last_error().message.find(one.says), std::string::npos) << what << ": " << last_error_text();
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_API_REAL_CHECKS_H_
