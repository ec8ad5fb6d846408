// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Measured errors: the references against the oracle, and what assess() and measure_error() make of right and wrong plans.
#include "planner/judge/assess.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "codelets/registry.h"
#include "planner/judge/direct_sums.h"
#include "planner/judge/error_data.h"
#include "planner/judge/stored_array.h"
#include "planner/lower/build_plan.h"
#include "planner/search/search.h"
#include "tests/planner/best_target.h"
#include "tests/planner/built_plan.h"
#include "tests/support/api.h"
#include "tests/support/compare.h"
#include "tests/support/oracle.h"
#include "tests/support/problems.h"
#include "tests/support/run_case.h"
#include "tests/support/signals.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

const CodeletTable& ref_table() { return registered_targets().back().table; }

// deterministic: the same recipe on every machine.
std::unique_ptr<ulpfft_plan> estimated(const std::string& problem_text, const CodeletTable& table = best_table(), bool deterministic = false) {
  SearchOptions options;
  options.deterministic = deterministic;
  options.effort = Effort::kEstimate;
  return search_plan(parse_problem(problem_text), table, options);
}

double in_roundings(double error, double u, double points) { return error / (u * std::sqrt(std::log2(points))); }

// ---- Direct sums ----------------------------------------------------------------------------------------------------

void check_direct_sums(const std::vector<std::int64_t>& lengths) {
  const std::int64_t points = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{1}, std::multiplies<>());
  const std::string text = ::testing::PrintToString(lengths);
  const std::vector<std::complex<double>> x = random_signal<double>(static_cast<std::size_t>(points), seed_of(text));
  std::vector<ComplexDD> exact = widen(x);
  for (std::size_t d = 0; d < lengths.size(); ++d) transform_dimension(exact, lengths, d);
  const DirectSums direct(lengths);
  Poll poll;
  ASSERT_EQ(direct.teeth() * direct.combs(), points) << text;
  std::vector<int> seen(static_cast<std::size_t>(points));
  double difference2 = 0;
  for (std::int64_t comb = 0; comb < direct.combs(); ++comb) {
    const std::vector<ulpfft::ComplexDD> sums = direct.run(reinterpret_cast<const double*>(x.data()), comb, poll);
    for (std::int64_t m = 0; m < direct.teeth(); ++m) {
      const std::int64_t index = direct.index(comb, m);
      ASSERT_TRUE(index >= 0 && index < points) << text << " comb " << comb << " tooth " << m;
      ++seen[static_cast<std::size_t>(index)];
      const ulpfft::ComplexDD& sum = sums[static_cast<std::size_t>(m)];
      const ComplexDD difference = ComplexDD{{sum.re.hi, sum.re.lo}, {sum.im.hi, sum.im.lo}} - exact[static_cast<std::size_t>(index)];
      difference2 += std::pow(difference.re.value(), 2) + std::pow(difference.im.value(), 2);
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), points) << text << ": some output is in no comb, or in two";
  // The rms output is sqrt(2 points); both sides are within a few 2^-100 of the truth.
  EXPECT_LE(std::sqrt(difference2 / (2.0 * static_cast<double>(points * points))), 0x1p-97) << text;
}

TEST(DirectSums, AgreeWithTheOracleInEveryOutputUpTo200) {
  for (std::int64_t n = 1; n <= 200; ++n) check_direct_sums({n});
}
TEST(DirectSums, AgreeWithTheOracleForPrimesAndAcrossBlocks) {
  for (const std::int64_t n : {257, 1021, 1024, 1025, 2053, 4096, 2500, 3 * 1031}) check_direct_sums({n});
}
TEST(DirectSums, AgreeWithTheOracleInSeveralDimensions) {
  for (const std::vector<std::int64_t>& lengths :
       {std::vector<std::int64_t>{1, 1}, {2, 3}, {16, 16}, {1, 7, 1}, {5, 7, 11}, {4, 4, 4, 4}, {13, 64}, {2, 2048}, {37, 41}}) {
    check_direct_sums(lengths);
  }
}

// ---- Recipes in double-double on ref ----------------------------------------------------------------------------------

TEST(DoubleDoubleRecipes, AgreeWithDirectSumsInEveryTwiddleFormAndLoopShape) {
  for (const std::string recipe :
       {"n1", "n13", "n64", "dit(8 8)", "dit(16 8:ds 4:ds)", "dit(9 5:ch 7:ch)", "dit(32 16 / 8)",
                                   "dit(13 11 13)", "dit(2 2:ds 3:ds 5:ds 9:ds)", "dit(16 16:ds 16:ch)", "rank(dit(8 4); cols(p4; dit(4 8:ds)))", "four(16x32 p16; dit(4 4); dit(8 4))",
                                   "rader(101; dit(20 5))", "bluestein(59; 128; dit(16 8))"}) {
    const Recipe parsed = parse_recipe("dd:" + recipe);
    Problem problem;
    if (parsed.root.kind == Node::Kind::kRank) {
      for (const Node& child : parsed.root.children) problem.dims.push_back({node_length(child), 1, 1});
    } else {
      problem.dims.push_back({node_length(parsed.root), 1, 1});
    }
    ulpfft::set_dense_strides(problem);
    problem.storage_in = problem.storage_out = "dd";
    TableCache cache;
    const auto plan = ulpfft::make_plan(problem, parsed, ref_table(), build_plan(problem, parsed, ref_table(), cache));
    const std::int64_t points = ulpfft::transform_points(problem);
    const auto x = random_signal<double>(static_cast<std::size_t>(points), seed_of(recipe));
    std::vector<ulpfft::ComplexDD> in(x.size()), out(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) in[i] = {x[i].real(), x[i].imag()};
    ASSERT_EQ(plan->run(*plan, in.data(), in.data(), out.data(), out.data(), nullptr), ULPFFT_OK);
    std::vector<std::int64_t> lengths;
    for (const Dimension& d : problem.dims) lengths.push_back(d.length);
    const DirectSums direct(lengths);
    Poll poll;
    const std::int64_t comb = direct.combs() / 3;
    const std::vector<ulpfft::ComplexDD> sums = direct.run(reinterpret_cast<const double*>(x.data()), comb, poll);
    for (std::int64_t m = 0; m < direct.teeth(); ++m) {
      const ulpfft::ComplexDD& got = out[static_cast<std::size_t>(direct.index(comb, m))];
      const ulpfft::ComplexDD& sum = sums[static_cast<std::size_t>(m)];
      const double distance = std::hypot((got.re - sum.re).hi, (got.im - sum.im).hi) / std::sqrt(2.0 * static_cast<double>(points));
      ASSERT_LE(distance, 0x1p-96) << recipe << " output " << direct.index(comb, m);
    }
  }
}

TEST(DoubleDoubleRecipes, AreNoBusinessOfCallers) {
  const ContextPtr context = make_context();
  for (const std::string text : {"64 f64 scheme=dd", "64 dd", "64 dd scheme=f64", "64 f64->dd"}) {
    ulpfft_plan* plan = nullptr;
    EXPECT_NE(ulpfft_plan_parse(context.get(), text.c_str(), &plan), ULPFFT_OK) << text;
    ulpfft_plan_destroy(plan);
  }
  EXPECT_EQ(try_plan(context.get(), "64 f64", "dd:dit(8 8)"), nullptr);
}

// ---- Right plans ------------------------------------------------------------------------------------------------------

TEST(MeasureError, Of1024PointsIsThatOfAGoodFft) {
  for (const auto& [storage, u] : {std::pair(std::string("f32"), 0x1p-24), std::pair(std::string("f64"), 0x1p-53)}) {
    const auto plan = estimated("1024 " + storage);
    for (const ErrorLevel level : {ErrorLevel::kSampled, ErrorLevel::kFull}) {
      const ErrorMeasurement error = measure_error(*plan, level);
      EXPECT_GE(in_roundings(error.relative_l2, u, 1024), 0.3) << storage;
      EXPECT_LE(in_roundings(error.relative_l2, u, 1024), 1.0) << storage;
      EXPECT_GE(error.outputs, 1 << 14) << storage;
      EXPECT_EQ(error.level, level) << storage;
      EXPECT_GT(error.relative_largest, 0) << storage;
      EXPECT_LT(error.relative_largest, 10 * error.relative_l2) << storage;
    }
  }
}

TEST(MeasureError, IsZeroForOnePoint) {
  for (const std::string text : {"1 f32", "1x1*5 f64 inverse"}) EXPECT_EQ(measure_error(*estimated(text), ErrorLevel::kSampled).relative_l2, 0) << text;
}

TEST(MeasureError, AgreesBetweenTheWholeReferenceAndDirectSums) {
  // More points than a sampled level runs in double-double: sampled takes direct sums, full the recipe in double-double.
  const auto plan = estimated("131072 f64");
  const ErrorMeasurement sampled = measure_error(*plan, ErrorLevel::kSampled);
  const ErrorMeasurement full = measure_error(*plan, ErrorLevel::kFull);
  EXPECT_EQ(sampled.level, ErrorLevel::kSampled);
  EXPECT_EQ(full.level, ErrorLevel::kFull);
  EXPECT_EQ(full.outputs, 131072);
  EXPECT_EQ(sampled.outputs, 1 << 14);
  // An eighth of the outputs of the same data: a mean of 16384 squares of normal numbers is good to 0.8 %, its root to 0.4 %.
  EXPECT_NEAR(sampled.relative_l2 / full.relative_l2, 1.0, 0.02);
}

TEST(MeasureError, ASampleFollowsFromTheProblemAlone) {
  for (const auto& [text, least, most] : {std::tuple("64*512 f32", 1 << 14, 1 << 14), std::tuple("1000*3 f64", 1 << 14, 19000), std::tuple("131072 f64", 1 << 14, 1 << 14),
                                          std::tuple("131071 f64", 512, 512), std::tuple("7 f16", 1 << 14, (1 << 14) + 7)}) {
    const auto plan = estimated(text);
    const ErrorMeasurement one = measure_error(*plan, ErrorLevel::kSampled), again = measure_error(*plan, ErrorLevel::kSampled);
    EXPECT_GE(one.outputs, least) << text;
    EXPECT_LE(one.outputs, most) << text;
    EXPECT_EQ(one.outputs, again.outputs) << text;
    EXPECT_EQ(one.relative_l2, again.relative_l2) << text;
    EXPECT_EQ(one.standard_error, again.standard_error) << text;
  }
}

// Of other data every time: the standard error that each measurement states is how far they are from each other.
TEST(MeasureError, StatesItsStandardError) {
  for (const std::string text : {"64*256 f32", "3*4000 f32", "1000*16 f64", "16384 f32", "360*8 f32->f16", "16*512 f32->mxfp8_e4m3:b8", "1009*4 f32", "131072 f64"}) {
    const auto plan = estimated(text, best_table(), true);
    const std::size_t points = static_cast<std::size_t>(transform_points(plan->problem) * batch_count(plan->problem));
    constexpr int kTimes = 24;
    std::vector<double> errors;
    double stated2 = 0;
    for (int time = 0; time < kTimes; ++time) {
      const std::vector<std::complex<double>> f64 = random_signal<double>(points, seed_of(text) + static_cast<std::uint64_t>(time));
      const std::vector<std::complex<float>> f32(f64.begin(), f64.end());
      const void* const data = plan->problem.storage_in == "f64" ? static_cast<const void*>(f64.data()) : f32.data();
      const ErrorMeasurement error = assess(*plan, data, nullptr, ErrorLevel::kSampled);
      errors.push_back(error.relative_l2);
      stated2 += error.standard_error * error.standard_error / kTimes;
    }
    const double mean = std::accumulate(errors.begin(), errors.end(), 0.0) / kTimes;
    double variance = 0;
    for (const double error : errors) variance += (error - mean) * (error - mean) / (kTimes - 1);
    // A standard deviation of 24 numbers is good to 15 %; outputs of a transform have a little in common.
    EXPECT_GT(std::sqrt(stated2 / variance), 0.55) << text;
    EXPECT_LT(std::sqrt(stated2 / variance), 1.8) << text;
  }
}

// ---- Wrong plans ------------------------------------------------------------------------------------------------------

PassFn right_pass = nullptr;

// Adds 1/128 to re of output 3 of the first transform of the pass.
template <typename T>
void wrong_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  right_pass(args, buffers, first, count);
  const std::int64_t at = args.out.offset + first * args.axes[0].out_stride + 3 * args.out.point_stride;
  static_cast<T*>(buffers.slot[static_cast<int>(args.out.slot)].re)[at] += static_cast<T>(0.0078125);
}

// The ref table with another codelet for n16 of one type.
class WrongTable {
 public:
  explicit WrongTable(ComputeType compute) : codelets_(ref_table().codelets.begin(), ref_table().codelets.end()), table_(ref_table()) {
    for (CodeletInfo& info : codelets_) {
      if (info.kind != PassKind::kWhole || info.compute != compute || info.body->radix != 16) continue;
      right_pass = info.run;
      info.run = compute == ComputeType::kF32 ? &wrong_pass<float> : compute == ComputeType::kF64 ? &wrong_pass<double> : &wrong_pass<ulpfft::DoubleDouble>;
    }
    table_.codelets = codelets_;
  }
  const CodeletTable& table() const { return table_; }

 private:
  std::vector<CodeletInfo> codelets_;
  CodeletTable table_;
};

// Two transforms, so that the plan runs the pass and not the bare body.
TEST(MeasureError, SeesOneWrongOutput) {
  for (const auto& [storage, compute] : {std::pair(std::string("f32"), ComputeType::kF32), std::pair(std::string("f64"), ComputeType::kF64)}) {
    const WrongTable wrong(compute);
    const auto plan = plan_of("16*2 " + storage, storage + ":n16", wrong.table());
    // One output of 32 is off by 1/128; the rms output is 4.
    const double expected = 0.0078125 / std::sqrt(32.0) / 4;
    for (const ErrorLevel level : {ErrorLevel::kSampled, ErrorLevel::kFull}) {
      EXPECT_NEAR(measure_error(*plan, level).relative_l2 / expected, 1.0, 0.02) << storage;
    }
  }
}

TEST(MeasureError, DoesNotTrustAReferenceThatDiffersFromTheDefinition) {
  for (const auto& [storage, compute] : {std::pair(std::string("f32"), ComputeType::kF64), std::pair(std::string("f64"), ComputeType::kDoubleDouble)}) {
    const WrongTable wrong(compute);
    // Two lengths: one alone would be the bare body.
    const auto plan = plan_of("2x16 " + storage, storage + ":rank(n2; n16)", ref_table());
    const double u = storage == "f32" ? 0x1p-24 : 0x1p-53;
    const ErrorMeasurement trusted = measure_error(*plan, ErrorLevel::kSampled);
    const ErrorMeasurement error = measure_error(*plan, ErrorLevel::kSampled, &wrong.table());
    EXPECT_LE(in_roundings(error.relative_l2, u, 32), 1.0) << storage;
    EXPECT_NEAR(error.relative_l2 / trusted.relative_l2, 1.0, 0.01) << storage;
    EXPECT_GE(error.outputs, 1 << 14) << storage;
  }
}

// A fault of the planner would be in the reference, too, if that were only the same recipe in more digits.
TEST(MeasureError, SeesAFaultThatPlanAndReferenceShare) {
  std::vector<CodeletInfo> codelets(ref_table().codelets.begin(), ref_table().codelets.end());
  for (CodeletInfo& info : codelets) {
    if (info.kind == PassKind::kWhole && info.body->radix == 16) info.run = [](const PassArgs&, const Buffers&, std::int64_t, std::int64_t) {};
  }
  CodeletTable table = ref_table();
  table.codelets = codelets;
  for (const std::string storage : {"f32", "f64"}) {
    const auto plan = plan_of("2x16 " + storage, storage + ":rank(n2; n16)", table);
    EXPECT_GT(measure_error(*plan, ErrorLevel::kSampled, &table).relative_l2, 0.5) << storage;
  }
}

TEST(MeasureError, KnowsConversionsAndEveryStrategy) {
  const double narrow = 0x1p-24, wide = 0x1p-53;
  for (const auto& [text, u, roundings] : std::vector<std::tuple<std::string, double, double>>{{"1000 f32->f64", wide, 1.0},
                                                                                             {"1009 f32", narrow, 2.0},
                                                                                             {"1009 f64", wide, 2.0},
                                                                                             {"62 f64 centered split", wide, 2.0},
                                                                                             {"30x34x2*3 f64 inverse inplace", wide, 2.0},
                                                                                             {"1000 f64 scheme=f32", narrow, 1.2}}) {
    const auto plan = estimated(text);
    const ErrorMeasurement error = measure_error(*plan, ErrorLevel::kFull);
    EXPECT_EQ(error.level, ErrorLevel::kFull) << text;
    EXPECT_GE(error.outputs, 1 << 14) << text;
    EXPECT_GE(in_roundings(error.relative_l2, u, 1000), 0.2) << text << " " << print_recipe(plan->recipe);
    EXPECT_LE(in_roundings(error.relative_l2, u, 1000), roundings) << text << " " << print_recipe(plan->recipe);
  }
  // One rounding at the output is all there is: 0.41 u rms for normal data, in f32.
  const ErrorMeasurement rounded = measure_error(*estimated("1000 f64->f32"), ErrorLevel::kSampled);
  EXPECT_NEAR(rounded.relative_l2 / narrow, 0.41, 0.02);
}

// ---- The caller's arrays ----------------------------------------------------------------------------------------------

// 1/sqrt(n) and 1/n as they are, not as a double.
DoubleDouble exact_scale(const Case& problem) {
  const DoubleDouble points(static_cast<double>(transform_points(problem)));
  const DoubleDouble rounded(scale_of(problem));
  switch (problem.scale_kind) {
    case ULPFFT_SCALE_ORTHO: return rounded + rounded * (DoubleDouble(1) - points * rounded * rounded) * DoubleDouble(0.5);
    case ULPFFT_SCALE_BY_N: return DoubleDouble(1) / points;
    default: return rounded;
  }
}

// S, T: reals of input and output.
template <typename S, typename T>
void check_assess(const Case& problem, std::uint64_t seed) {
  const std::string text = text_of(problem);
  const auto plan = estimated(text, seed % 2 == 0 ? best_table() : ref_table());
  const Footprint in_at = footprint_of(problem, false);
  const auto data = random_signal<S>(in_at.offsets.size(), seed);
  // Interleaved or split, with gaps that hold NaN.
  const S nan = std::numeric_limits<S>::quiet_NaN();
  std::vector<std::complex<S>> in(in_at.elements(), {nan, nan});
  std::vector<S> in_re(in.size(), nan), in_im(in.size(), nan);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto at = static_cast<std::size_t>(in_at.offsets[i] - in_at.first);
    in[at] = data[i];
    in_re[at] = data[i].real();
    in_im[at] = data[i].imag();
  }
  const auto before = in;
  const auto before_re = in_re, before_im = in_im;
  const void* re = problem.split ? static_cast<const void*>(in_re.data() - in_at.first) : in.data() - in_at.first;
  const void* im = problem.split ? static_cast<const void*>(in_im.data() - in_at.first) : nullptr;
  const ErrorMeasurement full = assess(*plan, re, im, ErrorLevel::kFull);
  const ErrorMeasurement sampled = assess(*plan, re, im, ErrorLevel::kSampled);
  EXPECT_FALSE(first_difference<std::complex<S>>(in, before)) << text;
  EXPECT_FALSE(first_difference<S>(in_re, before_re)) << text;
  EXPECT_FALSE(first_difference<S>(in_im, before_im)) << text;

  // The same plan executed here, compared with the oracle.
  const RunResult<T> result = run_case<S, T>(plan.get(), problem, data, {});
  ASSERT_EQ(result.trouble, "") << text;
  Case unscaled = problem;
  unscaled.scale_kind = ULPFFT_SCALE_NONE;
  const DoubleDouble scale = exact_scale(problem);
  const std::vector<ComplexDD> exact = exact_result(unscaled, widen(data));
  ErrorSum sum;
  for (std::size_t i = 0; i < exact.size(); ++i) sum.add(result.out[i], scale * exact[i]);
  EXPECT_EQ(full.level, ErrorLevel::kFull) << text;
  EXPECT_EQ(full.outputs, all_points(problem)) << text;
  // The reference is a thousand times better than what it judges.
  EXPECT_LE(std::abs(full.relative_l2 - sum.relative_l2()), 1e-3 * sum.relative_l2()) << text << " oracle " << sum.relative_l2() << " assess " << full.relative_l2;
  // All of these are small enough for every output of the transforms sampled.
  if (sampled.outputs == full.outputs) {
    EXPECT_EQ(sampled.relative_l2, full.relative_l2) << text;
  } else {
    EXPECT_GE(sampled.outputs, 1 << 14) << text;
  }
}

TEST(Assess, AgreesWithTheOracleInEveryLayoutAndOnlyReads) {
  Random random(20261120);
  const int cases = full_run() ? 400 : 60;
  for (int i = 0; i < cases; ++i) {
    const Case problem = random_case(random, 4096);
    with_storage(problem, [&]<typename S, typename T>() { check_assess<S, T>(problem, static_cast<std::uint64_t>(i)); });
    if (::testing::Test::HasFailure()) break;
  }
}

template <typename T>
ErrorMeasurement assess_values(const std::string& text, T value, ErrorLevel level = ErrorLevel::kFull) {
  const auto plan = estimated(text);
  auto data = random_signal<T>(static_cast<std::size_t>(ulpfft::transform_points(plan->problem)), 7);
  for (auto& x : data) x = {static_cast<T>(x.real() * value), static_cast<T>(x.imag() * value)};
  return assess(*plan, data.data(), nullptr, level);
}

TEST(Assess, MeasuresExtremeValuesWithoutOverflow) {
  EXPECT_LE(in_roundings(assess_values<double>("256 f64", 1e306 / 1024).relative_l2, 0x1p-53, 256), 1.0);
  EXPECT_LE(in_roundings(assess_values<double>("256 f64", 1e-280).relative_l2, 0x1p-53, 256), 1.0);
  EXPECT_LE(in_roundings(assess_values<float>("256 f32 scale=1e-20", 1e30F).relative_l2, 0x1p-24, 256), 1.5);
  EXPECT_LE(in_roundings(assess_values<double>("256 f64 scale=1e-200", 1e190).relative_l2, 0x1p-53, 256), 1.5);
  // The results leave the range of the format: no finite error describes that.
  EXPECT_EQ(assess_values<double>("256 f64", 1e307).relative_l2, std::numeric_limits<double>::infinity());
  EXPECT_EQ(assess_values<float>("256 f32", 1e38F).relative_l2, std::numeric_limits<double>::infinity());
}

TEST(Assess, CountsZerosAsExact) {
  for (const ErrorLevel level : {ErrorLevel::kSampled, ErrorLevel::kFull}) {
    const ErrorMeasurement error = assess_values<float>("96 f32", 0.0F, level);
    EXPECT_EQ(error.relative_l2, 0);
    EXPECT_EQ(error.relative_largest, 0);
  }
}

TEST(Assess, KeepsTheSumOfSquaresOfOutputsItDoesNotCompute) {
  // A constant: one output is not zero, and hardly ever among those sampled.
  const auto plan = estimated("131072 f64");
  std::vector<std::complex<double>> ones(131072, 1.0);
  const ErrorMeasurement error = assess(*plan, ones.data(), nullptr, ErrorLevel::kSampled);
  EXPECT_LE(error.relative_l2, 0x1p-50);
  EXPECT_LE(error.relative_largest, 0x1p-50);
}

// The reference of sampled errors of r2c: with a mean, half of the outputs do not have half of the sum of squares.
TEST(Assess, KnowsTheMeanSquareOfTheStoredHalfOfASpectrum) {
  for (const std::string text : {"r2c 12 f64", "r2c 15 f64", "r2c 1 f64", "r2c 2 f64", "r2c 5x6 f64 inverse", "r2c 4x3x7 f64",
                                 "c2r 12 f64", "5x6 f64"}) {
    const Problem problem = parse_problem(text);
    Random random(20261123);
    std::vector<double> x;
    std::vector<std::int64_t> lengths;
    for (const Dimension& dim : problem.dims) lengths.push_back(dim.length);
    for (std::int64_t i = 0; i < transform_points(problem); ++i) {
      x.push_back(10 + random.normal());
      x.push_back(problem.kind == Kind::kR2C ? 0 : random.normal());
    }
    if (problem.kind == Kind::kC2R) {  // a spectrum of real numbers
      for (std::int64_t i = 0; i < transform_points(problem); ++i) {
        const auto at = static_cast<std::size_t>(2 * i), mirrored = static_cast<std::size_t>(2 * mirrored_index(problem, i));
        x[mirrored] = x[at];
        x[mirrored + 1] = mirrored == at ? 0 : -x[at + 1];
        if (mirrored == at) x[at + 1] = 0;
      }
    }
    const DirectSums direct(lengths);
    Poll poll;
    double sum = 0;
    std::int64_t stored = 0;
    for (std::int64_t comb = 0; comb < direct.combs(); ++comb) {
      const std::vector<ulpfft::ComplexDD> sums = direct.run(x.data(), comb, poll);
      for (std::int64_t m = 0; m < direct.teeth(); ++m) {
        if (!is_stored(problem, true, direct.index(comb, m))) continue;
        const ulpfft::ComplexDD& value = sums[static_cast<std::size_t>(m)];
        sum += value.re.hi * value.re.hi + value.im.hi * value.im.hi;
        ++stored;
      }
    }
    EXPECT_NEAR(energy_of(problem, x) / (sum / static_cast<double>(stored)), 1.0, 1e-12) << text;
  }
}

// ---- The C interface ----------------------------------------------------------------------------------------------------

TEST(ErrorApi, RefusesWhatItCannotMeasure) {
  const ContextPtr context = make_context();
  const PlanPtr plan = make_plan(context.get(), "64 f32 split");
  auto report = sized<ulpfft_error_report>();
  auto in = sized<ulpfft_array>();
  std::vector<float> re(65, 1.0F), im(65, 1.0F);
  const auto expect = [&](ulpfft_status status, const std::string& field) {
    EXPECT_EQ(status, ULPFFT_INVALID_ARGUMENT) << field;
    EXPECT_EQ(last_error().field, field);
  };
  expect(ulpfft_plan_measure_error(nullptr, ULPFFT_ERROR_SAMPLED, &report), "plan");
  expect(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, nullptr), "report");
  expect(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_PREDICTED, &report), "level");
  expect(ulpfft_plan_assess(plan.get(), nullptr, ULPFFT_ERROR_FULL, &report), "in");
  expect(ulpfft_plan_assess(plan.get(), &in, ULPFFT_ERROR_FULL, &report), "in.data[0]");
  in.data[0] = re.data();
  expect(ulpfft_plan_assess(plan.get(), &in, ULPFFT_ERROR_FULL, &report), "in.data[1]");
  in.data[1] = reinterpret_cast<char*>(im.data()) + 1;
  expect(ulpfft_plan_assess(plan.get(), &in, ULPFFT_ERROR_FULL, &report), "in.data[1]");
  in.data[1] = im.data();
  expect(ulpfft_plan_assess(plan.get(), &in, 7, &report), "level");
  im[9] = std::numeric_limits<float>::infinity();
  expect(ulpfft_plan_assess(plan.get(), &in, ULPFFT_ERROR_FULL, &report), "in");
  im[9] = 1;
  EXPECT_EQ(ulpfft_plan_assess(plan.get(), &in, ULPFFT_ERROR_FULL, &report), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(report.outputs, 64);
  EXPECT_EQ(report.level, ULPFFT_ERROR_FULL);
  report.size = sizeof report - 1;
  expect(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, &report), "report.size");
}

}  // namespace
}  // namespace ulpfft::test
