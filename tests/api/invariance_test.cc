// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bits depend on the recipe, the scheme and "the target has FMA" alone (design, invariants 1 and 2): not on placement, alignment,
// batch position, layout, strides, direction, workspace, or what the neighbours hold.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/codelets.h"
#include "tests/support/compare.h"
#include "tests/support/problems.h"
#include "tests/support/run_case.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

template <typename T>
using Signal = std::vector<std::complex<T>>;

// The result of a recipe for a problem; empty, with a failure, when refused.
template <typename T>
Signal<T> result(const Target& target, const Case& problem, const std::string& recipe, const Signal<T>& data, const RunOptions& options = {}) {
  const PlanPtr plan = make_plan(target.context, text_of(problem), recipe);
  if (plan == nullptr) return {};
  auto got = run_case<T>(plan.get(), problem, data, options);
  EXPECT_EQ(got.trouble, "") << target << " \"" << text_of(problem) << "\" by " << recipe;
  return std::move(got.out);
}

template <typename T>
void expect_same(const Signal<T>& a, const Signal<T>& b, const std::string& what) {
  const auto difference = first_difference<std::complex<T>>(a, b);
  EXPECT_FALSE(difference.has_value()) << what << ": bits differ at " << difference.value_or(0) << " of " << a.size() << "/" << b.size();
}

template <typename T>
Signal<T> swapped(const Signal<T>& signal) {
  Signal<T> other;
  for (const auto& value : signal) other.emplace_back(value.imag(), value.real());
  return other;
}

// What the planner would choose, recipes of all twiddle forms, and nodes of all kinds.
template <typename T>
std::vector<std::string> recipes_for(const Target& target, std::int64_t n) {
  const std::string type = Storage<T>::kName;
  std::vector<std::string> recipes;
  if (const PlanPtr plan = make_plan(target.context, std::to_string(n) + ' ' + type)) recipes.push_back(recipe_of(plan.get()));
  Random random(static_cast<std::uint64_t>(n));
  for (int i = 0; i < 4; ++i) {
    if (const auto recipe = random_dit(random, target, type, n)) recipes.push_back(*recipe);
  }
  for (int i = 0; i < 4; ++i) {
    if (const auto recipe = random_recipe(random, target, type, n)) recipes.push_back(*recipe);
  }
  return recipes;
}

template <typename T, typename Check>
void for_each_recipe(std::int64_t n, const Check& check) {
  for (const Target& target : targets()) {
    for (const std::string& recipe : recipes_for<T>(target, n)) {
      if (!is_sampled(seed_of(recipe), 3)) continue;
      check(target, recipe, "target " + target.name + ", " + std::to_string(n) + " by " + recipe);
    }
  }
}

template <typename T>
void placements_and_layouts(std::int64_t n) {
  const auto data = random_signal<T>(static_cast<std::size_t>(n), 1);
  for_each_recipe<T>(n, [&](const Target& target, const std::string& recipe, const std::string& where) {
    Case problem = line_case(n, 1, sizeof(T) == 8);
    const auto plain = result<T>(target, problem, recipe, data);
    for (unsigned flags = 1; flags < 16; ++flags) {
      problem = line_case(n, 1, sizeof(T) == 8);
      problem.in_place = (flags & 1U) != 0;
      problem.split = (flags & 2U) != 0;
      if ((flags & 4U) != 0) problem.dims[0].in_stride = 3;
      if ((flags & 8U) != 0) problem.dims[0].out_stride = -2;
      if (problem.in_place) problem.dims[0].out_stride = problem.dims[0].in_stride;
      expect_same<T>(plain, result<T>(target, problem, recipe, data), where + ", as \"" + text_of(problem) + '"');
    }
  });
}

// out[(j + by) mod n] = in[j]
template <typename T>
Signal<T> rotated(const Signal<T>& signal, std::int64_t by) {
  Signal<T> moved(signal.size());
  for (std::size_t j = 0; j < signal.size(); ++j) moved[(j + static_cast<std::size_t>(by)) % signal.size()] = signal[j];
  return moved;
}

// Centring moves indices at both ends and touches no number.
template <typename T>
void centring(std::int64_t n) {
  const auto data = random_signal<T>(static_cast<std::size_t>(n), 7);
  for_each_recipe<T>(n, [&](const Target& target, const std::string& recipe, const std::string& where) {
    Case problem = line_case(n, 1, sizeof(T) == 8);
    const auto expected = rotated<T>(result<T>(target, problem, recipe, data), n / 2);
    problem.centered = true;
    for (const bool in_place : {false, true}) {
      problem.in_place = in_place;
      for (const std::size_t shift : {std::size_t{0}, 2 * sizeof(T), 3 * sizeof(T)}) {
        const RunOptions options{Flush::kStart, shift, false, false};
        expect_same<T>(expected, result<T>(target, problem, recipe, rotated<T>(data, n / 2), options),
                       where + ", centred" + (in_place ? " in place, " : ", ") + std::to_string(shift) + " bytes from the page");
      }
    }
  });
}

template <typename T>
void directions(std::int64_t n) {
  const auto data = random_signal<T>(static_cast<std::size_t>(n), 2);
  for_each_recipe<T>(n, [&](const Target& target, const std::string& recipe, const std::string& where) {
    Case problem = line_case(n, 1, sizeof(T) == 8);
    const auto forward = result<T>(target, problem, recipe, data);
    problem.backward = true;
    expect_same<T>(swapped<T>(forward), result<T>(target, problem, recipe, swapped<T>(data)), where + ", backward");
  });
}

template <typename T>
void alignments_and_workspaces(std::int64_t n) {
  const auto data = random_signal<T>(static_cast<std::size_t>(n), 3);
  for_each_recipe<T>(n, [&](const Target& target, const std::string& recipe, const std::string& where) {
    const Case problem = line_case(n, 1, sizeof(T) == 8);
    const auto plain = result<T>(target, problem, recipe, data);
    for (std::size_t shift = 0; shift < 64; shift += sizeof(T)) {
      const Flush flush = shift % (2 * sizeof(T)) == 0 ? Flush::kEnd : Flush::kStart;
      const RunOptions options{flush, shift, shift % 12 == 4, shift % 8 == 0};
      expect_same<T>(plain, result<T>(target, problem, recipe, data, options), where + ", " + std::to_string(shift) + " bytes from the page");
    }
  });
}

// Each member of a batch equals the transform made alone, at every position, for batches that fill vectors and that do not.
template <typename T>
void batches(std::int64_t n) {
  for (const Target& target : targets()) {
    for (const std::int64_t count : {2, 3, 4, 7, 8, 9, 16, 17}) {
      Case problem = line_case(n, count, sizeof(T) == 8);
      const auto data = random_signal<T>(static_cast<std::size_t>(n * count), 4);
      const PlanPtr plan = make_plan(target.context, text_of(problem));
      if (plan == nullptr) continue;
      const std::string recipe = recipe_of(plan.get());
      const auto all = result<T>(target, problem, recipe, data);
      if (all.empty()) continue;
      const std::string where = "target " + target.name + ", \"" + text_of(problem) + "\" by " + recipe;
      // The same data in every member: all members alike.
      Signal<T> repeated;
      for (std::int64_t t = 0; t < count; ++t) repeated.insert(repeated.end(), data.begin(), data.begin() + n);
      const auto equal = result<T>(target, problem, recipe, repeated);
      for (std::int64_t t = 0; t < count; ++t) {
        expect_same<T>(Signal<T>(all.begin(), all.begin() + n), Signal<T>(equal.begin() + t * n, equal.begin() + (t + 1) * n),
                       where + ", member " + std::to_string(t));
      }
      // Batch strides and batch innermost (transforms in columns) change no bit.
      problem.dims[0] = {n, count + 1, count};
      problem.batch[0] = {count, 1, 1};
      expect_same<T>(all, result<T>(target, problem, recipe, data), where + ", as columns");
    }
  }
}

// Stores past the caches and fetching ahead are no arithmetic: batches, columns, in place, backward, centred and unaligned.
template <typename T>
void streaming_or_not(std::int64_t n) {
  Sampler sampler(5);
  for (const Target& target : targets()) {
    Random random(static_cast<std::uint64_t>(n) + 77);
    for (int round = 0; round < 3; ++round) {
      const auto dit = random_dit(random, target, Storage<T>::kName, n);
      if (!dit) break;
      const std::size_t colon = dit->find(':') + 1;
      const std::string columns = dit->substr(0, colon) + "cols(p" + std::to_string(random.between(1, 40)) + "; " + dit->substr(colon) + ")";
      const std::int64_t count = random.between(2, 70);
      for (const bool as_columns : {false, true}) {
        for (const std::string& recipe : {*dit, columns}) {
          Case problem = line_case(n, count, sizeof(T) == 8);
          if (as_columns) {
            problem.dims[0] = {n, count, count};
            problem.batch[0] = {count, 1, 1};
          }
          problem.in_place = random.chance(0.3);
          problem.backward = random.chance(0.5);
          problem.centered = random.chance(0.3);
          if (!sampler.next()) continue;
          const auto data = random_signal<T>(static_cast<std::size_t>(n * count), 8);
          const auto plain = result<T>(target, problem, recipe, data);
          for (const std::size_t shift : {std::size_t{0}, 2 * sizeof(T)}) {
            const RunOptions options{Flush::kStart, shift, false, false};
            expect_same<T>(plain, result<T>(target, problem, *streaming(recipe), data, options),
                           target.name + " \"" + text_of(problem) + "\" by " + *streaming(recipe) + ", " + std::to_string(shift) + " bytes from the page");
          }
        }
      }
    }
  }
}

// A NaN or an infinity stays within its transform.
template <typename T>
void contamination(std::int64_t n) {
  Sampler sampler(3);
  for (const Target& target : targets()) {
    for (const bool columns : {false, true}) {
      const std::int64_t count = 11;
      Case problem = line_case(n, count, sizeof(T) == 8);
      if (columns) {
        problem.dims[0] = {n, count, count};
        problem.batch[0] = {count, 1, 1};
      }
      const PlanPtr plan = make_plan(target.context, text_of(problem));
      if (plan == nullptr) continue;
      const auto data = random_signal<T>(static_cast<std::size_t>(n * count), 5);
      const auto clean = run_case<T>(plan.get(), problem, data, {}).out;
      for (std::int64_t sick = 0; sick < count; ++sick) {
        for (const T poison : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
          if (!sampler.next()) continue;
          auto poisoned = data;
          poisoned[static_cast<std::size_t>(sick * n + n / 2)] = {poison, T{1}};
          const auto got = run_case<T>(plan.get(), problem, poisoned, {}).out;
          for (std::int64_t t = 0; t < count; ++t) {
            const Signal<T> member(got.begin() + t * n, got.begin() + (t + 1) * n);
            if (t != sick) {
              expect_same<T>(Signal<T>(clean.begin() + t * n, clean.begin() + (t + 1) * n), member,
                             target.name + " \"" + text_of(problem) + "\" by " + recipe_of(plan.get()) + ": member " + std::to_string(t) +
                                 " beside a sick member " + std::to_string(sick));
            } else {
              EXPECT_FALSE(std::isfinite(member[0].real())) << text_of(problem);
            }
          }
        }
      }
    }
  }
}

class Bits : public testing::TestWithParam<std::int64_t> {};

TEST_P(Bits, DependNotOnPlacementLayoutOrStridesInF32) { placements_and_layouts<float>(GetParam()); }
TEST_P(Bits, DependNotOnPlacementLayoutOrStridesInF64) { placements_and_layouts<double>(GetParam()); }
TEST_P(Bits, DependNotOnCentringInF32) { centring<float>(GetParam()); }
TEST_P(Bits, DependNotOnCentringInF64) { centring<double>(GetParam()); }
TEST_P(Bits, AreThoseOfTheForwardTransformWithPartsExchangedInF32) { directions<float>(GetParam()); }
TEST_P(Bits, AreThoseOfTheForwardTransformWithPartsExchangedInF64) { directions<double>(GetParam()); }
TEST_P(Bits, DependNotOnAlignmentOrWorkspaceInF32) { alignments_and_workspaces<float>(GetParam()); }
TEST_P(Bits, DependNotOnAlignmentOrWorkspaceInF64) { alignments_and_workspaces<double>(GetParam()); }
TEST_P(Bits, DependNotOnBatchPositionInF32) { batches<float>(GetParam()); }
TEST_P(Bits, DependNotOnBatchPositionInF64) { batches<double>(GetParam()); }
TEST_P(Bits, DependNotOnStreamingInF32) { streaming_or_not<float>(GetParam()); }
TEST_P(Bits, DependNotOnStreamingInF64) { streaming_or_not<double>(GetParam()); }
TEST_P(Bits, OfNeighboursSurviveANanInF32) { contamination<float>(GetParam()); }
TEST_P(Bits, OfNeighboursSurviveANanInF64) { contamination<double>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Of, Bits, testing::Values(2, 3, 5, 8, 12, 15, 16, 17, 33, 34, 64, 80, 81, 96, 101, 128, 144, 210, 221, 256, 263, 480, 625, 1024, 2048),
                         testing::PrintToStringParamName());

// Tables are rounded to nearest, whatever mode the planning thread happens to be in (reliability notes, E9).
TEST(RoundingMode, OfThePlanningThreadChangesNoBit) {
  for (const char* problem : {"64 f32", "1000 f64", "256 f32 scale=ortho", "101 f32", "263 f64", "34 f64->f32"}) {
    const ContextPtr context = make_context();
    const PlanPtr plan = make_plan(context.get(), problem);
    ASSERT_NE(plan, nullptr);
    const std::string recipe = recipe_of(plan.get());
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      const ContextPtr other = make_context();
      ASSERT_EQ(std::fesetround(mode), 0);
      const PlanPtr same = make_plan(other.get(), problem, recipe);
      EXPECT_EQ(std::fegetround(), mode) << "the caller's mode is the caller's";
      std::fesetround(FE_TONEAREST);
      ASSERT_NE(same, nullptr);
      EXPECT_EQ(hash_of(same.get()), hash_of(plan.get())) << problem << " by " << recipe << ", planned in mode " << mode;
    }
  }
}

// A scale that is a power of two is exact: the same digits, another exponent.
TEST(Scale, OfAPowerOfTwoChangesNoDigit) {
  const auto data = random_signal<float>(256, 6);
  for (const Target& target : targets()) {
    const PlanPtr plan = make_plan(target.context, "256 f32");
    if (plan == nullptr) continue;
    Case problem = line_case(256);
    auto plain = result<float>(target, problem, recipe_of(plan.get()), data);
    for (auto& value : plain) value *= 0x1p-8F;
    problem.scale_kind = ULPFFT_SCALE_BY_N;
    expect_same<float>(plain, result<float>(target, problem, recipe_of(plan.get()), data), target.name);
  }
}

}  // namespace
}  // namespace ulpfft::test
