// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms between real numbers through the C interface: every kind and length against the oracle, random problems between guard pages,
// bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/api/real_checks.h"
#include "tests/support/api.h"
#include "tests/support/r2r_case.h"
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

// ---- every length

// Enough for a mean that a hundredth of it is off.
constexpr std::int64_t kOutputs = 1 << 12;

// The gate of a kind beside that of complex transforms.
double gate_factor(int kind) { return kind <= ULPFFT_DHT ? 1.0 : is_type_1(kind) ? 2.0 : 1.5; }

void check_length(std::int64_t n, Sampler& cases) {
  for (const bool f64 : {false, true}) {
    for (int kind = 0; kind < kR2rKinds; ++kind) {
      if ((kind == ULPFFT_REDFT00 && n == 1) || !cases.next()) continue;
      RealCase problem = dense_r2r_case(kind, {n}, (kOutputs + n - 1) / n);
      problem.f64 = f64;
      problem.in_place = n % 5 == 2;
      with_real(f64, [&](auto real) { expect_accurate<decltype(real)>(problem, gate_factor(kind)); });
    }
  }
}

TEST(R2rTransforms, OfEveryLengthAreWithinTheGate) {
  const std::int64_t last = full_run() ? 1024 : 200;
  Sampler cases(5);
  for (std::int64_t n = 1; n <= last; ++n) check_length(n, cases);
}

TEST(R2rTransforms, OfLargerLengthsAreWithinTheGate) {
  Random random(20261131);
  Sampler cases(7);
  for (const std::int64_t n : {256, 512, 1000, 1024, 2047, 2048, 2049, 2187, 4096, 6000, 8192, 10007, 16384}) check_length(n, cases);
  for (int i = 0; i < 47; ++i) check_length(random.between(201, i % 8 == 0 ? 20000 : 2048), cases);
}

// ---- random problems

// Below this many points the mean of an error says little: the bound of the theorem for each pass, of the child and of those around it.
double bound_of(const RealCase& problem) {
  const double rank = static_cast<double>(problem.dims.size());
  const std::int64_t points = std::max<std::int64_t>(2, transform_points(problem));
  return 2 * rank * (problem.f64 ? theorem_bound<double>(4 * points) : theorem_bound<float>(4 * points));
}

TEST(R2rTransforms, OfRandomProblemsAreRightAndTouchNothingElse) {
  Random random(20261132);
  const int cases = full_run() ? 6000 : 600;
  Sampler sampler(3);
  for (int i = 0; i < cases; ++i) {
    const RealCase problem = random_r2r_case(random, i % 20 == 0 ? 20000 : 1500);
    const Flush flush = random.chance(0.5) ? Flush::kStart : Flush::kEnd;
    const bool own_workspace = random.chance(0.3);
    if (!sampler.next()) continue;
    with_real(problem.f64, [&](auto real) { check_random<decltype(real)>(problem, bound_of(problem), flush, own_workspace); });
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Batches of several groups and a rest, in both orders of sizes and with gaps between lines and transforms.
TEST(R2rTransforms, OfShortTransformsThatGoThroughAllDimensionsTogetherAreRight) {
  for (const bool f64 : {false, true}) {
    for (int i = 0; i < 4; ++i) {
      RealCase problem;
      problem.f64 = f64;
      problem.in_place = i == 1;
      problem.threads = i == 2 ? 3 : 1;
      problem.scale_kind = i == 3 ? ULPFFT_SCALE_ORTHO : ULPFFT_SCALE_NONE;
      problem.dims = i % 2 == 0 ? std::vector<Dim>{{8, 1, 1}, {8, 1, 1}} : std::vector<Dim>{{15, 1, 1}, {36, 1, 1}};
      problem.kinds = i % 2 == 0 ? std::vector<int>{ULPFFT_REDFT10, ULPFFT_RODFT01} : std::vector<int>{ULPFFT_REDFT01, ULPFFT_REDFT11};
      problem.batch = {{i % 2 == 0 ? 301 : 38, 1, 1}};
      set_dense(problem);
      if (i == 2) {
        problem.dense = false;
        problem.dims = {{8, 9, 10}, {8, 1, 1}};
        problem.batch = {{301, 75, 83}};
      }
      const Flush flush = i % 2 == 0 ? Flush::kStart : Flush::kEnd;
      with_real(f64, [&](auto real) { check_random<decltype(real)>(problem, bound_of(problem), flush, i == 3); });
    }
  }
}

// ---- bits

TEST(R2rTransforms, HaveTheSameBitsOnEveryTargetAndForAnyThreads) {
  for (const char* problem :
       {"r2r 1000*40 f32 kinds=dct2", "r2r 1000*40 f64 kinds=dst3", "r2r 105*9 f32 kinds=dct4", "r2r 48x64 f32 kinds=dct2,dct2",
        "r2r 48x63x10 f64 kinds=dst4,dct3,dht", "r2r 65536 f32 kinds=dct4", "r2r 65 f64 kinds=dct1", "r2r 34*100 f32 kinds=r2hc",
        "r2r 8x8*301 f32 kinds=dct2,dct2", "r2r 24x30*23 f64 kinds=dct4,dst2"}) {
    expect_one_hash(problem, false);
  }
}

// ---- errors and predictions

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

TEST(R2rTransforms, AreRememberedAndKeptWithinLimits) {
  const ContextPtr context = make_context();
  for (const char* problem : {"r2r 1000 f32 kinds=dct2", "r2r 48x64 f64 kinds=dst1,dct4", "r2r 105*7 f32 kinds=hc2r inplace"}) {
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

TEST(R2rTransforms, OfEveryKindOfRecipeThatIsWrongAreRefusedByASentence) {
  constexpr Refused kWrong[] = {
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
  };
  for (const Refused& one : kWrong) expect_refused(one);
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

TEST(R2rTransforms, ThatAreNotPossibleAreRefusedByASentence) {
  const Refused kWrong[] = {
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
  };
  for (const Refused& one : kWrong) expect_refused(one);
}

}  // namespace
}  // namespace ulpfft::test
