// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Chains of real numbers through the C interface: random problems against the definition between guard pages, tiles, bits, errors.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/chain_operation.h"
#include "tests/support/compare.h"
#include "tests/support/problems.h"
#include "tests/support/real_case.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

template <typename Use>
void with_real(bool f64, const Use& use) {
  f64 ? use(double()) : use(float());
}

// Of one transform: a factor for each point of the half spectrum.
template <typename T>
std::vector<std::complex<T>> factors_of(const RealCase& problem) {
  RealCase one = transform_of(problem);
  one.batch.clear();
  return phases<T>(stored_elements(one, true), seed_of(text_of(problem)) + 1);
}

// Two transforms and a product, each within the theorem. A convolution is two transforms and three products of its own.
double bound_of(const RealCase& problem, const std::string& recipe) {
  const std::int64_t points = std::max<std::int64_t>(2, transform_points(problem));
  const double of_passes = problem.f64 ? theorem_bound<double>(points) : theorem_bound<float>(points);
  const double convolutions = recipe.find("rader") != std::string::npos || recipe.find("bluestein") != std::string::npos ? 40 : 1;
  return 4 * convolutions * of_passes;
}

// The norm of what a chain without an operation gives: at the points that are their own conjugates, factors take a part of it.
template <typename T>
double norm_of_round_trip(const RealCase& problem, const std::vector<std::complex<T>>& in) {
  double square = 0;
  for (const std::complex<T>& value : in) square += std::norm(std::complex<double>(value.real()));
  const double points = static_cast<double>(transform_points(problem));
  const bool ortho = problem.scale_kind == ULPFFT_SCALE_ORTHO, by_n = problem.scale_kind == ULPFFT_SCALE_BY_N;
  return std::sqrt(square) * (ortho ? std::sqrt(points) : by_n ? 1 : points);
}

template <typename T>
void expect_right(const ulpfft_plan* plan, const RealCase& problem, bool flush_start, bool own_workspace) {
  const std::string text = text_of(problem), recipe = recipe_of(plan);
  SCOPED_TRACE(text + ", recipe " + recipe);
  const auto in = real_case_input<T>(problem);
  const auto factors = factors_of<T>(problem);
  Multiplier<T> multiplier(factors, all_points(problem) / transform_points(problem));
  auto operation = sized<ulpfft_operation>();
  if (problem.chain == "mul") {
    operation.factors = factors.data();
  } else {
    operation.apply = &Multiplier<T>::apply;
    operation.user = &multiplier;
  }
  const RealRun<T> run = run_real_case<T>(plan, problem, in, flush_start ? Flush::kStart : Flush::kEnd, own_workspace, &operation);
  ASSERT_EQ(run.trouble, "");
  if (problem.chain == "user") {
    EXPECT_TRUE(multiplier.saw_each_once());
  }
  ErrorSum sum;
  const std::vector<ComplexDD> exact = exact_chain(problem, widen(in), widen(factors));
  for (std::size_t i = 0; i < exact.size(); ++i) sum.add(run.out[i], exact[i]);
  EXPECT_LE(std::sqrt(sum.error), bound_of(problem, recipe) * norm_of_round_trip(problem, in));
}

TEST(RealChains, OfRandomProblemsAreRightAndTouchNothingElse) {
  Random random(20261126);
  const int cases = full_run() ? 4000 : 400;
  Sampler sampler(3);
  for (int i = 0; i < cases; ++i) {
    const std::string chain = random.chance(0.5) ? "mul" : "user";
    const RealCase problem = random_real_case(random, i % 20 == 0 ? 20000 : 1500, chain);
    const bool flush_start = random.chance(0.5), own_workspace = random.chance(0.3);
    if (!sampler.next()) continue;
    const PlanPtr plan = make_plan(default_target().context, text_of(problem));
    ASSERT_NE(plan, nullptr) << text_of(problem);
    with_real(problem.f64, [&](auto real) { expect_right<decltype(real)>(plan.get(), problem, flush_start, own_workspace); });
    if (testing::Test::HasFailure()) return;
  }
}

// The recipe of the transform, there and back.
struct Given {
  std::vector<Dim> dims;
  std::int64_t batch;
  const char* recipe;  // with $ for the operation
};
const Given kGiven[] = {
    {{{64, 1, 1}}, 40, "f32:chain(real(64; dit(8 4)); $; real(64; dit(4 8)))"},
    {{{15, 1, 1}}, 3, "f32:chain(real(15; n15); $; real(15; dit(5 3)))"},
    {{{8192, 1, 1}}, 1, "f32:chain(real(8192; four(64x64 p16; dit(8 8); dit(16 4))); $; real(8192; dit(16 16 16)))"},
    {{{34, 1, 1}}, 5, "f32:chain(real(34; rader(17; dit(4 4))); $; real(34; rader(17; dit(4 4))))"},
    // Panels of columns that leave a rest, fused and not.
    {{{64, 1, 1}, {60, 1, 1}},
     3,
     "f32:chain(rank(cols(p16; dit(8 8)); real(60; dit(6 5))); $; rank(cols(p16; dit(16 4)); real(60; dit(6 5))))"},
    {{{64, 1, 1}, {60, 1, 1}},
     3,
     "f32:chain(rank(cols(p16; dit(8 8)); real(60; dit(6 5))); $; rank(cols(p8; dit(16 4)); real(60; dit(6 5))))"},
    {{{16, 1, 1}, {9, 1, 1}, {21, 1, 1}},
     2,
     "f32:chain(rank(cols(p32; n16); cols(p8; n9); real(21; dit(7 3))); $; "
     "rank(cols(p32; n16); cols(p8; n9); real(21; dit(7 3))))"},
    {{{1, 1, 1}, {32, 1, 1}, {24, 1, 1}},
     1,
     "f32:chain(rank(n1; cols(p16; dit(8 4)); real(24; n12)); $; rank(n1; cols(p16; dit(8 4)); real(24; n12)))"},
};

TEST(RealChains, OfEveryKindOfRecipeAreRightInBothDirections) {
  for (const Given& given : kGiven) {
    for (const char* chain : {"mul", "user"}) {
      for (const bool backward : {false, true}) {
        for (const bool in_place : {false, true}) {
          RealCase problem;
          problem.dims = given.dims;
          if (given.batch > 1) problem.batch = {{given.batch, 1, 1}};
          problem.backward = backward;
          problem.in_place = in_place;
          problem.scale_kind = ULPFFT_SCALE_BY_N;
          problem.chain = chain;
          set_dense(problem);
          std::string recipe = given.recipe;
          recipe.replace(recipe.find('$'), 1, chain);
          for (const Target& target : targets()) {
            const PlanPtr plan = make_plan(target.context, text_of(problem), recipe);
            ASSERT_NE(plan, nullptr) << target;
            expect_right<float>(plan.get(), problem, backward, in_place);
          }
        }
      }
    }
  }
}

// ---- bits

template <typename T>
std::vector<std::complex<T>> run_mul(const ulpfft_plan* plan, const RealCase& problem) {
  const auto factors = factors_of<T>(problem);
  auto operation = sized<ulpfft_operation>();
  operation.factors = factors.data();
  const RealRun<T> run = run_real_case<T>(plan, problem, real_case_input<T>(problem), Flush::kEnd, false, &operation);
  EXPECT_EQ(run.trouble, "");
  return run.out;
}

TEST(RealChains, HaveTheSameBitsOnEveryTargetAndForAnyThreads) {
  const std::vector<std::vector<Dim>> shapes = {
      {{1000, 1, 1}}, {{105, 1, 1}}, {{48, 1, 1}, {64, 1, 1}}, {{20, 1, 1}, {9, 1, 1}, {22, 1, 1}}, {{1 << 16, 1, 1}}};
  for (const std::vector<Dim>& dims : shapes) {
    RealCase problem;
    problem.dims = dims;
    if (transform_points(problem) < 1 << 16) problem.batch = {{40, 1, 1}};
    problem.chain = "mul";
    set_dense(problem);
    const std::string text = text_of(problem);
    const PlanPtr judge = make_plan(ref_target().context, text);
    ASSERT_NE(judge, nullptr) << text;
    const std::string recipe = recipe_of(judge.get());
    const auto expected = run_mul<float>(judge.get(), problem);
    for (const Target& target : targets()) {
      if (!target.has_fma) continue;
      for (const char* threads : {"", " threads=3"}) {
        const PlanPtr plan = try_plan(target.context, text + threads, recipe);
        if (plan == nullptr) continue;  // a codelet that only some targets have
        EXPECT_EQ(run_mul<float>(plan.get(), problem), expected) << target.name << " " << text << threads << " " << recipe;
      }
    }
  }
}

TEST(RealChains, HaveTheBitsOfTheTransformsApart) {
  for (const std::int64_t n : {64, 1000, 105}) {
    RealCase problem;
    problem.dims = {{n, 1, 1}};
    problem.chain = "mul";
    set_dense(problem);
    const PlanPtr chain = make_plan(nullptr, text_of(problem));
    ASSERT_NE(chain, nullptr);
    const std::string recipe = recipe_of(chain.get());  // f32:chain(NODE; mul; NODE)
    const std::string node = recipe.substr(10, recipe.find("; mul; ") - 10);
    const RealCase there = transform_of(problem);
    const PlanPtr r2c = make_plan(nullptr, text_of(there), "f32:" + node);
    RealCase back = there;
    back.c2r = true;
    set_dense(back);
    const PlanPtr c2r = make_plan(nullptr, text_of(back), "f32:" + node);
    ASSERT_TRUE(r2c != nullptr && c2r != nullptr) << node;
    const auto in = real_case_input<float>(problem);
    auto spectrum = run_real_case<float>(r2c.get(), there, in, Flush::kEnd, false).out;
    auto operation = sized<ulpfft_operation>();
    const std::vector<std::complex<float>> factors(spectrum.size(), 2.0F);  // exact products
    operation.factors = factors.data();
    for (std::complex<float>& value : spectrum) value *= 2.0F;
    const auto apart = run_real_case<float>(c2r.get(), back, spectrum, Flush::kEnd, false).out;
    EXPECT_EQ(run_real_case<float>(chain.get(), problem, in, Flush::kEnd, false, &operation).out, apart) << n;
  }
}

// ---- errors, wisdom

TEST(RealChains, ErrAsTheyArePredictedTo) {
  for (const char* problem :
       {"64*300 f32", "1024*16 f32", "1000*16 f64", "105*100 f32", "256x256 f32", "60x45*6 f64", "65536 f32", "1009*16 f32", "60x45*6 f32 centered",
        "1000*16 f16", "64*300 i16->mxfp8_e4m3", "105*100 e4m3 scheme=f64", "90x70 bf16->f32 centered", "1000*16 f64->f32"}) {
    for (const char* chain : {"mul", "user"}) {
      const PlanPtr plan = make_plan(nullptr, std::string("r2c ") + problem + " scale=1/n chain=" + chain);
      ASSERT_NE(plan, nullptr);
      auto report = sized<ulpfft_error_report>();
      ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK) << last_error_text();
      EXPECT_LT(report.relative_l2, 1.6 * ulpfft_plan_error(plan.get())) << problem << " " << recipe_of(plan.get());
      // Numbers that only go there and back are those of the narrow storage again, and round to themselves.
      const std::string text = problem;
      if (std::string(chain) == "user" && (text.find(" f16") != std::string::npos || text.find(" e4m3") != std::string::npos)) continue;
      EXPECT_GT(report.relative_l2, ulpfft_plan_error(plan.get()) / 1.6) << problem << " " << recipe_of(plan.get());
    }
  }
}

TEST(RealChains, AreRememberedAndKeptWithinLimits) {
  const ContextPtr context = make_context();
  for (const char* problem : {"r2c 480 f32 chain=mul", "r2c 48x60 f64 chain=user inplace", "r2c 105*7 f32 chain=mul",
                              "r2c 48x60 i16->f32 centered chain=mul scale=1/n"}) {
    const PlanPtr measured = make_plan(context.get(), problem, ULPFFT_MEASURE);
    ASSERT_NE(measured, nullptr) << problem;
    EXPECT_GT(ulpfft_plan_seconds(measured.get()), 0) << problem;
    const PlanPtr again = make_plan(context.get(), problem, ULPFFT_WISDOM_ONLY);
    ASSERT_NE(again, nullptr) << problem;
    EXPECT_EQ(recipe_of(again.get()), recipe_of(measured.get())) << problem;
    const PlanPtr limited = make_plan(context.get(), std::string(problem) + " max_error=1e-5");
    ASSERT_NE(limited, nullptr) << problem;
    EXPECT_LE(ulpfft_plan_error(limited.get()), 1e-5) << problem;
    EXPECT_EQ(ulpfft_plan_error_level(limited.get()), ULPFFT_ERROR_SAMPLED) << problem;
  }
  ulpfft_plan* none = nullptr;
  EXPECT_EQ(ulpfft_plan_parse(context.get(), "r2c 480 f32 chain=mul max_error=1e-12", &none), ULPFFT_UNSUPPORTED);
  EXPECT_EQ(last_error().field, "max_error");
}

TEST(RealChains, TakeTheMemoryThatIsPredicted) {
  for (const char* problem : {"r2c 4096 f32 chain=mul", "r2c 256x250 f64 chain=user", "r2c 105*70 f32 chain=mul inplace",
                              "r2c 256x250 i16->f32 chain=mul", "r2c 105*70 mxfp8_e4m3 chain=user"}) {
    auto predicted = sized<ulpfft_memory>(), taken = sized<ulpfft_memory>();
    ASSERT_EQ(ulpfft_predict_memory_text(nullptr, problem, &predicted), ULPFFT_OK) << last_error_text();
    const PlanPtr plan = make_plan(nullptr, problem, ULPFFT_ESTIMATE);
    ASSERT_NE(plan, nullptr);
    ASSERT_EQ(ulpfft_plan_memory(plan.get(), &taken), ULPFFT_OK);
    EXPECT_EQ(predicted.workspace_bytes, taken.workspace_bytes) << problem;
    EXPECT_EQ(predicted.in_bytes, taken.in_bytes) << problem;
    EXPECT_EQ(predicted.out_bytes, taken.out_bytes) << problem;
    EXPECT_EQ(taken.workspace_bytes, ulpfft_plan_workspace_bytes(plan.get()));
  }
}

// ---- refusals

TEST(RealChains, RefuseWhatDoesNotBelongTogether) {
  const struct {
    const char *problem, *recipe, *says;
  } wrong[] = {
      {"r2c 64 f32 chain=mul", "f32:chain(dit(8 8); mul; dit(8 8))", "has a real node"},
      {"r2c 64 f32 chain=mul", "f32:chain(real(64; n32); mul; dit(8 8))", "has a real node"},
      {"r2c 64 f32 chain=mul", "f32:chain(real(64; n32); user; real(64; n32))", "operation"},
      {"r2c 64 f32 chain=mul", "f32:chain(real(64; n32); mul; real(64; n16))", "needs a child of length 32, not 16"},
      {"r2c 64 f32", "f32:chain(real(64; n32); mul; real(64; n32))", "no chain"},
      {"r2c 64 f32 chain=mul", "f32:real(64; n32)", "is a chain"},
      {"64 f32 chain=mul", "f32:chain(real(64; n32); mul; real(64; n32))", "nodes only"},
      {"r2c 8x16 f32 chain=mul", "f32:chain(rank(n8; real(16; n8)); mul; rank(real(8; n4); real(16; n8)))", "Only the last length"},
      {"c2r 64 f32 chain=mul", "f32:chain(real(64; n32); mul; real(64; n32))", "chains of real numbers are r2c"},
      {"r2c 64 f16 chain=mul scheme=rounded:f16", "rounded:f16:chain(real(64; n32); mul; real(64; n32))", "f32 or f64"},
      {"r2c 64 f32 chain=mul prescale=amax", "f32:chain(real(64; n32); mul; real(64; n32))", "prescale"},
      {"r2c 64 f32 chain=mul intermediate=f16", "f32:chain(real(64; n32); mul; real(64; n32))", "intermediate"},
      {"r2c 64 f32 chain=add", "f32:chain(real(64; n32); mul; real(64; n32))", "not an operation of a chain"},
  };
  for (const auto& one : wrong) {
    EXPECT_EQ(try_plan(default_target().context, one.problem, one.recipe), nullptr) << one.problem << " " << one.recipe;
    EXPECT_NE(last_error().message.find(one.says), std::string::npos) << one.recipe << ": " << last_error_text();
  }
}

TEST(RealChains, RefuseFactorsThatOverlapTheOutputAndOtherCalls) {
  const PlanPtr plan = make_plan(nullptr, "r2c 64 f32 chain=mul");
  ASSERT_NE(plan, nullptr);
  std::vector<float> memory(64 + 66), in(64);
  auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
  from.data[0] = in.data();
  to.data[0] = memory.data() + 66;
  auto operation = sized<ulpfft_operation>();
  operation.factors = memory.data();  // 33 complex numbers, which end where the output begins
  EXPECT_EQ(ulpfft_execute_chain(plan.get(), &from, &to, &operation, nullptr), ULPFFT_OK) << last_error_text();
  to.data[0] = memory.data() + 65;
  EXPECT_EQ(ulpfft_execute_chain(plan.get(), &from, &to, &operation, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "operation.factors");
  EXPECT_EQ(ulpfft_execute(plan.get(), in.data(), memory.data()), ULPFFT_INVALID_ARGUMENT);
  EXPECT_NE(last_error().message.find("ulpfft_execute_chain"), std::string::npos);
}

}  // namespace
}  // namespace ulpfft::test
