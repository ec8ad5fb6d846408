// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The arithmetic of split schemes: the golden parts bit for bit, rounding as the slow codec has it, digits that are whole and enough.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "codelets/contract/split_arithmetic.h"
#include "codelets/registry.h"
#include "tests/support/golden.h"

namespace ulpfft::test {
namespace {

using nlohmann::json;

const FormatInfo& format_named(const std::string& name) { return *find_format(formats(), name); }

float largest_of(const std::vector<float>& values) {
  float largest = 0;
  for (const float x : values) largest = larger_magnitude(largest, std::abs(x));
  return largest;
}

TEST(SplitGolden, NumbersHaveThesePartsInF16) {
  const SplitElement element = split_element(format_named("f16"));
  const json golden_file = golden("splits.json");
  for (const json& one : golden_file["fp16x2"]) {
    std::vector<float> rest = golden_reals<float>(one["in"]);
    for (const auto& [name, norm_name] : {std::pair<std::string, std::string>{"hi", "s1"}, {"lo", "s2"}}) {
      const float norm = split_norm(largest_of(rest));
      EXPECT_EQ(norm, from_hex<float>(one[norm_name].get<std::string>())) << name;
      for (std::size_t i = 0; i < rest.size(); ++i) {
        const float part = round_to_part(element, rest[i] / norm);
        const auto expected = decode(format_named("f16"), one[name][i].get<std::uint64_t>());
        EXPECT_EQ(static_cast<double>(part), expected) << name << " of number " << i;
        rest[i] -= norm * part;
      }
    }
  }
}

TEST(SplitGolden, NumbersHaveThesePartsInBf16) {
  const SplitElement element = split_element(format_named("bf16"));
  const json golden_file = golden("splits.json");
  for (const json& one : golden_file["bf16"]) {
    std::vector<float> rest = golden_reals<float>(one["in"]);
    for (const json& parts : one["parts"]) {
      for (std::size_t i = 0; i < rest.size(); ++i) {
        const float part = round_to_part(element, rest[i]);
        EXPECT_EQ(static_cast<double>(part), decode(format_named("bf16"), parts[i].get<std::uint64_t>())) << "number " << i;
        rest[i] -= part;
      }
    }
  }
}

// Of every element that has a split scheme, on numbers of every binade, their neighbours and ties.
TEST(SplitParts, RoundAsTheSlowCodecDoes) {
  std::mt19937 random(7);
  std::size_t elements = 0;
  for (const FormatInfo& f : formats()) {
    if (split_refusal(f) != nullptr || f.kind == FormatKind::kInteger) continue;
    ++elements;
    const SplitElement element = split_element(f);
    for (std::uint32_t exponent = 0; exponent < 255; ++exponent) {
      for (int i = 0; i < 64; ++i) {
        // Half of them at ties of the element, or next to them.
        const auto bits = static_cast<std::uint32_t>(random());
        const std::uint32_t tie = (bits & 0x7fffff) >> (element.dropped - 1) << (element.dropped - 1);
        const std::uint32_t fraction = i % 2 == 0 ? bits : tie + bits % 3 - 1;
        const float x = std::bit_cast<float>((exponent << 23) + (fraction & 0x7fffff) + (bits & 0x80000000U));
        const double expected = decode(f, encode(f, static_cast<double>(x), Rounding::kNearestSaturate).code);
        ASSERT_EQ(static_cast<double>(round_to_part(element, x)), expected) << f.name << ", x = " << x;
      }
    }
  }
  EXPECT_GE(elements, 8U);
}

TEST(SplitParts, AddUpToTheNumber) {
  std::mt19937_64 random(11);
  std::normal_distribution<float> normal;
  for (const std::string name : {"f16", "bf16", "e4m3"}) {
    const FormatInfo& f = format_named(name);
    const SplitElement element = split_element(f);
    for (int parts = 1; parts <= kMostSplitParts; ++parts) {
      for (int i = 0; i < 1000; ++i) {
        const float x = normal(random), norm = has_range_of_f32(f) ? 1 : split_norm(8.0F);
        float rest = x / norm;
        double sum = 0, weight = 1;
        for (int p = 0; p < parts; ++p) {
          sum += static_cast<double>(take_part(element, rest)) * weight;
          weight *= static_cast<double>(element.shrink);
        }
        // Half a step of the last part, for numbers up to a power of two; below its normal numbers the steps of the element stay the same.
        const double binade = std::ldexp(1.0, std::ilogb(x / norm) + 1), last = weight * static_cast<double>(element.grow);
        const double step = std::max(weight * binade, last * smallest_subnormal_value(f) / 2);
        EXPECT_LE(std::abs(sum * static_cast<double>(norm) - static_cast<double>(x)), step * static_cast<double>(norm))
            << name << " in " << parts << " parts, x = " << x;
      }
    }
  }
}

TEST(SplitNorms, AreTheLeastPowersOfTwoThatHoldTheNumbers) {
  EXPECT_EQ(split_norm(0.0F), 1.0F);
  EXPECT_EQ(split_norm(1.0F), 1.0F);
  EXPECT_EQ(split_norm(std::nextafter(1.0F, 2.0F)), 2.0F);
  EXPECT_EQ(split_norm(std::numeric_limits<float>::max()), 0x1p127F);
  EXPECT_EQ(split_norm(std::numeric_limits<float>::denorm_min()), 0x1p-126F);
  EXPECT_TRUE(std::isnan(split_norm(std::numeric_limits<float>::infinity())));
  const float nan = std::abs(std::numeric_limits<float>::quiet_NaN());
  EXPECT_TRUE(std::isnan(split_norm(larger_magnitude(std::numeric_limits<float>::infinity(), nan))));
  EXPECT_EQ(split_norm(127.0), 128.0);
  EXPECT_EQ(split_norm(std::nextafter(127.0, 128.0)), 256.0);
}

TEST(SplitSlices, AreWholeDigitsThatAddUpToTheNumber) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int parts = 1; parts <= kMostSplitParts; ++parts) {
    for (int i = 0; i < 4000; ++i) {
      const double x = i < 2 ? (i == 0 ? 127.0 : -127.0) / 128 : uniform(random) * 127 / 128;
      float digits[kMostSplitParts];
      take_slices(x, 1, parts, digits);
      double sum = 0;
      for (int p = 0; p < parts; ++p) {
        EXPECT_EQ(digits[p], std::round(digits[p]));
        EXPECT_GE(digits[p], -128.0F) << x;
        EXPECT_LE(digits[p], 127.0F) << x;
        sum += static_cast<double>(digits[p]) * std::ldexp(1.0, -7 - 8 * p);
      }
      EXPECT_LE(std::abs(sum - x), std::ldexp(1.0, -8 * parts)) << x;
    }
  }
}

TEST(SplitNames, PrintAsOneTextAndParseBack) {
  const std::vector<std::pair<std::string, std::string>> spellings = {
      {"bf16", "bf16"},       {"bf16x1", "bf16"},     {"bf16x3", "bf16x3"},
      {"fp16x2", "f16x2"},    {"ozaki4", "i8x4"},     {"bf16x2x3", "bf16x2x3"},
      {"f16x1x2", "f16x1x2"}, {"bf16x1x1", "bf16x1x1"}, {"f16x2:tile64", "f16x2:tile64"},
      {"f16x2:whole:arbitrary", "f16x2:whole:arbitrary"}};
  for (const auto& [text, printed] : spellings) {
    const SplitNameResult name = parse_split_name(text);
    ASSERT_EQ(name.error, nullptr) << text << ": " << name.error;
    EXPECT_EQ(print_split_name(name.name), printed);
    EXPECT_EQ(print_split_name(parse_split_name(printed).name), printed);
  }
  for (const char* text : {"", "bf16x0", "bf16x5", "bf16x2x9", "f16:tile", "f16:tile0", "f16:tile1x", "f16:tile9999999", "f16:whole:tile2",
                           "f16:arbitrary:whole", "f16:", "f16:norm"}) {
    EXPECT_NE(parse_split_name(text).error, nullptr) << text;
  }
}

}  // namespace
}  // namespace ulpfft::test
