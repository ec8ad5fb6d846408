// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Rounded schemes through the C interface: golden transforms, the same bits on every target and in every layout, overflow, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/golden.h"
#include "tests/support/plan_checks.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

// Interleaved arrays of plain storage on both sides.
template <typename S, typename T>
std::vector<T> execute(const PlanPtr& plan, std::vector<S> in, std::int64_t* saturated = nullptr) {
  std::vector<T> out(in.size(), T(77));
  auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
  from.data[0] = in.data();
  to.data[0] = out.data();
  to.saturated = saturated;
  EXPECT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
  return out;
}

template <typename T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TEST(RoundedGolden, TransformsOf64PointsHaveTheseCodesOnEveryTarget) {
  const nlohmann::json table = golden("fma_dual_select.json");
  for (const auto& [name, format] : table.items()) {
    const std::string element = name == "binary16" ? "f16" : "bf16";
    const auto in = format["fft64"]["in"].get<std::vector<std::uint16_t>>();
    const auto expected = format["fft64"]["out"].get<std::vector<std::uint16_t>>();
    ASSERT_EQ(in.size(), 128u);
    for (const Target& target : targets()) {
      const PlanPtr plan = make_plan(target.context, "64 " + element + " scheme=rounded:" + element, "rounded:" + element + ":dit(2 2:ds 2:ds 2:ds 2:ds 2:ds)");
      ASSERT_NE(plan, nullptr);
      std::int64_t saturated = -1;
      EXPECT_EQ((execute<std::uint16_t, std::uint16_t>(plan, in, &saturated)), expected) << element << " on " << target;
      EXPECT_EQ(saturated, 0);
    }
  }
}

const char* const kProblems[] = {"240 f32",
                                 "240 f32 inverse scale=1/n",
                                 "240 f32 centered scale=0.3",
                                 "240*5 f32 inplace",
                                 "9x16*3 f32",
                                 "9x16*3 f32 centered inverse",
                                 "12 f32",
                                 "13*70 f32",
                                 "7x8*3 f64 scale=ortho",
                                 "48*9 f64->f32",
                                 "60*4 f32 in_strides=2 out_strides=3 batch_strides=130,181"};
const char* const kSchemes[] = {"rounded:f16", "rounded:f16/f32", "rounded:bf16", "rounded:bf16/f32", "rounded:e4m3", "rounded:e5m2fnuz", "rounded:i16"};

TEST(RoundedPlans, GiveTheHashOfTheReferenceOnEveryTarget) {
  for (const char* problem : kProblems) {
    for (const char* scheme : kSchemes) expect_one_hash(std::string(problem) + " scheme=" + scheme, true);
  }
}

// Every placement of the same numbers gives the same numbers.
TEST(RoundedPlans, DoNotDependOnLayoutThreadsOrBatch) {
  const std::size_t n = 240;
  const std::string recipe = "rounded:bf16:dit(5 3 2:lf 8:ds)";
  const std::vector<float> in = normal<float>(2 * n, 1, 5);
  ulpfft_context* const context = default_target().context;
  const std::string base = "240 f32 scheme=rounded:bf16";
  const std::vector<float> expected = execute<float, float>(make_plan(context, base, recipe), in);
  // A batch on two threads.
  const PlanPtr batch = make_plan(context, "240*6 f32 threads=2 scheme=rounded:bf16", recipe);
  std::vector<float> repeated;
  for (int i = 0; i < 6; ++i) repeated.insert(repeated.end(), in.begin(), in.end());
  const std::vector<float> out = execute<float, float>(batch, repeated);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto begin = out.begin() + static_cast<std::ptrdiff_t>(i * 2 * n);
    EXPECT_TRUE(same_bits(std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(2 * n)), expected)) << i;
  }
  // Split arrays.
  const PlanPtr split = make_plan(context, base + " split", recipe);
  std::vector<float> re, im, out_re(n), out_im(n);
  for (std::size_t i = 0; i < n; ++i) {
    re.push_back(in[2 * i]);
    im.push_back(in[2 * i + 1]);
  }
  auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
  from.data[0] = re.data();
  from.data[1] = im.data();
  to.data[0] = out_re.data();
  to.data[1] = out_im.data();
  ASSERT_EQ(ulpfft_execute_arrays(split.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(out_re[i], expected[2 * i]) << i;
    EXPECT_EQ(out_im[i], expected[2 * i + 1]) << i;
  }
  // ulpfft_execute itself.
  std::vector<float> direct(2 * n);
  ASSERT_EQ(ulpfft_execute(make_plan(context, base, recipe).get(), in.data(), direct.data()), ULPFFT_OK) << last_error_text();
  EXPECT_TRUE(same_bits(direct, expected));
}

// f16 holds every number of the scheme: storage adds nothing.
TEST(RoundedPlans, StoreTheirNumbersExactlyInTheirElement) {
  ulpfft_context* const context = default_target().context;
  const std::vector<float> in = normal<float>(2 * 96, 1, 6);
  const std::string recipe = "rounded:f16:dit(6 16)";
  const std::vector<float> wide = execute<float, float>(make_plan(context, "96 f32 scheme=rounded:f16", recipe), in);
  const std::vector<std::uint16_t> codes = execute<float, std::uint16_t>(make_plan(context, "96 f32->f16 scheme=rounded:f16", recipe), in);
  auto job = sized<ulpfft_conversion>();
  job.storage = "f16";
  job.real_type = "f32";
  job.rows = 1;
  job.reals = static_cast<std::int64_t>(codes.size());
  std::vector<float> decoded(codes.size());
  ASSERT_EQ(ulpfft_decode(nullptr, &job, codes.data(), nullptr, decoded.data()), ULPFFT_OK) << last_error_text();
  EXPECT_TRUE(same_bits(decoded, wide));
}

TEST(RoundedPlans, OverflowAsTheFormatDoesAndCountIt) {
  const struct {
    const char* element;
    double largest;
    double expected;  // NaN, or what 16 times the largest becomes
  } cases[] = {{"f16", 65504, std::numeric_limits<double>::infinity()}, {"e4m3", 448, std::nan("")}, {"e5m2", 57344, std::numeric_limits<double>::infinity()},
               {"e4m3fnuz", 240, std::nan("")}, {"e2m1", 6, 6}, {"int8q6", 127.0 / 64, 127.0 / 64}};
  for (const auto& c : cases) {
    for (const Target& target : targets()) {
      const PlanPtr plan = make_plan(target.context, std::string("16 f32 scheme=rounded:") + c.element, std::string("rounded:") + c.element + ":n16");
      ASSERT_NE(plan, nullptr);
      std::vector<float> in(32, 0.0f);
      for (std::size_t i = 0; i < 32; i += 2) in[i] = static_cast<float>(c.largest);
      std::int64_t saturated = -1;
      const std::vector<float> out = execute<float, float>(plan, in, &saturated);
      if (std::isnan(c.expected)) {
        EXPECT_TRUE(std::isnan(out[0])) << c.element << " " << target << ": " << out[0];
      } else {
        EXPECT_EQ(out[0], static_cast<float>(c.expected)) << c.element << " " << target;
      }
      EXPECT_GT(saturated, 0) << c.element << " " << target;
      // The next execution counts from the start, and small numbers do not overflow.
      for (std::size_t i = 0; i < 32; i += 2) in[i] = i == 0 ? static_cast<float>(c.largest) : 0.0f;
      execute<float, float>(plan, in, &saturated);
      EXPECT_EQ(saturated, 0) << c.element << " " << target;
    }
  }
}

// An infinity of the scheme is one of its storage, too, wherever that lies; what another format cannot hold saturates there.
TEST(RoundedPlans, StoreTheirInfinities) {
  const std::vector<float> in{60000, 0, 60000, 0, 0, 0, 0, 0};  // room for an output that lies apart
  for (const Target& target : targets()) {
    for (const char* strides : {"", " out_strides=2"}) {
      const PlanPtr plan = make_plan(target.context, std::string("2 f32->f16 scheme=rounded:f16") + strides, "rounded:f16:n2");
      ASSERT_NE(plan, nullptr);
      const std::vector<std::uint16_t> codes = execute<float, std::uint16_t>(plan, in);
      EXPECT_EQ(codes[0], 0x7c00) << target << strides;
    }
    const std::vector<std::uint8_t> codes = execute<float, std::uint8_t>(make_plan(target.context, "2 f32->e5m2 scheme=rounded:f16", "rounded:f16:n2"), in);
    EXPECT_EQ(codes[0], 0x7b) << target;
  }
}

TEST(RoundedPlans, ExistForEverySignedElementAndNoOther) {
  std::size_t possible = 0;
  for (std::size_t i = 0; i < ulpfft_format_count(); ++i) {
    auto format = sized<ulpfft_format>();
    ASSERT_EQ(ulpfft_format_get(i, &format), ULPFFT_OK);
    const bool element = format.kind == std::string("element") || format.kind == std::string("integer");
    const bool expected = element && format.is_signed != 0;
    const PlanPtr plan = try_plan(default_target().context, std::string("24 f32 scheme=rounded:") + format.name, std::string("rounded:") + format.name + ":dit(3 8)");
    EXPECT_EQ(plan != nullptr, expected) << format.name;
    if (!expected) {
      EXPECT_EQ(last_error().field, "scheme") << format.name;
      EXPECT_NE(last_error().message.find("rounded:<element>"), std::string::npos) << last_error().message;
    }
    possible += expected ? 1 : 0;
  }
  EXPECT_GE(possible, 10u);
}

TEST(RoundedRequests, ThatAreImpossibleNameTheFieldAndWhatIsPossible) {
  expect_refused({
      {"24 f32 scheme=rounded:e8m0", "rounded:f16:dit(3 8)", "no negative numbers", "scheme"},
      {"24 f32 scheme=rounded:u8", "rounded:f16:dit(3 8)", "bf16", "scheme"},
      {"24 f32 scheme=rounded:f16/f64", "rounded:f16:dit(3 8)", "rounded:f16/f32", "scheme"},
      {"24 f32 scheme=rounded:fp16", "rounded:f16:dit(3 8)", "Did you mean 'f16'?", "scheme"},
      {"24 f32 scheme=rounded:f32", "rounded:f16:dit(3 8)", "the scheme f32", "scheme"},
      {"24 f32 scheme=rounded:mxfp8_e4m3", "rounded:f16:dit(3 8)", "rounded:e4m3", "scheme"},
      {"24 f32 scheme=rounded", "rounded:f16:dit(3 8)", "rounded:<element>/f32", "scheme"},
      {"24 f32 scheme=rounded:f16", "rounded:f16:dit(8 3:ds)", "2:ds, 4:ds, 8:ds", "recipe"},
      {"24 f32 scheme=rounded:f16", "rounded:f16:dit(6 4:lf)", "2:lf", "recipe"},
      {"24 f32 scheme=rounded:f16", "rounded:f16:dit(6 4:ch)", "of radix 4 4, 4:ds", "recipe"},
      {"24 f32 scheme=rounded:f16", "rounded:f16:four(4x6 p16; n4; n6)", "n and dit", "recipe"},
      {"24 f32 scheme=rounded:f16", "rounded:f15:dit(3 8)", "Did you mean", "scheme"},
      // Planning by itself.
      {"34 f32 scheme=rounded:f16", "", "prime factors above 13", "lengths[0]"},
  });
}

TEST(RoundedPlans, ArePlannedAtEveryEffort) {
  for (const int effort : {ULPFFT_ESTIMATE, ULPFFT_MEASURE}) {
    const PlanPtr plan = make_plan(default_target().context, "128 f16 scheme=rounded:f16", effort);
    ASSERT_NE(plan, nullptr);
    EXPECT_TRUE(recipe_of(plan.get()).starts_with("rounded:f16:")) << recipe_of(plan.get());
  }
}

}  // namespace
}  // namespace ulpfft::test
