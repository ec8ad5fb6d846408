// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The C++ interface: ranges are checked, errors are exceptions or values, objects move, one-call transforms work.
#include "ulpfft/ulpfft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <complex>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/api/thrown_error.h"

namespace {

using ulpfft::test::error_of;

using Complex = std::complex<float>;
using ulpfft::Status;

std::vector<Complex> impulse(std::size_t n) {
  std::vector<Complex> signal(n);
  signal[0] = 1.0F;
  return signal;
}

TEST(CppPlan, ExecutesOnAnyContiguousRange) {
  ulpfft::Context context;
  const ulpfft::Plan plan = context.plan({.lengths = 16});
  const std::vector<Complex> ones(16, 1.0F);
  const auto in = impulse(16);
  std::vector<Complex> vector(16);
  plan.execute(in, vector);
  EXPECT_EQ(vector, ones);
  std::array<Complex, 16> array{};
  plan.execute(std::span<const Complex>(in), array);
  EXPECT_TRUE(std::equal(array.begin(), array.end(), ones.begin()));
  std::vector<Complex> larger(40);
  plan.execute(in.data(), larger.data() + 3);
  EXPECT_TRUE(std::equal(ones.begin(), ones.end(), larger.begin() + 3));
  EXPECT_EQ(larger[19], Complex());
}

TEST(CppPlan, WorksInPlaceSplitAndWithAWorkspace) {
  ulpfft::Context context;
  const ulpfft::Plan in_place = context.plan({.lengths = 32, .placement = ulpfft::Placement::kInPlace});
  auto data = impulse(32);
  in_place.execute(data);
  EXPECT_EQ(data, std::vector<Complex>(32, 1.0F));

  const ulpfft::Plan split = context.plan({.lengths = 32, .storage = "f64", .layout = ulpfft::Layout::kSplit});
  std::vector<double> re(32), im(32), out_re(32), out_im(32);
  re[0] = 1;
  split.execute(re, im, out_re, out_im);
  EXPECT_EQ(out_re, std::vector<double>(32, 1.0));

  const ulpfft::Plan plan = context.plan({.lengths = 1000});
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> memory(plan.workspace_bytes() / sizeof(Line) + 1);
  std::vector<Complex> out(1000);
  plan.execute(impulse(1000), out, std::span(memory.data()->bytes, plan.workspace_bytes()));
  EXPECT_EQ(out, std::vector<Complex>(1000, 1.0F));
}

TEST(CppPlan, RefusesArraysThatDoNotFit) {
  ulpfft::Context context;
  const ulpfft::Plan plan = context.plan({.lengths = {4, 8}, .batch = 2});
  std::vector<Complex> enough(64), few(63);
  std::vector<std::complex<double>> other(64);
  EXPECT_EQ(error_of([&] { plan.execute(few, enough); }).field(), "in");
  EXPECT_EQ(error_of([&] { plan.execute(enough, few); }).field(), "out");
  EXPECT_EQ(error_of([&] { plan.execute(other, enough); }).field(), "in");
  EXPECT_EQ(error_of([&] { plan.execute(enough, enough); }).status(), Status::kInvalidArgument) << "overlap";
  std::vector<float> part(64);
  EXPECT_EQ(error_of([&] { plan.execute(part, part, part, part); }).status(), Status::kInvalidArgument) << "not split";
}

// Both sides have as many elements as their strides reach.
TEST(CppPlan, KnowsTheElementsOfRealSidesAndOfTheirSpectra) {
  struct Expected {
    const char* text;
    std::size_t in, out;
    bool in_real, out_real;
  };
  for (const auto& [text, in, out, in_real, out_real] : {
           Expected{"3x10*2 f32", 60, 60, false, false},
           {"r2c 3x10*2 f32", 60, 36, true, false},
           {"c2r 3x10*2 f32 split", 36, 60, false, true},
           {"r2c 9 f64", 9, 5, true, false},
           {"r2c 1 f32", 1, 1, true, false},
           {"r2r 3x10*2 f32 kinds=dct2,dst1", 60, 60, true, true},
           {"r2r 3x10 f64 kinds=dct2,dst1 inplace", 30, 30, true, true},
           {"r2c 3x10*2 f32 inplace", 72, 36, true, false},
           {"c2r 3x9*2 f32 inplace", 30, 60, false, true},
           {"r2c 10 f32 inplace", 12, 6, true, false},
           {"r2c 1 f32 inplace", 2, 1, true, false},
           {"r2c 3x10 f32 in_strides=20,2 out_strides=8,1", 59, 22, true, false},
           {"c2r 3x10 f32 inplace in_strides=8,1 out_strides=16,1", 22, 44, false, true},
           {"r2c 10*2 f32 batch_strides=-10,6", 10, 12, true, false},
           {"r2c 3x10*2 f32 chain=mul", 60, 60, true, true},
           {"r2c 3x9 f64 inplace split chain=user", 27, 27, true, true},
       }) {
    ulpfft::PlanOptions quick;
    quick.effort = ulpfft::Effort::kEstimate;
    const ulpfft::Plan plan = ulpfft::Context().parse(text, quick);
    EXPECT_EQ(plan.in_elements(), in) << text;
    EXPECT_EQ(plan.out_elements(), out) << text;
    EXPECT_EQ(plan.side(ULPFFT_SIDE_IN).element == ULPFFT_ELEMENT_REAL, in_real) << text;
    EXPECT_EQ(plan.side(ULPFFT_SIDE_OUT).element == ULPFFT_ELEMENT_REAL, out_real) << text;
  }
}

TEST(CppPlan, RefusesArraysOfTheOtherSort) {
  ulpfft::Context context;
  const ulpfft::Plan plan = context.plan({.lengths = 8}), split = context.plan({.lengths = 8, .layout = ulpfft::Layout::kSplit});
  std::vector<Complex> complex(8), out(8);
  std::vector<float> real(8);
  EXPECT_EQ(error_of([&] { plan.execute(real, out); }).field(), "in");
  EXPECT_EQ(error_of([&] { plan.execute(complex, real); }).field(), "out");
  EXPECT_EQ(error_of([&] { plan.execute(real.data(), out.data()); }).field(), "in");
  EXPECT_EQ(error_of([&] { plan.execute(complex.data(), real.data()); }).field(), "out");
  EXPECT_EQ(error_of([&] { plan.execute(real); }).field(), "in");
  EXPECT_EQ(error_of([&] { plan.execute(complex); }).field(), "out");
  EXPECT_EQ(error_of([&] { (void)plan.assess(real); }).field(), "in");
  EXPECT_EQ(error_of([&] { (void)plan.assess(real, real); }).field(), "in");
  EXPECT_EQ(error_of([&] { split.execute(real, out); }).field(), "out");
  EXPECT_EQ(error_of([&] { split.execute(complex, out); }).field(), "in");
  EXPECT_EQ(error_of([&] { split.execute(real); }).field(), "in");
  EXPECT_EQ(error_of([&] { (void)split.assess(complex); }).field(), "in");
}

TEST(CppPlan, TellsHowLongTheRowOfASpectrumIs) {
  ulpfft::Context context;
  const ulpfft::Plan r2c = context.plan({.kind = ulpfft::Kind::kR2C, .lengths = {4, 15}});
  const ulpfft::Plan c2r = context.plan({.kind = ulpfft::Kind::kC2R, .lengths = {4, 15}});
  std::vector<float> reals(60);
  std::vector<Complex> half(4 * 7);  // rows of n/2, which an odd length has not
  const std::string sentence = "has 28 elements; the plan needs 32. A row of this spectrum has n/2 + 1 = 8.";
  for (const ulpfft::Error& error : {error_of([&] { r2c.execute(reals, half); }), error_of([&] { c2r.execute(half, reals); })}) {
    EXPECT_NE(std::string(error.message()).find(sentence), std::string::npos) << error.message();
  }
  const ulpfft::Error reals_missing = error_of([&] { r2c.execute(std::span(reals).first(59), half); });
  EXPECT_EQ(reals_missing.field(), "in");
  EXPECT_EQ(std::string(reals_missing.message()).find("spectrum"), std::string::npos) << reals_missing.message();
}

TEST(CppContext, ThrowsOrReturnsTheErrorWithItsField) {
  ulpfft::Context context;
  EXPECT_EQ(error_of([&] { (void)context.plan({.lengths = {8, 0}}); }).field(), "lengths[1]");
  const ulpfft::Error error = error_of([&] { (void)context.parse("8 f99"); });
  EXPECT_EQ(error.status(), Status::kUnknownName);
  EXPECT_LT(error.text_begin(), error.text_end());
  EXPECT_EQ(error_of([&] { (void)context.plan({.lengths = 8, .in_strides = {1, 2}}); }).field(), "in_strides");
  const auto result = context.try_plan({.lengths = 8, .storage = "f99"});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().field(), "storage_in");
  EXPECT_TRUE(context.try_plan({.lengths = 8}).has_value());
  EXPECT_EQ(error_of([] { ulpfft::Context none({.target = "abacus"}); }).status(), Status::kUnknownName);
}

TEST(CppContext, CallsProgressAndCancels) {
  ulpfft::Context context;
  int calls = 0;
  const ulpfft::Plan plan = context.plan({.lengths = 4096}, {.progress = [&](double fraction, std::string_view) { return ++calls > 0 && fraction >= 0; }});
  EXPECT_GT(calls, 0);
  EXPECT_EQ(error_of([&] { (void)context.plan({.lengths = 8192}, {.progress = [](double, std::string_view) { return false; }}); }).status(),
            Status::kCancelled);
  EXPECT_THROW((void)context.plan({.lengths = 2048}, {.progress = [](double, std::string_view) -> bool { throw std::runtime_error("mine"); }}),
               std::runtime_error);
}

TEST(CppContext, SaysEverythingAProblemTextCan) {
  ulpfft::Context context;
  const ulpfft::PlanOptions quick{.effort = ulpfft::Effort::kEstimate};
  EXPECT_EQ(context.plan({.lengths = 64, .scheme = "rounded:f16", .prescale = ulpfft::Prescale::kAmax}, quick).problem(), "64 f32 scheme=rounded:f16 prescale=amax");
  EXPECT_EQ(context.plan({.lengths = 64, .prescale = ulpfft::Prescale::target(16)}, quick).problem(), "64 f32 prescale=16");
  EXPECT_EQ(context.plan({.lengths = {64, 64}, .intermediate = "f16"}, quick).problem(), "64x64 f32 intermediate=f16");
  EXPECT_EQ(error_of([&] { (void)context.plan({.lengths = 64, .prescale = ulpfft::Prescale::target(-1)}); }).field(), "prescale_target");
}

TEST(CppContext, TellsAboutPlansAndWisdom) {
  ulpfft::Context context;
  const ulpfft::Plan plan = context.plan({.lengths = {12, 20}, .batch = 3, .direction = ulpfft::Direction::kInverse, .scale = ulpfft::Scale::kOrtho, .centered = true});
  EXPECT_EQ(plan.problem(), "12x20*3 f32 inverse centered scale=ortho");
  EXPECT_EQ(plan.in_elements(), 720U);
  EXPECT_NE(plan.describe().find(plan.recipe()), std::string::npos);
  EXPECT_TRUE(plan.explain().starts_with("after expand\n")) << plan.explain();
  EXPECT_GT(plan.error(), 0.0);
  EXPECT_GT(plan.seconds(), 0.0);
  EXPECT_FALSE(plan.candidates().empty());
  ASSERT_EQ(context.wisdom().size(), 1U);
  EXPECT_TRUE(context.wisdom()[0].usable);

  ulpfft::Context other;
  EXPECT_EQ(other.import_wisdom_text(context.export_wisdom_text()).accepted, 1U);
  const ulpfft::Plan again = other.parse(plan.problem());
  EXPECT_TRUE(again.from_wisdom());
  EXPECT_EQ(again.recipe(), plan.recipe());
  EXPECT_EQ(again.hash(), plan.hash());
  EXPECT_EQ(other.from_recipe(plan.problem(), plan.recipe()).hash(), plan.hash());
  EXPECT_THROW((void)other.import_wisdom_text("not wisdom"), ulpfft::Error);
  other.forget_wisdom();
  EXPECT_TRUE(other.wisdom().empty());
}

TEST(CppObjects, MoveAndDoNotCopy) {
  static_assert(!std::is_copy_constructible_v<ulpfft::Plan> && std::is_nothrow_move_constructible_v<ulpfft::Context>);
  ulpfft::Context context;
  ulpfft::Plan plan = context.plan({.lengths = 8});
  const ulpfft::Plan moved = std::move(plan);
  ulpfft::Context elsewhere = std::move(context);
  std::vector<Complex> out(8);
  moved.execute(impulse(8), out);
  EXPECT_EQ(out, std::vector<Complex>(8, 1.0F));
  EXPECT_EQ(error_of([&] { (void)context.plan({.lengths = 8}); }).field(), "context");  // NOLINT: what is tested is the moved-from object
}

TEST(CppContext, TellsMemoryBeforeItIsTakenAndKeepsToALimit) {
  ulpfft::Context context;
  const ulpfft::Memory predicted = context.predict_memory({.lengths = 100000, .storage = "f64"});
  EXPECT_EQ(predicted.in, 1600000U);
  EXPECT_EQ(predicted.out, 1600000U);
  EXPECT_EQ(context.predict_memory("100000 f64").tables, predicted.tables);
  EXPECT_GT(context.predict_memory("1099511627776 f32").workspace, predicted.process);
  const ulpfft::Plan plan = context.plan({.lengths = 100000, .storage = "f64"}, {.effort = ulpfft::Effort::kEstimate});
  EXPECT_EQ(plan.memory().tables, predicted.tables);
  EXPECT_EQ(plan.memory().workspace, plan.workspace_bytes());
  EXPECT_EQ(error_of([&] { (void)context.plan({.lengths = 100000, .storage = "f64"}, {.max_memory = 1000}); }).field(), "max_memory");
  ulpfft::Context small({.max_memory = 1000});
  EXPECT_EQ(error_of([&] { (void)small.parse("100000 f64"); }).status(), ulpfft::Status::kNoMemory);
}

TEST(CppContext, PlansWithinAnErrorLimitAndMeasuresErrors) {
  ulpfft::Context context;
  const ulpfft::Plan plan = context.plan({.lengths = 1000, .storage = "f64", .max_error = 1e-6, .threads = 2}, {.time_limit_seconds = 0.05});
  EXPECT_LE(plan.error(), 1e-6);
  EXPECT_EQ(plan.error_level(), ulpfft::ErrorLevel::kSampled);
  EXPECT_GE(plan.threads(), 1);
  EXPECT_GT(plan.planning_seconds(), 0);
  for (const ulpfft::Candidate& candidate : plan.candidates()) {
    EXPECT_NE(candidate.kind, "") << candidate.recipe;
    EXPECT_GT(candidate.error, 0) << candidate.recipe;
  }
  const ulpfft::ErrorReport sampled = plan.measure_error();
  EXPECT_LE(sampled.relative_l2, 1e-6);
  EXPECT_GT(sampled.outputs, 0);
  const std::vector<std::complex<double>> input(plan.in_elements(), {1.0, -0.5});
  const ulpfft::ErrorReport own = plan.assess(input, ulpfft::ErrorLevel::kFull);
  EXPECT_EQ(own.level, ulpfft::ErrorLevel::kFull);
  EXPECT_LE(own.relative_l2, 1e-6);
  EXPECT_EQ(error_of([&] { (void)context.plan({.lengths = 1000, .storage = "f64", .max_error = 1e-19}); }).field(), "max_error");
}

TEST(CppContext, PlansDeterministicallyAndFromWisdomOnly) {
  ulpfft::Context context;
  const ulpfft::Plan plan = context.plan({.lengths = 720}, {.deterministic = true});
  EXPECT_EQ(plan.seconds(), 0);
  EXPECT_TRUE(context.wisdom().empty());
  EXPECT_EQ(error_of([&] { (void)context.plan({.lengths = 720}, {.effort = ulpfft::Effort::kWisdomOnly}); }).status(), ulpfft::Status::kUnavailable);
  (void)context.plan({.lengths = 720}, {.effort = ulpfft::Effort::kPatient, .time_limit_seconds = 0.02});
  EXPECT_TRUE(context.plan({.lengths = 720}, {.effort = ulpfft::Effort::kWisdomOnly}).from_wisdom());
  EXPECT_EQ(context.wisdom().at(0).effort, "patient");
  EXPECT_EQ(context.wisdom().at(0).threads, 1);
  EXPECT_EQ(context.wisdom().at(0).error_level, "predicted");
  EXPECT_FALSE(context.is_calibrated());
}

TEST(CppOneCall, TransformsBackAndForthInManyThreads) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([thread] {
      for (std::size_t n = 1; n <= 60; ++n) {
        std::vector<std::complex<double>> data(n), spectrum(n), back(n);
        for (std::size_t i = 0; i < n; ++i) data[i] = {static_cast<double>(i % 7), static_cast<double>(thread)};
        ulpfft::fft(data, spectrum);
        ulpfft::ifft(spectrum, back);
        for (std::size_t i = 0; i < n; ++i) EXPECT_LT(std::abs(back[i] - data[i]), 1e-13 * static_cast<double>(n)) << "n=" << n;
        std::vector<std::complex<double>> in_place = data;
        ulpfft::fft(in_place, in_place);
        EXPECT_LT(std::abs(in_place[0] - spectrum[0]), 1e-12);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<Complex> four(4), five(5);
  EXPECT_EQ(error_of([&] { ulpfft::fft(four, five); }).field(), "out");
  std::vector<Complex> none;
  EXPECT_THROW(ulpfft::fft(none, none), ulpfft::Error);
}

TEST(CppCapabilities, ListTargetsCodeletsAndFormats) {
  ASSERT_FALSE(ulpfft::targets().empty());
  EXPECT_EQ(ulpfft::codelets(0).size(), ulpfft::targets()[0].codelets);
  EXPECT_GE(ulpfft::formats().size(), 2U);
  EXPECT_EQ(ulpfft::version(), ulpfft_version());
}

TEST(CppInterface, NarrowArraysGoThroughAPlan) {
  ulpfft::Context context;
  const ulpfft::Plan plan = context.parse("64*4 mxfp8_e4m3");
  ulpfft::NarrowArray in("mxfp8_e4m3", 4, 128), out("mxfp8_e4m3", 4, 128);
  std::vector<float> data(512, 0.0F), back(512);
  for (std::size_t t = 0; t < 4; ++t) data[128 * t] = 3;  // impulses
  EXPECT_EQ(in.encode<float>(data), 0);
  EXPECT_EQ(plan.execute(in.array(), out.array()), 0);
  out.decode<float>(back);
  for (std::size_t i = 0; i < 512; ++i) ASSERT_EQ(back[i], i % 2 == 0 ? 3.0F : 0.0F) << i;
  EXPECT_EQ(out.scales().size(), 16U);
  EXPECT_THROW(in.encode<float>(std::span<const float>(data).first(5)), ulpfft::Error);
  EXPECT_THROW(ulpfft::NarrowArray("f17", 1, 2), ulpfft::Error);
}

TEST(CppInterface, ChainsMultiplySpectraOrCallAFunction) {
  ulpfft::Context context;
  std::vector<Complex> in = impulse(60), out(60), delay(60);
  for (std::size_t k = 0; k < 60; ++k) delay[k] = static_cast<Complex>(std::polar(1.0, -6.283185307179586 * 7 * static_cast<double>(k) / 60));
  const ulpfft::Plan product = context.plan({.lengths = {60}, .scale = ulpfft::Scale::kByN, .chain = "mul"});
  product.execute_chain(in, out, delay);
  for (std::size_t j = 0; j < 60; ++j) EXPECT_LT(std::abs(out[j] - (j == 7 ? 1.0F : 0.0F)), 1e-6F) << j;
  EXPECT_EQ(error_of([&] { product.execute_chain(in, out, std::span(delay).first(59)); }).field(), "factors");
  EXPECT_EQ(error_of([&] { product.execute_chain(in, out, std::vector<std::complex<double>>(60)); }).field(), "factors");
  EXPECT_EQ(error_of([&] { product.execute(in, out); }).field(), "plan");

  const ulpfft::Plan user = context.plan({.lengths = {60}, .scale = ulpfft::Scale::kByN, .chain = "user"});
  const auto twice = [](const ulpfft_tile& tile) {
    auto* const values = static_cast<Complex*>(tile.values);
    for (std::int64_t r = 0; r < tile.rows; ++r) {
      for (std::int64_t c = 0; c < tile.columns; ++c) values[r * tile.row_stride + c] *= 2.0F;
    }
  };
  user.execute_chain(in, out, twice);
  EXPECT_LT(std::abs(out[0] - 2.0F), 1e-6F);
  EXPECT_THROW(user.execute_chain(in, out, [](const ulpfft_tile&) { throw std::runtime_error("no"); }), std::runtime_error);
}

TEST(CppInterface, RunsChainsOfRealNumbers) {
  ulpfft::Context context;
  std::vector<float> in(60, 0.0F), out(60);
  in[0] = 1.0F;
  std::vector<Complex> delay(31);
  for (std::size_t k = 0; k < delay.size(); ++k) {
    delay[k] = static_cast<Complex>(std::polar(1.0, -6.283185307179586 * 7 * static_cast<double>(k) / 60));
  }
  for (const auto placement : {ulpfft::Placement::kOutOfPlace, ulpfft::Placement::kInPlace}) {
    const ulpfft::Plan product = context.plan(
        {.kind = ulpfft::Kind::kR2C, .lengths = {60}, .scale = ulpfft::Scale::kByN, .placement = placement, .chain = "mul"});
    std::vector<float>& to = placement == ulpfft::Placement::kInPlace ? in : out;
    product.execute_chain(in, to, delay);
    for (std::size_t j = 0; j < 60; ++j) EXPECT_NEAR(to[j], j == 7 ? 1.0F : 0.0F, 1e-6F) << j;
    EXPECT_EQ(error_of([&] { product.execute_chain(in, to, std::span(delay).first(30)); }).field(), "factors");
    EXPECT_EQ(error_of([&] { product.execute_chain(std::span(in).first(59), to, delay); }).field(), "in");
    EXPECT_EQ(error_of([&] { product.execute_chain(delay, to, delay); }).field(), "in");
  }
  const ulpfft::Plan user = context.plan({.kind = ulpfft::Kind::kR2C, .lengths = {4, 15}, .chain = "user"});
  std::atomic<std::int64_t> points = 0;
  user.execute_chain(std::vector<float>(60), out, [&](const ulpfft_tile& tile) { points += tile.rows * tile.columns; });
  EXPECT_EQ(points, 4 * 8);
}

}  // namespace
