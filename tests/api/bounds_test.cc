// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// No execution reads or writes beyond what it was given: the caller's arrays and exactly workspace_bytes of workspace lie against pages
// that cannot be touched, on the one side and on the other. Passes take whole vectors where rows end earlier; this is where it shows
// when the padding falls short. The workspace begins as NaN: a lane that counts and was not written shows in the result.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <optional>
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

// The same bits with a workspace of the plan's own, or the output as one, and with the caller's against either page.
template <typename T>
void check(const Target& target, const Case& problem, const std::string& recipe) {
  const PlanPtr plan = recipe.empty() ? make_plan(target.context, text_of(problem)) : make_plan(target.context, text_of(problem), recipe);
  if (plan == nullptr) return;
  const std::string where = "target " + target.name + ", problem \"" + text_of(problem) + "\", recipe \"" + recipe_of(plan.get()) + '"';
  EXPECT_EQ(ulpfft_plan_workspace_bytes(plan.get()) % 64, 0U) << "the workspace does not end at the page: " << where;
  const auto data = random_signal<T>(static_cast<std::size_t>(all_points(problem)), seed_of(where));
  RunOptions options;
  options.flush = Flush::kEnd;
  const auto expected = run_case<T>(plan.get(), problem, data, options);
  ASSERT_EQ(expected.trouble, "") << where;
  options.by_arrays = true;
  options.own_workspace = true;
  for (const Flush flush : {Flush::kStart, Flush::kEnd}) {
    options.flush = flush;
    options.workspace_flush = flush;
    const auto result = run_case<T>(plan.get(), problem, data, options);
    const char* const side = flush == Flush::kStart ? "a page before: " : "a page after: ";
    ASSERT_EQ(result.trouble, "") << side << where;
    EXPECT_FALSE(first_difference<std::complex<T>>(expected.out, result.out).has_value()) << side << where;
  }
}

// The default, one dit and any other recipe, drawn, in turns also in place, backward, centred and streaming.
template <typename T>
void check_length(std::int64_t n) {
  for (const Target& target : targets()) {
    if (target.backend == "ref") continue;  // scalar: nothing to over-read, and built with sanitizers
    Random random(static_cast<std::uint64_t>(n) * 64 + target.index);
    Case problem = line_case(n, 1, sizeof(T) == 8);
    check<T>(target, problem, "");
    for (int i = 0; i < 3; ++i) {
      problem.in_place = random.chance(0.3);
      problem.backward = random.chance(0.3);
      problem.centered = random.chance(0.3);
      const std::string scheme = Storage<T>::kName;
      const auto recipe = i < 2 ? random_dit(random, target, scheme, n) : random_recipe(random, target, scheme, n);
      if (!recipe || !has_bodies(target, *recipe)) continue;
      check<T>(target, problem, *recipe);
      const auto streams = streaming(*recipe);
      if (i == 0 && streams) check<T>(target, problem, *streams);
    }
    if (testing::Test::HasFatalFailure()) return;
  }
}

template <typename T>
void check_batch(std::int64_t n) {
  for (const Target& target : targets()) {
    if (target.backend == "ref") continue;
    Case problem = line_case(n, 5, sizeof(T) == 8);
    check<T>(target, problem, "");
    problem.threads = 2;
    check<T>(target, problem, "");
    Case square = problem;
    square.batch.clear();
    square.dims = {{7, 1, 1}, {n, 1, 1}};
    set_dense(square);
    check<T>(target, square, "");
    square.dims = {{n, 1, 1}, {7, 1, 1}};
    set_dense(square);
    check<T>(target, square, "");
  }
}

// Groups of lengths, so that a failure says early where.
class Bounds : public testing::TestWithParam<std::int64_t> {};

TEST_P(Bounds, AreKeptByLinesOfEveryLength) {
  for (std::int64_t n = GetParam(); n < GetParam() + 32 && !HasFatalFailure(); ++n) {
    check_length<float>(n);
    check_length<double>(n);
  }
}

TEST_P(Bounds, AreKeptByBatchesAndTwoDimensions) {
  for (std::int64_t n = GetParam(); n < GetParam() + 32 && !HasFatalFailure(); n += 3) {
    check_batch<float>(n);
    check_batch<double>(n);
  }
}

INSTANTIATE_TEST_SUITE_P(From, Bounds, testing::Range<std::int64_t>(1, 512, 32), testing::PrintToStringParamName());

class LongBounds : public testing::TestWithParam<std::int64_t> {};

TEST_P(LongBounds, AreKept) {
  check_length<float>(GetParam());
  check_length<double>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Of, LongBounds,
                         testing::Values(525, 600, 625, 720, 768, 840, 945, 1000, 1001, 1080, 1155, 1280, 1331, 1536, 1920, 2025, 2197, 2401, 3000, 3125, 4095, 4725, 5005,
                                         6561, 10000, 15015, 15625, 16384, 20000, 44100, 46189, 65536, 100000, 131072, 1009, 4099, 10007),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace ulpfft::test
