// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What tests of every kind and scheme ask of a plan by its text: one hash on all targets, predicted errors, wisdom, refusals.
#ifndef ULPFFT_TESTS_SUPPORT_PLAN_CHECKS_H_
#define ULPFFT_TESTS_SUPPORT_PLAN_CHECKS_H_

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/support/api.h"
#include "tests/support/targets.h"

namespace ulpfft::test {

// The recipe given, or the reference's choice, has its hash on every target that has the codelets, for any threads.
inline void expect_one_hash(const std::string& problem, bool all_have_it, const std::string& given = "") {
  const PlanPtr judge =
      given.empty() ? make_plan(ref_target().context, problem) : make_plan(ref_target().context, problem, given);
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

// The error of random numbers, sampled.
inline double measured_error(const ulpfft_plan* plan) {
  auto report = sized<ulpfft_error_report>();
  EXPECT_EQ(ulpfft_plan_measure_error(plan, ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK)
      << recipe_of(plan) << " " << last_error_text();
  return report.relative_l2;
}

// The measured error is within `factor` of the prediction, or between `at_least` and `factor` of it.
inline void expect_predicted_within(double factor, const std::string& problem, const std::string& recipe = "",
                                    std::optional<double> at_least = std::nullopt) {
  const PlanPtr plan =
      recipe.empty() ? make_plan(default_target().context, problem) : make_plan(default_target().context, problem, recipe);
  ASSERT_NE(plan, nullptr) << problem;
  const double ratio = measured_error(plan.get()) / ulpfft_plan_error(plan.get());
  EXPECT_GT(ratio, at_least.value_or(1 / factor)) << problem << " " << recipe_of(plan.get());
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

// A problem and a recipe, or a problem alone, that cannot be; words of the sentence that says so, and where given the field.
struct Refused {
  const char *problem, *recipe, *says;
  const char* field = nullptr;
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
  if (one.field != nullptr) {
    EXPECT_EQ(last_error().field, one.field) << what << ": " << last_error_text();
  }
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_PLAN_CHECKS_H_
