// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Wisdom that lies about errors: an error limit is kept whatever the store says, on every way by which a recipe comes to a plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

using nlohmann::json;

json wisdom_of(ulpfft_context* context) { return json::parse(take(ulpfft_wisdom_export_string(context))); }

ContextPtr context_with(const json& wisdom) {
  ContextPtr context = make_context();
  const std::string text = wisdom.dump();
  auto report = sized<ulpfft_import_report>();
  EXPECT_EQ(ulpfft_wisdom_import_string(context.get(), text.data(), text.size(), &report), ULPFFT_OK) << last_error_text();
  const std::string details = take(report.details);
  EXPECT_EQ(report.accepted, wisdom["plans"].size()) << details;
  return context;
}

// Wisdom of one entry, honest: a recipe of a problem, timed.
json honest(const std::string& problem) {
  const ContextPtr context = make_context();
  EXPECT_NE(make_plan(context.get(), problem, ULPFFT_MEASURE), nullptr);
  return wisdom_of(context.get());
}

PlanPtr plan_by(ulpfft_context* context, const std::string& problem, int effort, int level = ULPFFT_ERROR_PREDICTED) {
  auto options = sized<ulpfft_plan_options>();
  options.effort = effort;
  options.error_level = level;
  ulpfft_plan* plan = nullptr;
  (void)ulpfft_plan_parse_options(context, problem.c_str(), &options, &plan);
  return PlanPtr(plan);
}

double full_error(const ulpfft_plan* plan) {
  auto report = sized<ulpfft_error_report>();
  EXPECT_EQ(ulpfft_plan_measure_error(plan, ULPFFT_ERROR_FULL, &report), ULPFFT_OK) << last_error_text();
  return report.relative_l2;
}

std::string limit_text(double limit) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", limit);
  return text;
}

// A recipe that errs by far more than the limit, said to keep it: filed under the limit itself, and under a looser one.
struct Lie {
  const char* problem;      // without its limit
  const char* loose_limit;  // under which planning chose the recipe
  const char* between;      // narrow storage between passes that the problem names, or ""
};

TEST(WisdomLimits, AreMeasuredHereOnEveryWayIn) {
  std::size_t replaced = 0;
  for (const Lie& lie : {Lie{"4096 f64", "1e-5", ""}, Lie{"1009 f64", "1e-5", ""}, Lie{"48x36*2 f64", "1e-5", ""}, Lie{"1000 f64->f32", "1e-6", ""},
                         Lie{"4096 f64 chain=mul scale=1/n", "1e-5", ""}}) {
    const std::string loose = std::string(lie.problem) + " max_error=" + lie.loose_limit;
    json wisdom = honest(loose);
    ASSERT_EQ(wisdom["plans"].size(), 1U) << loose;
    const std::string bad_recipe = wisdom["plans"][0]["recipe"];
    if (bad_recipe.substr(0, 4) != "f32:") continue;  // f64 was as fast, here and now: nothing to lie about
    for (const double limit : {1e-14, 1e-12, 2.6e-8}) {
      if (std::string(lie.problem).find("f32") != std::string::npos && limit < 2.6e-8) continue;  // storing it errs by more
      const std::string problem = std::string(lie.problem) + " max_error=" + limit_text(limit);
      const PlanPtr key = make_plan(nullptr, problem, ULPFFT_ESTIMATE);
      ASSERT_NE(key, nullptr);
      for (const bool exact_key : {true, false}) {
        for (const char* level : {"sampled", "full", "predicted"}) {
          json lying = wisdom;
          json& entry = lying["plans"][0];
          if (exact_key) {
            const std::string from = "max_error=";
            std::string text = entry["problem"];
            const std::size_t at = text.find(from) + from.size();
            entry["problem"] = text.substr(0, at) + take(ulpfft_plan_problem(key.get())).substr(take(ulpfft_plan_problem(key.get())).find(from) + from.size());
          }
          entry["error"] = limit / 10;
          entry["error_level"] = level;
          entry["effort"] = "exhaustive";
          const ContextPtr context = context_with(lying);
          const std::string where = problem + (exact_key ? ", exact key, " : ", other limit, ") + level;
          const PlanPtr only = plan_by(context.get(), problem, ULPFFT_WISDOM_ONLY);
          EXPECT_EQ(only, nullptr) << where;
          EXPECT_EQ(last_error().status, ULPFFT_UNAVAILABLE) << where << ": " << last_error_text();
          for (int time = 0; time < 2; ++time) {  // the second time the measurement is known
            const PlanPtr plan = plan_by(context.get(), problem, ULPFFT_ESTIMATE);
            ASSERT_NE(plan, nullptr) << where << ": " << last_error_text();
            EXPECT_EQ(ulpfft_plan_from_wisdom(plan.get()), 0) << where;
            EXPECT_LE(full_error(plan.get()), 1.02 * limit) << where << ", recipe " << recipe_of(plan.get());
            EXPECT_EQ(ulpfft_plan_error_level(plan.get()), ULPFFT_ERROR_SAMPLED) << where;
            replaced += recipe_of(plan.get()) != bad_recipe ? 1 : 0;
          }
        }
      }
      ulpfft_plan* given = nullptr;
      EXPECT_EQ(ulpfft_plan_from_recipe(nullptr, problem.c_str(), bad_recipe.c_str(), &given), ULPFFT_UNSUPPORTED) << problem;
      EXPECT_EQ(last_error().field, "max_error") << last_error_text();
    }
  }
  EXPECT_GT(replaced, 0U) << "no recipe in f32 was chosen under a loose limit: nothing was tried";
}

TEST(WisdomLimits, NarrowStorageBetweenPassesIsMeasuredToo) {
  json wisdom = honest("4096 f32 max_error=1e-06 intermediate=e2m1");
  ASSERT_EQ(wisdom["plans"].size(), 1U);
  const std::string recipe = "f32:dit(16|e2m1 16 16)";
  const ContextPtr maker = make_context();
  const PlanPtr bad = make_plan(maker.get(), "4096 f32 intermediate=e2m1", recipe);
  ASSERT_NE(bad, nullptr);
  EXPECT_GT(full_error(bad.get()), 0.1);
  json& entry = wisdom["plans"][0];
  entry["recipe"] = recipe;
  entry["error"] = 1e-9;
  entry["error_level"] = "sampled";
  // Whether or not the digest is the right one, nobody is told 1e-9.
  ContextPtr context = make_context();
  const std::string text = wisdom.dump();
  ASSERT_EQ(ulpfft_wisdom_import_string(context.get(), text.data(), text.size(), nullptr), ULPFFT_OK) << last_error_text();
  const PlanPtr plan = plan_by(context.get(), "4096 f32 max_error=1e-06 intermediate=e2m1", ULPFFT_ESTIMATE);
  ASSERT_NE(plan, nullptr) << last_error_text();
  EXPECT_LE(full_error(plan.get()), 1.02e-6);
}

TEST(WisdomErrors, ThatCannotBeTrueAreReportedAsPredicted) {
  for (const std::string problem : {"4096 f32", "1000*4 f64", "1009 f32", "64x48 f32", "1024 f16"}) {
    const json wisdom = honest(problem);
    const PlanPtr predicted = make_plan(nullptr, problem, wisdom["plans"][0]["recipe"].get<std::string>());
    ASSERT_NE(predicted, nullptr);
    const double truth = ulpfft_plan_error(predicted.get());
    for (const double factor : {0.0, 1e-6, 0.3, 0.8, 1.25, 4.0, 1e6}) {
      json stored = wisdom;
      stored["plans"][0]["error"] = factor * truth;
      stored["plans"][0]["error_level"] = "full";
      const ContextPtr context = context_with(stored);
      const PlanPtr plan = plan_by(context.get(), problem, ULPFFT_ESTIMATE);
      ASSERT_NE(plan, nullptr) << last_error_text();
      ASSERT_NE(ulpfft_plan_from_wisdom(plan.get()), 0) << problem;
      const bool believable = factor > 0.5 && factor < 2;
      EXPECT_EQ(ulpfft_plan_error_level(plan.get()), believable ? ULPFFT_ERROR_FULL : ULPFFT_ERROR_PREDICTED) << problem << " times " << factor;
      EXPECT_DOUBLE_EQ(ulpfft_plan_error(plan.get()), believable ? factor * truth : truth) << problem << " times " << factor;
      // Who asks for a measured error gets one of this process.
      const PlanPtr sampled = plan_by(context.get(), problem, ULPFFT_ESTIMATE, ULPFFT_ERROR_SAMPLED);
      ASSERT_NE(sampled, nullptr) << last_error_text();
      EXPECT_EQ(ulpfft_plan_error_level(sampled.get()), ULPFFT_ERROR_SAMPLED) << problem;
      EXPECT_NEAR(ulpfft_plan_error(sampled.get()) / full_error(sampled.get()), 1, 0.05) << problem;
    }
  }
}

// One text of 300 bytes that would take all memory, or all day.
TEST(WisdomSize, NestedConvolutionsAreRefusedBeforeTheyTakeAnything) {
  for (const auto& [problem, recipe] :
       {std::pair("1024 f32", "f32:bluestein(1024; 16384; bluestein(16384; 262144; dit(16 16 16 16 4)))"),
        std::pair("1024 f32", "f32:bluestein(1024; 16384; bluestein(16384; 262144; bluestein(262144; 4194304; dit(16 16 16 16 16 4))))"),
        std::pair("64 f32", "f32:bluestein(64; 1024; bluestein(1024; 16384; bluestein(16384; 262144; bluestein(262144; 4194304; bluestein(4194304; 67108864; "
                            "dit(16 16 16 16 16 16 4))))))"),
        std::pair("17 f64", "f64:rader(17; bluestein(16; 128; rader(127; bluestein(126; 1024; bluestein(1024; 8192; dit(16 16 32))))))")}) {
    ulpfft_plan* plan = nullptr;
    EXPECT_EQ(ulpfft_plan_from_recipe(nullptr, problem, recipe, &plan), ULPFFT_INVALID_ARGUMENT) << problem << " " << recipe;
    EXPECT_EQ(plan, nullptr);
    json wisdom = honest(problem);
    wisdom["plans"][0]["recipe"] = recipe;
    const ContextPtr context = make_context();
    const std::string text = wisdom.dump();
    auto report = sized<ulpfft_import_report>();
    ASSERT_EQ(ulpfft_wisdom_import_string(context.get(), text.data(), text.size(), &report), ULPFFT_OK) << last_error_text();
    EXPECT_EQ(report.stale, 1U) << take(report.details);
  }
  // What a prime needs twice over is allowed.
  EXPECT_NE(try_plan(nullptr, "1019 f32", "f32:rader(1019; bluestein(1018; 2048; dit(16 16 8)))"), nullptr) << last_error_text();
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Processor seconds of a row, of the fastest of three imports.
double seconds_of_a_row(const json& wisdom) {
  const std::string text = wisdom.dump();
  double least = 1e9;
  for (int time = 0; time < 3; ++time) {
    const ContextPtr context = make_context();
    auto report = sized<ulpfft_import_report>();
    const double begin = thread_seconds();
    EXPECT_EQ(ulpfft_wisdom_import_string(context.get(), text.data(), text.size(), &report), ULPFFT_OK) << last_error_text();
    least = std::min(least, thread_seconds() - begin);
    take(report.details);
  }
  return least / static_cast<double>(wisdom["plans"].size());
}

// Every kind of row, each of its own formats, costs about as much as a plain one: nothing is measured or filled for a digest.
TEST(WisdomImport, CostsAboutTheSameForEveryKindOfRow) {
  constexpr int kRows = 200;
  const char* const rules[] = {"floor", "ceil", "rceil", "even", "fit"};
  std::vector<std::string> blocks;
  for (std::size_t i = 0; i < ulpfft_format_count(); ++i) {
    auto format = sized<ulpfft_format>();
    const std::string rule = ulpfft_format_get(i, &format) == ULPFFT_OK ? format.rule : "";
    if (std::find(std::begin(rules), std::end(rules), rule) != std::end(rules)) blocks.emplace_back(format.name);
  }
  ASSERT_FALSE(blocks.empty());
  const auto block = [&](int k) { return blocks[static_cast<std::size_t>(k) % blocks.size()] + ":b" + std::to_string(2 << k % 6) + ":" + rules[k % 5]; };
  using Row = std::pair<std::string, std::string>;
  const std::vector<std::pair<const char*, std::function<Row(int)>>> kinds{
      {"plain", [](int k) { return Row("1024*" + std::to_string(k) + " f32", "f32:dit(16 8 8)"); }},
      {"blocks", [&](int k) { return Row("256*" + std::to_string(k) + " " + block(k) + "->" + block(k / 7), "f32:dit(16 16)"); }},
      {"rows with one scale", [&](int k) { return Row(std::to_string(2 * k) + " f32->" + blocks[static_cast<std::size_t>(k) % blocks.size()] + ":b0", "f32:n" + std::to_string(2 * k)); }},
      {"blocks between passes", [&](int k) { return Row("256*" + std::to_string(k) + " f32 intermediate=" + block(k), "f32:dit(16|" + block(k) + " 16)"); }},
      {"mx", [&](int k) { return Row("1000*" + std::to_string(k) + " f16 scheme=mx:" + block(k), "mx:" + block(k) + ":dit(10 10 10)"); }},
      {"rounded", [](int k) { return Row("720*" + std::to_string(k) + " f16 scheme=rounded:i8", "rounded:i8:dit(9 8 2 5)"); }},
      {"narrow ends", [](int k) { return Row("4096*" + std::to_string(k) + " f16", "f32:dit(16 16 16 decode encode)"); }},
      {"six ranks", [](int k) {
         std::string node = "dit(4 3)", text = "12";
         for (int d = 0; d < 5; ++d) text += "x12";
         std::string rank = "f32:rank(";
         for (int d = 0; d < 5; ++d) rank += "cols(p64; " + node + "); ";
         return Row(text + "*" + std::to_string(k) + " i16 centered", rank + node + ")");
       }},
      {"nested convolutions", [](int k) { return Row("7919*" + std::to_string(k) + " f64", "f64:rader(7919; bluestein(7918; 16384; four(128x128 p64; dit(16 8); dit(16 8))))"); }},
      {"lengths that differ", [](int k) { return Row(std::to_string(4 << k % 18) + "*" + std::to_string(k) + " f32", k % 18 < 3 ? "f32:n" + std::to_string(4 << k % 18) : "f32:dit(4 " + std::to_string(4) + ")"); }},
  };
  double plain = 0;
  for (const auto& [kind, row] : kinds) {
    json wisdom = honest("64 f32");
    json entry = wisdom["plans"][0];
    wisdom["plans"] = json::array();
    for (int k = 2; k < 2 + kRows; ++k) {
      std::tie(entry["problem"], entry["recipe"]) = row(k);
      wisdom["plans"].push_back(entry);
    }
    const double seconds = seconds_of_a_row(wisdom);
    if (plain == 0) plain = seconds;
    std::printf("%-24s %.1f us a row, %.1f times a plain one\n", kind, 1e6 * seconds, seconds / plain);
    EXPECT_LE(seconds, 5 * plain) << kind;
  }
}

}  // namespace
}  // namespace ulpfft::test
