// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Plans whose input or output is real numbers: their measured errors, hashes and arguments, whatever executes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "codelets/registry.h"
#include "planner/api/request.h"
#include "planner/judge/assess.h"
#include "planner/judge/error_data.h"
#include "planner/plan/memory_need.h"
#include "planner/plan/plan.h"
#include "tests/planner/exact_plan.h"
#include "tests/support/api.h"
#include "tests/support/signals.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

// Every reference is refused for a table without codelets, so that sums by the definition are compared.
CodeletTable no_codelets() {
  CodeletTable table = registered_targets().back().table;
  table.codelets = {};
  return table;
}

double rounding(const ulpfft_plan& plan) { return plan.problem.storage_out == "f32" ? 0x1p-24 : 0x1p-53; }

std::vector<std::string> real_problems() {
  std::vector<std::string> texts;
  for (const std::string kind : {"r2c ", "c2r "}) {
    for (const std::string storage : {" f32", " f64"}) {
      for (const std::string lengths : {"2", "7", "8*3", "3x10*2", "10x3", "4x1", "2x3x5x6", "360"}) {
        texts.push_back(kind + lengths + storage);
        texts.push_back(kind + lengths + storage + " inverse scale=0.25 inplace");
      }
      texts.push_back(kind + "6x9*4" + storage + " split inverse");
      texts.push_back(kind + "6x9" + storage + " in_strides=30,-2 out_strides=3,23");
    }
  }
  return texts;
}

struct Spectrum {
  explicit Spectrum(const std::string& text)
      : problem(parse_problem(text)), numbers(static_cast<std::size_t>(stored_points(problem, false))),
        array(problem, false, {{numbers.data(), numbers.data()}, {}, nullptr}) {}
  std::vector<double> gathered() {
    std::vector<double> x(static_cast<std::size_t>(2 * transform_points(problem)));
    Poll poll;
    gather(problem, array, 0, x, poll);
    return x;
  }

  Problem problem;
  std::vector<std::complex<double>> numbers;
  StoredArray array;
};
std::complex<double> number_at(const std::vector<double>& x, std::int64_t index) {
  return {x[static_cast<std::size_t>(2 * index)], x[static_cast<std::size_t>(2 * index) + 1]};
}

TEST(RealData, HalfASpectrumIsCompletedByConjugates) {
  for (const std::string text : {"c2r 3x5 f64", "c2r 4x6 f64 inverse", "c2r 10 f64", "c2r 3x4x1 f64"}) {
    Spectrum spectrum(text);
    std::ranges::copy(random_signal<double>(spectrum.numbers.size(), seed_of(text)), spectrum.numbers.begin());
    const std::vector<double> x = spectrum.gathered();
    visit_transform(spectrum.problem, false, 0, [&](std::int64_t index, std::int64_t offset) {
      const std::int64_t mirrored = mirrored_index(spectrum.problem, index);
      const std::complex<double> stored = spectrum.numbers[static_cast<std::size_t>(offset)];
      const std::complex<double> expected = spectrum.problem.direction == Direction::kForward ? std::conj(stored) : stored;
      EXPECT_EQ(number_at(x, index), mirrored == index ? expected.real() : expected) << text << " " << index;
      if (is_stored(spectrum.problem, false, mirrored)) return;
      EXPECT_EQ(number_at(x, mirrored), std::conj(expected)) << text << " " << mirrored;
    });
    // The mean square of the outputs, which are real, is the sum of squares that stands for them.
    const PlanPtr plan(exact_plan(text));
    std::vector<double> out(static_cast<std::size_t>(transform_points(spectrum.problem)));
    ASSERT_EQ(ulpfft_execute(plan.get(), spectrum.numbers.data(), out.data()), ULPFFT_OK);
    double mean = 0;
    for (const double value : out) mean += value * value / static_cast<double>(out.size());
    EXPECT_NEAR(energy_of(spectrum.problem, x) / mean, 1.0, 1e-13) << text;
  }
}

// A mean of 2^13 squares of normal numbers is good to 1.6 %.
TEST(RealData, AreNormalNumbersOfTheRms) {
  Poll poll;
  Spectrum spectrum("c2r 64x256 f64");
  fill_normal(spectrum.problem, spectrum.array, 0, 3, 2.0, poll);
  const std::vector<double> x = spectrum.gathered();
  for (std::int64_t index = 0; index < transform_points(spectrum.problem); ++index) {
    ASSERT_EQ(number_at(x, index), std::conj(number_at(x, mirrored_index(spectrum.problem, index)))) << index;
  }
  EXPECT_NEAR(energy_of(spectrum.problem, x) / (4.0 * 64 * 256), 1.0, 0.08);
  for (const std::int64_t index : {0, 128, 32 * 256, 32 * 256 + 128}) EXPECT_EQ(number_at(x, index).imag(), 0) << index;

  const Problem problem = parse_problem("r2c 16384 f64");
  std::vector<double> numbers(16384), real(32768);
  const StoredArray array(problem, false, {{numbers.data(), numbers.data()}, {}, nullptr});
  fill_normal(problem, array, 0, 3, 2.0, poll);
  gather(problem, array, 0, real, poll);
  EXPECT_NEAR(energy_of(problem, real) / (4.0 * 16384), 1.0, 0.08);
  for (std::int64_t index = 0; index < 16384; ++index) ASSERT_EQ(number_at(real, index), numbers[static_cast<std::size_t>(index)]) << index;
}

// A real that is rounded once is off by half a unit in the last place at the most: by 2^-24 or 2^-53 of itself.
TEST(RealErrors, OfExactOutputsAreThoseOfOneRounding) {
  for (const std::string& text : real_problems()) {
    const PlanPtr plan(exact_plan(text));
    for (const ErrorLevel level : {ErrorLevel::kSampled, ErrorLevel::kFull}) {
      const ErrorMeasurement error = measure_error(*plan, level);
      EXPECT_LE(error.relative_l2, rounding(*plan)) << text;
      EXPECT_GE(error.relative_l2, 0.1 * rounding(*plan)) << text;
      EXPECT_EQ(error.level, level) << text;
      EXPECT_GE(error.outputs, 1 << 14) << text;
      EXPECT_EQ(error.outputs % stored_points(plan->problem, true), 0) << text;
    }
  }
  for (const char* text : {"r2c 1 f32", "c2r 1x1*5 f64 inplace"}) {
    EXPECT_EQ(measure_error(*PlanPtr(exact_plan(text)), ErrorLevel::kSampled).relative_l2, 0) << text;
  }
}

// Sums take the mean square of the outputs from the input, which holds for all outputs together; the stored ones deviate from it by chance.
TEST(RealErrors, AreTheSameBySumsOfTheDefinition) {
  const CodeletTable none = no_codelets();
  for (const std::string& text : real_problems()) {
    const PlanPtr plan(exact_plan(text));
    const ErrorMeasurement whole = measure_error(*plan, ErrorLevel::kFull), sums = measure_error(*plan, ErrorLevel::kFull, &none);
    EXPECT_EQ(sums.outputs, whole.outputs) << text;
    EXPECT_EQ(sums.level, ErrorLevel::kFull) << text;
    EXPECT_NEAR(sums.relative_l2 / whole.relative_l2, 1.0, 0.05) << text;
  }
}

TEST(RealErrors, OfLongTransformsAreSampled) {
  for (const auto& [text, stored] : {std::pair("r2c 131072 f64", 65537), std::pair("c2r 131072 f64", 131072)}) {
    const PlanPtr plan(exact_plan(text));
    const ErrorMeasurement sampled = measure_error(*plan, ErrorLevel::kSampled), full = measure_error(*plan, ErrorLevel::kFull);
    EXPECT_EQ(full.outputs, stored) << text;
    EXPECT_GE(sampled.outputs, 1 << 14) << text;
    EXPECT_LT(sampled.outputs, (1 << 14) + 256) << text;  // whole combs of at most 256 outputs
    EXPECT_NEAR(sampled.relative_l2 / full.relative_l2, 1.0, 0.03) << text;
  }
}

// Data have rms 1, so that outputs of 16 points have rms 4.
TEST(RealErrors, SeeOneWrongOutputAmongTheStoredOnes) {
  const CodeletTable none = no_codelets();
  constexpr double kDeviation = 0.0078125;
  for (const auto& [text, stored] :
       {std::pair("r2c 16*2 f32", 18), std::pair("r2c 16*2 f64 inverse inplace", 18), std::pair("c2r 16*2 f32 inverse", 32),
        std::pair("c2r 16*2 f64", 32), std::pair("r2c 4x4*2 f64", 24), std::pair("c2r 4x4*2 f32", 32)}) {
    const PlanPtr plan(exact_plan(text, &kDeviation));
    const double expected = kDeviation / std::sqrt(static_cast<double>(stored)) / 4;
    for (const CodeletTable* references : {static_cast<const CodeletTable*>(nullptr), &none}) {
      EXPECT_NEAR(measure_error(*plan, ErrorLevel::kFull, references).relative_l2 / expected, 1.0, 0.03) << text;
    }
  }
}

// The numbers of the caller are no spectrum of real numbers: X[0] and X[n/2] have imaginary parts, and in two dimensions X[-k] is not
// conj X[k].
TEST(RealErrors, IgnoreWhatC2RIgnores) {
  for (const std::string text :
       {"c2r 10 f64", "c2r 9 f64 inverse", "c2r 6x10 f64", "c2r 5x9*3 f64", "c2r 6x10 f64 inplace", "c2r 4x3x8 f64 inverse"}) {
    const PlanPtr plan(exact_plan(text));
    std::vector<std::complex<double>> in = random_signal<double>(
        static_cast<std::size_t>(stored_points(plan->problem, false) * batch_count(plan->problem)), seed_of(text));
    EXPECT_LE(assess(*plan, in.data(), nullptr, ErrorLevel::kFull).relative_l2, 0x1p-53) << text;
    if (plan->problem.dims.size() > 1) continue;
    in[0] = {in[0].real(), 1e200};
    EXPECT_LE(assess(*plan, in.data(), nullptr, ErrorLevel::kFull).relative_l2, 0x1p-53) << text;
  }
}

TEST(RealErrors, OnTheCallersRealNumbersReadTheseAlone) {
  for (const std::string text : {"r2c 6x10 f32", "r2c 6x10*2 f32 inplace", "r2c 7 f32 in_strides=3 inverse", "r2c 8*3 f32 split"}) {
    const PlanPtr plan(exact_plan(text));
    const Extent extent = array_extent(plan->problem, false);
    std::vector<float> in(static_cast<std::size_t>(extent.high) / sizeof(float));
    Random random(seed_of(text));
    for (float& value : in) value = static_cast<float>(random.normal());
    EXPECT_LE(assess(*plan, in.data(), nullptr, ErrorLevel::kFull).relative_l2, 0x1p-24) << text;
    in.back() = std::numeric_limits<float>::infinity();
    EXPECT_THROW(assess(*plan, in.data(), nullptr, ErrorLevel::kFull), PlanError) << text;
  }
}

// The fixed input has one number for each real, in the order of the indices, so that neither strides nor placement nor layout change it.
TEST(RealHashes, FollowFromKindLengthsAndDirection) {
  std::vector<std::uint64_t> different;
  for (const std::vector<std::string>& same :
       {std::vector<std::string>{"r2c 3x10*2 f32", "r2c 3x10*2 f32 inplace", "r2c 3x10*2 f32 split",
                                 "r2c 3x10*2 f32 in_strides=20,-2 out_strides=1,3 batch_strides=70,-20"},
        {"r2c 3x10*2 f32 inverse", "r2c 3x10*2 f32 inverse inplace"}, {"r2c 3x10*2 f64", "r2c 3x10*2 f64 split"},
        {"c2r 3x10*2 f32", "c2r 3x10*2 f32 inplace", "c2r 3x10*2 f32 split",
         "c2r 3x10*2 f32 in_strides=1,3 out_strides=10,1 batch_strides=20,-30"},
        {"c2r 3x10*2 f32 inverse"}}) {
    different.push_back(hash_of_fixed_input(*PlanPtr(exact_plan(same[0]))));
    for (const std::string& text : same) EXPECT_EQ(hash_of_fixed_input(*PlanPtr(exact_plan(text))), different.back()) << text;
  }
  for (std::size_t i = 0; i < different.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(different[i], different[j]) << i << " " << j;
  }
}

// One point is transformed to itself.
TEST(RealHashes, TakeOneNumberOfTheFixedInputForAReal) {
  for (const auto& [text, reals_in, reals_out] : {std::tuple("r2c 1*50 f64", 1, 2), std::tuple("c2r 1*50 f64", 2, 1)}) {
    std::uint64_t state = 20261120, hash = 0xcbf29ce484222325u;
    for (int element = 0; element < 50; ++element) {
      double parts[2] = {0, 0};
      for (int part = 0; part < reals_in; ++part) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        parts[part] = static_cast<double>(static_cast<std::int64_t>(state >> 43) - (1 << 20)) * 0x1p-20;
      }
      for (int part = 0; part < reals_out; ++part) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &parts[part], sizeof bits);
        for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (bits >> 8 * byte & 255)) * 0x100000001b3u;
      }
    }
    EXPECT_EQ(hash_of_fixed_input(*PlanPtr(exact_plan(text))), hash) << text;
  }
}

ulpfft_array array_of(void* re, void* im) {
  ulpfft_array array = ULPFFT_ARRAY_INIT;
  array.data[0] = re;
  array.data[1] = im;
  return array;
}

TEST(RealArguments, AProblemOfTheCInterfaceHasTheStridesOfItsText) {
  constexpr std::int64_t kLengths[] = {3, 10}, kBatch[] = {2};
  for (const auto& [kind, name] : {std::pair(ULPFFT_C2C, ""), std::pair(ULPFFT_R2C, "r2c "), std::pair(ULPFFT_C2R, "c2r ")}) {
    for (const auto& [placement, word] : {std::pair(ULPFFT_OUT_OF_PLACE, ""), std::pair(ULPFFT_IN_PLACE, " inplace")}) {
      ulpfft_problem given = ULPFFT_PROBLEM_INIT;
      given.kind = kind;
      given.rank = 2;
      given.lengths = kLengths;
      given.batch_rank = 1;
      given.batch_lengths = kBatch;
      given.placement = placement;
      EXPECT_EQ(problem_from_c(given), parse_problem(std::string(name) + "3x10*2 f32" + word));
    }
  }
}

// Of a real input the second address is not looked at, of a split spectrum it is.
TEST(RealArguments, AnInputThatIsJudgedHasTheArraysOfItsSide) {
  std::vector<float> numbers(10, 1.0F), re(6, 1.0F), im(6, 1.0F);
  const ulpfft_array one = array_of(numbers.data(), nullptr), two = array_of(re.data(), im.data()), half = array_of(re.data(), nullptr);
  const PlanPtr there(exact_plan("r2c 10 f32 split")), back(exact_plan("c2r 10 f32 split"));
  ulpfft_error_report report = ULPFFT_ERROR_REPORT_INIT;
  EXPECT_EQ(ulpfft_plan_assess(there.get(), &one, ULPFFT_ERROR_FULL, &report), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(report.outputs, 6);
  EXPECT_EQ(ulpfft_plan_assess(back.get(), &two, ULPFFT_ERROR_FULL, &report), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(report.outputs, 10);
  EXPECT_EQ(ulpfft_plan_assess(back.get(), &half, ULPFFT_ERROR_FULL, &report), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "in.data[1]");
}

TEST(RealArguments, ASplitPlanHasOneArrayOfRealsAndTwoOfItsSpectrum) {
  std::vector<float> real(10), re(6), im(7), memory(22);
  for (const bool forward : {true, false}) {
    const PlanPtr plan(exact_plan(forward ? "r2c 10 f32 split" : "c2r 10 f32 split"));
    const auto execute = [&](void* reals, void* part0, void* part1) {
      const ulpfft_array numbers = array_of(reals, nullptr), spectrum = array_of(part0, part1);
      return ulpfft_execute_arrays(plan.get(), forward ? &numbers : &spectrum, forward ? &spectrum : &numbers, nullptr);
    };
    const std::string side = forward ? "out" : "in";
    ASSERT_EQ(execute(real.data(), re.data(), im.data()), ULPFFT_OK) << last_error_text();
    EXPECT_EQ(execute(real.data(), re.data(), nullptr), ULPFFT_INVALID_ARGUMENT);
    EXPECT_EQ(last_error().field, side + ".data[1]");
    EXPECT_EQ(execute(real.data(), re.data(), reinterpret_cast<char*>(im.data()) + 1), ULPFFT_INVALID_ARGUMENT);
    EXPECT_EQ(last_error().field, side + ".data[1]");
    EXPECT_EQ(execute(nullptr, re.data(), im.data()), ULPFFT_INVALID_ARGUMENT);
    EXPECT_EQ(last_error().field, forward ? "in.data[0]" : "out.data[0]");
    // 10 reals, and 6 of each part.
    float* const all = memory.data();
    EXPECT_EQ(execute(all, all + 10, all + 16), ULPFFT_OK);
    EXPECT_EQ(execute(all + 12, all, all + 6), ULPFFT_OK);
    EXPECT_EQ(execute(all, all + 9, all + 16), ULPFFT_INVALID_ARGUMENT);
    EXPECT_EQ(execute(all, all + 16, all + 9), ULPFFT_INVALID_ARGUMENT);
    EXPECT_EQ(last_error().field, forward ? "out.data[1]" : "out.data[0]");
    EXPECT_EQ(execute(all, all + 10, all + 15), forward ? ULPFFT_INVALID_ARGUMENT : ULPFFT_OK);  // an input may be read twice
    EXPECT_EQ(ulpfft_execute(plan.get(), real.data(), re.data()), ULPFFT_INVALID_ARGUMENT);
    EXPECT_EQ(last_error().field, "plan");
  }
}

TEST(RealArguments, AnInterleavedPlanIsAlignedToRealsAndKeepsItsArraysApart) {
  std::vector<float> real(40), spectrum(40);
  const PlanPtr r2c(exact_plan("r2c 10 f32")), c2r(exact_plan("c2r 10 f32")), in_place(exact_plan("r2c 10 f32 inplace"));
  EXPECT_EQ(ulpfft_execute(r2c.get(), real.data() + 1, spectrum.data() + 1), ULPFFT_OK);
  EXPECT_EQ(ulpfft_execute(c2r.get(), spectrum.data() + 1, real.data() + 1), ULPFFT_OK);
  EXPECT_EQ(ulpfft_execute(r2c.get(), reinterpret_cast<char*>(real.data()) + 2, spectrum.data()), ULPFFT_INVALID_ARGUMENT);
  // 10 reals of one side, 6 complex numbers of the other.
  EXPECT_EQ(ulpfft_execute(r2c.get(), real.data(), real.data() + 10), ULPFFT_OK);
  EXPECT_EQ(ulpfft_execute(r2c.get(), real.data(), real.data() + 9), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_execute(r2c.get(), real.data() + 12, real.data()), ULPFFT_OK);
  EXPECT_EQ(ulpfft_execute(r2c.get(), real.data() + 11, real.data()), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_execute(c2r.get(), real.data(), real.data() + 12), ULPFFT_OK);
  EXPECT_EQ(ulpfft_execute(c2r.get(), real.data(), real.data() + 11), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_execute(in_place.get(), real.data(), real.data()), ULPFFT_OK);
  EXPECT_EQ(ulpfft_execute(in_place.get(), real.data(), spectrum.data()), ULPFFT_INVALID_ARGUMENT);
}

TEST(RealMemory, CountsRealsAndTheArrayOfBothSides) {
  for (const auto& [text, in, out] : {std::tuple("r2c 3x10*2 f32", 60 * 4, 36 * 8), std::tuple("c2r 3x10*2 f64 split", 36 * 16, 60 * 8),
                                      std::tuple("r2c 3x10*2 f32 inplace", 36 * 8, 0), std::tuple("c2r 3x9*2 f32 inplace", 30 * 8, 0)}) {
    const PlanPtr plan(exact_plan(text));
    ulpfft_memory memory = ULPFFT_MEMORY_INIT;
    ASSERT_EQ(ulpfft_plan_memory(plan.get(), &memory), ULPFFT_OK);
    EXPECT_EQ(memory.in_bytes, static_cast<std::uint64_t>(in)) << text;
    EXPECT_EQ(memory.out_bytes, static_cast<std::uint64_t>(out)) << text;
  }
}

}  // namespace
}  // namespace ulpfft::test
