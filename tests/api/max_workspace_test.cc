// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// max_workspace: plans for callers short of memory, of the same bits.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "tests/support/api.h"
#include "tests/support/targets.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft::test {
namespace {

constexpr std::size_t kPadding = 64;  // elements

std::size_t workspace(const PlanPtr& plan) { return ulpfft_plan_workspace_bytes(plan.get()); }

TEST(MaxWorkspace, OfOneTransformIsKeptAndTheBitsAreThoseOfTheRecipe) {
  for (const Target& target : targets()) {
    int less = 0;
    for (const auto& [storage, element] : {std::pair{"f32", 8}, std::pair{"f64", 16}}) {
      for (const int n : {972, 1000, 1080, 1500, 2187, 3125, 4725, 44100}) {
        const std::string problem = std::to_string(n) + " " + storage;
        const PlanPtr roomy = make_plan(target.context, problem), one = make_plan(target.context, problem + " max_workspace=one");
        ASSERT_TRUE(roomy != nullptr && one != nullptr) << problem;
        const auto numbers = static_cast<std::size_t>(n);
        EXPECT_LE(workspace(one), (numbers + kPadding) * static_cast<std::size_t>(element)) << problem << " " << target;
        EXPECT_LE(workspace(roomy), (numbers * 9 / 5 + kPadding) * static_cast<std::size_t>(element)) << problem << " " << target;
        const PlanPtr same = make_plan(target.context, problem + " max_workspace=one", recipe_of(roomy.get()));
        ASSERT_NE(same, nullptr);
        EXPECT_EQ(hash_of(same.get()), hash_of(roomy.get())) << problem << " " << target;
        EXPECT_LE(workspace(same), workspace(roomy)) << problem << " " << target;
        less += workspace(same) < workspace(roomy) ? 1 : 0;
        EXPECT_NE(take(ulpfft_plan_problem(one.get())).find(" max_workspace=one"), std::string::npos);
      }
    }
    EXPECT_EQ(less > 0, target.backend != "ref") << target;
  }
}

TEST(MaxWorkspace, InBytesIsKept) {
  for (const char* problem :
       {"1000 f32", "2187 f64", "4725 f32", "96x100 f32", "500*40 f32 threads=2", "1009 f32", "r2c 2000 f32", "1000 f16"}) {
    const PlanPtr roomy = make_plan(nullptr, problem), one = make_plan(nullptr, std::string(problem) + " max_workspace=one");
    ASSERT_TRUE(roomy != nullptr && one != nullptr) << problem;
    for (const std::size_t bytes : {workspace(roomy), workspace(one), (workspace(roomy) + workspace(one)) / 2}) {
      if (bytes < workspace(one) || bytes == 0) continue;
      const PlanPtr plan = make_plan(nullptr, std::string(problem) + " max_workspace=" + std::to_string(bytes));
      ASSERT_NE(plan, nullptr) << problem << " " << bytes;
      EXPECT_LE(workspace(plan), bytes) << problem;
    }
  }
}

TEST(MaxWorkspace, OfTooFewBytesIsRefusedWithWhatAPlanTakes) {
  ulpfft_plan* plan = nullptr;
  for (const char* const recipe : {"", "f32:dit(9 9 9 3)"}) {
    const char* const problem = "2187 f32 max_workspace=100";
    const ulpfft_status status =
        *recipe == 0 ? ulpfft_plan_parse(nullptr, problem, &plan) : ulpfft_plan_from_recipe(nullptr, problem, recipe, &plan);
    EXPECT_EQ(status, ULPFFT_NO_MEMORY);
    EXPECT_EQ(plan, nullptr);
    const LastError error = last_error();
    EXPECT_EQ(error.field, "max_workspace");
    EXPECT_NE(error.message.find("works in "), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("max_workspace is 100."), std::string::npos) << error.message;
    if (*recipe == 0) { EXPECT_EQ(std::string(problem).substr(error.begin, error.end - error.begin), "100") << error.message; }
  }
  // One call takes no workspace at all.
  EXPECT_NE(make_plan(nullptr, "64 f32 max_workspace=1"), nullptr);
}

TEST(MaxWorkspace, BadValuesGetASentence) {
  ulpfft_plan* plan = nullptr;
  for (const auto& [text, sentence] : {std::pair{"8 f32 max_workspace=0", "max_workspace is 0; it is 'one', or bytes, at least 1."},
                                       std::pair{"8 f32 max_workspace=-3", "max_workspace is -3; it is 'one', or bytes, at least 1."},
                                       std::pair{"8 f32 max_workspace=two", "'two' is not a whole number for max_workspace."},
                                       std::pair{"8 f32 max_workspace=", "A whole number is missing for max_workspace."},
                                       std::pair{"8 f32 max_workspace", "'max_workspace' needs a value: max_workspace=..."}}) {
    EXPECT_EQ(ulpfft_plan_parse(nullptr, text, &plan), ULPFFT_INVALID_TEXT) << text;
    EXPECT_EQ(last_error().message, sentence) << text;
  }
  auto problem = sized<ulpfft_problem>();
  const std::int64_t n = 1000;
  problem.rank = 1;
  problem.lengths = &n;
  problem.max_workspace = -2;
  EXPECT_EQ(ulpfft_plan_create(nullptr, &problem, nullptr, &plan), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "max_workspace");
  EXPECT_NE(last_error().message.find("max_workspace is -2; it is a number of bytes"), std::string::npos) << last_error_text();
}

TEST(MaxWorkspace, IsAMemberOfProblemsInCAndCpp) {
  Context context;
  const Plan roomy = context.plan({.lengths = {1080}}, {.effort = Effort::kEstimate});
  const Plan one = context.plan({.lengths = {1080}, .max_workspace = kWorkspaceOne}, {.effort = Effort::kEstimate});
  EXPECT_LE(one.workspace_bytes(), (1080 + kPadding) * 8);
  EXPECT_LE(one.workspace_bytes(), roomy.workspace_bytes());
  auto problem = sized<ulpfft_problem>();
  const std::int64_t n = 1080;
  problem.rank = 1;
  problem.lengths = &n;
  problem.max_workspace = ULPFFT_WORKSPACE_ONE;
  auto memory = sized<ulpfft_memory>();
  ASSERT_EQ(ulpfft_predict_memory(nullptr, &problem, &memory), ULPFFT_OK) << last_error_text();
  EXPECT_LE(memory.workspace_bytes, (1080 + kPadding) * 8);
}

// A plan that was measured with more room does not serve a caller who has less.
TEST(MaxWorkspace, IsInTheKeyOfWisdom) {
  const ContextPtr context = make_context();
  ASSERT_NE(make_plan(context.get(), "1080 f32", ULPFFT_MEASURE), nullptr);
  const PlanPtr one = make_plan(context.get(), "1080 f32 max_workspace=one", ULPFFT_MEASURE);
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(ulpfft_plan_from_wisdom(one.get()), 0);
  EXPECT_EQ(ulpfft_wisdom_count(context.get()), 2U);
  const PlanPtr again = make_plan(context.get(), "1080 f32 max_workspace=one", ULPFFT_MEASURE);
  ASSERT_NE(again, nullptr);
  EXPECT_NE(ulpfft_plan_from_wisdom(again.get()), 0);
  EXPECT_LE(workspace(again), (1080 + kPadding) * 8);
}

}  // namespace
}  // namespace ulpfft::test
