// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Images of reals take one pass for both dimensions: every pair of kinds and lengths that have codelets gives the bits of two passes and of
// ref, whatever the batch, the gaps, the placement and the scale, and touches nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/r2r_case.h"
#include "tests/support/run_case.h"
#include "tests/support/sample.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

struct Line {
  int kind;
  std::int64_t n;
};

// Kinds and lengths that one codelet computes and whose ends are both reals.
std::vector<Line> lines_with_codelets() {
  std::vector<Line> lines;
  for (int kind = ULPFFT_DHT; kind < kR2rKinds; ++kind) {
    for (std::int64_t n = 2; n <= 32; ++n) {
      const std::string problem = "r2r " + std::to_string(n) + " f32 kinds=" + std::string(kR2rNames[static_cast<std::size_t>(kind)]);
      if (try_plan(ref_target().context, problem, "f32:n" + std::to_string(n)) != nullptr) lines.push_back({kind, n});
    }
  }
  return lines;
}

// Rows `gap` reals longer than their numbers, images of rows; `step` between the reals of a row.
Case images_of(const Line& columns, const Line& rows, std::int64_t count, std::int64_t in_gap, std::int64_t out_gap,
                   std::int64_t step) {
  Case problem = dense_r2r_case(rows.kind, {columns.n, rows.n}, count);
  problem.kinds = {columns.kind, rows.kind};
  const std::int64_t in_row = (rows.n + in_gap) * step, out_row = (rows.n + out_gap) * step;
  problem.dims = {{columns.n, in_row, out_row}, {rows.n, step, step}};
  problem.batch.clear();
  // Images of the input follow one another; those of the output have a row between them.
  if (count > 1) problem.batch = {{count, in_row * columns.n, out_row * (columns.n + 1)}};
  problem.dense = false;
  return problem;
}

template <typename T>
void expect_bits(const RunResult<T>& one, const RunResult<T>& other, const std::string& what) {
  ASSERT_EQ(one.trouble, "") << what;
  ASSERT_EQ(other.trouble, "") << what;
  EXPECT_EQ(std::memcmp(one.out.data(), other.out.data(), one.out.size() * sizeof one.out[0]), 0) << what;
}

bool has_image_pass(const Target& target) { return target.backend == "hwy" && target.has_fma; }

bool is_together(const ulpfft_plan* plan) { return take(ulpfft_plan_explain(plan)).find("in one pass over images") != std::string::npos; }

// Returns how many targets computed in one pass.
template <typename T>
int check(const Line& columns, const Line& rows, Random& random) {
  constexpr bool kF64 = sizeof(T) == 8;
  const std::int64_t counts[] = {1, 2, 7, 40, 41};
  Case problem = images_of(columns, rows, counts[random.below(5)], static_cast<std::int64_t>(random.below(3)),
                               static_cast<std::int64_t>(random.below(2)), 1);
  problem.in_place = random.chance(0.3);
  if (problem.in_place) {
    for (Dim& dim : problem.dims) dim.out_stride = dim.in_stride;
    for (Dim& dim : problem.batch) dim.out_stride = dim.in_stride;
  }
  constexpr int kScales[] = {ULPFFT_SCALE_NONE, ULPFFT_SCALE_ORTHO, ULPFFT_SCALE_BY_N};
  problem.scale_kind = kScales[random.below(3)];
  problem.threads = random.chance(0.3) ? 3 : 1;
  problem.f64 = kF64;
  // Reals apart from each other take two passes.
  const std::int64_t count = problem.batch.empty() ? 1 : problem.batch[0].length;
  Case apart = images_of(columns, rows, count, 0, 0, 2);
  apart.f64 = kF64;
  apart.scale_kind = problem.scale_kind;
  const std::string nodes = "rank(n" + std::to_string(columns.n) + "; n" + std::to_string(rows.n) + ")";
  const std::string recipe = (kF64 ? "f64:" : "f32:") + nodes;
  const auto in = input_of<T>(problem);
  const Flush flush = random.chance(0.5) ? Flush::kStart : Flush::kEnd;
  int together = 0;
  const auto run = [&](const Target& target, const Case& one) {
    const PlanPtr plan = make_plan(target.context, text_of(one), recipe);
    if (plan == nullptr) return RunResult<T>{{}, "refused: " + last_error_text(), 0};
    if (is_together(plan.get())) ++together;
    return run_case<T>(plan.get(), one, in, run_options(flush, false));
  };
  const RunResult<T> judged = run(ref_target(), problem);
  for (const Target& target : targets()) {
    // Targets of few registers lack long bodies.
    if (target.backend != "hwy" || try_plan(target.context, text_of(problem), recipe) == nullptr) continue;
    const RunResult<T> got = run(target, problem);
    const std::string what = target.name + " " + text_of(problem) + " " + recipe;
    expect_bits<T>(got, run(target, apart), what + " against two passes");
    if (target.has_fma == ref_target().has_fma) expect_bits<T>(got, judged, what + " against ref");
  }
  return together;
}

TEST(Images, OfEveryPairOfCodeletsHaveTheBitsOfTwoPasses) {
  const std::vector<Line> lines = lines_with_codelets();
  ASSERT_GE(lines.size(), 40U);
  Sampler sampler(full_run() ? 1 : 31);
  Random random(20261124);
  int checked = 0, together = 0;
  for (const Line& columns : lines) {
    for (const Line& rows : lines) {
      Random own(random.next());
      if (!sampler.next()) continue;
      together += check<float>(columns, rows, own) + check<double>(columns, rows, own);
      checked += 2;
    }
  }
  const bool any = std::any_of(targets().begin(), targets().end(), has_image_pass);
  EXPECT_GE(together, any ? checked / 4 : 0);
}

// Batches of common sizes are faster so; a few small images, and reals that are apart, are not.
TEST(Images, OfCommonSizesTakeOnePass) {
  for (const Target& target : targets()) {
    if (!has_image_pass(target)) continue;
    for (const std::string scheme : {"f32", "f64"}) {
      for (const std::string n : {"4", "8", "16"}) {
        const std::string image = "r2r " + n + "x" + n, recipe = scheme + ":rank(n" + n + "; n" + n + ")";
        const auto together = [&](const std::string& batch, const std::string& rest) {
          return is_together(make_plan(target.context, image + batch + " " + scheme + " kinds=dct2,dst3" + rest, recipe).get());
        };
        EXPECT_TRUE(together("*64", "")) << target << ' ' << recipe;
        EXPECT_TRUE(together("*64", " scale=ortho inplace")) << target << ' ' << recipe;
        EXPECT_FALSE(together("", " in_strides=" + n + ",1 out_strides=1," + n)) << target << ' ' << recipe;
      }
    }
  }
}

// Of more lengths the last two are an image.
TEST(Images, AreTheLastTwoLengthsOfMore) {
  for (const Target& target : targets()) {
    if (!has_image_pass(target)) continue;
    for (const auto& [problem, recipe] : {std::pair{"r2r 6x8x4*9 f32 kinds=dct2,dst2,dct3", "f32:rank(r2r(6; n3); n8; n4)"},
                                          std::pair{"r2r 5x16x8 f64 kinds=dct4,dht,dst4 scale=ortho", "f64:rank(n5; n16; n8)"}}) {
      const PlanPtr judge = make_plan(ref_target().context, problem, recipe);
      const PlanPtr plan = make_plan(target.context, problem, recipe);
      ASSERT_TRUE(judge != nullptr && plan != nullptr) << problem;
      EXPECT_TRUE(is_together(plan.get())) << problem << ' ' << recipe_of(plan.get());
      if (target.has_fma == ref_target().has_fma) {
        EXPECT_EQ(hash_of(plan.get()), hash_of(judge.get())) << problem << ' ' << target;
      }
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
