// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Narrow lines that passes read by way of tiles and encode from where they work: the bits are those of a conversion before, the same
// transform of f32, and a conversion after it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Case {
  std::int64_t points, batch;
  std::string in, out, options, recipe;
  bool is_split() const { return options.find("split") != std::string::npos; }
  std::string problem(const std::string& from, const std::string& to) const {
    return std::to_string(points) + (batch == 1 ? "" : "*" + std::to_string(batch)) + " " + from + "->" + to + options;
  }
};

// One side, planes one after the other where there are two.
struct Array {
  Bytes codes, scales;
  std::vector<std::int32_t> exponents;

  Array(const Case& c, const std::string& storage) : exponents(static_cast<std::size_t>(c.batch)) {
    const std::size_t rows = static_cast<std::size_t>(c.batch) * (c.is_split() ? 2 : 1);
    auto layout = sized<ulpfft_layout>();
    if (storage == "f32") {
      layout.row_bytes = c.points * (c.is_split() ? 4 : 8);
    } else {
      const std::int64_t reals = c.points * (c.is_split() ? 1 : 2);
      EXPECT_EQ(ulpfft_format_layout(storage.c_str(), 1, &reals, &layout), ULPFFT_OK) << last_error_text();
    }
    codes.assign(rows * static_cast<std::size_t>(layout.row_bytes), 0xa5);
    scales.assign(rows * static_cast<std::size_t>(layout.scale_row_bytes), 0xa5);
  }

  ulpfft_array address(const Case& c, bool with_exponents) {
    auto array = sized<ulpfft_array>();
    const std::size_t parts = c.is_split() ? 2 : 1;
    for (std::size_t part = 0; part < parts; ++part) {
      array.data[part] = codes.data() + part * codes.size() / parts;
      if (!scales.empty()) array.scales[part] = scales.data() + part * scales.size() / parts;
    }
    if (with_exponents) array.exponents = exponents.data();
    return array;
  }
};

ulpfft_conversion rows_of(const Case& c, const std::string& storage) {
  auto job = sized<ulpfft_conversion>();
  job.storage = storage.c_str();
  job.rows = c.batch * (c.is_split() ? 2 : 1);
  job.reals = c.points * (c.is_split() ? 1 : 2);
  return job;
}

void multiply(const Case& c, std::vector<float>& reals, const std::vector<std::int32_t>& exponents, int sign) {
  const std::size_t row = static_cast<std::size_t>(c.points) * (c.is_split() ? 1 : 2);
  for (std::size_t i = 0; i < reals.size(); ++i) reals[i] = std::ldexp(reals[i], sign * exponents[i / row % static_cast<std::size_t>(c.batch)]);
}

void check(const Target& target, const Case& c, bool with_exponents) {
  SCOPED_TRACE(::testing::Message() << c.problem(c.in, c.out) << " " << c.recipe << " " << target << (with_exponents ? ", exponents" : ""));
  const PlanPtr plan = make_plan(target.context, c.problem(c.in, c.out), c.recipe), wide = make_plan(target.context, c.problem("f32", "f32"), c.recipe);
  ASSERT_TRUE(plan != nullptr && wide != nullptr);
  EXPECT_LT(ulpfft_plan_workspace_bytes(plan.get()), static_cast<std::size_t>(c.points) * 8 * 2) << "no copy beside the scratch";

  std::mt19937_64 random(seed_of(c.problem(c.in, c.out)));
  std::normal_distribution<float> draw(0, 1);
  std::vector<float> reals(static_cast<std::size_t>(2 * c.points * c.batch)), result(reals.size());
  for (float& x : reals) x = draw(random);
  Array in(c, c.in), out(c, c.out);
  for (std::size_t i = 0; i < in.exponents.size(); ++i) in.exponents[i] = static_cast<int>(i) - 1;
  const bool narrow_in = c.in != "f32", narrow_out = c.out != "f32";
  if (narrow_in) {
    const ulpfft_conversion job = rows_of(c, c.in);
    ASSERT_EQ(ulpfft_encode(nullptr, &job, reals.data(), in.codes.data(), in.scales.data(), nullptr), ULPFFT_OK) << last_error_text();
    ASSERT_EQ(ulpfft_decode(nullptr, &job, in.codes.data(), in.scales.data(), reals.data()), ULPFFT_OK) << last_error_text();
  } else {
    std::memcpy(in.codes.data(), reals.data(), in.codes.size());
  }
  std::int64_t saturated = -1, expected_saturated = 0;
  const ulpfft_array from = in.address(c, with_exponents && narrow_in);
  ulpfft_array to = out.address(c, with_exponents && narrow_out);
  to.saturated = &saturated;
  ASSERT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();

  if (with_exponents && narrow_in) multiply(c, reals, in.exponents, 1);
  Array wide_in(c, "f32"), wide_out(c, "f32");
  std::memcpy(wide_in.codes.data(), reals.data(), wide_in.codes.size());
  const ulpfft_array wide_from = wide_in.address(c, false), wide_to = wide_out.address(c, false);
  ASSERT_EQ(ulpfft_execute_arrays(wide.get(), &wide_from, &wide_to, nullptr), ULPFFT_OK) << last_error_text();
  Array expected(c, c.out);
  if (narrow_out) {
    std::memcpy(result.data(), wide_out.codes.data(), wide_out.codes.size());
    if (with_exponents) multiply(c, result, out.exponents, -1);
    const ulpfft_conversion job = rows_of(c, c.out);
    ASSERT_EQ(ulpfft_encode(nullptr, &job, result.data(), expected.codes.data(), expected.scales.data(), &expected_saturated), ULPFFT_OK) << last_error_text();
  } else {
    expected.codes = wide_out.codes;
  }
  EXPECT_TRUE(out.codes == expected.codes);
  EXPECT_TRUE(out.scales == expected.scales);
  EXPECT_EQ(saturated, expected_saturated);
}

class StagedLines : public ::testing::TestWithParam<Target> {};

TEST_P(StagedLines, GiveTheBitsOfConversionsApart) {
  // Rows that are whole vectors and such that are not, columns that end inside vectors, bytes and blocks.
  const struct {
    std::int64_t points;
    const char* recipe;
  } transforms[] = {{1024, "f32:dit(16 8 8)"}, {2048, "f32:dit(8 16 16)"}, {1000, "f32:dit(8 5 5 5)"}, {1000, "f32:dit(10 5 5 4)"}, {1029, "f32:dit(7 7 7 3)"}, {780, "f32:dit(12 13 5)"}, {4608, "f32:dit(16 9 / 16 2)"}};
  const char* const pairs[][2] = {{"f16", "f16"}, {"i16", "f32"}, {"f32", "e4m3"}, {"e3m2", "e2m1"}, {"mxint8", "bf16"}, {"bf16", "mxfp8_e4m3"}, {"mxfp6_e3m2:b8", "mxfp4_e2m1:b64"}, {"u8", "mxfp6_e2m3"}};
  const char* const options[] = {"", " inverse", " centered", " split", " inverse centered split"};
  std::size_t number = 0;
  for (const auto& transform : transforms) {
    for (const auto& pair : pairs) {
      for (const char* option : options) {
        // Elsewhere than on the fastest target, every third.
        if (!full_run() && !GetParam().is_default && number++ % 3 != 0) continue;
        const Case c{transform.points, 3, pair[0], pair[1], option, transform.recipe};
        check(GetParam(), c, false);
        check(GetParam(), c, true);
      }
    }
  }
}

TEST_P(StagedLines, AreCutAmongThreads) {
  const std::string problem = "16384 mxint8->f16 centered", recipe = "f32:dit(16 16 8 8)";
  auto options = sized<ulpfft_context_options>();
  options.target = GetParam().name.c_str();
  options.threads = 2;
  ulpfft_context* made = nullptr;
  ASSERT_EQ(ulpfft_context_create(&options, &made), ULPFFT_OK) << last_error_text();
  const ContextPtr context(made);
  Bytes result[2];
  for (const int threads : {1, 2}) {
    const PlanPtr plan = make_plan(context.get(), problem + (threads == 1 ? "" : " threads=" + std::to_string(threads)), recipe);
    ASSERT_NE(plan, nullptr);
    EXPECT_EQ(ulpfft_plan_threads(plan.get()), threads);
    Bytes codes(2 * 16384), scales(1024, 127);
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint8_t>(i * 37 >> 3);
    Bytes& out = result[threads == 1 ? 0 : 1];
    out.resize(4 * 16384);
    auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
    from.data[0] = codes.data();
    from.scales[0] = scales.data();
    to.data[0] = out.data();
    ASSERT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
  }
  EXPECT_TRUE(result[0] == result[1]);
}

INSTANTIATE_TEST_SUITE_P(Targets, StagedLines, ::testing::ValuesIn(targets()), [](const auto& target) { return target.param.name; });

}  // namespace
}  // namespace ulpfft::test
