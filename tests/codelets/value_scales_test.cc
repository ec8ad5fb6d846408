// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Blocks whose scales have a mantissa, on every target against their rules: tables of values by their formula, products and quotients that
// are exact in f64 before they are rounded to f32, and vectors by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "codelets/contract/conversion.h"
#include "codelets/contract/mx_arithmetic.h"
#include "codelets/registry.h"

namespace ulpfft::test {
namespace {

// Magnitudes of a float format with subnormals by their codes.
std::vector<double> magnitudes(int mantissa, int bias, int count) {
  std::vector<double> values;
  for (int code = 0; code < count; ++code) {
    const int e = code >> mantissa, m = code & ((1 << mantissa) - 1);
    values.push_back(e == 0 ? std::ldexp(m, 1 - bias - mantissa) : std::ldexp((1 << mantissa) + m, e - bias - mantissa));
  }
  return values;
}
const std::vector<double> kE2m1 = magnitudes(1, 1, 8);
const std::vector<double> kUe4m3 = magnitudes(3, 7, 127);
const std::vector<double> kUe5m3 = magnitudes(3, 15, 255);

// The code of the nearest value, of two the even one; the last beyond all.
std::size_t nearest(const std::vector<double>& values, double x) {
  const auto above = std::upper_bound(values.begin(), values.end(), x);
  if (above == values.end()) return values.size() - 1;
  const auto low = static_cast<std::size_t>(above - values.begin()) - 1;
  const double down = x - values[low], up = values[low + 1] - x;  // exact: x is a number of f32
  return down < up || (down == up && low % 2 == 0) ? low : low + 1;
}

float product(float a, float b) { return static_cast<float>(static_cast<double>(a) * static_cast<double>(b)); }
// The f32 whose product with b differs least from a.
float quotient(float a, float b) {
  const float first = static_cast<float>(static_cast<double>(a) / static_cast<double>(b));
  float best = first;
  const auto distance = [&](float q) { return std::abs(static_cast<double>(q) * static_cast<double>(b) - static_cast<double>(a)); };
  for (const float other : {std::nextafter(first, 0.0F), std::nextafter(first, std::numeric_limits<float>::infinity())}) {
    if (distance(other) < distance(best)) best = other;
  }
  return best;
}

using Reals = std::vector<float>;

struct Block {
  std::size_t scale = 0;
  std::vector<int> codes;
};

// The codes of e2m1 of numbers that are divided as `divided` says.
template <typename Divided>
Block block_of(const std::vector<float>& reals, std::size_t scale, const Divided& divided) {
  Block block{.scale = scale, .codes = {}};
  for (const float x : reals) {
    const float y = divided(std::abs(x));
    block.codes.push_back(static_cast<int>(nearest(kE2m1, static_cast<double>(y))) | (std::signbit(x) ? 8 : 0));
  }
  return block;
}

float largest(const std::vector<float>& reals) {
  float amax = 0;
  for (const float x : reals) amax = std::max(amax, std::abs(x));
  return amax;
}

Block te(const std::vector<double>& scales, const std::vector<float>& reals, float reach = 6) {
  const std::size_t scale = nearest(scales, static_cast<double>(product(largest(reals), quotient(1, reach))));
  const float value = static_cast<float>(scales[scale]);
  const float factor = value == 0 ? FLT_MAX : quotient(1, value);
  return block_of(reals, scale, [&](float x) { return product(x, factor); });
}

Block torchao(const std::vector<double>& scales, const std::vector<float>& reals) {
  const float least = static_cast<float>(scales[8]);  // the smallest normal number of three mantissa bits
  const std::size_t scale = nearest(scales, static_cast<double>(std::max(quotient(largest(reals), 6), least)));
  return block_of(reals, scale, [&](float x) { return quotient(x, static_cast<float>(scales[scale])); });
}

double squared_difference(const std::vector<double>& scales, const std::vector<float>& reals, const Block& block) {
  double sum = 0;
  for (std::size_t i = 0; i < reals.size(); ++i) {
    const double value = kE2m1[static_cast<std::size_t>(block.codes[i] & 7)] * scales[block.scale] * (block.codes[i] >= 8 ? -1 : 1);
    sum += std::pow(value - static_cast<double>(reals[i]), 2);
  }
  return sum;
}

std::vector<float> random_block(std::mt19937_64& generator, std::int64_t length) {
  std::vector<float> reals(static_cast<std::size_t>(length));
  const int power = static_cast<int>(generator() % 24) - 12 - (generator() % 16 == 0 ? 30 : 0);
  for (float& x : reals) {
    // Every fourth has many places, the others three, among which are ties.
    const bool fine = generator() % 4 == 0;
    const double fraction = std::ldexp(static_cast<double>(generator() >> (fine ? 12 : 61)), fine ? -52 : -3);
    x = static_cast<float>(std::ldexp(1 + fraction, power - static_cast<int>(generator() % 5)));
    if (generator() % 2 == 0) x = -x;
    if (generator() % 12 == 0) x = std::copysign(0.0F, x);
  }
  return reals;
}

const ConversionEntry* entry_of(const RegisteredTarget& target, const std::string& format) {
  for (const ConversionEntry& entry : target.table.conversions) {
    if (format == entry.format && !entry.is_f64) return &entry;
  }
  return nullptr;
}

Storage nvfp4(ScaleRule rule, int length = 16) {
  Storage storage = find_storage({.format = "nvfp4"}, formats(), block_formats()).storage;
  storage.rule = rule;
  storage.length = length;
  return storage;
}

// Blocks in one row, converted there and back; what is expected of each.
template <typename Expect>
void on_every_target(const Storage& storage, const std::vector<float>& row, const Expect& expect) {
  const auto count = static_cast<std::int64_t>(row.size());
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    const ConversionEntry* const entry = entry_of(target, "nvfp4");
    ASSERT_NE(entry, nullptr) << target.table.target;
    SCOPED_TRACE(std::string(target.table.target) + ", rule " + kScaleRuleNames[static_cast<int>(storage.rule)] + ", blocks of " +
                 std::to_string(storage.length));
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(code_bytes(storage, count)));
    std::vector<std::uint8_t> scales(static_cast<std::size_t>(scale_bytes(storage, count)));
    std::vector<float> out(row.size());
    ConversionArgs args{.storage = &storage, .codes = codes.data(), .scales = scales.data(), .reals = const_cast<float*>(row.data()),
                        .count = count};
    const std::int64_t saturated = entry->encode(args);
    args.reals = out.data();
    entry->decode(args);
    for (std::size_t b = 0; b < scales.size(); ++b) {
      const auto begin = static_cast<std::int64_t>(b) * storage.length, end = std::min(count, begin + storage.length);
      Block got{.scale = scales[b], .codes = {}};
      for (std::int64_t i = begin; i < end; ++i) got.codes.push_back(static_cast<int>(read_code(codes.data(), 4, i)));
      const auto part = [&](const std::vector<float>& of) { return std::vector<float>(of.begin() + begin, of.begin() + end); };
      expect(part(row), got, part(out), saturated);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

void expect_decoded(const std::vector<double>& scales, const Block& block, const std::vector<float>& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double value = kE2m1[static_cast<std::size_t>(block.codes[i] & 7)] * scales[block.scale];
    ASSERT_EQ(static_cast<double>(out[i]), block.codes[i] >= 8 ? -value : value);
    ASSERT_EQ(std::signbit(out[i]), block.codes[i] >= 8);
  }
}

TEST(ValueScales, RandomBlocksHaveTheScalesAndCodesOfTheirRule) {
  std::mt19937_64 generator(61);
  for (const int length : {16, 8, 64, 2, 32}) {
    std::vector<float> row;
    for (int b = 0; b < 24'000 / length; ++b) {
      const std::vector<float> block = random_block(generator, length);
      row.insert(row.end(), block.begin(), block.end());
    }
    row.resize(row.size() - static_cast<std::size_t>(length) / 2);  // the last one is partial
    for (const ScaleRule rule : {ScaleRule::kTe, ScaleRule::kTorchao, ScaleRule::kSearch}) {
      on_every_target(nvfp4(rule, length), row, [&](const Reals& reals, const Block& got, const Reals& out, std::int64_t) {
        ASSERT_LT(got.scale, kUe4m3.size());
        Block expected = rule == ScaleRule::kTorchao ? torchao(kUe4m3, reals) : te(kUe4m3, reals);
        if (rule == ScaleRule::kSearch) {
          const Block other = te(kUe4m3, reals, 4);
          const double six = squared_difference(kUe4m3, reals, expected), four = squared_difference(kUe4m3, reals, other);
          // Sums in f32 tell errors apart that differ by more than their roundings.
          const bool near = std::abs(four - six) <= 1e-5 * six;
          if (near ? got.scale == other.scale : four < six) expected = other;
        }
        ASSERT_EQ(got.scale, expected.scale) << "largest " << largest(reals);
        ASSERT_EQ(got.codes, expected.codes) << "scale " << kUe4m3[got.scale];
        expect_decoded(kUe4m3, got, out);
      });
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

struct Vector {
  ScaleRule rule;
  std::vector<float> reals;  // 16, or fewer and zeros
  std::size_t scale;
  std::vector<int> codes;
  std::int64_t saturated = 0;
};

TEST(ValueScales, BlocksByHandHaveTheirScalesAndCodes) {
  const std::vector<float> ties = {6, 3, -6, 0.5F, 0.25F, 0.75F, 5, 2.5F, -1, 3.5F, 1.25F, 1.75F, -0.0F, 0, 4, 2};
  const std::vector<int> tie_codes = {7, 5, 15, 1, 0, 2, 6, 4, 10, 6, 2, 4, 8, 0, 6, 4};
  const std::vector<float> fives = {6, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const Vector vectors[] = {
      {ScaleRule::kTe, ties, 0x38, tie_codes},
      {ScaleRule::kTorchao, ties, 0x38, tie_codes},
      {ScaleRule::kTe, {}, 0, {}},
      {ScaleRule::kTorchao, {}, 8, {}},
      {ScaleRule::kSearch, {}, 0, {}},
      {ScaleRule::kTe, {0x1p-12F, -0x1p-14F}, 0, {7, 15}, 2},   // below half of the smallest scale: 0, and largest elements beside it
      {ScaleRule::kTorchao, {0x1p-12F, -0x1p-14F}, 8, {0, 8}},  // the smallest normal scale
      {ScaleRule::kTe, {3200, -2688, 448}, 0x7e, {7, 15, 2}, 1},
      {ScaleRule::kTorchao, {3200, -2688, 448}, 0x7e, {7, 15, 2}, 1},
      {ScaleRule::kTe, {1}, 0x23, {7}},  // 1/6 lies between 10/64 and 11/64, nearer to the second
      {ScaleRule::kTe, fives, 0x38, {7, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6}},
      {ScaleRule::kSearch, fives, 0x3c, {6, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}},  // 1.5: 5 becomes 4.5 instead of 4
      {ScaleRule::kSearch, {6, 3, 1.5F}, 0x38, {7, 5, 3}},
      {ScaleRule::kTe, {1, nan, 2}, 0x7f, {}},
      {ScaleRule::kTorchao, {1, infinity}, 0x7f, {}},
      {ScaleRule::kSearch, {-infinity, 1}, 0x7f, {}},
  };
  for (const Vector& vector : vectors) {
    for (const std::size_t blocks : {1U, 5U, 40U}) {
      std::vector<float> row;
      for (std::size_t b = 0; b < blocks; ++b) {
        std::vector<float> reals = vector.reals;
        reals.resize(16);
        row.insert(row.end(), reals.begin(), reals.end());
      }
      std::vector<int> codes = vector.codes;
      codes.resize(16);
      on_every_target(nvfp4(vector.rule), row, [&](const Reals& reals, const Block& got, const Reals& out, std::int64_t saturated) {
        EXPECT_EQ(got.scale, vector.scale) << "largest " << largest(reals);
        EXPECT_EQ(got.codes, codes) << "largest " << largest(reals);
        EXPECT_EQ(saturated, vector.saturated * static_cast<std::int64_t>(blocks)) << "largest " << largest(reals);
        if (vector.scale == 0x7f) {
          for (const float x : out) EXPECT_EQ(std::bit_cast<std::uint32_t>(x), 0x7fc00000U);
        } else {
          expect_decoded(kUe4m3, got, out);
        }
      });
    }
  }
}

// A power of two for the whole tensor changes powers of scales alone: the global encode scale of TransformerEngine, where it is one.
TEST(ValueScales, APowerOfTwoBeforeABlockIsAPowerOfTwoOfItsScale) {
  std::mt19937_64 generator(67);
  for (int i = 0; i < 2000; ++i) {
    std::vector<float> reals = random_block(generator, 16);
    if (largest(reals) < 0.5F || largest(reals) > 600) continue;
    const Block one = te(kUe4m3, reals);
    for (float& x : reals) x *= 4;
    on_every_target(nvfp4(ScaleRule::kTe), reals, [&](const Reals&, const Block& got, const Reals&, std::int64_t) {
      ASSERT_EQ(got.scale, one.scale + 16);
      ASSERT_EQ(got.codes, one.codes);
    });
  }
}

TEST(ValueScales, OfAnotherFormatChooseByTheSameRules) {
  FormatInfo scale = *find_format(formats(), "ue4m3");
  scale.name = "ue5m3";
  scale.bits = 8;
  scale.exponent_bits = 5;
  scale.bias = 15;
  scale.nan = 0xff;
  ASSERT_EQ(largest_value(scale), kUe5m3.back());
  ASSERT_EQ(largest_value(scale), 114688);
  std::mt19937_64 generator(71);
  for (int i = 0; i < 4000; ++i) {
    const std::vector<float> reals = random_block(generator, 16);
    for (const ScaleRule rule : {ScaleRule::kTe, ScaleRule::kTorchao}) {
      const Storage storage{.element = find_format(formats(), "e2m1"), .scale = &scale, .length = 16, .rule = rule};
      const Block expected = rule == ScaleRule::kTe ? te(kUe5m3, reals) : torchao(kUe5m3, reals);
      std::uint8_t codes[8], chosen = 0;
      encode_row(storage, reals.data(), {}, 16, codes, {}, &chosen, Rounding::kNearestSaturate, {});
      ASSERT_EQ(chosen, expected.scale) << "largest " << largest(reals);
      for (std::size_t j = 0; j < 16; ++j) ASSERT_EQ(static_cast<int>(read_code(codes, 4, static_cast<std::int64_t>(j))), expected.codes[j]);
      std::vector<float> out(16);
      decode_row(storage, codes, {}, &chosen, 16, out.data(), {});
      expect_decoded(kUe5m3, expected, out);
    }
  }
}

TEST(ValueScales, RulesBelongToScalesOfTheirKind) {
  const auto found = [](const char* text) {
    const StorageNameResult parsed = parse_storage_name(text);
    EXPECT_EQ(parsed.error, nullptr) << text;
    return find_storage(parsed.name, formats(), block_formats());
  };
  for (const char* text : {"nvfp4", "nvfp4:te", "nvfp4:torchao", "nvfp4:b32:search", "nvfp4:b0", "mxfp4_e2m1:fit"}) {
    EXPECT_EQ(found(text).error, nullptr) << text;
  }
  for (const char* text : {"nvfp4:floor", "nvfp4:fit"}) {
    EXPECT_STREQ(found(text).error, "Its scales have a mantissa; te, torchao and search choose such scales.") << text;
  }
  for (const char* text : {"mxfp4_e2m1:te", "mxint8:search"}) {
    EXPECT_STREQ(found(text).error, "Its scales are powers of two, which floor, ceil, rceil, even and fit choose.") << text;
  }
  EXPECT_STREQ(mx_refusal(nvfp4(ScaleRule::kTe)), "has scales that are no powers of two");
}

}  // namespace
}  // namespace ulpfft::test
