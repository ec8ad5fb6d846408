// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Wisdom whose recipes belong to other problems: an import, a plan and a result, which is right or was never begun.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/compare.h"
#include "tests/support/problems.h"
#include "tests/support/run_case.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

constexpr std::size_t kProblems = 1000;
constexpr std::int64_t kPoints = 400;

using nlohmann::json;

json wisdom_of(ulpfft_context* context) { return json::parse(take(ulpfft_wisdom_export_string(context))); }

// Entries with their recipes (and the digests, which then agree with the recipes) dealt out anew, within each group of `group_of`.
template <typename Group>
json dealt_out(const json& wisdom, Random& random, const Group& group_of) {
  json result = wisdom;
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < result["plans"].size(); ++i) groups[group_of(result["plans"][i])].push_back(i);
  for (const auto& [name, members] : groups) {
    for (std::size_t i = members.size(); i > 1; --i) {
      json& a = result["plans"][members[i - 1]];
      json& b = result["plans"][members[random.below(i)]];
      std::swap(a["recipe"], b["recipe"]);
      std::swap(a["digest"], b["digest"]);
    }
  }
  return result;
}

template <typename S, typename T>
void expect_right(const ulpfft_plan* plan, const Case& problem, std::uint64_t seed) {
  const auto data = random_signal<S>(static_cast<std::size_t>(all_points(problem)), seed);
  const auto result = run_case<S, T>(plan, problem, data, {});
  ASSERT_EQ(result.trouble, "") << text_of(problem) << ", recipe " << recipe_of(plan);
  // A recipe of another problem may go by rader or bluestein where the bound counts on a smooth length.
  EXPECT_LE(relative_l2<T>(result.out, exact_result(problem, widen(data))), 4 * result_bound(problem))
      << text_of(problem) << ", recipe " << recipe_of(plan);
}

TEST(ShuffledWisdom, GivesRightResultsOrIsRefused) {
  // By wisdom key; many share their lengths, so that recipes of others fit.
  std::map<std::string, Case> cases;
  const ContextPtr source = make_context();
  auto options = sized<ulpfft_plan_options>();
  options.effort = ULPFFT_MEASURE;
  options.time_limit_seconds = 0.001;
  for (std::uint64_t seed = 1; cases.size() < kProblems; ++seed) {
    Random random(seed);
    Case problem = random_case(random, kPoints);
    problem.backward = false;
    problem.scale_kind = ULPFFT_SCALE_NONE;
    ulpfft_plan* plan = nullptr;
    const ulpfft_status status = ulpfft_plan_parse_options(source.get(), text_of(problem).c_str(), &options, &plan);
    ASSERT_EQ(status, ULPFFT_OK) << text_of(problem) << ": " << last_error_text();
    cases.emplace(take(ulpfft_plan_problem(plan)), problem);
    ulpfft_plan_destroy(plan);
  }
  ASSERT_EQ(ulpfft_wisdom_count(source.get()), kProblems);
  const json wisdom = wisdom_of(source.get());

  Random random(71);
  const auto lengths_of = [](const json& entry) {
    const std::string text = entry["problem"];
    return text.substr(0, std::min(text.find('*'), text.find(' ')));
  };
  std::size_t used = 0;
  std::size_t foreign_recipes = 0;
  for (int round = 0; round < (full_run() ? 20 : 3); ++round) {
    const json shuffled = round == 0 ? dealt_out(wisdom, random, [](const json&) { return std::string(); })
                                     : dealt_out(wisdom, random, lengths_of);
    const ContextPtr context = make_context();
    auto report = sized<ulpfft_import_report>();
    const std::string text = shuffled.dump();
    ASSERT_EQ(ulpfft_wisdom_import_string(context.get(), text.data(), text.size(), &report), ULPFFT_OK) << last_error_text();
    const std::string details = take(report.details);
    EXPECT_EQ(report.accepted + report.stale, kProblems) << details;
    for (const json& entry : shuffled["plans"]) {
      const auto found = cases.find(entry["problem"].get<std::string>());
      ASSERT_NE(found, cases.end());
      const PlanPtr plan = make_plan(context.get(), found->first, ULPFFT_ESTIMATE);
      ASSERT_NE(plan, nullptr) << entry;
      if (ulpfft_plan_from_wisdom(plan.get()) != 0) {
        ++used;
        EXPECT_EQ(recipe_of(plan.get()), entry["recipe"].get<std::string>());
        foreign_recipes += recipe_of(plan.get()) != recipe_of(make_plan(source.get(), found->first, ULPFFT_ESTIMATE).get()) ? 1 : 0;
      }
      const std::uint64_t seed = seed_of(found->first);
      with_storage(found->second, [&]<typename S, typename T>() { expect_right<S, T>(plan.get(), found->second, seed); });
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(used, 100U);
  EXPECT_GT(foreign_recipes, 20U) << "no recipe came to another problem, so nothing was tried";
}

}  // namespace
}  // namespace ulpfft::test
