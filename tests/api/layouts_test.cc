// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Problems of every kind: random ranks, batches, strides, layouts, placements, centring and scales, between guard pages, on every
// target.
//
// Samples are small, so the bound is the theorem's, not the gate: what is looked for is a number in the wrong place.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/codelets.h"
#include "tests/support/compare.h"
#include "tests/support/gates.h"
#include "tests/support/problems.h"
#include "tests/support/run_case.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

PlanPtr plan_from_struct(ulpfft_context* context, const Case& problem) {
  ulpfft_plan* plan = nullptr;
  with_struct(problem, [&](const ulpfft_problem& request) {
    auto options = sized<ulpfft_plan_options>();
    options.effort = ULPFFT_ESTIMATE;
    if (ulpfft_plan_create(context, &request, &options, &plan) != ULPFFT_OK) {
      ADD_FAILURE() << "plan of \"" << text_of(problem) << "\": " << last_error_text();
    }
  });
  return PlanPtr(plan);
}

std::string describe(const Target& target, const Case& problem, const ulpfft_plan* plan) {
  return "target " + target.name + ", problem \"" + text_of(problem) + "\", recipe \"" + recipe_of(plan) + '"';
}

// Half of them aligned to a page, which lets a plan use the output as its scratch; the rest anyhow, against either page.
RunOptions random_options(Random& random, bool f64) {
  RunOptions options;
  options.flush = Flush::kStart;
  if (random.chance(0.5)) {
    options.flush = random.chance(0.5) ? Flush::kStart : Flush::kEnd;
    options.shift = random.below(16) * (f64 ? 8 : 4);
  }
  options.by_arrays = random.chance(0.5);
  options.own_workspace = random.chance(0.5);
  return options;
}

// A recipe of any nodes, drawn where the problem is one line.
std::string other_recipe(Random& random, const Target& target, const Case& problem, const std::string& recipe) {
  if (problem.kind != ULPFFT_C2C || problem.dims.size() != 1 || random.chance(0.5)) return recipe;
  return random_recipe(random, target, computes_f64(problem) ? "f64" : "f32", problem.dims[0].length).value_or(recipe);
}

template <typename S, typename T>
void check_on_every_target(const Case& problem, std::uint64_t seed) {
  Random random(seed);
  const auto data = input_of<S>(problem, seed);
  const auto expected = exact_result(problem, widen(data));
  const double bound = result_bound(problem);

  const Target& first = default_target();
  PlanPtr plan = plan_from_struct(first.context, problem);
  if (plan == nullptr) return;
  const std::string recipe = other_recipe(random, first, problem, recipe_of(plan.get()));
  if (recipe != recipe_of(plan.get())) plan = make_plan(first.context, text_of(problem), recipe);
  if (plan == nullptr) return;
  const auto result = run_case<S, T>(plan.get(), problem, data, random_options(random, problem.f64 || problem.converts));
  ASSERT_EQ(result.trouble, "") << describe(first, problem, plan.get());
  EXPECT_LE(relative_l2<T>(result.out, expected), bound) << describe(first, problem, plan.get());

  for (const Target& target : targets()) {
    // The same recipe: the same bits wherever there is FMA, the same bound everywhere.
    const bool can =
        problem.kind == ULPFFT_C2C ? has_bodies(target, recipe) : try_plan(target.context, text_of(problem), recipe) != nullptr;
    if (!can) continue;
    const PlanPtr same = make_plan(target.context, text_of(problem), recipe);
    if (same == nullptr) continue;
    const auto other = run_case<S, T>(same.get(), problem, data, random_options(random, problem.f64 || problem.converts));
    EXPECT_EQ(other.trouble, "") << describe(target, problem, same.get());
    EXPECT_LE(relative_l2<T>(other.out, expected), bound) << describe(target, problem, same.get());
    if (target.has_fma == first.has_fma) {
      const auto difference = first_difference<std::complex<T>>(result.out, other.out);
      EXPECT_FALSE(difference.has_value()) << "bits differ from " << first.name << "'s at output " << difference.value_or(0) << "; "
                                           << describe(target, problem, same.get());
    }
    // The target's own choice, where it differs.
    if (target.index == first.index || !random.chance(0.5)) continue;
    const PlanPtr own = plan_from_struct(target.context, problem);
    if (own == nullptr || recipe_of(own.get()) == recipe) continue;
    const auto result_of_own = run_case<S, T>(own.get(), problem, data, random_options(random, problem.f64 || problem.converts));
    EXPECT_EQ(result_of_own.trouble, "") << describe(target, problem, own.get());
    EXPECT_LE(relative_l2<T>(result_of_own.out, expected), bound) << describe(target, problem, own.get());
  }
}

void check(const Case& problem, std::uint64_t seed) {
  SCOPED_TRACE("case \"" + text_of(problem) + "\", seed " + std::to_string(seed));
  with_storage(problem, [&]<typename S, typename T>() { check_on_every_target<S, T>(problem, seed); });
}

// Groups, so that a failure says early which kind of case is hit; each case names itself.
struct Group {
  int kind, number;
};
class RandomLayout : public testing::TestWithParam<Group> {};

TEST_P(RandomLayout, PutsEveryOutputWhereItBelongsAndTouchesNothingElse) {
  const auto [kind, number] = GetParam();
  const int cases = full_run() ? 1000 : 80;
  for (int i = 0; i < cases && !HasFatalFailure(); ++i) {
    if (!is_sampled(static_cast<std::uint64_t>(i + number), 3)) continue;
    const auto seed = static_cast<std::uint64_t>(number) * 1000003U + static_cast<std::uint64_t>(i);
    Random random(seed);
    Case problem = random_case(random, i % 8 == 0 ? 20000 : 2000, kind);
    if (random.chance(0.3) && kind <= ULPFFT_R2C) problem.window = kWindows + random.below(std::size(kWindows));
    check(problem, seed);
  }
}

std::vector<Group> groups(int kind, int count) {
  std::vector<Group> all;
  for (int i = 0; i < count; ++i) all.push_back({kind, i});
  return all;
}
std::string name_of(const testing::TestParamInfo<Group>& group) { return std::to_string(group.param.number); }

INSTANTIATE_TEST_SUITE_P(Group, RandomLayout, testing::ValuesIn(groups(ULPFFT_C2C, 24)), name_of);
INSTANTIATE_TEST_SUITE_P(RealsR2c, RandomLayout, testing::ValuesIn(groups(ULPFFT_R2C, 3)), name_of);
INSTANTIATE_TEST_SUITE_P(RealsC2r, RandomLayout, testing::ValuesIn(groups(ULPFFT_C2R, 3)), name_of);
INSTANTIATE_TEST_SUITE_P(RealsR2r, RandomLayout, testing::ValuesIn(groups(ULPFFT_R2R, 8)), name_of);

// Batches of several groups and a rest, in both orders of sizes and with gaps between lines and transforms.
TEST(RealsLayout, OfShortTransformsThatGoThroughAllDimensionsTogetherIsRight) {
  for (int i = 0; i < 8; ++i) {
    Case problem = i % 2 == 0 ? dense_case(ULPFFT_R2R, {8, 8}, 301) : dense_case(ULPFFT_R2R, {15, 36}, 38);
    problem.f64 = i >= 4;
    problem.in_place = i % 4 == 1;
    problem.threads = i % 4 == 2 ? 3 : 1;
    problem.scale_kind = i % 4 == 3 ? ULPFFT_SCALE_ORTHO : ULPFFT_SCALE_NONE;
    problem.kinds =
        i % 2 == 0 ? std::vector<int>{ULPFFT_REDFT10, ULPFFT_RODFT01} : std::vector<int>{ULPFFT_REDFT01, ULPFFT_REDFT11};
    if (i % 4 == 2) {
      problem.dense = false;
      problem.dims = {{8, 9, 10}, {8, 1, 1}};
      problem.batch = {{301, 75, 83}};
    }
    check(problem, static_cast<std::uint64_t>(i));
  }
}

// Every rank with every flag, small enough to list: nothing random but the data.
TEST(EveryFlag, OnSmallShapes) {
  const std::vector<std::vector<std::int64_t>> shapes{{1}, {2}, {16}, {15}, {17}, {34}, {64}, {81}, {83}, {96}, {1, 8}, {8, 1}, {4, 6}, {5, 7}, {19, 4}, {16, 16}, {3, 4, 5}, {2, 3, 2, 3}};
  Sampler sampler(3);
  for (const auto& shape : shapes) {
    for (unsigned flags = 0; flags < 64; ++flags) {
      if (!sampler.next()) continue;
      Case problem;
      for (const std::int64_t n : shape) problem.dims.push_back({n, 1, 1});
      if ((flags & 32U) != 0) problem.batch.push_back({3, 1, 1});
      set_dense(problem);
      problem.f64 = (flags & 1U) != 0;
      problem.split = (flags & 2U) != 0;
      problem.in_place = (flags & 4U) != 0;
      problem.backward = (flags & 8U) != 0;
      problem.centered = (flags & 16U) != 0;
      problem.scale_kind = static_cast<int>((flags >> 1U) % 3);
      check(problem, flags);
      if (problem.in_place) {
        problem.scheme = problem.f64 ? "f32" : "f64";
      } else {
        problem.converts = true;
        if ((flags & 8U) != 0) problem.scheme = "f32";
      }
      check(problem, flags);
      if (HasFatalFailure()) return;
    }
  }
}

// Input elements may coincide: the windows of a spectrogram overlap.
TEST(SlidingWindows, ReadTheSameInputManyTimes) {
  for (const std::int64_t hop : {1, 5, 16}) {
    Case problem;
    problem.dims = {{32, 1, 1}};
    problem.batch = {{20, hop, 32}};
    const auto signal = random_signal<float>(static_cast<std::size_t>(19 * hop + 32), 9);
    std::vector<std::complex<float>> data;
    for (std::int64_t t = 0; t < 20; ++t) data.insert(data.end(), signal.begin() + t * hop, signal.begin() + t * hop + 32);
    const auto expected = exact_result(problem, widen(data));
    for (const Target& target : targets()) {
      const PlanPtr plan = plan_from_struct(target.context, problem);
      if (plan == nullptr) continue;
      const auto result = run_case<float>(plan.get(), problem, data, {});
      EXPECT_EQ(result.trouble, "") << describe(target, problem, plan.get());
      EXPECT_LE(relative_l2<float>(result.out, expected), theorem_bound<float>(32)) << describe(target, problem, plan.get());
    }
  }
}

// The image of the issue: an 8-coil plane, centred, inverse, orthonormal; even and odd sides.
TEST(CentredPlane, OfEightCoilsIsWithinTheGate) {
  for (const std::int64_t side : {225, 256}) {
    Case problem;
    problem.dims = {{side, 1, 1}, {side, 1, 1}};
    problem.batch = {{8, 1, 1}};
    set_dense(problem);
    problem.backward = true;
    problem.centered = true;
    problem.scale_kind = ULPFFT_SCALE_ORTHO;
    const auto data = random_signal<float>(static_cast<std::size_t>(all_points(problem)), 3);
    const auto expected = exact_result(problem, widen(data));
    for (const Target& target : targets()) {
      const PlanPtr plan = plan_from_struct(target.context, problem);
      if (plan == nullptr) continue;
      const auto result = run_case<float>(plan.get(), problem, data, {});
      EXPECT_EQ(result.trouble, "") << describe(target, problem, plan.get());
      // A scale other than a power of two costs one rounding more.
      EXPECT_LE(relative_l2<float>(result.out, expected), gate<float>(side * side)) << describe(target, problem, plan.get());
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
