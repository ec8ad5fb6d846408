// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Storage of one wide format, arithmetic or result of the other: rounding happens where it must, once, and nowhere else.
//
// Rounding to nearest leaves an error uniform in one unit of the last place: rms u 2^e / sqrt(3) for values in [2^e, 2^(e+1)), at most
// u / sqrt(3) relative to the values whatever their mantissas, u / sqrt(7) for uniform ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/codelets.h"
#include "tests/support/compare.h"
#include "tests/support/gates.h"
#include "tests/support/problems.h"
#include "tests/support/run_case.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

constexpr double kRoundingF32 = 0x1p-24 / 1.7320508075688772;
constexpr double kSlack = 1.03;  // of an rms over 2^15 parts: four of its standard deviations

Case dense(const std::vector<std::int64_t>& lengths, std::int64_t batch) {
  Case problem = dense_case(ULPFFT_C2C, lengths, batch);
  problem.dense = false;
  return problem;
}

// Enough transforms for an rms.
Case enough(const std::vector<std::int64_t>& lengths) {
  const Case problem = dense(lengths, 1);
  return dense(lengths, (kGateOutputs + transform_points(problem) - 1) / transform_points(problem));
}

// The rms error that storages and arithmetic allow: the gate of the arithmetic, and a rounding at either end that is narrower.
double error_allowed(const Case& problem, const std::string& recipe) {
  const std::int64_t points = transform_points(problem);
  double square = std::pow(computes_f64(problem) ? gate_of<double>(recipe, points) : gate_of<float>(recipe, points), 2);
  if (problem.f64 && !computes_f64(problem)) square += kRoundingF32 * kRoundingF32;
  if (!out_f64(problem) && computes_f64(problem)) square += kRoundingF32 * kRoundingF32;
  return kSlack * std::sqrt(square);
}

template <typename S, typename T>
void check_error(const Case& problem) {
  const std::string text = text_of(problem);
  const auto data = random_signal<S>(static_cast<std::size_t>(all_points(problem)), seed_of(text));
  const auto expected = exact_result(problem, widen(data));
  std::map<bool, std::vector<std::complex<T>>> bits;
  std::string recipe;
  for (const Target& target : targets()) {
    const PlanPtr plan = recipe.empty() || !has_bodies(target, recipe) ? make_plan(target.context, text) : make_plan(target.context, text, recipe);
    if (plan == nullptr) continue;
    if (recipe.empty()) recipe = recipe_of(plan.get());
    const std::string where = "target " + target.name + ", problem \"" + text + "\", recipe " + recipe_of(plan.get());
    EXPECT_EQ(recipe_of(plan.get()).substr(0, 3), computes_f64(problem) ? "f64" : "f32") << where;
    const auto result = run_case<S, T>(plan.get(), problem, data, {});
    ASSERT_EQ(result.trouble, "") << where;
    const double error = relative_l2<T>(result.out, expected);
    EXPECT_LE(error, error_allowed(problem, recipe_of(plan.get()))) << where;
    if constexpr (sizeof(T) == 4) {
      if (!computes_f64(problem)) continue;
      // One rounding is all: every part is the nearest float, or next to it where f64 itself errs across the middle.
      double size = 0;
      for (const ComplexDD& value : expected) size = std::max({size, std::abs(value.re.value()), std::abs(value.im.value())});
      for (std::size_t i = 0; i < expected.size(); ++i) {
        for (const auto& [got, exact] : {std::pair{result.out[i].real(), expected[i].re.value()}, std::pair{result.out[i].imag(), expected[i].im.value()}}) {
          ASSERT_LE(std::abs(static_cast<double>(got) - exact), 0x1p-24 * std::abs(exact) + 1e-14 * size + 0x1p-150) << where << ", output " << i;
        }
      }
    }
    if (recipe_of(plan.get()) != recipe) continue;
    const auto& first = bits.try_emplace(target.has_fma, result.out).first->second;
    EXPECT_FALSE(first_difference<std::complex<T>>(first, result.out).has_value()) << "other bits than another target's: " << where;
  }
}

void check_error(const Case& problem) {
  with_storage(problem, [&]<typename S, typename T>() { check_error<S, T>(problem); });
}

// Both storages at both ends, the scheme left to the library or named: every pair that converts somewhere.
std::vector<Case> conversions(const Case& plain) {
  std::vector<Case> cases;
  for (const bool f64 : {false, true}) {
    for (const bool converts : {false, true}) {
      for (const char* scheme : {"", "f32", "f64"}) {
        Case problem = plain;
        problem.f64 = f64;
        problem.converts = converts;
        problem.scheme = scheme;
        const bool decodes = problem.f64 != computes_f64(problem);
        const bool encodes = out_f64(problem) != computes_f64(problem);
        if (decodes || encodes) cases.push_back(problem);
      }
    }
  }
  return cases;
}

class Conversion : public testing::TestWithParam<std::int64_t> {};

TEST_P(Conversion, OfLinesRoundsOnce) {
  for (const Case& problem : conversions(enough({GetParam()}))) check_error(problem);
}

TEST_P(Conversion, OfLinesInverseCentredAndScaledRoundsOnce) {
  for (Case problem : conversions(enough({GetParam()}))) {
    problem.backward = true;
    problem.centered = true;
    problem.scale_kind = ULPFFT_SCALE_BY_N;
    if (computes_f64(problem) || is_smooth(GetParam())) check_error(problem);
  }
}

INSTANTIATE_TEST_SUITE_P(N, Conversion, testing::Values(2, 8, 15, 17, 64, 100, 101, 256, 221, 1000, 1009, 4096, 16384), testing::PrintToStringParamName());

TEST(Conversions, OfEveryRankRoundOnce) {
  for (const auto& shape : {std::vector<std::int64_t>{40, 24}, {17, 12}, {9, 8, 10}, {4, 5, 3, 16}, {1, 64}, {64, 1}}) {
    for (const Case& problem : conversions(enough(shape))) check_error(problem);
  }
}

// Placements, layouts and strides change no bit of a conversion.
TEST(Conversions, HaveTheSameBitsInEveryLayout) {
  for (const std::int64_t n : {30, 34, 64, 96}) {
    for (const Case& plain : conversions(dense({n}, 3))) {
      with_storage(plain, [&]<typename S, typename T>() {
        const auto data = random_signal<S>(static_cast<std::size_t>(3 * n), 11);
        const PlanPtr plan = make_plan(default_target().context, text_of(plain));
        ASSERT_NE(plan, nullptr);
        const std::string recipe = recipe_of(plan.get());
        const auto expected = run_case<S, T>(plan.get(), plain, data, {});
        ASSERT_EQ(expected.trouble, "");
        for (unsigned flags = 1; flags < 32; ++flags) {
          Case problem = plain;
          problem.split = (flags & 1U) != 0;
          if ((flags & 2U) != 0) {
            problem.dims[0].in_stride = 3;  // columns
            problem.batch[0].in_stride = 1;
          }
          if ((flags & 4U) != 0) {
            problem.dims[0].out_stride = -2;
            problem.batch[0].out_stride = 2 * n + 5;
          }
          problem.in_place = (flags & 8U) != 0 && !problem.converts;
          if (problem.in_place) {
            problem.dims[0].out_stride = problem.dims[0].in_stride;
            problem.batch[0].out_stride = problem.batch[0].in_stride;
          }
          const PlanPtr same = make_plan(default_target().context, text_of(problem), recipe);
          ASSERT_NE(same, nullptr);
          const RunOptions options{(flags & 16U) != 0 ? Flush::kStart : Flush::kEnd, (flags & 16U) != 0 ? sizeof(double) * (flags % 8) : 0, true, flags % 3 == 0};
          const auto result = run_case<S, T>(same.get(), problem, data, options);
          ASSERT_EQ(result.trouble, "") << text_of(problem) << " by " << recipe;
          EXPECT_FALSE(first_difference<std::complex<T>>(expected.out, result.out).has_value()) << text_of(problem) << " by " << recipe;
        }
      });
    }
  }
}

// Widening is exact: the plan with f32 storage and f64 arithmetic computes what the f64 plan does, then rounds.
TEST(Conversions, AreTheTransformOfTheWidenedInputRounded) {
  for (const std::int64_t n : {12, 17, 256, 1000}) {
    const Case narrow = [&] {
      Case problem = dense({n}, 4);
      problem.scheme = "f64";
      return problem;
    }();
    Case wide = dense({n}, 4);
    wide.f64 = true;
    for (const Target& target : targets()) {
      const PlanPtr plan = make_plan(target.context, text_of(narrow));
      ASSERT_NE(plan, nullptr);
      const PlanPtr other = make_plan(target.context, text_of(wide), recipe_of(plan.get()));
      ASSERT_NE(other, nullptr);
      const auto data = random_signal<float>(static_cast<std::size_t>(4 * n), 12);
      std::vector<std::complex<double>> widened(data.begin(), data.end());
      const auto got = run_case<float>(plan.get(), narrow, data, {});
      const auto expected = run_case<double>(other.get(), wide, widened, {});
      ASSERT_EQ(got.trouble + expected.trouble, "");
      for (std::size_t i = 0; i < got.out.size(); ++i) ASSERT_EQ(got.out[i], std::complex<float>(expected.out[i])) << target << ", n = " << n << ", output " << i;
    }
  }
}

// Values beyond f32 become infinite where they are stored as f32, and nowhere else; small ones keep their digits inside.
TEST(Conversions, OverflowOnlyAtTheNarrowEnd) {
  const PlanPtr plan = make_plan(default_target().context, "8 f64->f32");
  const PlanPtr scaled = make_plan(default_target().context, "8 f64->f32 scale=1e-60");
  ASSERT_TRUE(plan != nullptr && scaled != nullptr);
  std::vector<std::complex<double>> in(8, 1e60);
  std::vector<std::complex<float>> out(8);
  ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), out.data()), ULPFFT_OK);
  EXPECT_TRUE(std::isinf(out[0].real()));
  EXPECT_EQ(out[1], std::complex<float>(0));
  ASSERT_EQ(ulpfft_execute(scaled.get(), in.data(), out.data()), ULPFFT_OK);
  EXPECT_EQ(out[0], std::complex<float>(8));
}

}  // namespace
}  // namespace ulpfft::test
