// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// destroy_input: the same results, nothing written outside the arrays, and less workspace where the plan works in the input.
#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/run_case.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

template <typename T>
void expect_equal_results(const Case& kept, Flush flush) {
  Case destroyed = kept;
  destroyed.destroy_input = true;
  const std::string text = text_of(destroyed);
  const PlanPtr chosen = make_plan(nullptr, text_of(kept));
  ASSERT_NE(chosen, nullptr) << text;
  const std::string recipe = recipe_of(chosen.get());
  const PlanPtr a = make_plan(nullptr, text_of(kept), recipe), b = make_plan(nullptr, text, recipe);
  ASSERT_TRUE(a != nullptr && b != nullptr) << text;
  // Without a spectrum of its own, a batch is not cut into transforms, and its lines go through the real node in larger groups.
  constexpr std::size_t kGroups = 32 << 10;
  const std::size_t more = kGroups * static_cast<std::size_t>(kept.threads);
  EXPECT_LE(ulpfft_plan_workspace_bytes(b.get()), ulpfft_plan_workspace_bytes(a.get()) + more) << text;
  const auto in = input_of<T>(kept);
  const RunResult<T> with = run_case<T>(b.get(), destroyed, in, run_options(flush, true));
  const RunResult<T> without = run_case<T>(a.get(), kept, in, run_options(flush, true));
  ASSERT_EQ(with.trouble, "") << text;
  EXPECT_EQ(std::memcmp(with.out.data(), without.out.data(), with.out.size() * sizeof with.out[0]), 0) << text << " " << recipe;
}

TEST(DestroyInput, GivesTheSameResultsOfRandomProblems) {
  Random random(20261127);
  const int cases = full_run() ? 2000 : 200;
  Sampler sampler(3);
  for (int i = 0; i < cases; ++i) {
    const Case problem = random_real_case(random, i % 20 == 0 ? 20000 : 1500);
    const Flush flush = random.chance(0.5) ? Flush::kStart : Flush::kEnd;
    if (!sampler.next()) continue;
    problem.f64 ? expect_equal_results<double>(problem, flush) : expect_equal_results<float>(problem, flush);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(DestroyInput, SavesTheSpectrumOfC2rOfSeveralDimensions) {
  for (const char* problem : {"c2r 256x256 f32", "c2r 64x40x30 f64", "c2r 128x100*3 f32 split", "c2r 300x145 f32 inverse"}) {
    const PlanPtr kept = make_plan(nullptr, problem), destroyed = make_plan(nullptr, std::string(problem) + " destroy_input");
    ASSERT_TRUE(kept != nullptr && destroyed != nullptr);
    auto bytes = sized<ulpfft_memory>();
    ASSERT_EQ(ulpfft_plan_memory(kept.get(), &bytes), ULPFFT_OK);
    const std::uint64_t transforms = std::string(problem).find('*') == std::string::npos ? 1 : 3;
    EXPECT_GE(ulpfft_plan_workspace_bytes(kept.get()), bytes.in_bytes / transforms) << problem;
    EXPECT_LT(ulpfft_plan_workspace_bytes(destroyed.get()), bytes.in_bytes / transforms) << problem;
    EXPECT_NE(take(ulpfft_plan_problem(destroyed.get())).find(" destroy_input"), std::string::npos) << problem;
  }
}

TEST(DestroyInput, IsAllowedForEveryKindAndOfNoEffectInPlace) {
  for (const char* problem : {"64 f32", "64x64 f16", "r2c 64x64 f32", "c2r 64 f64", "c2r 64x64 f32 inplace", "r2c 64 f32 chain=mul"}) {
    const PlanPtr kept = make_plan(nullptr, problem);
    ASSERT_NE(kept, nullptr);
    const PlanPtr destroyed = make_plan(nullptr, std::string(problem) + " destroy_input", recipe_of(kept.get()));
    ASSERT_NE(destroyed, nullptr) << problem;
    EXPECT_EQ(hash_of(kept.get()), hash_of(destroyed.get())) << problem;
    EXPECT_EQ(ulpfft_plan_workspace_bytes(kept.get()), ulpfft_plan_workspace_bytes(destroyed.get())) << problem;
  }
}

// The judge's array is the caller's, which planning and assessing only read.
TEST(DestroyInput, LeavesAnArrayThatIsAssessed) {
  const PlanPtr plan = make_plan(nullptr, "c2r 16x16 f32 destroy_input");
  ASSERT_NE(plan, nullptr);
  auto spectrum = random_signal<float>(16 * 9, 3);
  const auto before = spectrum;
  auto array = sized<ulpfft_array>();
  array.data[0] = spectrum.data();
  auto report = sized<ulpfft_error_report>();
  ASSERT_EQ(ulpfft_plan_assess(plan.get(), &array, ULPFFT_ERROR_FULL, &report), ULPFFT_OK) << last_error_text();
  EXPECT_LT(report.relative_l2, 1e-6);
  EXPECT_EQ(spectrum, before);
}

// Every pair of parts that an input has, by one byte.
TEST(DestroyInput, RefusesPartsOfTheInputThatOverlap) {
  constexpr std::size_t kBytes = 1 << 14;
  for (const char* problem : {"c2r 16x16 f32 split", "c2r 9x8*2 f64 split", "16x16 f32 split", "r2c 8x8 i16->f32", "c2r 8x8 f16 split",
                              "c2r 8x8 mxfp8_e4m3->f32", "c2r 8x8 mxfp8_e4m3->f32 split"}) {
    const PlanPtr kept = make_plan(nullptr, problem), destroyed = make_plan(nullptr, std::string(problem) + " destroy_input");
    ASSERT_TRUE(kept != nullptr && destroyed != nullptr);
    const auto has = [&](const char* word) { return std::string(problem).find(word) != std::string::npos; };
    const bool split = has(" split"), blocks = has("mx");
    std::vector<std::vector<std::byte>> parts;
    for (int i = 0; i < 6; ++i) parts.emplace_back(kBytes);
    auto in = sized<ulpfft_array>(), out = sized<ulpfft_array>();
    for (int part = 0; part < (split ? 2 : 1); ++part) {
      const auto p = static_cast<std::size_t>(part);
      in.data[part] = parts[p].data();
      if (blocks) in.scales[part] = parts[2 + p].data();
      if (!has("c2r")) out.data[part] = parts[4 + p].data();
    }
    out.data[0] = parts[4].data();
    EXPECT_EQ(ulpfft_execute_arrays(destroyed.get(), &in, &out, nullptr), ULPFFT_OK) << problem << ": " << last_error_text();
    void** const pieces[] = {&in.data[0], &in.data[1], &in.scales[0], &in.scales[1]};
    for (void** const piece : pieces) {
      for (void** const other : pieces) {
        if (piece == other || *piece == nullptr || *other == nullptr) continue;
        void* const own = *piece;
        *piece = *other;
        EXPECT_EQ(ulpfft_execute_arrays(destroyed.get(), &in, &out, nullptr), ULPFFT_INVALID_ARGUMENT) << problem;
        EXPECT_NE(last_error().message.find("Parts of the input overlap"), std::string::npos) << last_error_text();
        EXPECT_EQ(ulpfft_execute_arrays(kept.get(), &in, &out, nullptr), ULPFFT_OK) << problem << ": " << last_error_text();
        *piece = own;
      }
    }
  }
}

TEST(DestroyInput, RefusesInputsWhoseElementsCoincide) {
  ulpfft_plan* plan = nullptr;
  EXPECT_EQ(ulpfft_plan_parse(nullptr, "8x8 f32 in_strides=1,1", &plan), ULPFFT_OK) << last_error_text();
  ulpfft_plan_destroy(plan);
  EXPECT_EQ(ulpfft_plan_parse(nullptr, "8x8 f32 destroy_input in_strides=1,1", &plan), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "in_strides[1]");
  EXPECT_NE(last_error().message.find("input elements, which are overwritten,"), std::string::npos) << last_error_text();
}

}  // namespace
}  // namespace ulpfft::test
