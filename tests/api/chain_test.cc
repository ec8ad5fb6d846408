// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Chains of complex and of real numbers through the C interface: exact results of every kind of problem between guard pages,
// tiles, fused sweeps, bits, narrow storage, errors, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/chain_operation.h"
#include "tests/support/compare.h"
#include "tests/support/plan_checks.h"
#include "tests/support/problems.h"
#include "tests/support/run_case.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

// The norm of what a chain without an operation gives: at the points that are their own conjugates, factors take a part of it.
template <typename T>
double norm_of_round_trip(const Case& problem, const std::vector<std::complex<T>>& in) {
  double square = 0;
  for (const std::complex<T>& value : in) square += std::norm(std::complex<double>(value));
  return std::sqrt(square) * static_cast<double>(transform_points(problem)) * std::abs(scale_of(problem));
}

// `recipe`: empty for the planner's choice.
template <typename S, typename T, typename C>
void check_case(const Target& target, const Case& problem, const std::string& recipe, RunOptions options) {
  const std::string text = text_of(problem);
  const PlanPtr plan = recipe.empty() ? make_plan(target.context, text) : make_plan(target.context, text, recipe);
  ASSERT_NE(plan, nullptr) << text;
  SCOPED_TRACE("target " + target.name + ", " + text + ", recipe " + recipe_of(plan.get()));
  const auto in = input_of<S>(problem);
  const ChainCall<C> call(problem, seed_of(text) + 1);
  options.operation = &call.operation;
  const RunResult<T> result = run_case<S, T>(plan.get(), problem, in, options);
  ASSERT_EQ(result.trouble, "");
  EXPECT_TRUE(call.saw_each_once());
  const std::vector<ComplexDD> exact = exact_chain(problem, widen(in), widen(call.factors));
  ErrorSum sum;
  for (std::size_t i = 0; i < exact.size(); ++i) sum.add(result.out[i], exact[i]);
  // Two transforms, and a product within what either may err by.
  EXPECT_LE(std::sqrt(sum.error), 2 * result_bound(problem) * norm_of_round_trip(problem, in));
}

void check_everywhere(const Case& problem, const std::string& recipe,
                      const RunOptions& options = run_options(Flush::kEnd, true)) {
  for (const Target& target : targets()) {
    if (problem.threads > 1 && !target.is_default) continue;
    with_storage(problem, [&]<typename S, typename T>() {
      computes_f64(problem) ? check_case<S, T, double>(target, problem, recipe, options)
                            : check_case<S, T, float>(target, problem, recipe, options);
    });
  }
}

class RandomChains : public testing::TestWithParam<int> {};

TEST_P(RandomChains, OfAnyShapeDirectionStorageAndPlacementAreThere) {
  Random random(static_cast<std::uint64_t>(GetParam()) * 7919 + 5);
  const int cases = full_run() ? 120 : 12;
  for (int i = 0; i < cases; ++i) {
    const char* const chain = random.chance(0.5) ? "mul" : "user";
    check_everywhere(random_case(random, 1 << 12, ULPFFT_C2C, chain), "");
  }
}

TEST_P(RandomChains, OfRealsAreThere) {
  Random random(static_cast<std::uint64_t>(GetParam()) * 7919 + 6);
  const int cases = full_run() ? 500 : 50;
  Sampler sampler(3);
  for (int i = 0; i < cases && !HasFailure(); ++i) {
    const char* const chain = random.chance(0.5) ? "mul" : "user";
    const Case problem = random_case(random, i % 20 == 0 ? 20000 : 1500, ULPFFT_R2C, chain);
    const RunOptions options = run_options(random.chance(0.5) ? Flush::kStart : Flush::kEnd, random.chance(0.5));
    if (sampler.next()) check_everywhere(problem, "", options);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomChains, testing::Range(0, 8));

// The recipe of the transform, there and back.
struct Given {
  int kind;
  std::vector<std::int64_t> lengths;
  std::int64_t batch;
  const char* recipe;  // with $ for the operation
};

const Given kGiven[] = {
    {ULPFFT_C2C, {4096}, 1, "f32:chain(four(64x64 p16; dit(8 8); dit(16 4)); $; four(64x64 p16; dit(16 4); dit(8 8)))"},
    // Panels that leave a rest, on both sides.
    {ULPFFT_C2C, {3000}, 3, "f32:chain(four(50x60 p16; dit(10 5); dit(15 4)); $; four(60x50 p16; dit(15 4); dit(10 5)))"},
    {ULPFFT_C2C, {2048}, 1, "f32:chain(four(16x128 p64; n16; dit(16 8)); $; four(128x16 p64; dit(16 8); n16))"},
    {ULPFFT_C2C, {64, 60}, 3, "f32:chain(rank(cols(p16; dit(8 8)); dit(15 4)); $; rank(cols(p16; dit(16 4)); dit(15 4)))"},
    {ULPFFT_C2C,
     {16, 9, 20},
     2,
     "f32:chain(rank(cols(p32; n16); cols(p8; n9); dit(5 4)); $; rank(cols(p32; n16); cols(p8; n9); dit(5 4)))"},
    {ULPFFT_C2C,
     {1, 32, 24},
     1,
     "f32:chain(rank(n1; cols(p16; dit(8 4)); dit(8 3)); $; rank(n1; cols(p16; dit(8 4)); dit(8 3)))"},
    {ULPFFT_R2C, {64}, 40, "f32:chain(real(64; dit(8 4)); $; real(64; dit(4 8)))"},
    {ULPFFT_R2C, {15}, 3, "f32:chain(real(15; n15); $; real(15; dit(5 3)))"},
    {ULPFFT_R2C, {8192}, 1, "f32:chain(real(8192; four(64x64 p16; dit(8 8); dit(16 4))); $; real(8192; dit(16 16 16)))"},
    {ULPFFT_R2C, {34}, 5, "f32:chain(real(34; rader(17; dit(4 4))); $; real(34; rader(17; dit(4 4))))"},
    // Panels of columns that leave a rest, fused and not.
    {ULPFFT_R2C,
     {64, 60},
     3,
     "f32:chain(rank(cols(p16; dit(8 8)); real(60; dit(6 5))); $; rank(cols(p16; dit(16 4)); real(60; dit(6 5))))"},
    {ULPFFT_R2C,
     {64, 60},
     3,
     "f32:chain(rank(cols(p16; dit(8 8)); real(60; dit(6 5))); $; rank(cols(p8; dit(16 4)); real(60; dit(6 5))))"},
    {ULPFFT_R2C,
     {16, 9, 21},
     2,
     "f32:chain(rank(cols(p32; n16); cols(p8; n9); real(21; dit(7 3))); $; "
     "rank(cols(p32; n16); cols(p8; n9); real(21; dit(7 3))))"},
    {ULPFFT_R2C,
     {1, 32, 24},
     1,
     "f32:chain(rank(n1; cols(p16; dit(8 4)); real(24; n12)); $; rank(n1; cols(p16; dit(8 4)); real(24; n12)))"},
};

TEST(FusedChains, AreThereInBothDirectionsCentredAndInPlace) {
  for (const Given& given : kGiven) {
    for (const char* chain : {"mul", "user"}) {
      for (const bool backward : {false, true}) {
        for (const bool flag : {false, true}) {
          Case problem = dense_case(given.kind, given.lengths, given.batch);
          problem.backward = backward;
          problem.centered = flag && given.kind == ULPFFT_C2C;
          problem.in_place = flag && given.kind == ULPFFT_R2C;
          problem.scale_kind = ULPFFT_SCALE_BY_N;
          problem.chain = chain;
          set_dense(problem);
          std::string recipe = given.recipe;
          recipe.replace(recipe.find('$'), 1, chain);
          check_everywhere(problem, recipe, run_options(backward ? Flush::kStart : Flush::kEnd, !problem.in_place));
        }
      }
    }
  }
}

// ---- bits

Case multiplying(int kind, const std::vector<std::int64_t>& lengths, std::int64_t batch) {
  Case problem = dense_case(kind, lengths, batch);
  problem.chain = "mul";
  set_dense(problem);
  return problem;
}

// Executes with random factors; the bits.
std::vector<std::complex<float>> run_mul(const ulpfft_plan* plan, const Case& problem) {
  const ChainCall<float> call(problem, 12);
  RunOptions options;
  options.operation = &call.operation;
  const RunResult<float> run = run_case<float>(plan, problem, input_of<float>(problem, 11), options);
  EXPECT_EQ(run.trouble, "");
  return run.out;
}

TEST(FusedChains, GiveTheBitsOfTheSameTransformsApart) {
  const Case problem = multiplying(ULPFFT_C2C, {4096}, 2);
  const std::string text = text_of(problem);
  const PlanPtr fused = make_plan(nullptr, text, "f32:chain(four(64x64 p16; dit(8 8); dit(16 4)); mul; four(64x64 p16; dit(16 4); dit(8 8)))");
  const PlanPtr apart = make_plan(nullptr, text, "f32:chain(four(64x64 p16; dit(8 8); dit(16 4)); mul; four(64x64 p32; dit(16 4); dit(8 8)))");
  ASSERT_NE(fused, nullptr);
  ASSERT_NE(apart, nullptr);
  EXPECT_EQ(run_mul(fused.get(), problem), run_mul(apart.get(), problem));
}

TEST(Chains, HaveTheSameBitsOnEveryTargetAndForAnyThreads) {
  Case centred = multiplying(ULPFFT_C2C, {96, 40}, 3);
  centred.centered = true;
  for (const Case& problem :
       {centred, multiplying(ULPFFT_R2C, {1000}, 40), multiplying(ULPFFT_R2C, {105}, 40), multiplying(ULPFFT_R2C, {48, 64}, 40),
        multiplying(ULPFFT_R2C, {20, 9, 22}, 40), multiplying(ULPFFT_R2C, {1 << 16}, 1)}) {
    const std::string text = text_of(problem);
    const std::string given = "f32:chain(rank(cols(p16; dit(12 8)); dit(8 5)); mul; rank(cols(p16; dit(12 8)); dit(8 5)))";
    const PlanPtr judge = problem.centered ? make_plan(ref_target().context, text, given) : make_plan(ref_target().context, text);
    ASSERT_NE(judge, nullptr) << text;
    const std::string recipe = recipe_of(judge.get());
    const auto expected = run_mul(judge.get(), problem);
    for (const Target& target : targets()) {
      if (!target.has_fma) continue;
      for (const char* threads : {"", " threads=3"}) {
        const PlanPtr plan = try_plan(target.context, text + threads, recipe);
        EXPECT_TRUE(plan != nullptr || !problem.centered) << text << " " << recipe;
        if (plan == nullptr) continue;  // a codelet that only some targets have
        EXPECT_EQ(run_mul(plan.get(), problem), expected) << target.name << " " << text << threads << " " << recipe;
      }
    }
  }
}

TEST(Chains, HaveTheBitsOfTheTransformsOfRealsApart) {
  for (const std::int64_t n : {64, 1000, 105}) {
    const Case problem = multiplying(ULPFFT_R2C, {n}, 1), there = transform_of(problem), back = inverse_of(problem);
    const PlanPtr chain = make_plan(nullptr, text_of(problem));
    ASSERT_NE(chain, nullptr);
    const std::string recipe = recipe_of(chain.get());  // f32:chain(NODE; mul; NODE)
    const std::string node = recipe.substr(10, recipe.find("; mul; ") - 10);
    const PlanPtr r2c = make_plan(nullptr, text_of(there), "f32:" + node), c2r = make_plan(nullptr, text_of(back), "f32:" + node);
    ASSERT_TRUE(r2c != nullptr && c2r != nullptr) << node;
    const auto in = input_of<float>(problem);
    auto spectrum = run_case<float>(r2c.get(), there, in).out;
    auto operation = sized<ulpfft_operation>();
    const std::vector<std::complex<float>> factors(spectrum.size(), 2.0F);  // exact products
    operation.factors = factors.data();
    RunOptions options;
    options.operation = &operation;
    for (std::complex<float>& value : spectrum) value *= 2.0F;
    EXPECT_EQ(run_case<float>(chain.get(), problem, in, options).out, run_case<float>(c2r.get(), back, spectrum).out) << n;
  }
}

TEST(Chains, GiveTheSameBitsOnAnyNumberOfThreads) {
  for (Case problem :
       {multiplying(ULPFFT_C2C, {512, 256}, 2), multiplying(ULPFFT_C2C, {65536}, 1), multiplying(ULPFFT_C2C, {1000}, 500)}) {
    for (const char* operation : {"mul", "user"}) {
      problem.chain = operation;
      const std::string text = text_of(problem);
      const PlanPtr alone = make_plan(nullptr, text);
      ASSERT_NE(alone, nullptr);
      const PlanPtr both = make_plan(nullptr, text + " threads=2", recipe_of(alone.get()));
      ASSERT_NE(both, nullptr);
      const ChainCall<float> call(problem, 3);
      RunOptions options;
      options.operation = &call.operation;
      const auto in = input_of<float>(problem, 11);
      const RunResult<float> shared = run_case<float>(both.get(), problem, in, options);
      EXPECT_EQ(shared.trouble, "") << text;
      EXPECT_TRUE(call.saw_each_once()) << text;
      if (problem.chain == "mul") {
        EXPECT_EQ(shared.out, run_case<float>(alone.get(), problem, in, options).out) << text;
      }
    }
  }
}

// ---- narrow storage

std::vector<double> chained(const PlanPtr& plan, Stored& in, Stored& out, const ulpfft_operation& operation, std::int32_t* exponents = nullptr) {
  ulpfft_array from = in.array(), to = out.array();
  to.exponents = exponents;
  EXPECT_EQ(ulpfft_execute_chain(plan.get(), &from, &to, &operation, nullptr), ULPFFT_OK) << last_error_text();
  return out.decode<double>();
}

const char* const kNarrow[] = {"f16", "bf16", "e4m3", "mxfp8_e4m3", "mxint8", "mxfp4_e2m1:b8", "i16"};

TEST(NarrowChains, RoundOnceWhereTwoTransformsRoundTheSpectrumToo) {
  constexpr std::int64_t kPoints = 256, kTransforms = 40;
  const std::string lengths = std::to_string(kPoints) + "*" + std::to_string(kTransforms) + " ";
  const auto factors = phases<float>(kPoints, 5);
  auto operation = sized<ulpfft_operation>();
  operation.factors = factors.data();
  for (const char* storage : kNarrow) {
    SCOPED_TRACE(storage);
    const PlanPtr chain = make_plan(nullptr, lengths + storage + " scale=1/n chain=mul");
    const PlanPtr there = make_plan(nullptr, lengths + storage + " scale=ortho");
    const PlanPtr back = make_plan(nullptr, lengths + storage + " inverse scale=ortho");
    const PlanPtr wide = make_plan(nullptr, lengths + "f64 scale=1/n chain=mul");
    ASSERT_TRUE(chain != nullptr && there != nullptr && back != nullptr && wide != nullptr);
    Stored in(storage, kTransforms, 2 * kPoints), out = in, spectrum = in;
    in.encode(normal<double>(static_cast<std::size_t>(kTransforms * 2 * kPoints), fitting_rms(storage) / 2, 21));
    Stored wide_in("f64", kTransforms, 2 * kPoints), wide_out = wide_in;
    wide_in.encode(in.decode<double>());
    std::vector<std::complex<double>> wide_factors(factors.begin(), factors.end());
    auto wide_operation = sized<ulpfft_operation>();
    wide_operation.factors = wide_factors.data();
    const std::vector<double> exact = chained(wide, wide_in, wide_out, wide_operation);
    const double fused = relative(chained(chain, in, out, operation), exact);
    // By two plans, the spectrum stored and multiplied in between.
    ASSERT_EQ(execute(there, in, spectrum), ULPFFT_OK);
    std::vector<double> values = spectrum.decode<double>();
    for (std::size_t i = 0; i < values.size() / 2; ++i) {
      const std::complex<double> product = std::complex<double>(values[2 * i], values[2 * i + 1]) * wide_factors[i % kPoints];
      values[2 * i] = product.real();
      values[2 * i + 1] = product.imag();
    }
    spectrum.encode(values);
    ASSERT_EQ(execute(back, spectrum, out), ULPFFT_OK);
    const double apart = relative(out.decode<double>(), exact);
    // Once instead of three times.
    // These data fill half of what the error of integers is stated for.
    const double filled = std::string(format_of(storage).kind) == "integer" ? 0.5 : 1;
    EXPECT_LE(fused, 1.5 * ulpfft_plan_error(chain.get()) / filled);
    EXPECT_LT(fused, 0.75 * apart);
  }
}

TEST(NarrowChains, CountWhatSaturatesAndReturnExponents) {
  const PlanPtr plan = make_plan(nullptr, "128*3 e4m3 chain=mul");  // not scaled: 128 times the input
  ASSERT_NE(plan, nullptr);
  Stored in("e4m3", 3, 256), out = in;
  in.encode(normal<double>(3 * 256, 50, 4));
  const std::vector<std::complex<float>> factors(128, 1.0f);
  auto operation = sized<ulpfft_operation>();
  operation.factors = factors.data();
  std::int64_t saturated = -1;
  ulpfft_array from = in.array(), to = out.array();
  to.saturated = &saturated;
  ASSERT_EQ(ulpfft_execute_chain(plan.get(), &from, &to, &operation, nullptr), ULPFFT_OK) << last_error_text();
  EXPECT_GT(saturated, 600);
  std::int32_t exponents[3] = {};
  to.exponents = exponents;
  ASSERT_EQ(ulpfft_execute_chain(plan.get(), &from, &to, &operation, nullptr), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(saturated, 0);
  const std::vector<double> before = in.decode<double>(), codes = out.decode<double>();
  std::vector<double> after(codes.size()), expected(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    after[i] = std::ldexp(codes[i], exponents[i / 256]);
    expected[i] = 128 * before[i];
  }
  EXPECT_LT(relative(after, expected), 0.04);
}

// ---- errors, wisdom

TEST(Chains, ErrAsTheyArePredictedTo) {
  for (const char* problem : {"64*300 f32", "1024*16 f32", "1000*16 f64", "256x256 f32", "65536 f32", "1009*16 f32", "512*40 f16", "240*70 mxfp8_e4m3"}) {
    expect_predicted_within(1.5, std::string(problem) + " scale=1/n chain=mul");
  }
  for (const std::string problem : {"64*300 f32", "1024*16 f32", "1000*16 f64", "105*100 f32", "256x256 f32", "60x45*6 f64",
                                    "65536 f32", "1009*16 f32", "60x45*6 f32 centered", "1000*16 f16", "64*300 i16->mxfp8_e4m3",
                                    "105*100 e4m3 scheme=f64", "90x70 bf16->f32 centered", "1000*16 f64->f32"}) {
    expect_predicted_within(1.6, "r2c " + problem + " scale=1/n chain=mul");
    // Numbers that only go there and back are those of the narrow storage again, and round to themselves.
    const bool none = problem.find(" f16") != std::string::npos || problem.find(" e4m3") != std::string::npos;
    expect_predicted_within(1.6, "r2c " + problem + " scale=1/n chain=user", "", none ? -1.0 : 1 / 1.6);
  }
}

TEST(Chains, KeepAnErrorLimitOrAreRefused) {
  const PlanPtr kept = make_plan(nullptr, "1024 f32->f64 chain=mul max_error=1e-12");
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(recipe_of(kept.get()).substr(0, 3), "f64");
  for (const char* problem : {"1024 f32 chain=mul max_error=1e-12", "r2c 480 f32 chain=mul max_error=1e-12"}) {
    ulpfft_plan* none = nullptr;
    EXPECT_EQ(ulpfft_plan_parse(nullptr, problem, &none), ULPFFT_UNSUPPORTED);
    EXPECT_EQ(last_error().field, "max_error");
  }
}

TEST(Chains, AreJudgedOnTheCallersNumbers) {
  std::vector<std::complex<float>> numbers(64, 0.0F);
  numbers[0] = 1.0F;  // an impulse: there and back without an error
  auto judge = sized<ulpfft_array>();
  judge.data[0] = numbers.data();
  auto options = sized<ulpfft_plan_options>();
  options.judge = &judge;
  ulpfft_plan* made = nullptr;
  ASSERT_EQ(ulpfft_plan_parse_options(nullptr, "64 f32 chain=user", &options, &made), ULPFFT_OK) << last_error_text();
  const PlanPtr plan(made);
  EXPECT_EQ(ulpfft_plan_error_level(plan.get()), ULPFFT_ERROR_SAMPLED);
  EXPECT_EQ(ulpfft_plan_error(plan.get()), 0);  // random numbers err by 1e-7
}

TEST(Chains, AreRememberedByWisdom) {
  const ContextPtr context = make_context();
  const std::string text = "480 f32 chain=mul";
  const PlanPtr first = make_plan(context.get(), text, ULPFFT_MEASURE);
  ASSERT_NE(first, nullptr);
  const std::string wisdom = take(ulpfft_wisdom_export_string(context.get()));
  const ContextPtr other = make_context();
  ASSERT_EQ(ulpfft_wisdom_import_string(other.get(), wisdom.data(), wisdom.size(), nullptr), ULPFFT_OK) << last_error_text();
  const PlanPtr again = make_plan(other.get(), text, ULPFFT_WISDOM_ONLY);
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(recipe_of(again.get()), recipe_of(first.get()));
}

TEST(Chains, OfRealsAreRememberedAndKeptWithinLimits) {
  const ContextPtr context = make_context();
  for (const char* problem : {"r2c 480 f32 chain=mul", "r2c 48x60 f64 chain=user inplace", "r2c 105*7 f32 chain=mul",
                              "r2c 48x60 i16->f32 centered chain=mul scale=1/n"}) {
    expect_remembered_and_limited(context.get(), problem);
  }
}

TEST(Chains, TakeTheMemoryThatIsPredicted) {
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

TEST(Chains, RefuseWhatDoesNotBelongTogether) {
  expect_refused({
      {"64 f32", "f32:chain(n64; mul; n64)", "no chain"},
      {"64 f32 chain=mul", "f32:dit(8 8)", "is a chain"},
      {"64 f32 chain=user", "f32:chain(dit(8 8); mul; dit(8 8))", "user"},
      {"64 f32 chain=mul", "f32:chain(dit(8 8); mul; dit(8 4))", "lengths[0]"},
      {"64 f16 chain=mul scheme=rounded:f16", "rounded:f16:chain(dit(8 8); mul; dit(8 8))", "rounded:f16"},
      {"64 f32 chain=mul", "f32:chain(chain(n64; mul; n64); mul; dit(8 8))", "nodes only"},
      {"r2c 64 f32 chain=mul", "f32:chain(dit(8 8); mul; dit(8 8))", "has a real node"},
      {"r2c 64 f32 chain=mul", "f32:chain(real(64; n32); mul; dit(8 8))", "has a real node"},
      {"r2c 64 f32 chain=mul", "f32:chain(real(64; n32); user; real(64; n32))", "operation"},
      {"r2c 64 f32 chain=mul", "f32:chain(real(64; n32); mul; real(64; n16))", "needs a child of length 32, not 16"},
      {"r2c 64 f32", "f32:chain(real(64; n32); mul; real(64; n32))", "no chain"},
      {"r2c 64 f32 chain=mul", "f32:real(64; n32)", "is a chain"},
      {"64 f32 chain=mul", "f32:chain(real(64; n32); mul; real(64; n32))", "nodes only"},
      {"r2c 8x16 f32 chain=mul", "f32:chain(rank(n8; real(16; n8)); mul; rank(real(8; n4); real(16; n8)))",
       "Only the last length"},
      {"c2r 64 f32 chain=mul", "f32:chain(real(64; n32); mul; real(64; n32))", "chains of real numbers are r2c"},
      {"r2c 64 f16 chain=mul scheme=rounded:f16", "rounded:f16:chain(real(64; n32); mul; real(64; n32))", "f32 or f64"},
      {"r2c 64 f32 chain=mul prescale=amax", "f32:chain(real(64; n32); mul; real(64; n32))", "prescale"},
      {"r2c 64 f32 chain=mul intermediate=f16", "f32:chain(real(64; n32); mul; real(64; n32))", "intermediate"},
      {"r2c 64 f32 chain=add", "f32:chain(real(64; n32); mul; real(64; n32))", "not an operation of a chain"},
  });
  ulpfft_plan* plan = nullptr;
  EXPECT_EQ(ulpfft_plan_parse(nullptr, "64 f16 chain=mul scheme=rounded:f16", &plan), ULPFFT_UNSUPPORTED);
  EXPECT_EQ(last_error().field, "scheme");
}

TEST(Chains, RefuseFactorsThatOverlapTheOutputAndOtherCalls) {
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

TEST(Chains, RefuseCallsThatAreIncomplete) {
  const PlanPtr mul = make_plan(nullptr, "64 f32 chain=mul"), user = make_plan(nullptr, "64 f32 chain=user"), plain = make_plan(nullptr, "64 f32");
  std::vector<std::complex<float>> in(64), out(64), factors(66);
  auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
  from.data[0] = in.data();
  to.data[0] = out.data();
  auto good = sized<ulpfft_operation>();
  good.factors = factors.data();
  auto call = sized<ulpfft_operation>();
  call.apply = [](void*, const ulpfft_tile*) {};
  const auto refused = [&](const PlanPtr& plan, const ulpfft_operation* operation, const char* field) {
    EXPECT_EQ(ulpfft_execute_chain(plan.get(), &from, &to, operation, nullptr), ULPFFT_INVALID_ARGUMENT) << field;
    EXPECT_EQ(last_error().field, field);
  };
  refused(plain, &good, "plan");
  refused(mul, nullptr, "operation");
  refused(mul, &call, "operation.factors");
  refused(user, &good, "operation.apply");
  auto both = good;
  both.apply = call.apply;
  refused(mul, &both, "operation.apply");
  refused(user, &both, "operation.factors");
  auto small = good;
  small.size = 8;
  refused(mul, &small, "operation.size");
  auto crooked = good;
  crooked.factors = reinterpret_cast<const char*>(factors.data()) + 1;
  refused(mul, &crooked, "operation.factors");
  auto meeting = good;
  meeting.factors = out.data() + 63;
  refused(mul, &meeting, "operation.factors");
  EXPECT_EQ(ulpfft_execute(mul.get(), in.data(), out.data()), ULPFFT_INVALID_ARGUMENT);
  EXPECT_NE(last_error().message.find("ulpfft_execute_chain"), std::string::npos);
  EXPECT_EQ(ulpfft_execute_arrays(mul.get(), &from, &to, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_NE(last_error().message.find("ulpfft_execute_chain"), std::string::npos);
  EXPECT_EQ(ulpfft_execute_chain(mul.get(), &from, &to, &good, nullptr), ULPFFT_OK) << last_error_text();
}

}  // namespace
}  // namespace ulpfft::test
