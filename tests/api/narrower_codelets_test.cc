// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Codelets of narrower vectors with the same bits: measured plans may use them, wisdom says so, estimates do not guess.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "tests/support/api.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

// The next target of fewer lanes with the same bits; empty where there is none.
std::string narrower_of(const Target& target) {
  bool passed = false;
  auto wide = sized<ulpfft_target>();
  EXPECT_EQ(ulpfft_target_get(target.index, &wide), ULPFFT_OK);
  for (const Target& other : targets()) {
    auto facts = sized<ulpfft_target>();
    EXPECT_EQ(ulpfft_target_get(other.index, &facts), ULPFFT_OK);
    if (passed && other.backend == target.backend && other.has_fma == target.has_fma && facts.lanes_f32 < wide.lanes_f32) return other.name;
    passed = passed || other.index == target.index;
  }
  return "";
}

// The line of a plan that says whose codelets it uses.
std::string codelets_of(const ulpfft_plan* plan) {
  const std::string text = take(ulpfft_plan_describe(plan));
  const std::size_t begin = text.find("codelets ");
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

bool names(const std::string& line, const std::string& target) { return line.find("hwy " + target) != std::string::npos; }

std::string with_codelets(std::string wisdom, const std::string& target) {
  if (wisdom.find("\"codelets\"") == std::string::npos) {
    const std::size_t at = wisdom.find(", \"digest\"");
    wisdom.insert(at, ", \"codelets\": \"" + target + "\"");
  }
  return wisdom;
}

TEST(NarrowerCodelets, OfWisdomAreUsedAndGiveTheSameBits) {
  for (const Target& target : targets()) {
    const std::string narrower = narrower_of(target);
    if (narrower.empty()) continue;
    for (const char* const problem : {"24 f64", "360 f32", "1000 f32", "972 f64", "40x36 f32", "r2c 2000 f32"}) {
      const ContextPtr first = make_context(target.name.c_str());
      const PlanPtr measured = make_plan(first.get(), problem, ULPFFT_MEASURE);
      ASSERT_NE(measured, nullptr);
      const std::string own = take(ulpfft_wisdom_export_string(first.get()));
      const bool is_narrower = names(codelets_of(measured.get()), narrower);
      EXPECT_EQ(own.find("\"codelets\": \"" + narrower + "\"") != std::string::npos, is_narrower) << own;
      const ContextPtr second = make_context(target.name.c_str());
      const std::string text = with_codelets(own, narrower);
      auto report = sized<ulpfft_import_report>();
      ASSERT_EQ(ulpfft_wisdom_import_string(second.get(), text.data(), text.size(), &report), ULPFFT_OK) << last_error_text();
      const std::string details = take(report.details);
      // Not every recipe has codelets of both widths.
      if (!is_narrower && report.stale == 1) continue;
      EXPECT_EQ(report.accepted, 1U) << details;
      const PlanPtr plan = make_plan(second.get(), problem);
      ASSERT_NE(plan, nullptr);
      EXPECT_NE(ulpfft_plan_from_wisdom(plan.get()), 0) << problem;
      EXPECT_TRUE(names(codelets_of(plan.get()), narrower)) << codelets_of(plan.get());
      EXPECT_EQ(hash_of(plan.get()), hash_of(measured.get())) << problem << " " << recipe_of(plan.get());
      const PlanPtr of_context = try_plan(second.get(), problem, recipe_of(plan.get()));
      if (of_context != nullptr) {
        EXPECT_TRUE(names(codelets_of(of_context.get()), target.name)) << codelets_of(of_context.get());
        EXPECT_EQ(hash_of(of_context.get()), hash_of(plan.get())) << problem;
      }
      EXPECT_NE(take(ulpfft_wisdom_export_string(second.get())).find("\"codelets\": \"" + narrower + "\""), std::string::npos);
    }
  }
}

TEST(NarrowerCodelets, ThatAreUnknownOrHaveOtherBitsMakeAnEntryStale) {
  const ContextPtr first = make_context();
  const PlanPtr measured = make_plan(first.get(), "16 f64", ULPFFT_MEASURE);
  ASSERT_NE(measured, nullptr);
  for (const char* const name : {"ref", "avx1024", "x"}) {
    const std::string text = with_codelets(take(ulpfft_wisdom_export_string(first.get())), name);
    const ContextPtr second = make_context();
    auto report = sized<ulpfft_import_report>();
    ASSERT_EQ(ulpfft_wisdom_import_string(second.get(), text.data(), text.size(), &report), ULPFFT_OK) << last_error_text();
    ulpfft_free(report.details);
    EXPECT_EQ(report.stale, 1U) << name;
    EXPECT_EQ(ulpfft_wisdom_count(second.get()), 0U);
  }
}

TEST(NarrowerCodelets, AreNotGuessedByEstimates) {
  for (const Target& target : targets()) {
    for (const char* const problem : {"24 f64", "1000 f32", "972 f64"}) {
      const ContextPtr context = make_context(target.name.c_str());
      const PlanPtr plan = make_plan(context.get(), problem);
      ASSERT_NE(plan, nullptr);
      if (target.backend == "hwy") { EXPECT_TRUE(names(codelets_of(plan.get()), target.name)) << codelets_of(plan.get()); }
    }
  }
}

TEST(NarrowerCodelets, AreTimedWhereVectorsLeaveLanesEmpty) {
  for (const Target& target : targets()) {
    const std::string narrower = narrower_of(target);
    for (const char* const problem : {"1000 f32", "972 f64", "4096 f32"}) {
      const ContextPtr context = make_context(target.name.c_str());
      const PlanPtr plan = make_plan(context.get(), problem, ULPFFT_MEASURE, kNoHurry);
      ASSERT_NE(plan, nullptr);
      std::size_t timed = 0;
      for (std::size_t i = 0; i < ulpfft_plan_candidate_count(plan.get()); ++i) {
        auto candidate = sized<ulpfft_candidate>();
        ASSERT_EQ(ulpfft_plan_candidate_get(plan.get(), i, &candidate), ULPFFT_OK);
        if (!narrower.empty() && candidate.kind == narrower && candidate.seconds > 0) ++timed;
      }
      const bool expected = !narrower.empty() && std::string(problem) != "4096 f32";
      EXPECT_EQ(timed > 0, expected) << problem << " " << target;
      EXPECT_LE(timed, 4U + 3 * 5) << "four recipes, and the twiddle forms of the best three: " << problem << " " << target;
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
