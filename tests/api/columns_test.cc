// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Lanes as columns: cols and rank recipes named by text, for panels narrower and wider than the columns, whole and with a rest.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/codelets.h"
#include "tests/support/compare.h"
#include "tests/support/problems.h"
#include "tests/support/run_case.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

// Exact within the theorem's bound, and the same bits on all targets that agree in having FMA.
template <typename T>
void check(const Case& problem, const std::string& recipe) {
  const std::uint64_t seed = seed_of(text_of(problem) + recipe);
  const auto data = random_signal<T>(static_cast<std::size_t>(all_points(problem)), seed);
  const auto expected = exact_result(problem, widen(data));
  std::map<bool, std::vector<std::complex<T>>> bits;
  for (const Target& target : targets()) {
    if (!has_bodies(target, recipe)) continue;
    const std::string where = "target " + target.name + ", problem \"" + text_of(problem) + "\", recipe \"" + recipe + '"';
    const PlanPtr plan = make_plan(target.context, text_of(problem), recipe);
    if (plan == nullptr) continue;
    RunOptions options;
    options.flush = seed % 2 == 0 ? Flush::kStart : Flush::kEnd;
    const auto result = run_case<T>(plan.get(), problem, data, options);
    EXPECT_EQ(result.trouble, "") << where;
    EXPECT_LE(relative_l2<T>(result.out, expected), result_bound(problem)) << where;
    const auto [first, is_first] = bits.try_emplace(target.has_fma, result.out);
    const auto difference = first_difference<std::complex<T>>(first->second, result.out);
    EXPECT_FALSE(difference.has_value()) << "bits differ at output " << difference.value_or(0) << " from another target's: " << where;
  }
}

void check(Case problem, const std::string& node, bool f64) {
  problem.f64 = f64;
  if (f64) {
    check<double>(problem, "f64:" + node);
  } else {
    check<float>(problem, "f32:" + node);
  }
}

// n points `columns` apart, one transform per column.
Case columns_of(std::int64_t n, std::int64_t columns) {
  Case problem;
  problem.dims = {{n, columns, columns}};
  problem.batch = {{columns, 1, 1}};
  return problem;
}

class ColumnsPass : public testing::TestWithParam<TwiddledBody> {};

TEST_P(ColumnsPass, IsExactInEveryPanel) {
  const std::string pass = GetParam().text();
  for (const std::int64_t first : {2, 3, 8, 16}) {
    const std::int64_t n = first * GetParam().radix;
    for (const std::int64_t columns : {1, 3, 8, 16, 37}) {
      for (const std::int64_t panel : {1, 7, 16, 64}) {
        const std::string node = "cols(p" + std::to_string(panel) + "; dit(" + std::to_string(first) + ' ' + pass + "))";
        check(columns_of(n, columns), node, (columns + panel) % 2 == 0);
      }
    }
  }
}

// Slashes, three passes, and every way an edge can be.
TEST_P(ColumnsPass, IsExactAtEveryEdge) {
  const std::string pass = GetParam().text();
  const std::int64_t n = 4 * GetParam().radix * 3;
  const std::vector<std::string> nodes{"cols(p16; dit(4 " + pass + " 3))", "cols(p16; dit(4 3 / " + pass + "))", "cols(p16; dit(3 4 " + pass + "))"};
  for (unsigned flags = 0; flags < 32; ++flags) {
    Case problem = columns_of(n, 21);
    problem.split = (flags & 1U) != 0;
    problem.in_place = (flags & 2U) != 0;
    problem.backward = (flags & 4U) != 0;
    problem.centered = (flags & 8U) != 0;
    if ((flags & 16U) != 0) {  // columns two apart, rows with a gap
      problem.dims[0] = {n, 45, 45};
      problem.batch[0] = {21, 2, 2};
    }
    check(problem, nodes[flags % nodes.size()], flags % 3 == 0);
  }
}

std::string body_name(const testing::TestParamInfo<TwiddledBody>& info) { return "t" + std::to_string(info.param.radix) + info.param.form; }
INSTANTIATE_TEST_SUITE_P(Bodies, ColumnsPass, testing::ValuesIn(twiddled_bodies(default_target())), body_name);

class RankRecipe : public testing::TestWithParam<int> {};

// Random children for random shapes: rows and columns each by cols or line by line.
TEST_P(RankRecipe, IsExactAndTheSameEverywhere) {
  for (int i = 0; i < (full_run() ? 200 : 20); ++i) {
    Random random(static_cast<std::uint64_t>(GetParam()) * 104729U + static_cast<std::uint64_t>(i));
    const bool f64 = random.chance(0.5);
    Case problem;
    const std::int64_t rank = random.between(2, 3);
    std::string node = "rank(";
    for (std::int64_t d = 0; d < rank; ++d) {
      std::string child;
      std::int64_t n = 1;
      if (random.chance(0.15)) {
        child = "n1";
      } else if (random.chance(0.4)) {  // any node, for any length
        constexpr std::size_t kLongestText = 70;  // a recipe has at most 256 bytes
        std::optional<std::string> any;
        do {
          n = random.between(4, rank == 2 ? 90 : 30);
          any = random_recipe(random, default_target(), "x", n);
        } while (!any || any->size() > kLongestText);
        child = any->substr(2);
      } else {
        // A length with a factorisation into bodies: drawn until there is one.
        std::optional<std::string> dit;
        do {
          n = random.between(4, rank == 2 ? 90 : 30);
          if (is_smooth(n)) dit = random_dit(random, default_target(), "x", n);
        } while (!dit);
        child = dit->substr(2);
        if (random.chance(0.6)) child = "cols(p" + std::to_string(random.between(1, 40)) + "; " + child + ")";
      }
      node += (d == 0 ? "" : "; ") + child;
      problem.dims.push_back({n, 1, 1});
    }
    node += ")";
    if (random.chance(0.5)) problem.batch.push_back({random.between(1, 5), 1, 1});
    set_dense(problem);
    problem.in_place = random.chance(0.4);
    problem.backward = random.chance(0.5);
    problem.centered = random.chance(0.4);
    problem.split = random.chance(0.2);
    check(problem, node, f64);
  }
}

INSTANTIATE_TEST_SUITE_P(Group, RankRecipe, testing::Range(0, 6), testing::PrintToStringParamName());

}  // namespace
}  // namespace ulpfft::test
