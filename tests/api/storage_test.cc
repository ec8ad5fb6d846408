// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Narrow storage around wide arithmetic: errors, strides, exponents, what saturates, layouts, conversions, refusals. That a plan computes the
// wide plan between a decode and an encode is asked in stored_kinds_test.
#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/golden.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/plan_checks.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

TEST(Storage, ErrsAsTheGoldenTableSays) {
  const nlohmann::json table = golden("accuracy.json");
  const std::pair<const char*, const char*> rows[] = {
      {"binary16 store-io", "f16"},          {"bfloat16 store-io", "bf16"},           {"mx-e4m3 store-io fit", "mxfp8_e4m3:fit"},
      {"mx-e5m2 store-io fit", "mxfp8_e5m2:fit"}, {"mx-e2m3 store-io fit", "mxfp6_e2m3:fit"}, {"mx-e3m2 store-io fit", "mxfp6_e3m2:fit"},
      {"mx-e2m1 store-io fit", "mxfp4_e2m1:fit"}, {"mx-int8 store-io fit", "mxint8:fit"}};
  for (const auto& [row, storage] : rows) {
    for (std::size_t i = 0; i < table.at("n").size(); ++i) {
      const std::int64_t n = table.at("n")[i];
      const double golden = table.at("relative_l2").at(row)[i];
      const std::int64_t batch = std::max<std::int64_t>(2, 16384 / n);
      const std::string lengths = std::to_string(n) + "*" + std::to_string(batch);
      const std::vector<float> data = normal<float>(static_cast<std::size_t>(2 * n * batch), 1, 7);
      const PlanPtr plan = make_plan(default_target().context, lengths + " " + storage);
      const PlanPtr exact = make_plan(default_target().context, lengths + " f64");
      ASSERT_TRUE(plan != nullptr && exact != nullptr);
      Stored in(storage, batch, 2 * n), out(storage, batch, 2 * n);
      in.encode(data);
      std::int64_t saturated = -1;
      ASSERT_EQ(execute(plan, in, out, &saturated), ULPFFT_OK) << last_error_text();
      EXPECT_EQ(saturated, 0) << row;
      const std::vector<double> wide(data.begin(), data.end());
      std::vector<double> expected(wide.size());
      ASSERT_EQ(ulpfft_execute(exact.get(), wide.data(), expected.data()), ULPFFT_OK);
      EXPECT_NEAR(relative(out.decode<double>(), expected) / golden, 1, n < 1024 ? 0.30 : 0.15) << row << ", n = " << n;
    }
  }
}

// Rows apart, and in reverse: strides of other dimensions count rows, of codes and of scales.
TEST(Storage, OuterStridesOfBlocksCountRows) {
  for (const std::string storage : {"mxfp6_e3m2:b8", "mxint8", "e2m3"}) {
    const PlanPtr plan = make_plan(default_target().context, "3x20*5 " + storage);
    const PlanPtr apart = make_plan(default_target().context, "3x20*5 " + storage + " in_strides=10,1 out_strides=-2,1 batch_strides=2,7", recipe_of(plan.get()));
    ASSERT_TRUE(plan != nullptr && apart != nullptr);
    Stored in(storage, 15, 40), out(storage, 15, 40), wide_in(storage, 29, 40), wide_out(storage, 33, 40);
    in.encode(normal<float>(600, fitting_rms(storage), 3));
    const auto copy = [](const Stored& from, std::int64_t row, Stored& to, std::int64_t to_row) {
      std::copy_n(from.codes.begin() + row * from.layout.row_bytes, from.layout.row_bytes, to.codes.begin() + to_row * from.layout.row_bytes);
      std::copy_n(from.scales.begin() + row * from.layout.scale_row_bytes, from.layout.scale_row_bytes,
                  to.scales.begin() + to_row * from.layout.scale_row_bytes);
    };
    for (int b = 0; b < 5; ++b) {
      for (int d = 0; d < 3; ++d) copy(in, 3 * b + d, wide_in, 2 * b + 10 * d);
    }
    ASSERT_EQ(execute(plan, in, out), ULPFFT_OK);
    ulpfft_array from = wide_in.array(), to = wide_out.array();
    to.data[0] = wide_out.codes.data() + 4 * out.layout.row_bytes;
    if (to.scales[0] != nullptr) to.scales[0] = wide_out.scales.data() + 4 * out.layout.scale_row_bytes;
    Stored expected = wide_out;
    for (int b = 0; b < 5; ++b) {
      for (int d = 0; d < 3; ++d) copy(out, 3 * b + d, expected, 4 + 7 * b - 2 * d);
    }
    ASSERT_EQ(ulpfft_execute_arrays(apart.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
    EXPECT_EQ(wide_out.codes, expected.codes) << storage;
    EXPECT_EQ(wide_out.scales, expected.scales) << storage;
  }
}

// Element formats in any stride and split: the dense plan's codes, moved.
TEST(Storage, ElementsTakeAnyStrideAndLayout) {
  const PlanPtr plan = make_plan(default_target().context, "48*6 f16->i16 scale=100");
  const PlanPtr columns = make_plan(default_target().context, "48*6 f16->i16 scale=100 in_strides=6 out_strides=-6 batch_strides=1,1", recipe_of(plan.get()));
  const PlanPtr split = make_plan(default_target().context, "48*6 f16->i16 scale=100 split", recipe_of(plan.get()));
  ASSERT_TRUE(plan != nullptr && columns != nullptr && split != nullptr);
  Stored in("f16", 6, 96), out("i16", 6, 96);
  in.encode(normal<float>(576, 1, 5));
  ASSERT_EQ(execute(plan, in, out), ULPFFT_OK);
  std::vector<std::uint16_t> x(576), y(576), moved(576), result(576), re(288), im(288), out_re(288), out_im(288);
  std::memcpy(x.data(), in.codes.data(), in.codes.size());
  std::memcpy(y.data(), out.codes.data(), out.codes.size());
  for (std::size_t b = 0; b < 6; ++b) {
    for (std::size_t j = 0; j < 48; ++j) {
      for (std::size_t p = 0; p < 2; ++p) moved[2 * (6 * j + b) + p] = x[2 * (48 * b + j) + p];
      re[48 * b + j] = x[2 * (48 * b + j)];
      im[48 * b + j] = x[2 * (48 * b + j) + 1];
    }
  }
  ASSERT_EQ(ulpfft_execute(columns.get(), moved.data(), result.data() + 2 * 6 * 47), ULPFFT_OK) << last_error_text();
  auto from = sized<ulpfft_array>(), to = from;
  from.data[0] = re.data();
  from.data[1] = im.data();
  to.data[0] = out_re.data();
  to.data[1] = out_im.data();
  ASSERT_EQ(ulpfft_execute_arrays(split.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
  for (std::size_t b = 0; b < 6; ++b) {
    for (std::size_t j = 0; j < 48; ++j) {
      for (std::size_t p = 0; p < 2; ++p) ASSERT_EQ(result[2 * (6 * (47 - j) + b) + p], y[2 * (48 * b + j) + p]) << b << " " << j;
      ASSERT_EQ(out_re[48 * b + j], y[2 * (48 * b + j)]);
      ASSERT_EQ(out_im[48 * b + j], y[2 * (48 * b + j) + 1]);
    }
  }
}

TEST(Storage, NotANumberAndInfinityStayInTheirTransform) {
  for (const std::string storage : {"f16", "bf16", "e5m2", "mxfp8_e5m2"}) {
    for (const Target& target : targets()) {
      const PlanPtr plan = make_plan(target.context, "64*33 " + storage);
      ASSERT_NE(plan, nullptr);
      std::vector<float> data = normal<float>(64 * 33 * 2, 1, 9);
      Stored clean(storage, 33, 128), out(storage, 33, 128), spoilt_in(storage, 33, 128), spoilt(storage, 33, 128);
      clean.encode(data);
      data[128 * 4 + 3] = std::numeric_limits<float>::infinity();
      data[128 * 20 + 77] = std::numeric_limits<float>::quiet_NaN();
      spoilt_in.encode(data);
      ASSERT_EQ(execute(plan, clean, out), ULPFFT_OK);
      ASSERT_EQ(execute(plan, spoilt_in, spoilt), ULPFFT_OK);
      for (std::int64_t row = 0; row < 33; ++row) {
        if (row == 4 || row == 20) continue;
        const auto begin = out.codes.begin() + row * out.layout.row_bytes;
        ASSERT_TRUE(std::equal(begin, begin + out.layout.row_bytes, spoilt.codes.begin() + row * out.layout.row_bytes)) << target << storage << row;
      }
    }
  }
}

TEST(Storage, CountsWhatSaturatesAndNothingElse) {
  const PlanPtr plan = make_plan(default_target().context, "64*3 e4m3");
  ASSERT_NE(plan, nullptr);
  Stored in("e4m3", 3, 128), out("e4m3", 3, 128);
  std::vector<float> data(384, 0.0F);
  for (std::size_t j = 0; j < 64; ++j) data[2 * j] = 448;  // constant: one output of 64 * 448
  data[128] = 448;                                         // impulse: 64 outputs of 448
  for (std::size_t j = 0; j < 64; ++j) {                   // a tone of both parts: one complex output beyond
    const double angle = 2 * 3.14159265358979323846 * 5 * static_cast<double>(j) / 64 + 0.7853981633974483;
    data[256 + 2 * j] = static_cast<float>(16 * std::cos(angle));
    data[256 + 2 * j + 1] = static_cast<float>(16 * std::sin(angle));
  }
  in.encode(data);
  std::int64_t saturated = -1;
  ASSERT_EQ(execute(plan, in, out, &saturated), ULPFFT_OK);
  EXPECT_EQ(saturated, 1 + 0 + 2);
  const std::vector<float> result = out.decode<float>();
  for (const float x : result) EXPECT_TRUE(std::isfinite(x));
  EXPECT_EQ(result[0], 448);
  EXPECT_EQ(result[128 + 2 * 31], 448);
  // Numbers of very different size: finite, and large ones are right.
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = std::ldexp(i % 3 == 0 ? 1.0F : -1.0F, static_cast<int>(i % 16) - 9);
  in.encode(data);
  ASSERT_EQ(execute(plan, in, out, &saturated), ULPFFT_OK);
  for (const float x : out.decode<float>()) EXPECT_TRUE(std::isfinite(x));
}

TEST(Storage, ExponentsReplaceOverflow) {
  for (const std::string storage : {"f16", "e4m3", "e2m3", "int8q6"}) {
    for (const std::string options : {"", " inplace", " threads=2"}) {
      const std::string lengths = "256*40 ";
      const PlanPtr plan = make_plan(default_target().context, lengths + storage + options);
      const PlanPtr exact = make_plan(default_target().context, lengths + "f64");
      ASSERT_TRUE(plan != nullptr && exact != nullptr);
      std::vector<double> data = normal<double>(256 * 40 * 2, fitting_rms(storage), 4);
      Stored in(storage, 40, 512), result(storage, 40, 512);
      in.encode(data);
      std::vector<double> decoded = in.decode<double>(), expected(decoded.size());
      std::vector<std::int32_t> in_exponents(40), exponents(40, 99);
      for (std::size_t t = 0; t < 40; ++t) {
        in_exponents[t] = static_cast<std::int32_t>(t) * 5 - 100;
        for (std::size_t i = 0; i < 512; ++i) decoded[512 * t + i] = std::ldexp(decoded[512 * t + i], in_exponents[t]);
      }
      ASSERT_EQ(ulpfft_execute(exact.get(), decoded.data(), expected.data()), ULPFFT_OK);
      std::int64_t saturated = -1;
      Stored& out = options == " inplace" ? in : result;
      ASSERT_EQ(execute(plan, in, out, &saturated, in_exponents.data(), exponents.data()), ULPFFT_OK) << last_error_text();
      EXPECT_EQ(saturated, 0) << storage << options;
      const std::vector<double> codes = out.decode<double>();
      const double tolerance = storage == "f16" ? 4e-4 : 0.1;
      for (std::size_t t = 0; t < 40; ++t) {
        double error = 0, norm = 0;
        for (std::size_t i = 512 * t; i < 512 * (t + 1); ++i) {
          error += std::pow(std::ldexp(codes[i], exponents[t]) - expected[i], 2);
          norm += expected[i] * expected[i];
        }
        ASSERT_LE(std::sqrt(error / norm), tolerance) << storage << options << ", transform " << t;
      }
    }
  }
}

TEST(Storage, NamesAreSpelledOneWay) {
  for (const auto& [given, printed] : {std::pair{"64 mxfp8_e4m3:b32:rceil", "64 mxfp8_e4m3"}, std::pair{"64 mxfp8_e4m3->mxfp8_e4m3:b8:floor", "64 mxfp8_e4m3->mxfp8_e4m3:b8:floor"},
                                       std::pair{"64 mxint8:floor->f16", "64 mxint8:floor->f16"}, std::pair{"64*4 mxint8:b32 inplace", "64*4 mxint8 inplace"},
                                       std::pair{"64 f16 scheme=f32", "64 f16"}, std::pair{"64 f16 scheme=f64", "64 f16 scheme=f64"}, std::pair{"64 f16->f64 scheme=f64", "64 f16->f64"}}) {
    const PlanPtr plan = make_plan(default_target().context, given);
    ASSERT_NE(plan, nullptr);
    EXPECT_EQ(take(ulpfft_plan_problem(plan.get())), printed);
  }
}

TEST(Storage, SaysWhatIsWrongWithARequest) {
  expect_refused({
      {"64 f17", "", "mxfp8_e4m3", "storage_in"},
      {"64 f16->f17", "", "mxfp8_e4m3", "storage_out"},
      {"64 f16:b8", "", "Only block formats", "storage_in"},
      {"64 mxint8:b3", "", "2, 4, 8, 16, 32 or 64", "storage_in"},
      {"64 mxint8:up", "", ":rceil", "storage_in"},
      {"64 mxint8 in_strides=2", "", "stride 1", "in_strides[0]"},
      {"16x64*2 e2m3 out_strides=1,3", "", "stride 1", "out_strides[1]"},
      {"16x64*2 mxint8 batch_strides=16,15", "", "coincide", "batch_out_strides[0]"},
      {"64 f16->bf16 inplace", "", "one storage format", "storage_out"},
      {"64 f16 intermediate=f64", "", "narrow", "intermediate"},
      {"64 f16 intermediate=mxint8:b3", "", "2, 4, 8, 16, 32 or 64", "intermediate"},
      {"64 e8m0", "", "scales", "storage_in"},
      {"64 f16->e8m0", "", "scales", "storage_out"},
  });

  const PlanPtr blocks = make_plan(default_target().context, "64 mxint8");
  Stored in("mxint8", 1, 128), out("mxint8", 1, 128);
  in.encode(normal<float>(128, 1, 1));
  EXPECT_EQ(ulpfft_execute(blocks.get(), in.codes.data(), out.codes.data()), ULPFFT_INVALID_ARGUMENT);
  EXPECT_NE(last_error().message.find("ulpfft_execute_arrays"), std::string::npos);
  const auto refuses = [&](const char* field, auto change) {
    ulpfft_array from = in.array(), to = out.array();
    change(from, to);
    EXPECT_EQ(ulpfft_execute_arrays(blocks.get(), &from, &to, nullptr), ULPFFT_INVALID_ARGUMENT) << field;
    EXPECT_EQ(last_error().field, field);
  };
  refuses("in.scales[0]", [](ulpfft_array& from, ulpfft_array&) { from.scales[0] = nullptr; });
  refuses("out.scales[0]", [](ulpfft_array&, ulpfft_array& to) { to.scales[0] = nullptr; });
  refuses("in.scales[1]", [](ulpfft_array& from, ulpfft_array&) { from.scales[1] = from.scales[0]; });
  refuses("out.data[0]", [](ulpfft_array& from, ulpfft_array& to) { to.data[0] = from.data[0]; });
  refuses("out.scales[0]", [](ulpfft_array& from, ulpfft_array& to) { to.scales[0] = from.scales[0]; });
  refuses("out.scales[0]", [](ulpfft_array&, ulpfft_array& to) { to.scales[0] = to.data[0]; });
  refuses("out.data[0]", [](ulpfft_array&, ulpfft_array& to) { to.data[0] = nullptr; });
  const PlanPtr half = make_plan(default_target().context, "64 f16->f32");
  std::vector<std::uint16_t> codes(129);
  std::vector<float> floats(128);
  EXPECT_EQ(ulpfft_execute(half.get(), reinterpret_cast<char*>(codes.data()) + 1, floats.data()), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "in");
  std::int32_t exponent = 0;
  auto from = sized<ulpfft_array>(), to = from;
  from.data[0] = codes.data();
  to.data[0] = floats.data();
  to.exponents = &exponent;
  EXPECT_EQ(ulpfft_execute_arrays(half.get(), &from, &to, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "out.exponents");
}

TEST(Layout, CountsRowsCodesAndScales) {
  const auto expect = [](const char* storage, std::vector<std::int64_t> lengths, std::int64_t row, std::int64_t scales, std::int64_t rows) {
    auto layout = sized<ulpfft_layout>();
    ASSERT_EQ(ulpfft_format_layout(storage, static_cast<int>(lengths.size()), lengths.data(), &layout), ULPFFT_OK) << storage;
    EXPECT_EQ(layout.row_bytes, row) << storage;
    EXPECT_EQ(layout.scale_row_bytes, scales) << storage;
    EXPECT_EQ(layout.rows, rows) << storage;
    EXPECT_EQ(layout.data_bytes, row * rows) << storage;
    EXPECT_EQ(layout.scale_bytes, scales * rows) << storage;
  };
  expect("f16", {3, 10}, 20, 0, 3);
  expect("f64", {7}, 56, 0, 1);
  expect("e2m1", {2, 3, 5}, 3, 0, 6);
  expect("e3m2", {4, 6}, 5, 0, 4);
  expect("mxfp8_e4m3", {4, 70}, 70, 3, 4);
  expect("mxfp4_e2m1:b8", {4, 33}, 17, 5, 4);
  expect("mxint8:b0", {4, 33}, 33, 1, 4);
  auto layout = sized<ulpfft_layout>();
  const std::int64_t huge[2] = {std::int64_t{1} << 40, std::int64_t{1} << 40}, none[1] = {0};
  EXPECT_EQ(ulpfft_format_layout("f16", 2, huge, &layout), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_format_layout("f16", 1, none, &layout), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "lengths[0]");
  EXPECT_EQ(ulpfft_format_layout("f17", 1, huge, &layout), ULPFFT_UNKNOWN_NAME);
}

// Lengths beyond the rank are never read: they lie behind a guard page.
TEST(Layout, TakesEveryRankOfBatchAndTransformAndRefusesOthersUnread) {
  auto layout = sized<ulpfft_layout>();
  for (int rank = 1; rank <= 16; ++rank) {
    const std::size_t bytes = static_cast<std::size_t>(rank) * sizeof(std::int64_t);
    GuardedBuffer lengths(bytes, Flush::kEnd);
    for (int d = 0; d < rank; ++d) lengths.as<std::int64_t>()[d] = 2;
    ASSERT_EQ(ulpfft_format_layout("f16", rank, lengths.as<std::int64_t>(), &layout), ULPFFT_OK) << last_error_text();
    EXPECT_EQ(layout.data_bytes, std::int64_t{2} << rank);
  }
  GuardedBuffer one(sizeof(std::int64_t), Flush::kEnd);
  *one.as<std::int64_t>() = 2;
  for (const int rank : {INT_MIN, -1, 0, 17, 18, 64, 1 << 20, INT_MAX}) {
    EXPECT_EQ(ulpfft_format_layout("f16", rank, one.as<std::int64_t>(), &layout), ULPFFT_INVALID_ARGUMENT) << rank;
    EXPECT_EQ(last_error().field, "rank") << rank;
  }
}

TEST(Conversion, RoundsOnceSaturatesOrNotAndIsReproducible) {
  const double between = 1 + 0x1p-11 + 0x1p-40;  // f16: above a tie, which f32 would not see
  std::uint16_t code = 0;
  Stored half("f16", 1, 1);
  ulpfft_conversion job = half.conversion("f64");
  ASSERT_EQ(ulpfft_encode(nullptr, &job, &between, &code, nullptr, nullptr), ULPFFT_OK);
  EXPECT_EQ(code, 0x3c01);
  const double large = 1e6;
  std::int64_t saturated = 0;
  ASSERT_EQ(ulpfft_encode(nullptr, &job, &large, &code, nullptr, &saturated), ULPFFT_OK);
  EXPECT_EQ(code, 0x7bff);
  EXPECT_EQ(saturated, 1);
  job.rounding = ULPFFT_ROUND_NEAREST;
  ASSERT_EQ(ulpfft_encode(nullptr, &job, &large, &code, nullptr, nullptr), ULPFFT_OK);
  EXPECT_EQ(code, 0x7c00);

  const std::vector<float> third(4096, 1.0F / 3);
  Bytes whole(4096), parts(4096), other(4096);
  auto random = sized<ulpfft_conversion>();
  random.storage = "e4m3";
  random.rows = 1;
  random.reals = 4096;
  random.rounding = ULPFFT_ROUND_STOCHASTIC;
  random.seed = 5;
  ASSERT_EQ(ulpfft_encode(nullptr, &random, third.data(), whole.data(), nullptr, nullptr), ULPFFT_OK);
  random.rows = 2;
  random.reals = 1024;
  for (const std::uint64_t begin : {0, 2048}) {
    random.index = begin;
    ASSERT_EQ(ulpfft_encode(nullptr, &random, third.data() + begin, parts.data() + begin, nullptr, nullptr), ULPFFT_OK);
  }
  EXPECT_EQ(parts, whole);
  random.seed = 6;
  ASSERT_EQ(ulpfft_encode(nullptr, &random, third.data(), other.data(), nullptr, nullptr), ULPFFT_OK);
  EXPECT_NE(other, whole);

  random.code_row_bytes = 7;
  EXPECT_EQ(ulpfft_encode(nullptr, &random, third.data(), other.data(), nullptr, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "code_row_bytes");
  random.storage = "f32";
  EXPECT_EQ(ulpfft_encode(nullptr, &random, third.data(), other.data(), nullptr, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "storage");
}

}  // namespace
}  // namespace ulpfft::test
