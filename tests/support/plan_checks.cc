// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/plan_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/targets.h"

namespace ulpfft::test {

void expect_one_hash(const std::string& problem, bool all_have_it, const std::string& given) {
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

void expect_same_bits_on_every_target(const std::string& scheme, const std::vector<SchemeCase>& cases) {
  for (const auto& [problem, node] : cases) {
    const std::string text = problem + " scheme=" + scheme, recipe = scheme + ":" + node;
    const PlanPtr reference = make_plan(ref_target().context, text, recipe);
    ASSERT_NE(reference, nullptr);
    for (const Target& target : targets()) {
      const PlanPtr plan = make_plan(target.context, text, recipe);
      ASSERT_NE(plan, nullptr);
      EXPECT_EQ(hash_of(plan.get()), hash_of(reference.get())) << text << ", " << recipe << " on " << target.name;
    }
  }
}

void expect_same_bits_in_batches(const std::string& scheme, const std::string& node) {
  constexpr std::size_t kReals = 2 * 4096;
  const PlanPtr one = make_plan(default_target().context, "4096 f32 scheme=" + scheme, scheme + ":" + node);
  const PlanPtr many = make_plan(default_target().context, "4096*3 f32 threads=2 scheme=" + scheme, scheme + ":" + node);
  ASSERT_TRUE(one != nullptr && many != nullptr);
  std::vector<float> in(3 * kReals), out(in.size()), alone(kReals);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(std::sin(0.37 * static_cast<double>(i * i % 1009)));
  ASSERT_EQ(ulpfft_execute(many.get(), in.data(), out.data()), ULPFFT_OK);
  for (std::size_t t = 0; t < 3; ++t) {
    ASSERT_EQ(ulpfft_execute(one.get(), in.data() + t * kReals, alone.data()), ULPFFT_OK);
    for (std::size_t i = 0; i < alone.size(); ++i) {
      ASSERT_EQ(out[t * kReals + i], alone[i]) << scheme << ", transform " << t << ", real " << i;
    }
  }
}

std::string sampled_problem(std::int64_t n, const std::string& storage, const std::string& scheme) {
  const std::int64_t batch = std::max<std::int64_t>(1, (16384 + n - 1) / n);
  return std::to_string(n) + "*" + std::to_string(batch) + " " + storage + " scheme=" + scheme;
}

double measured_error(const ulpfft_plan* plan) {
  auto report = sized<ulpfft_error_report>();
  EXPECT_EQ(ulpfft_plan_measure_error(plan, ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK) << last_error_text();
  return report.relative_l2;
}

void expect_as_predicted(const ulpfft_plan* plan, const std::string& what, double factor, std::optional<double> at_least) {
  const double error = measured_error(plan), predicted = ulpfft_plan_error(plan);
  EXPECT_TRUE(error < factor * predicted && error > at_least.value_or(1 / factor) * predicted)
      << what << ", " << recipe_of(plan) << ": predicted " << predicted << ", measured " << error << ", factor " << factor;
}

void expect_predicted_within(double factor, const std::string& problem, const std::string& recipe, std::optional<double> at_least) {
  ulpfft_context* const context = default_target().context;
  const PlanPtr plan = recipe.empty() ? make_plan(context, problem) : make_plan(context, problem, recipe);
  ASSERT_NE(plan, nullptr) << problem;
  expect_as_predicted(plan.get(), problem, factor, at_least);
}

double golden_margin(std::int64_t n, double expected) { return expected < 1e-6 ? 0.50 : n < 1024 ? 0.30 : 0.15; }

void expect_remembered_and_limited(ulpfft_context* context, const std::string& problem) {
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

void expect_refused(const std::vector<Refused>& cases) {
  for (const auto& [problem, recipe, says, field] : cases) {
    const std::string what = problem + " " + recipe;
    ulpfft_plan* made = nullptr;
    const ulpfft_status status = recipe.empty() ? ulpfft_plan_parse(default_target().context, problem.c_str(), &made)
                                                : ulpfft_plan_from_recipe(default_target().context, problem.c_str(), recipe.c_str(), &made);
    EXPECT_NE(status, ULPFFT_OK) << what;
    EXPECT_EQ(made, nullptr) << what;
    EXPECT_NE(last_error().message.find(says), std::string::npos) << what << ": " << last_error_text();
    if (!field.empty()) {
      EXPECT_EQ(last_error().field, field) << what << ": " << last_error_text();
    }
    ulpfft_plan_destroy(made);
  }
}

}  // namespace ulpfft::test
