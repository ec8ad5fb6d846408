// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms of and between real numbers (r2c, c2r, r2r) through the C interface: bits, predicted errors, wisdom, refusals. That they are
// right is asked with all other kinds: of every length in lengths_test, of any layout in layouts_test, of storages in storage_test.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/plan_checks.h"
#include "tests/support/problems.h"
#include "tests/support/r2r_case.h"
#include "tests/support/run_case.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

TEST(R2rOracle, OfExtensionsEqualsTheDefinition) {
  Random random(20261130);
  for (const std::int64_t n : {1, 2, 3, 4, 5, 8, 9, 12, 15, 31, 64, 65, 100}) {
    for (int kind = 0; kind < kR2rKinds; ++kind) {
      if (kind == ULPFFT_REDFT00 && n == 1) continue;
      std::vector<DoubleDouble> in;
      for (std::int64_t j = 0; j < n; ++j) in.emplace_back(random.normal());
      const auto sums = r2r_by_definition(kind, in), extended = r2r_by_extension(kind, in);
      for (std::size_t k = 0; k < in.size(); ++k) {
        EXPECT_LE(std::abs((sums[k] - extended[k]).value()), 0x1p-90 * static_cast<double>(n)) << kind << " " << n << " " << k;
      }
    }
  }
}

// ---- bits

TEST(RealTransforms, HaveTheSameBitsOnEveryTargetAndForAnyThreads) {
  for (const char* problem :
       {"r2c 1000*40 f32", "c2r 1000*40 f32", "r2c 105*9 f64", "c2r 105*9 f64 inverse", "r2c 48x64 f32", "c2r 48x64x10 f64",
        "r2c 65536 f32", "c2r 65536 f64", "r2c 34*100 f32 inverse", "r2r 1000*40 f32 kinds=dct2", "r2r 1000*40 f64 kinds=dst3",
        "r2r 105*9 f32 kinds=dct4", "r2r 48x64 f32 kinds=dct2,dct2", "r2r 48x63x10 f64 kinds=dst4,dct3,dht", "r2r 65536 f32 kinds=dct4",
        "r2r 65 f64 kinds=dct1", "r2r 34*100 f32 kinds=r2hc", "r2r 8x8*301 f32 kinds=dct2,dct2", "r2r 24x30*23 f64 kinds=dct4,dst2"}) {
    expect_one_hash(problem, false);
  }
}

TEST(RealTransforms, BackwardIsTheConjugateOfForward) {
  for (const bool f64 : {false, true}) {
    for (const std::int64_t n : {1, 2, 15, 64, 1000}) {
      Case problem = dense_case(ULPFFT_R2C, {n});
      problem.f64 = f64;
      with_real(f64, [&](auto real) {
        using T = decltype(real);
        const auto in = input_of<T>(problem);
        const PlanPtr forward = make_plan(default_target().context, text_of(problem));
        problem.backward = true;
        const PlanPtr backward = make_plan(default_target().context, text_of(problem), recipe_of(forward.get()));
        problem.backward = false;
        const RunResult<T> a = run_case<T>(forward.get(), problem, in);
        const RunResult<T> b = run_case<T>(backward.get(), problem, in);
        for (std::size_t k = 0; k < a.out.size(); ++k) EXPECT_EQ(a.out[k], std::conj(b.out[k])) << n << " " << k;
      });
    }
  }
}

// ---- errors and predictions

TEST(RealTransforms, HavePredictedErrorsNearTheMeasuredOnes) {
  for (const char* problem : {"r2c 1024 f32", "c2r 1024 f32", "r2c 1000 f64", "c2r 1000 f64", "r2c 105 f32", "c2r 10007 f32",
                              "r2c 64x64 f32", "c2r 64x64 f64", "r2c 60x45 f32"}) {
    expect_predicted_within(1.3, problem);
  }
}

TEST(R2rTransforms, HavePredictedErrorsNearTheMeasuredOnes) {
  Sampler cases(3);
  for (const char* size : {"1024", "1000", "105", "64x64", "60x45"}) {
    for (const std::string_view kind : kR2rNames) {
      for (const char* storage : {" f32 kinds=", " f64 scale=ortho kinds="}) {
        if (!cases.next()) continue;
        const std::string name(kind);
        const std::string twice = std::strchr(size, 'x') != nullptr ? "," + name : "";
        expect_predicted_within(1.4, std::string("r2r ") + size + storage + name + twice);
      }
    }
  }
}

// ---- planning

TEST(RealTransforms, AreRememberedAndKeptWithinLimits) {
  const ContextPtr context = make_context();
  for (const char* problem : {"r2c 1000 f32", "c2r 48x64 f64", "r2c 105*7 f32 inplace", "r2r 1000 f32 kinds=dct2",
                              "r2r 48x64 f64 kinds=dst1,dct4", "r2r 105*7 f32 kinds=hc2r inplace"}) {
    expect_remembered_and_limited(context.get(), problem);
  }
}

TEST(R2rTransforms, OfOtherKindsAreOtherProblemsToWisdom) {
  const ContextPtr context = make_context();
  ASSERT_NE(make_plan(context.get(), "r2r 64 f32 kinds=dct2", ULPFFT_MEASURE), nullptr);
  auto options = sized<ulpfft_plan_options>();
  options.effort = ULPFFT_WISDOM_ONLY;
  ulpfft_plan* plan = nullptr;
  EXPECT_EQ(ulpfft_plan_parse_options(context.get(), "r2r 64 f32 kinds=dct3", &options, &plan), ULPFFT_UNAVAILABLE);
}

TEST(R2rTransforms, AreTimedWithinAnErrorLimit) {
  const struct {
    const char* problem;
    double most;
  } cases[] = {{"r2r 50 f32 kinds=dct2 max_error=1e-6", 1e-6},          {"r2r 64 f64 kinds=dst4 max_error=1e-6", 1e-6},
               {"r2r 8x9 f32 kinds=dct2,dht max_error=1e-6", 1e-6},     {"r2r 9 f32 kinds=dct1 max_error=1e-3", 1e-3},
               {"r2r 100*9 i16->f16 kinds=dct2 max_error=1e-3", 1e-3}, {"r2r 9x12 f32->f64 kinds=dst1,dct3 max_error=1e-9", 1e-9}};
  for (const auto& [problem, most] : cases) {
    auto options = sized<ulpfft_plan_options>();
    options.effort = ULPFFT_MEASURE;
    options.time_limit_seconds = 0.2;
    ulpfft_plan* made = nullptr;
    ASSERT_EQ(ulpfft_plan_parse_options(default_target().context, problem, &options, &made), ULPFFT_OK) << problem << last_error_text();
    const PlanPtr plan(made);
    EXPECT_EQ(ulpfft_plan_error_level(made), ULPFFT_ERROR_SAMPLED) << problem;
    EXPECT_LE(ulpfft_plan_error(made), most) << problem;
  }
}

TEST(RealTransforms, OfEveryKindOfRecipeThatIsWrongAreRefusedByASentence) {
  expect_refused({
      {"r2c 16 f32", "f32:dit(8 2)", "has a real node, or is one codelet"},
      {"r2c 16 f32 centered", "f32:n16", "does not shift"},
      {"r2c 17 f32", "f32:n17", "There is no codelet of this transform of 17 reals"},
      {"r2c 16 f32", "f32:real(16; n16)", "needs a child of length 8, not 16"},
      {"c2r 15 f32", "f32:real(15; n5)", "needs a child of length 15, not 5"},
      {"r2c 16 f32", "f32:real(16; cols(p8; n8))", "transforms one complex line"},
      {"r2c 1024 f32", "f32:real(1024; dit(16 8 4 stream))", "Nothing streams inside real"},
      {"16 f32", "f32:real(16; n8)", "nodes only"},
      {"r2c 8x16 f32", "f32:rank(real(8; n4); n16)", "Only the last length has a real node"},
      {"r2c 8x16 f32", "f32:rank(real(8; n4); real(16; n8))", "Only the last length"},
      {"r2c 16 f32", "f32:real(18; n9)", "the recipe gives 18"},
      {"r2r 16 f32 kinds=dct2", "f32:dit(4 4)", "has an r2r node"},
      {"r2r 1024 f32 kinds=dct2", "f32:n1024", "no codelet"},
      {"r2r 16 f32 kinds=dct2", "f32:r2r(16; n16)", "needs a child of length 8, not 16"},
      {"r2r 15 f32 kinds=dst4", "f32:r2r(15; n5)", "needs a child of length 15, not 5"},
      {"r2r 17 f32 kinds=dct1", "f32:r2r(17; n8)", "needs a child of length 16, not 8"},
      {"r2r 16 f32 kinds=dct2", "f32:r2r(16; cols(p8; n8))", "transforms one complex line"},
      {"r2r 1024 f32 kinds=dct2", "f32:r2r(1024; dit(16 8 4 stream))", "Nothing streams inside r2r"},
      {"16 f32", "f32:r2r(16; n8)", "nodes only"},
      {"r2c 16 f32", "f32:r2r(16; n8)", "has a real node"},
      {"r2r 16 f32 kinds=dct2", "f32:r2r(18; n9)", "the recipe gives 18"},
      {"r2r 16 f32 kinds=dct2", "rounded:f16:n16", "There is no codelet of this transform"},
      {"r2r 16 f32 kinds=dst2", "rounded:f16:r2r(16; n8)", "Rounded schemes compute dct2 and dct3"},
      {"r2r 16 f32 kinds=dct2", "mx:mxfp8_e4m3:r2r(16; n8)", "computes in f32, f64 or rounded"},
      {"r2r 16 f32 kinds=dct2", "split:f16x2:r2r(16; n8)", "computes in f32, f64 or rounded"},
  });
}

TEST(R2rTransforms, ThatAreNotPossibleAreRefusedByASentence) {
  expect_refused({
      {"r2r 16 f32", "", "one kind per length"},
      {"r2r 16x16 f32 kinds=dct2", "", "one kind per length, e.g. kinds=dct2,dct2"},
      {"r2r 16 f32 kinds=dct2,dct2", "", "one kind per length"},
      {"r2r 16 f32 kinds=dct5", "", "Did you mean 'dct"},
      {"r2r 1 f32 kinds=dct1", "", "length of 2 or more"},
      {"r2r 1x4 f32 kinds=redft00,dct2", "", "length of 2 or more"},
      {"r2r 16x16 f32 kinds=dct2,dst3 inverse", "", "name the kinds that invert, kinds=dct3,dst2"},
      {"r2r 16 f32 kinds=dct2 split", "", "no parts to split"},
      {"r2r 16 f32 kinds=dct2 centered", "", "not centered"},
      {"r2r 16 f32 kinds=dct2 chain=mul", "", "chains of real numbers are r2c"},
      {"r2r 16 f32 kinds=dct2 backend=cuda", "", has_cuda() ? "real numbers" : "built with -Dcuda=disabled"},
      {"r2r 16 f32 kinds=dct2 scheme=mx:mxfp8_e4m3", "", "r2r"},
      {"r2r 16 f16 kinds=dct2 scheme=split:f16x2", "", "The arithmetic of r2r is f32, f64 or rounded:<element>"},
      {"r2r 16x16 f16 kinds=dct2,dst2 scheme=rounded:f16", "", "dct2 and dct3, but kinds[1] is dst2"},
      {"r2r 16 f32 kinds=dct2 intermediate=f16", "", "keep their numbers in the type of the arithmetic"},
      {"r2r 17 f32 kinds=dct2 scheme=rounded:f16", "", "without prime factors above 13"},
      {"r2r 8 mxfp8_e4m3 kinds=dct2 in_strides=2 out_strides=1", "", "stride 1"},
      {"16 f32 kinds=dct2", "", "leave 'kinds' out"},
      {"r2c 16 f32 kinds=dct2", "", "leave 'kinds' out"},
  });
}

}  // namespace
}  // namespace ulpfft::test
