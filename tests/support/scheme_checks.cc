// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/scheme_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/targets.h"

namespace ulpfft::test {

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

void expect_as_predicted(const ulpfft_plan* plan, const std::string& what) {
  const double error = measured_error(plan), predicted = ulpfft_plan_error(plan);
  EXPECT_LT(std::abs(std::log(predicted / error)), std::log(kPredictedWithin))
      << what << ", " << recipe_of(plan) << ": predicted " << predicted << ", measured " << error;
}

double golden_margin(std::int64_t n, double expected) { return expected < 1e-6 ? 0.50 : n < 1024 ? 0.30 : 0.15; }

void expect_refused(const std::vector<std::pair<std::string, std::string>>& cases) {
  for (const auto& [problem, word] : cases) {
    ulpfft_plan* made = nullptr;
    EXPECT_NE(ulpfft_plan_parse(nullptr, problem.c_str(), &made), ULPFFT_OK) << problem;
    EXPECT_NE(last_error_text().find(word), std::string::npos) << problem << ": " << last_error_text();
    ulpfft_plan_destroy(made);
  }
}

}  // namespace ulpfft::test
