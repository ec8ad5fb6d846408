// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Narrow storage between the passes of a plan: one meaning on every target, errors as the golden table and the prediction say.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/golden.h"
#include "tests/support/plan_checks.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

// Stored in `format` after every `stages` radix-2 stages: f32:dit(16|f16 16| 4).
std::string stored_every(const std::string& format, int stages, std::int64_t n) {
  std::string text = "f32:dit(";
  bool named = false;
  while (n > 1) {
    const std::int64_t radix = std::min<std::int64_t>(std::int64_t{1} << stages, n);
    n /= radix;
    text += std::to_string(radix) + (n == 1 ? ")" : named ? "| " : "|" + format + " ");
    named = true;
  }
  return text;
}

class GoldenFormat : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(GoldenFormat, ErrsAsTheGoldenTableSaysAndAsPredicted) {
  const auto& [row, storage] = GetParam();
  const nlohmann::json table = golden("accuracy.json");
  const std::string name = row;
  const bool block = name.substr(0, 2) == "mx";
  for (const auto& [rule, stages] : {std::pair{block ? " store/4 fit" : " store/4 stages", 4}, std::pair{block ? " store-stage fit" : " store-stage", 1}}) {
    for (std::size_t i = 0; i < table.at("n").size(); ++i) {
      const std::int64_t n = table.at("n")[i];
      const double golden = table.at("relative_l2").at(name + rule)[i];
      const std::int64_t batch = std::max<std::int64_t>(2, 16384 / n);
      const std::string lengths = std::to_string(n) + "*" + std::to_string(batch);
      const std::vector<float> data = normal<float>(static_cast<std::size_t>(2 * n * batch), 1, 7);
      const std::string recipe = stored_every(storage, stages, n);
      const PlanPtr plan = make_plan(default_target().context, lengths + " " + storage, recipe);
      const PlanPtr exact = make_plan(default_target().context, lengths + " f64");
      ASSERT_TRUE(plan != nullptr && exact != nullptr);
      Stored in(storage, batch, 2 * n), out(storage, batch, 2 * n);
      in.encode(data);
      ASSERT_EQ(execute(plan, in, out), ULPFFT_OK) << last_error_text();
      const std::vector<double> wide(data.begin(), data.end());
      std::vector<double> expected(wide.size());
      ASSERT_EQ(ulpfft_execute(exact.get(), wide.data(), expected.data()), ULPFFT_OK);
      EXPECT_NEAR(relative(out.decode<double>(), expected) / golden, 1, n < 1024 ? 0.30 : 0.15) << name << rule << ", n = " << n;
      // The prediction is of the values the input encodes.
      const double measured = measured_error(plan.get());
      EXPECT_LE(measured, 1.5 * ulpfft_plan_error(plan.get())) << recipe;
      EXPECT_GE(measured, ulpfft_plan_error(plan.get()) / 1.5) << recipe;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, GoldenFormat,
                         testing::Values(std::pair{"binary16", "f16"}, std::pair{"bfloat16", "bf16"}, std::pair{"mx-e4m3", "mxfp8_e4m3:fit"},
                                         std::pair{"mx-e5m2", "mxfp8_e5m2:fit"}, std::pair{"mx-e2m3", "mxfp6_e2m3:fit"},
                                         std::pair{"mx-e3m2", "mxfp6_e3m2:fit"}, std::pair{"mx-e2m1", "mxfp4_e2m1:fit"},
                                         std::pair{"mx-int8", "mxint8:fit"}),
                         [](const auto& row) {
                           std::string name = row.param.first;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

// What a recipe gives does not depend on vectors, rows that are no whole ones, loops, threads or placement.
TEST(Intermediate, HasOneHashOnEveryTargetWithFma) {
  const std::pair<const char*, const char*> cases[] = {
      {"256", "dit(16|F 16)"},           {"240*3", "dit(15|F 4| 4)"},          {"96*5", "dit(2|F 3 16)"},
      {"4096", "dit(16|F 16| / 16)"},    {"1024 centered", "dit(8|F 8| 16)"},  {"256*70", "cols(p16; dit(16|F 4| 4))"},
      {"48x64 inverse", "rank(cols(p32; dit(4|F 4| 3)); dit(16|F 4))"},           {"1000 scale=1/n", "dit(10|F 5| 5 4)"}};
  for (const std::string format : {"f16", "e4m3", "mxfp8_e4m3", "mxfp6_e3m2:b8", "mxint8:b2", "i16"}) {
    for (const auto& [lengths, node] : cases) {
      std::string words = lengths, options;
      if (const std::size_t at = words.find(' '); at != std::string::npos) {
        options = words.substr(at);
        words.resize(at);
      }
      std::string recipe = std::string("f32:") + node;
      recipe.replace(recipe.find("|F") + 1, 1, format);
      if (const std::size_t at = recipe.find("|F"); at != std::string::npos) recipe.replace(at + 1, 1, format);
      for (const std::string storage : {" f32", " f16"}) {
        std::uint64_t hash = 0;
        for (const Target& target : targets()) {
          if (!target.has_fma) continue;
          for (const std::string more : {"", " inplace", " threads=2"}) {
            const PlanPtr plan = make_plan(target.context, words + storage + options + more, recipe);
            ASSERT_NE(plan, nullptr);
            if (hash == 0) hash = hash_of(plan.get());
            EXPECT_EQ(hash_of(plan.get()), hash) << target << ", " << words << storage << options << more << " by " << recipe;
          }
        }
      }
    }
  }
}

// Between the sweeps of one length of r2c and c2r, which transform pairs of reals, or of a complex length of theirs.
TEST(Intermediate, OfRealNumbersHasOneHashAndErrsAsPredicted) {
  const std::pair<const char*, const char*> cases[] = {
      {"r2c 8192*3", "real(8192; four(64x64 p16 |F; dit(8 8); dit(16 4)))"},
      {"c2r 8192*3", "real(8192; four(64x64 p16 |F; dit(8 8); dit(16 4)))"},
      {"r2c 225*9", "real(225; four(15x15 p16 |F; n15; n15))"},
      {"r2c 6x8192", "rank(n6; real(8192; four(64x64 p16 |F; dit(8 8); dit(16 4))))"},
      {"c2r 256x60", "rank(four(16x16 p32 |F; n16; n16); real(60; dit(6 5)))"},
      {"r2c 256x60", "rank(four(16x16 p32 |F; n16; n16); real(60; dit(6 5)))"}};
  for (const std::string format : {"f16", "e4m3", "mxfp8_e4m3", "mxint8:b2", "i16"}) {
    for (const auto& [lengths, node] : cases) {
      std::string recipe = std::string("f32:") + node;
      recipe.replace(recipe.find("|F") + 1, 1, format);
      for (const std::string options : {" f32 scale=ortho", " f32 scale=1/n inverse", " f16 scale=1/n", " i16->f32 scale=ortho"}) {
        std::uint64_t hash = 0;
        for (const Target& target : targets()) {
          if (!target.has_fma) continue;
          for (const std::string more : {"", " threads=2"}) {
            const PlanPtr plan = make_plan(target.context, lengths + options + more, recipe);
            ASSERT_NE(plan, nullptr);
            if (hash == 0) hash = hash_of(plan.get());
            EXPECT_EQ(hash_of(plan.get()), hash) << target << ", " << lengths << options << more << " by " << recipe;
          }
        }
        const PlanPtr plan = make_plan(default_target().context, lengths + options, recipe);
        const double measured = measured_error(plan.get());
        EXPECT_LE(measured, 1.5 * ulpfft_plan_error(plan.get())) << lengths << options << " by " << recipe;
        EXPECT_GE(measured, ulpfft_plan_error(plan.get()) / 1.5) << lengths << options << " by " << recipe;
      }
    }
  }
  EXPECT_EQ(try_plan(default_target().context, "r2c 64x64 f32", "f32:rank(|f16; cols(p16; dit(8 8)); real(64; dit(8 4)))"), nullptr);
  EXPECT_NE(last_error().message.find("between two dimensions of complex numbers"), std::string::npos) << last_error_text();
}

// Of 256 points as 16 times 16, only two rows of the first pass hold anything. `rows_of_a_block`: 1 (32 reals) or 2.
void expect_blocks_of_neighbours(const std::string& format, std::int64_t rows_of_a_block) {
  constexpr std::int64_t kRow = 16;
  std::vector<float> data(2 * 256, 0.0F);
  std::vector<float> rows[2];
  const std::int64_t columns[2] = {4, 5};
  const PlanPtr short_plan = make_plan(default_target().context, "16 f32", "f32:n16");
  for (int i = 0; i < 2; ++i) {
    const std::vector<float> values = normal<float>(2 * kRow, i == 0 ? 1 : 100, static_cast<std::uint64_t>(i));
    for (std::size_t j = 0; j < kRow; ++j) {
      for (std::size_t part = 0; part < 2; ++part) data[2 * (static_cast<std::size_t>(columns[i]) + kRow * j) + part] = values[2 * j + part];
    }
    rows[i].resize(values.size());
    ASSERT_EQ(ulpfft_execute(short_plan.get(), values.data(), rows[i].data()), ULPFFT_OK);
  }
  std::vector<float> both(rows[0]);
  both.insert(both.end(), rows[1].begin(), rows[1].end());
  Stored stored(format, 2 / rows_of_a_block, 32 * rows_of_a_block);
  stored.encode(both);
  const std::vector<double> rounded = stored.decode<double>();
  for (const Target& target : targets()) {
    const PlanPtr plan = make_plan(target.context, "256 f32", "f32:dit(16|" + format + " 16)");
    ASSERT_NE(plan, nullptr);
    std::vector<float> out(data.size());
    ASSERT_EQ(ulpfft_execute(plan.get(), data.data(), out.data()), ULPFFT_OK);
    for (std::int64_t k = 0; k < 256; ++k) {
      std::complex<double> expected = 0;
      for (std::size_t i = 0; i < 2; ++i) {
        const std::size_t at = 32 * i + 2 * static_cast<std::size_t>(k % kRow);
        expected += std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k * columns[i]) / 256) * std::complex<double>(rounded[at], rounded[at + 1]);
      }
      EXPECT_NEAR(out[static_cast<std::size_t>(2 * k)], expected.real(), 1e-3) << target << format << k;
      EXPECT_NEAR(out[static_cast<std::size_t>(2 * k + 1)], expected.imag(), 1e-3) << target << format << k;
    }
  }
}

TEST(Intermediate, BlocksHoldNeighboursOfAPassesResult) {
  expect_blocks_of_neighbours("mxfp8_e4m3", 1);
  expect_blocks_of_neighbours("mxint8:b64", 2);
  expect_blocks_of_neighbours("f16", 1);
}

// Numbers of 2^12 and 2^16 points leave the range of f16 unless the scale is applied on the way.
TEST(Intermediate, PowersOfTwoOfTheScaleGoToThePasses) {
  const std::size_t n = 65536;
  std::vector<float> data = normal<float>(2 * n, 3000, 11);
  const std::vector<double> wide(data.begin(), data.end());
  for (const std::string options : {" scale=1/n", " scale=ortho", " inverse scale=0.00001", " scale=-0.003"}) {
    const PlanPtr plan = make_plan(default_target().context, "65536 f32" + options, "f32:dit(16|f16 16| 16| 16)");
    const PlanPtr exact = make_plan(default_target().context, "65536 f64" + options);
    ASSERT_TRUE(plan != nullptr && exact != nullptr);
    std::vector<float> out(data.size());
    std::vector<double> expected(data.size());
    ASSERT_EQ(ulpfft_execute(plan.get(), data.data(), out.data()), ULPFFT_OK);
    ASSERT_EQ(ulpfft_execute(exact.get(), wide.data(), expected.data()), ULPFFT_OK);
    const double error = relative(std::vector<double>(out.begin(), out.end()), expected);
    EXPECT_LT(error, 5e-4) << options;
    EXPECT_GT(error, 1e-4) << options;
  }
}

TEST(Intermediate, SaturationBetweenPassesIsCounted) {
  // A constant of 200: sums of 16 points are 3200, of 256 points 51200, of 4096 points 819200; all others 0.
  std::vector<float> data(2 * 4096, 0.0F), out(data.size());
  for (std::size_t i = 0; i < data.size(); i += 2) data[i] = 200;
  const auto count = [&](const std::string& problem, const std::string& recipe) {
    const PlanPtr plan = make_plan(default_target().context, problem, recipe);
    auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
    std::int64_t saturated = -1;
    from.data[0] = data.data();
    to.data[0] = out.data();
    to.saturated = &saturated;
    EXPECT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
    return saturated;
  };
  EXPECT_EQ(count("4096 f32", "f32:dit(16|f16 16| 16)"), 0);
  EXPECT_EQ(count("4096 f32", "f32:dit(16|e4m3 16|f16 16)"), 256);  // one output of each of 256 rows
  EXPECT_EQ(count("4096 f32", "f32:dit(16|f16 16|e4m3 16)"), 16);
  EXPECT_EQ(count("4096 f32 scale=1/n", "f32:dit(16|e4m3 16| 16)"), 0);
  EXPECT_EQ(count("4096 f32", "f32:four(64x64 p16 |e4m3; dit(8 8); dit(8 8))"), 64);
  EXPECT_EQ(count("64*64 f32 in_strides=64 out_strides=64 batch_strides=1,1", "f32:cols(p10; dit(8|e4m3 8))"), 8 * 64);
  EXPECT_EQ(count("64x64 f32", "f32:rank(|e4m3; cols(p16; dit(8 8)); dit(8 8))"), 64);
  EXPECT_EQ(out[0], 448 * 64);
}

// The counts of an execution, {saturated, underflowed}.
std::pair<std::int64_t, std::int64_t> counts_of(const PlanPtr& plan, std::vector<float>& data, std::int32_t* exponents = nullptr) {
  Stored out(take(ulpfft_plan_problem(plan.get())).find("->f16") != std::string::npos ? "f16" : "f32", 1, static_cast<std::int64_t>(data.size()));
  auto from = sized<ulpfft_array>();
  ulpfft_array to = out.array();
  std::int64_t saturated = -1, underflowed = -1;
  from.data[0] = data.data();
  to.exponents = exponents;
  to.saturated = &saturated;
  to.underflowed = &underflowed;
  EXPECT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
  return {saturated, underflowed};
}

TEST(Intermediate, UnderflowBetweenPassesIsCounted) {
  // Sums of 16 points are 1.6e-8, of 256 points 2.6e-7; half of the smallest f16 is 3.0e-8.
  std::vector<float> data(2 * 4096, 0.0F);
  for (std::size_t i = 0; i < data.size(); i += 2) data[i] = 1e-9F;
  const auto count = [&](const std::string& problem, const std::string& recipe) { return counts_of(make_plan(default_target().context, problem, recipe), data).second; };
  EXPECT_EQ(count("4096 f32", "f32:dit(16 16 16)"), 0);
  EXPECT_EQ(count("4096 f32", "f32:dit(16|f16 16| 16)"), 256);  // one output of each of 256 rows
  EXPECT_EQ(count("4096 f32", "f32:dit(16 16|f16 16)"), 0);
  EXPECT_EQ(count("4096 f32", "f32:dit(16 16|e4m3 16)"), 16);
  EXPECT_EQ(count("4096 f32 scale=1000", "f32:dit(16|f16 16 16)"), 0);
  EXPECT_EQ(count("4096 f32", "f32:dit(16|mxfp8_e4m3 16| 16)"), 0);  // scales follow the data
  EXPECT_EQ(count("4096 f32 prescale=amax", "f32:dit(16|f16 16| 16)"), 0);
  EXPECT_EQ(count("4096 f32", "f32:four(64x64 p16 |e4m3; dit(8 8); dit(8 8))"), 64);
  EXPECT_EQ(count("64*64 f32 in_strides=64 out_strides=64 batch_strides=1,1", "f32:cols(p10; dit(8|e4m3 8))"), 8 * 64);
  EXPECT_EQ(count("64x64 f32", "f32:rank(|e4m3; cols(p16; dit(8 8)); dit(8 8))"), 64);
}

TEST(Intermediate, CountsAreTheSameOnEveryTargetWithThreadsAndWithExponents) {
  for (const std::string format : {"e4m3", "e2m1", "i8", "mxint8", "mxfp4_e2m1:b8", "mxfp6_e3m2"}) {
    for (const auto& [lengths, node] : {std::pair{"4096*3", "dit(16|F 16 16)"}, std::pair{"1000*3", "dit(8|F 5| 5| 5)"}, std::pair{"4096*3", "four(64x64 p16 |F; dit(8 8); dit(8 8))"},
                                        std::pair{"4096*3", "four(64x64 p16 stream |F; dit(8 8); dit(8|F 8))"}, std::pair{"4096*2", "four(64x64 p48; dit(8|F 8); dit(8|F 8))"}}) {
      std::string recipe = std::string("f32:") + node;
      for (std::size_t at = recipe.find("|F"); at != std::string::npos; at = recipe.find("|F")) recipe.replace(at + 1, 1, format);
      const std::int64_t points = std::stoll(lengths) * (std::string(lengths).back() - '0');
      std::vector<float> data = normal<float>(static_cast<std::size_t>(2 * points), 3, seed_of(recipe));
      std::pair<std::int64_t, std::int64_t> first{-1, -1};
      for (const Target& target : targets()) {
        if (!target.has_fma) continue;
        for (const std::string options : {"", " threads=2"}) {
          const PlanPtr plan = try_plan(target.context, std::string(lengths) + " f32->f16 scale=ortho" + options, recipe);
          ASSERT_NE(plan, nullptr) << last_error_text();
          std::vector<std::int32_t> exponents(3);
          const auto counted = counts_of(plan, data);
          if (first.first < 0) first = counted;
          EXPECT_EQ(counted, first) << target << ", " << recipe << options;
          EXPECT_EQ(counts_of(plan, data, exponents.data()), first) << target << ", with exponents: " << recipe << options;
        }
      }
      EXPECT_GT(first.second, 0) << recipe;
    }
  }
}

// With powers of two as scales, nothing else changes: all of them commute with rounding to a block format.
TEST(Intermediate, APowerOfTwoAsScaleChangesNoDigit) {
  const std::vector<float> data = normal<float>(2 * 4096, 1, 3);
  const std::string recipe = "f32:dit(16|mxfp8_e4m3 16| 16)";
  const PlanPtr plan = make_plan(default_target().context, "4096 f32", recipe);
  const PlanPtr scaled = make_plan(default_target().context, "4096 f32 scale=1/n", recipe);
  ASSERT_TRUE(plan != nullptr && scaled != nullptr);
  std::vector<float> out(data.size()), small(data.size());
  ASSERT_EQ(ulpfft_execute(plan.get(), data.data(), out.data()), ULPFFT_OK);
  ASSERT_EQ(ulpfft_execute(scaled.get(), data.data(), small.data()), ULPFFT_OK);
  for (float& x : small) x *= 4096;
  EXPECT_EQ(out, small);
}

// The sweeps of four decode and encode panels: the wide plan's bits between a decode and an encode, without a wide copy of an array.
TEST(Sweeps, OfNarrowArraysAreTheWidePlanBetweenADecodeAndAnEncode) {
  struct Setting {
    const char* lengths;
    std::int64_t rows, row_points;
    const char* node;
    const char* options;
  };
  constexpr Setting kSettings[] = {
      {"4096", 1, 4096, "four(64x64 p16; dit(8 8); dit(16 4))", ""},
      {"4096*3", 3, 4096, "four(32x128 p32; dit(8 4); dit(16 8))", " inverse scale=ortho"},
      {"4096*2", 2, 4096, "four(256x16 p32 stream; dit(16 16); n16)", " inplace"},
      {"4096", 1, 4096, "four(64x64 p48; dit(8 8); dit(8 8))", " threads=2"},
      {"4096", 1, 4096, "four(16x256 p64; n16; dit(16 16))", " centered"},
      {"4096*2", 2, 4096, "four(64x64 p16; dit(8 8); dit(8 8))", " centered inverse inplace threads=2"},
      {"3600", 1, 3600, "four(60x60 p20; dit(15 4); dit(15 4))", " centered"},
      {"1040*2", 2, 1040, "four(80x13 p32; dit(16 5); n13)", ""},
      {"48x80*2", 96, 80, "rank(cols(p32; dit(16 3)); dit(16 5))", ""},
      {"48x80*2", 96, 80, "rank(cols(p16 stream; dit(16 3)); dit(16 5))", " centered inverse"},
      {"48x80*3x2", 288, 80, "rank(cols(p24; dit(16 3)); dit(16 5))", " inplace threads=2 scale=ortho"},
      {"16x33", 16, 33, "rank(cols(p1; n16); dit(11 3))", " centered"},
      {"2176", 1, 2176, "four(128x17 p32; dit(16 8); rader(17; dit(4 4)))", ""}};
  for (const Setting& setting : kSettings) {
    for (const std::string storage : {"f16", "e4m3", "i16", "mxfp8_e4m3", "mxint8:b8:floor", "e2m3", "mxfp6_e3m2:b4", "mxint8:b0", "f32"}) {
      for (const std::string& out_storage : {storage, std::string("bf16")}) {
        const bool in_place = std::string(setting.options).find("inplace") != std::string::npos;
        if (in_place && out_storage != storage) continue;
        const std::string text = std::string(setting.lengths) + " " + storage + "->" + out_storage + setting.options;
        const std::string recipe = std::string("f32:") + setting.node;
        Stored in(storage, setting.rows, 2 * setting.row_points), out(out_storage, setting.rows, 2 * setting.row_points), expected = out;
        in.encode(normal<float>(static_cast<std::size_t>(in.rows * in.reals), fitting_rms(storage), seed_of(text)));
        const PlanPtr wide = make_plan(default_target().context, std::string(setting.lengths) + " f32" + setting.options, recipe);
        ASSERT_NE(wide, nullptr);
        std::vector<float> data = in.decode<float>(), transformed(data.size());
        if (in_place) transformed = data;
        ASSERT_EQ(ulpfft_execute(wide.get(), in_place ? transformed.data() : data.data(), transformed.data()), ULPFFT_OK);
        const std::int64_t saturated = expected.encode(transformed);
        const Stored untouched = in;
        for (const Target& target : targets()) {
          if (!target.has_fma) continue;
          in = untouched;
          const PlanPtr plan = make_plan(target.context, text, recipe);
          ASSERT_NE(plan, nullptr) << text;
          std::int64_t count = -1;
          Stored& to = in_place ? in : out;
          ASSERT_EQ(execute(plan, in, to, &count), ULPFFT_OK) << text << last_error_text();
          EXPECT_EQ(to.codes, expected.codes) << target << ", " << text << " by " << recipe;
          EXPECT_EQ(to.scales, expected.scales) << target << ", " << text << " by " << recipe;
          if (out_storage != "f32") {
            EXPECT_EQ(count, saturated) << target << ", " << text;
          }
          if (!in_place) {
            EXPECT_EQ(in.codes, untouched.codes) << text;
          }
        }
      }
    }
  }
}

// One matrix and panels: as the wide plan takes, not a transform more.
TEST(Sweeps, OfNarrowArraysTakeNoWideCopy) {
  const auto workspace = [](const std::string& problem, const std::string& recipe) {
    const PlanPtr plan = make_plan(default_target().context, problem, recipe);
    return plan == nullptr ? std::size_t{0} : ulpfft_plan_workspace_bytes(plan.get());
  };
  const std::string sweeps = "f32:four(1024x1024 p64; dit(16 8 8); dit(16 8 8))", narrow = "f32:four(1024x1024 p64 |f16; dit(16 8 8); dit(16 8 8))";
  constexpr std::size_t kTransform = std::size_t{8} << 20;
  const std::size_t wide = workspace("1048576 f32", sweeps);
  EXPECT_GE(wide, kTransform);
  for (const std::string storage : {"f16", "i16", "mxfp8_e4m3", "mxfp6_e2m3", "f16->f32", "f32->mxint8"}) {
    EXPECT_LT(workspace("1048576 " + storage, sweeps), wide + (64 << 10)) << storage;
    EXPECT_LT(workspace("1048576 " + storage, narrow), wide - kTransform / 2 + (128 << 10)) << storage;
  }
}

TEST(Sweeps, KnowExponentsOfBothEnds) {
  const std::string recipe = "f32:four(64x64 p16; dit(8 8); dit(8 8))";
  for (const std::string storage : {"f16", "e4m3", "mxint8"}) {
    for (const std::string options : {"", " threads=2", " inplace"}) {
      Stored in(storage, 3, 8192), out(storage, 3, 8192), expected = out;
      std::vector<float> data = normal<float>(3 * 8192, fitting_rms(storage), 5);
      std::fill_n(data.begin() + 8192, 8192, 0.0F);
      in.encode(data);
      const PlanPtr plan = make_plan(default_target().context, "4096*3 " + storage + options, recipe);
      const PlanPtr copies = make_plan(default_target().context, "4096*3 " + storage, "f32:dit(16 16 16)");
      ASSERT_TRUE(plan != nullptr && copies != nullptr);
      std::vector<std::int32_t> given{-30, 7, 22}, found(3, 99), exponents(3, 98);
      std::int64_t saturated = -1;
      ASSERT_EQ(execute(copies, in, expected, &saturated, given.data(), exponents.data()), ULPFFT_OK);
      Stored& to = options == " inplace" ? in : out;
      ASSERT_EQ(execute(plan, in, to, &saturated, given.data(), found.data()), ULPFFT_OK);
      EXPECT_EQ(saturated, 0) << storage << options;
      EXPECT_EQ(found, exponents) << storage << options;
      EXPECT_LT(relative(to.decode<double>(), expected.decode<double>()), storage == "f16" ? 1e-4 : 2e-2) << storage << options;
      // Not wanted, they are not looked for.
      std::vector<std::int32_t> before = found;
      in.encode(data);
      ASSERT_EQ(execute(plan, in, to, &saturated), ULPFFT_OK);
      EXPECT_EQ(found, before);
    }
  }
}

// A row of the matrix holds neighbours of the first sweep's result and begins a new block: with data in one column of an array of 16 x 16
// the matrix has one row that is not zero.
TEST(Sweeps, StoreAMatrixInBlocksOfNeighbours) {
  const std::vector<float> column = normal<float>(32, 1, 9);
  std::vector<float> data(512, 0.0F);
  for (std::size_t j = 0; j < 16; ++j) {
    data[2 * (16 * j)] = column[2 * j];  // column 0: its twiddles are 1
    data[2 * (16 * j) + 1] = column[2 * j + 1];
  }
  const PlanPtr short_plan = make_plan(default_target().context, "16 f32", "f32:n16");
  std::vector<float> row(32);
  ASSERT_EQ(ulpfft_execute(short_plan.get(), column.data(), row.data()), ULPFFT_OK);
  for (const std::string format : {"mxfp8_e4m3", "mxint8:b8", "f16", "mxfp4_e2m1:b0", "e2m3"}) {
    for (const std::int64_t panel : {16, 8}) {  // rows of a panel
      Stored stored(format, 16 / panel, 2 * panel);
      stored.encode(row);
      const std::vector<float> rounded = stored.decode<float>();
      for (const Target& target : targets()) {
        const PlanPtr plan = make_plan(target.context, "256 f32", "f32:four(16x16 p" + std::to_string(panel) + " |" + format + "; n16; n16)");
        ASSERT_NE(plan, nullptr);
        std::vector<float> out(512);
        ASSERT_EQ(ulpfft_execute(plan.get(), data.data(), out.data()), ULPFFT_OK);
        for (std::size_t k = 0; k < 256; ++k) {
          EXPECT_EQ(out[2 * k], rounded[2 * (k % 16)]) << target << format << k;
          EXPECT_EQ(out[2 * k + 1], rounded[2 * (k % 16) + 1]) << target << format << k;
        }
      }
    }
  }
}

TEST(Sweeps, WithANarrowMatrixErrAsPredictedAndHaveOneHash) {
  for (const std::string format : {"f16", "bf16", "e5m2", "mxfp8_e4m3", "mxint8:b8", "mxfp6_e2m3:fit", "e2m3"}) {
    for (const auto& [lengths, node] : {std::pair{"4096 f32", "four(64x64 p16 |F; dit(8 8); dit(8 8))"}, std::pair{"4096*2 f16 threads=2", "four(32x128 p64 |F; dit(8 4); dit(16 8))"},
                                        std::pair{"6300 mxint8->f32 centered inverse", "four(60x105 p32 |F; dit(15 4); dit(5 7 3))"},
                                        std::pair{"4096 mxfp8_e4m3 centered", "four(64x64 p16 |F; dit(8|bf16 8); dit(8 8))"},
                                        std::pair{"4096*2 f16 inplace", "four(256x16 p32 |F; dit(16 16); n16)"}, std::pair{"4096 f16", "four(16x256 p64 |F; n16; dit(16 16))"},
                                        std::pair{"256*3 bf16", "four(16x16 p16 |F; n16; n16)"}}) {
      const std::string scale = format == "e2m3" ? " scale=ortho" : "";  // of a small range
      std::string recipe = std::string("f32:") + node;
      recipe.replace(recipe.find("|F") + 1, 1, format);
      std::uint64_t hash = 0;
      for (const Target& target : targets()) {
        if (!target.has_fma) continue;
        const PlanPtr plan = make_plan(target.context, lengths + scale, recipe);
        ASSERT_NE(plan, nullptr);
        if (hash == 0) {
          hash = hash_of(plan.get());
          const double error = measured_error(plan.get());
          EXPECT_LE(error, 1.5 * ulpfft_plan_error(plan.get())) << lengths << " by " << recipe;
          EXPECT_GE(error, ulpfft_plan_error(plan.get()) / 1.5) << lengths << " by " << recipe;
        }
        EXPECT_EQ(hash_of(plan.get()), hash) << target << ", " << lengths << " by " << recipe;
      }
    }
  }
}

// Rows, a conversion there and back, and columns: each of them alone gives the same bits.
struct PlanesCase {
  std::int64_t rows, points;
  std::string columns_node, rows_node;
};

void expect_a_narrow_array_between(const PlanesCase& planes) {
  const auto& [rows_count, points, columns_node, rows_node] = planes;
  const std::string rows_text = std::to_string(points) + "*" + std::to_string(rows_count), stride = std::to_string(points);
  const std::string columns_text = std::to_string(rows_count) + "*" + stride + " f32 in_strides=" + stride + " out_strides=" + stride + " batch_strides=1,1";
  const std::string plane_text = std::to_string(rows_count) + "x" + std::to_string(points) + " ";
  for (const std::string format : {"f16", "mxfp8_e4m3", "mxint8:b8", "e2m3", "mxfp6_e3m2:b4"}) {
    for (const std::string storage : {"f32", "f16", "mxint8:b8", "i16"}) {
      Stored in(storage, rows_count, 2 * points), out(storage, rows_count, 2 * points), between(format, rows_count, 2 * points), expected = out;
      in.encode(normal<float>(static_cast<std::size_t>(in.rows * in.reals), std::min(fitting_rms(storage), fitting_rms(format) / 8), seed_of(format)));
      const std::vector<float> data = in.decode<float>();
      std::vector<float> transformed(data.size()), result(data.size());
      const PlanPtr rows = make_plan(default_target().context, rows_text + " f32", "f32:" + rows_node);
      const PlanPtr columns = make_plan(default_target().context, columns_text, "f32:" + columns_node);
      ASSERT_TRUE(rows != nullptr && columns != nullptr);
      ASSERT_EQ(ulpfft_execute(rows.get(), data.data(), transformed.data()), ULPFFT_OK);
      between.encode(transformed);
      const std::vector<float> stored = between.decode<float>();
      std::int64_t underflowed = 0;
      for (std::size_t i = 0; i < stored.size(); ++i) underflowed += transformed[i] != 0 && stored[i] == 0 ? 1 : 0;
      transformed = stored;
      ASSERT_EQ(ulpfft_execute(columns.get(), transformed.data(), result.data()), ULPFFT_OK);
      const std::int64_t saturated = expected.encode(result);
      const Stored untouched = in;
      for (const Target& target : targets()) {
        if (!target.has_fma) continue;
        for (const std::string options : {"", " threads=2", " inplace"}) {
          in = untouched;
          const PlanPtr plan = make_plan(target.context, plane_text + storage + options, "f32:rank(|" + format + "; " + columns_node + "; " + rows_node + ")");
          ASSERT_NE(plan, nullptr);
          Stored& to = options == " inplace" ? in : out;
          std::int64_t count = -1, zeros = -1;
          ASSERT_EQ(execute(plan, in, to, &count, nullptr, nullptr, &zeros), ULPFFT_OK) << last_error_text();
          EXPECT_EQ(zeros, underflowed) << target << ", " << plane_text << storage << options << " by " << format;
          EXPECT_EQ(to.codes, expected.codes) << target << ", " << plane_text << storage << options << " by " << format;
          EXPECT_EQ(to.scales, expected.scales) << target << ", " << plane_text << storage << options << " by " << format;
          if (storage != "f32") {
            EXPECT_EQ(count, saturated) << target << ", " << plane_text << storage << options << " by " << format;
          }
          if (storage == "f16") {  // with an exponent: the same numbers, rounded once
            std::int32_t exponent = 99;
            in = untouched;
            ASSERT_EQ(execute(plan, in, to, &count, nullptr, &exponent, &zeros), ULPFFT_OK) << last_error_text();
            EXPECT_EQ(zeros, underflowed) << target << ", with exponents: " << plane_text << options << " by " << format;
            std::vector<double> scaled = to.decode<double>();
            for (double& x : scaled) x = std::ldexp(x, exponent);
            EXPECT_LE(relative(scaled, std::vector<double>(result.begin(), result.end())), 4e-4) << target << ", " << plane_text << options << " by " << format;
          }
        }
      }
    }
  }
}

TEST(Planes, KeepANarrowArrayBetweenTheirDimensions) {
  for (const PlanesCase& planes : {PlanesCase{48, 80, "cols(p32; dit(16 3))", "dit(16 5)"}, PlanesCase{16, 33, "cols(p16 stream; n16)", "dit(11 3)"},
                                   PlanesCase{7, 128, "cols(p64; n7)", "dit(16 8)"}, PlanesCase{60, 12, "cols(p12; dit(15 4))", "n12"},
                                   PlanesCase{256, 24, "cols(p24; dit(8 8 4))", "dit(8 3)"}}) {
    expect_a_narrow_array_between(planes);
  }
}

TEST(Planes, WithANarrowArrayErrAsPredictedAndHaveOneHash) {
  for (const std::string problem : {"48x80*3 f16 centered inverse scale=ortho", "48x80*2x2 f32 split scale=1/n", "16x33 mxint8->f32 centered scale=0.1", "48x80 f32->e5m2 scale=ortho",
                                    "48x80*3 f32 in_strides=-100,1 out_strides=200,2 batch_strides=5000,20000"}) {
    const std::string nodes = problem.substr(0, 5) == "48x80" ? "cols(p24; dit(16 3)); dit(16 5)" : "cols(p16 stream; n16); dit(11 3)";
    for (const std::string format : {"f16", "mxfp8_e4m3:b16"}) {
      const std::string recipe = "f32:rank(|" + format + "; " + nodes + ")";
      std::uint64_t hash = 0;
      for (const Target& target : targets()) {
        if (!target.has_fma) continue;
        const PlanPtr plan = try_plan(target.context, problem, recipe);
        ASSERT_NE(plan, nullptr) << last_error_text();
        if (hash == 0) {
          hash = hash_of(plan.get());
          const double error = measured_error(plan.get());
          EXPECT_LE(error, 1.5 * ulpfft_plan_error(plan.get())) << problem << " by " << recipe;
          EXPECT_GE(error, ulpfft_plan_error(plan.get()) / 1.5) << problem << " by " << recipe;
        }
        EXPECT_EQ(hash_of(plan.get()), hash) << target << ", " << problem << " by " << recipe;
      }
    }
  }
}

TEST(Intermediate, IsACandidateWhereAProblemAllowsIt) {
  const auto narrow = [](const std::string& problem) {
    const PlanPtr plan = make_plan(default_target().context, problem);
    int count = 0;
    for (const std::string& recipe : candidates_of(plan.get())) count += recipe.find('|') != std::string::npos ? 1 : 0;
    return count;
  };
  EXPECT_GT(narrow("1048576 f32 intermediate=f16"), 0);
  EXPECT_GT(narrow("1048576 mxfp8_e4m3 intermediate=mxfp8_e4m3"), 0);
  EXPECT_GT(narrow("1024x1024 f32 intermediate=bf16"), 0);
  EXPECT_EQ(narrow("1048576 f32"), 0);
  EXPECT_EQ(narrow("1024x1024 f16"), 0);
  const PlanPtr plan = make_plan(default_target().context, "1048576 f32 intermediate=mxint8:b32:rceil");
  EXPECT_EQ(take(ulpfft_plan_problem(plan.get())), "1048576 f32 intermediate=mxint8");
}

TEST(Intermediate, SaysWhatIsWrongWithARecipe) {
  expect_refused({
      {"256 f32", "f32:dit(16 16|f16)", "last pass", "recipe"},
      {"256 f32", "f32:dit(16|f32 16)", "no narrow storage", "recipe"},
      {"256 f32", "f32:dit(16|e8m0 16)", "no narrow storage", "recipe"},
      {"256 f32", "f32:dit(16|f17 16)", "There is no format 'f17'", "recipe"},
      {"256 f32", "f32:dit(16|f16:b8 16)", "Only block formats", "recipe"},
      {"256 f32", "f32:dit(16|mxint8:b0 16)", "whole rows", "recipe"},
      {"4096 f32", "f32:dit(4 / 2|mxint8 / 16 / 2 16)", "do not divide", "recipe"},
      {"4096 f32", "f32:dit(16|f16 16|f16 16)", "bare '|'", "recipe"},
      {"17 f32", "f32:rader(17; dit(4|f16 4))", "convolution", "recipe"},
      {"16x16 f32", "f32:rank(|f16; n16; n16)", "cols of n or dit", "recipe"},
      {"2x16x16 f32", "f32:rank(|f16; n2; cols(p16; n16); n16)", "two dimensions", "recipe"},
      {"16x48 f32", "f32:rank(|mxint8; cols(p8; n16); dit(16 3))", "do not divide panels", "recipe"},
      {"16x16 f64->f32", "f32:rank(|f16; cols(p8; n16); n16)", "type of the arithmetic", "recipe"},
      {"272 f32", "f32:four(16x17 p16 |f16; n16; rader(17; n16))", "children that are n or dit", "recipe"},
  });
}

}  // namespace
}  // namespace ulpfft::test
