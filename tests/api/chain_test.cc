// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Chains through the C interface: exact results of every kind of problem, tiles, fused sweeps, narrow storage, errors, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/chain_operation.h"
#include "tests/support/compare.h"
#include "tests/support/oracle.h"
#include "tests/support/problems.h"
#include "tests/support/run_case.h"
#include "tests/support/signals.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

// There and back by the definition.
template <typename C>
std::vector<ComplexDD> exact_chain(const Case& problem, std::vector<ComplexDD> data, const std::vector<std::complex<C>>& factors) {
  std::vector<ComplexDD> spectrum = exact_result(problem, std::move(data));
  for (std::size_t i = 0; i < spectrum.size(); ++i) {
    const std::complex<C> factor = factors[i % factors.size()];
    const DoubleDouble re(factor.real()), im(factor.imag());
    const ComplexDD value = spectrum[i];
    spectrum[i] = {value.re * re - value.im * im, value.re * im + value.im * re};
  }
  Case back = problem;
  back.backward = !problem.backward;
  back.scale_kind = ULPFFT_SCALE_NONE;
  return exact_result(back, std::move(spectrum));
}

// `recipe`: empty for the planner's choice.
template <typename S, typename T, typename C>
void check_case(const Target& target, const Case& problem, const std::string& recipe, bool multiplies) {
  const std::string text = text_of(problem) + (multiplies ? " chain=mul" : " chain=user");
  const PlanPtr plan = recipe.empty() ? make_plan(target.context, text) : make_plan(target.context, text, recipe);
  ASSERT_NE(plan, nullptr) << text;
  SCOPED_TRACE("target " + target.name + ", " + text + ", recipe " + recipe_of(plan.get()));
  const auto data = random_signal<S>(static_cast<std::size_t>(all_points(problem)), seed_of(text));
  const auto factors = phases<C>(transform_points(problem), seed_of(text) + 1);
  Multiplier<C> multiplier(factors, all_points(problem) / transform_points(problem));
  auto operation = sized<ulpfft_operation>();
  if (multiplies) {
    operation.factors = factors.data();
  } else {
    operation.apply = &Multiplier<C>::apply;
    operation.user = &multiplier;
  }
  RunOptions options;
  options.operation = &operation;
  options.own_workspace = true;
  const RunResult<T> result = run_case<S, T>(plan.get(), problem, data, options);
  ASSERT_EQ(result.trouble, "");
  if (!multiplies) {
    EXPECT_TRUE(multiplier.saw_each_once());
  }
  const std::vector<ComplexDD> exact = exact_chain(problem, widen(data), factors);
  // Two transforms and a product.
  const double bound = 2 * result_bound(problem) + 4 * (computes_f64(problem) ? 0x1p-53 : 0x1p-24);
  EXPECT_LE(relative_l2<T>(result.out, exact), bound);
}

void check_everywhere(const Case& problem, const std::string& recipe, bool multiplies) {
  for (const Target& target : targets()) {
    if (problem.threads > 1 && !target.is_default) continue;
    with_storage(problem, [&]<typename S, typename T>() {
      computes_f64(problem) ? check_case<S, T, double>(target, problem, recipe, multiplies) : check_case<S, T, float>(target, problem, recipe, multiplies);
    });
  }
}

class RandomChains : public testing::TestWithParam<int> {};

TEST_P(RandomChains, OfAnyShapeDirectionStorageAndPlacementAreThere) {
  Random random(static_cast<std::uint64_t>(GetParam()) * 7919 + 5);
  const int cases = full_run() ? 120 : 12;
  for (int i = 0; i < cases; ++i) check_everywhere(random_case(random, 1 << 12), "", random.chance(0.5));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomChains, testing::Range(0, 8));

Case dense(std::vector<Dim> dims, std::int64_t batch) {
  Case problem;
  problem.dims = std::move(dims);
  if (batch > 1) problem.batch = {{batch, 1, 1}};
  set_dense(problem);
  return problem;
}

struct Fused {
  std::vector<Dim> dims;
  std::int64_t batch;
  const char* recipe;  // with $ for the operation
};

const Fused kFused[] = {
    {{{4096, 1, 1}}, 1, "f32:chain(four(64x64 p16; dit(8 8); dit(16 4)); $; four(64x64 p16; dit(16 4); dit(8 8)))"},
    // Panels that leave a rest, on both sides.
    {{{3000, 1, 1}}, 3, "f32:chain(four(50x60 p16; dit(10 5); dit(15 4)); $; four(60x50 p16; dit(15 4); dit(10 5)))"},
    {{{2048, 1, 1}}, 1, "f32:chain(four(16x128 p64; n16; dit(16 8)); $; four(128x16 p64; dit(16 8); n16))"},
    {{{64, 1, 1}, {60, 1, 1}}, 3, "f32:chain(rank(cols(p16; dit(8 8)); dit(15 4)); $; rank(cols(p16; dit(16 4)); dit(15 4)))"},
    {{{16, 1, 1}, {9, 1, 1}, {20, 1, 1}}, 2, "f32:chain(rank(cols(p32; n16); cols(p8; n9); dit(5 4)); $; rank(cols(p32; n16); cols(p8; n9); dit(5 4)))"},
    {{{1, 1, 1}, {32, 1, 1}, {24, 1, 1}}, 1, "f32:chain(rank(n1; cols(p16; dit(8 4)); dit(8 3)); $; rank(n1; cols(p16; dit(8 4)); dit(8 3)))"},
};

std::string with_operation(const char* recipe, const char* operation) {
  std::string text = recipe;
  text.replace(text.find('$'), 1, operation);
  return text;
}

TEST(FusedChains, AreThereInBothDirectionsAndCentred) {
  for (const Fused& fused : kFused) {
    for (const bool multiplies : {true, false}) {
      for (const bool backward : {false, true}) {
        for (const bool centered : {false, true}) {
          Case problem = dense(fused.dims, fused.batch);
          problem.backward = backward;
          problem.centered = centered;
          problem.scale_kind = ULPFFT_SCALE_BY_N;
          check_everywhere(problem, with_operation(fused.recipe, multiplies ? "mul" : "user"), multiplies);
        }
      }
    }
  }
}

// Executes with random factors; the bits.
std::vector<std::complex<float>> run_mul(const ulpfft_plan* plan, std::int64_t points, std::int64_t transforms) {
  auto data = random_signal<float>(static_cast<std::size_t>(points * transforms), 11);
  const auto factors = phases<float>(points, 12);
  std::vector<std::complex<float>> out(data.size());
  auto operation = sized<ulpfft_operation>();
  operation.factors = factors.data();
  auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
  from.data[0] = data.data();
  to.data[0] = out.data();
  EXPECT_EQ(ulpfft_execute_chain(plan, &from, &to, &operation, nullptr), ULPFFT_OK) << last_error_text();
  return out;
}

TEST(FusedChains, GiveTheBitsOfTheSameTransformsApart) {
  const std::string text = "4096*2 f32 chain=mul";
  const PlanPtr fused = make_plan(nullptr, text, "f32:chain(four(64x64 p16; dit(8 8); dit(16 4)); mul; four(64x64 p16; dit(16 4); dit(8 8)))");
  const PlanPtr apart = make_plan(nullptr, text, "f32:chain(four(64x64 p16; dit(8 8); dit(16 4)); mul; four(64x64 p32; dit(16 4); dit(8 8)))");
  ASSERT_NE(fused, nullptr);
  ASSERT_NE(apart, nullptr);
  EXPECT_EQ(run_mul(fused.get(), 4096, 2), run_mul(apart.get(), 4096, 2));
}

TEST(Chains, GiveTheBitsOfTheReferenceOnEveryTarget) {
  const char* const problem = "96x40*3 f32 centered chain=mul";
  const char* const recipe = "f32:chain(rank(cols(p16; dit(12 8)); dit(8 5)); mul; rank(cols(p16; dit(12 8)); dit(8 5)))";
  std::vector<std::complex<float>> expected;
  for (const Target& target : targets()) {
    if (!target.has_fma) continue;
    const PlanPtr plan = make_plan(target.context, problem, recipe);
    ASSERT_NE(plan, nullptr);
    const auto out = run_mul(plan.get(), 96 * 40, 3);
    if (expected.empty()) expected = out;
    EXPECT_EQ(out, expected) << target;
  }
}

TEST(Chains, GiveTheSameBitsOnAnyNumberOfThreads) {
  for (const auto& [problem, points, transforms] : {std::tuple{"512x256*2", 512 * 256, 2}, {"65536", 65536, 1}, {"1000*500", 1000, 500}}) {
    for (const char* operation : {"mul", "user"}) {
      const std::string text = std::string(problem) + " f32 chain=" + operation;
      const PlanPtr alone = make_plan(nullptr, text);
      ASSERT_NE(alone, nullptr);
      const PlanPtr both = make_plan(nullptr, text + " threads=2", recipe_of(alone.get()));
      ASSERT_NE(both, nullptr);
      if (std::string(operation) == "mul") {
        EXPECT_EQ(run_mul(alone.get(), points, transforms), run_mul(both.get(), points, transforms)) << text;
        continue;
      }
      const auto factors = phases<float>(points, 3);
      Multiplier<float> multiplier(factors, transforms);
      auto call = sized<ulpfft_operation>();
      call.apply = &Multiplier<float>::apply;
      call.user = &multiplier;
      auto data = random_signal<float>(static_cast<std::size_t>(points) * static_cast<std::size_t>(transforms), 11);
      std::vector<std::complex<float>> out(data.size());
      auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
      from.data[0] = data.data();
      to.data[0] = out.data();
      ASSERT_EQ(ulpfft_execute_chain(both.get(), &from, &to, &call, nullptr), ULPFFT_OK) << last_error_text();
      EXPECT_TRUE(multiplier.saw_each_once()) << text;
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

// ---- errors

TEST(Chains, ErrAsTheyArePredictedTo) {
  for (const char* problem : {"64*300 f32", "1024*16 f32", "1000*16 f64", "256x256 f32", "65536 f32", "1009*16 f32", "512*40 f16", "240*70 mxfp8_e4m3"}) {
    const PlanPtr plan = make_plan(nullptr, std::string(problem) + " scale=1/n chain=mul");
    ASSERT_NE(plan, nullptr);
    auto report = sized<ulpfft_error_report>();
    ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK) << last_error_text();
    EXPECT_LT(report.relative_l2, 1.5 * ulpfft_plan_error(plan.get())) << problem;
    EXPECT_GT(report.relative_l2, ulpfft_plan_error(plan.get()) / 1.5) << problem;
  }
}

TEST(Chains, KeepAnErrorLimitOrAreRefused) {
  const PlanPtr kept = make_plan(nullptr, "1024 f32->f64 chain=mul max_error=1e-12");
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(recipe_of(kept.get()).substr(0, 3), "f64");
  ulpfft_plan* none = nullptr;
  EXPECT_EQ(ulpfft_plan_parse(nullptr, "1024 f32 chain=mul max_error=1e-12", &none), ULPFFT_UNSUPPORTED);
  EXPECT_EQ(last_error().field, "max_error");
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

// ---- refusals

TEST(Chains, RefuseWhatDoesNotBelongTogether) {
  struct Bad {
    const char* problem;
    const char* recipe;
    const char* part;  // of the message
  };
  for (const Bad& bad : {Bad{"64 f32", "f32:chain(n64; mul; n64)", "no chain"}, Bad{"64 f32 chain=mul", "f32:dit(8 8)", "is a chain"},
                         Bad{"64 f32 chain=user", "f32:chain(dit(8 8); mul; dit(8 8))", "user"},
                         Bad{"64 f32 chain=mul", "f32:chain(dit(8 8); mul; dit(8 4))", "lengths[0]"},
                         Bad{"64 f16 chain=mul scheme=rounded:f16", "rounded:f16:chain(dit(8 8); mul; dit(8 8))", "rounded:f16"},
                         Bad{"64 f32 chain=mul", "f32:chain(chain(n64; mul; n64); mul; dit(8 8))", "nodes only"}}) {
    ulpfft_plan* plan = nullptr;
    EXPECT_NE(ulpfft_plan_from_recipe(nullptr, bad.problem, bad.recipe, &plan), ULPFFT_OK) << bad.recipe;
    EXPECT_NE(last_error().message.find(bad.part), std::string::npos) << bad.recipe << ": " << last_error().message;
    ulpfft_plan_destroy(plan);
  }
  ulpfft_plan* plan = nullptr;
  EXPECT_EQ(ulpfft_plan_parse(nullptr, "64 f16 chain=mul scheme=rounded:f16", &plan), ULPFFT_UNSUPPORTED);
  EXPECT_EQ(last_error().field, "scheme");
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
