// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The conversions that targets register, against the slow codec: every code, many values, every way rows can lie.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "codelets/contract/conversion.h"
#include "codelets/registry.h"
#include "tests/support/sample.h"

namespace ulpfft::test {
namespace {

// A conversion of a target, with the storage that its format names.
struct Case {
  std::string target;
  const ConversionEntry* entry = nullptr;
  Storage storage;
};

std::vector<Case> cases(bool is_f64) {
  std::vector<Case> result;
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    for (const ConversionEntry& entry : target.table.conversions) {
      if (entry.is_f64 != is_f64) continue;
      const StorageResult storage = find_storage({.format = entry.format}, formats(), block_formats());
      EXPECT_EQ(storage.error, nullptr) << entry.format;
      result.push_back({target.table.target, &entry, storage.storage});
    }
  }
  return result;
}

TEST(Conversions, RefHasEachNarrowFormatForBothTypesOfReals) {
  for (const bool is_f64 : {false, true}) {
    std::size_t count = 0;
    for (const Case& c : cases(is_f64)) count += c.target == "ref" ? 1 : 0;
    EXPECT_EQ(count, formats().size() - 2 + block_formats().size());
  }
}

template <typename T>
bool same(T a, T b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }

TEST(Conversions, EveryCodeDecodesToWhatTheSlowCodecSays) {
  const auto check = [](auto type) {
    using T = decltype(type);
    for (const Case& c : cases(sizeof(T) == 8)) {
      if (c.storage.scale != nullptr) continue;
      const FormatInfo& f = *c.storage.element;
      const std::int64_t count = std::int64_t(1) << f.bits;
      std::vector<std::uint8_t> codes(static_cast<std::size_t>(code_bytes(c.storage, count)));
      for (std::int64_t i = 0; i < count; ++i) write_code(codes.data(), f.bits, i, static_cast<std::uint64_t>(i));
      std::vector<T> out(static_cast<std::size_t>(count));
      c.entry->decode({.storage = &c.storage, .codes = codes.data(), .reals = out.data(), .count = count});
      for (std::int64_t i = 0; i < count; ++i) {
        ASSERT_TRUE(same(out[static_cast<std::size_t>(i)], static_cast<T>(decode(f, static_cast<std::uint64_t>(i)))))
            << f.name << " code " << i << " on " << c.target;
      }
    }
  };
  check(float());
  check(double());
}

// Reals of every size, with zeros, infinities and NaN among them where wished; blocks of similar size, so that scales matter.
template <typename T>
std::vector<T> random_reals(std::mt19937_64& generator, const FormatInfo& f, std::int64_t count, bool special) {
  std::vector<T> result(static_cast<std::size_t>(count));
  const int centre = floor_log2(f.largest) - 2;
  for (T& x : result) {
    const std::uint64_t draw = generator();
    double value = std::ldexp(1 + static_cast<double>(draw >> 12) * 0x1p-52, centre - static_cast<int>(draw % 14) + (draw % 5 == 0 ? 8 : 0));
    if (draw % 16 == 0) value = std::ldexp(std::floor(std::ldexp(value, 12 - centre)), centre - 12);  // ties
    if (draw % 64 == 1) value = 0;
    if (special && draw % 211 == 2) value = std::numeric_limits<double>::infinity();
    if (special && draw % 211 == 3) value = std::numeric_limits<double>::quiet_NaN();
    if (draw % 19 == 4) value = std::bit_cast<float>(static_cast<std::uint32_t>(draw >> 33));  // any f32
    if (!special && !std::isfinite(value)) value = 1;
    x = static_cast<T>((draw >> 32 & 1) != 0 ? -value : value);
  }
  return result;
}

std::int64_t how_many() { return std::getenv("ULPFFT_TEST_FULL") != nullptr ? 10'000'000 : 100'000; }

template <typename T>
void expect_codes_of_the_slow_codec(const Case& c, const std::vector<T>& in, const char* what) {
  const auto count = std::ssize(in);
  for (const Rounding rounding : {Rounding::kNearestSaturate, Rounding::kNearest, Rounding::kStochastic}) {
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(code_bytes(c.storage, count))), expected = codes;
    std::vector<std::uint8_t> scales(static_cast<std::size_t>(scale_bytes(c.storage, count))), expected_scales = scales;
    const std::int64_t saturated = c.entry->encode({.storage = &c.storage, .codes = codes.data(), .scales = scales.data(),
        .reals = const_cast<T*>(in.data()), .count = count, .rounding = rounding, .seed = 12345678901234567u, .index = 0xfffffff0u});
    const std::int64_t expected_count = encode_row(c.storage, in.data(), {}, count, expected.data(), {}, expected_scales.data(), rounding,
                                                   {nullptr, 12345678901234567u, 0xfffffff0u});
    ASSERT_EQ(codes, expected) << what << ", " << c.entry->format << " on " << c.target << ", rounding " << static_cast<int>(rounding);
    ASSERT_EQ(scales, expected_scales) << what << ", " << c.entry->format << " on " << c.target;
    ASSERT_EQ(saturated, expected_count) << what << ", " << c.entry->format << " on " << c.target << ", rounding " << static_cast<int>(rounding);
  }
}

TEST(Conversions, RandomValuesEncodeAsTheSlowCodecDoesInEveryRounding) {
  int compared = 0;
  const auto check = [&](auto type) {
    using T = decltype(type);
    std::mt19937_64 generator(29);
    for (const Case& c : cases(sizeof(T) == 8)) {
      if (c.target == "ref") continue;  // is the slow codec
      ++compared;
      expect_codes_of_the_slow_codec(c, random_reals<T>(generator, *c.storage.element, how_many(), true), "random reals");
    }
  };
  check(float());
  check(double());
  if (compared == 0) GTEST_SKIP() << "no target but ref has conversions";
}

// Also doubles beside them, which round like them but where they are ties.
TEST(Conversions, EveryValueOf16BitsEncodesAsTheSlowCodecDoes) {
  int compared = 0;
  const auto check = [&](auto type) {
    using T = decltype(type);
    for (const char* name : {"f16", "bf16"}) {
      const FormatInfo& f = *find_format(formats(), name);
      std::vector<T> values;
      for (std::uint64_t code = 0; code < 0x10000; ++code) {
        const double value = decode(f, code);
        values.push_back(static_cast<T>(value));
        if constexpr (sizeof(T) == 8) values.push_back(std::nextafter(value, code % 2 == 0 ? 0 : INFINITY));
      }
      for (const Case& c : cases(sizeof(T) == 8)) {
        if (c.target == "ref") continue;
        ++compared;
        expect_codes_of_the_slow_codec(c, values, name);
      }
    }
  };
  check(float());
  check(double());
  if (compared == 0) GTEST_SKIP() << "no target but ref has conversions";
}

// Reals of a format's range and no others: codes, the midpoints between them, what lies just beside a midpoint, and what lies anywhere.
// Each block has its largest code or one beside it, and a power of two of its own.
template <typename T>
std::vector<T> tame_reals(std::mt19937_64& generator, const Storage& s, std::int64_t count) {
  const FormatInfo& f = *s.element;
  std::vector<double> values;  // of finite codes, ascending
  for (std::uint64_t code = 0; code < std::uint64_t(1) << f.bits; ++code) {
    const double value = decode(f, code);
    if (std::isfinite(value) && std::isfinite(static_cast<float>(value))) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  const std::int64_t length = s.scale == nullptr ? 1 : s.length == 0 ? count : s.length;
  std::vector<T> result(static_cast<std::size_t>(count));
  int power = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t draw = generator();
    if (s.scale != nullptr && i % length == 0) power = static_cast<int>(draw >> 32 & 31) - 16;
    std::size_t at = static_cast<std::size_t>(draw % (values.size() - 1));
    if (s.scale == nullptr && i >= count / 2) at = values.size() / 8 + at * 3 / 4;  // without the ends, which integers may take care of
    if (s.scale != nullptr && i % length == length / 2) at = (draw >> 7 & 1) != 0 ? values.size() - 2 : 0;
    const double low = values[at], high = values[at + 1];
    const T middle = static_cast<T>(std::ldexp(low / 2 + high / 2, power));
    T x = static_cast<T>(std::ldexp(low, power));
    switch (draw >> 40 & 7) {
      case 0: x = static_cast<T>(std::ldexp(high, power)); break;
      case 1: case 2: case 3: x = middle; break;
      case 4: x = std::nextafter(middle, std::numeric_limits<T>::infinity()); break;
      case 5: x = std::nextafter(middle, -std::numeric_limits<T>::infinity()); break;
      case 6: x = static_cast<T>(std::ldexp(low + (high - low) * (static_cast<double>(draw >> 43) * 0x1p-21), power)); break;
      default: break;
    }
    if (x == 0 && (draw >> 39 & 1) != 0) x = -x;
    result[static_cast<std::size_t>(i)] = x;
  }
  return result;
}

TEST(Conversions, MidpointsAndTheirNeighboursInsideTheRangeEncodeAsTheSlowCodecDoes) {
  int compared = 0;
  const auto check = [&](auto type) {
    using T = decltype(type);
    std::mt19937_64 generator(31);
    for (const Case& c : cases(sizeof(T) == 8)) {
      if (c.target == "ref") continue;
      ++compared;
      const std::vector<T> in = tame_reals<T>(generator, c.storage, 20'000);
      const auto count = std::ssize(in);
      std::vector<std::uint8_t> codes(static_cast<std::size_t>(code_bytes(c.storage, count))), expected = codes;
      std::vector<std::uint8_t> scales(static_cast<std::size_t>(scale_bytes(c.storage, count))), expected_scales = scales;
      const std::int64_t saturated = c.entry->encode({.storage = &c.storage, .codes = codes.data(), .scales = scales.data(),
                                                      .reals = const_cast<T*>(in.data()), .count = count});
      const std::int64_t expected_count = encode_row(c.storage, in.data(), {}, count, expected.data(), {}, expected_scales.data(),
                                                     Rounding::kNearestSaturate, {});
      for (std::int64_t i = 0; i < count; ++i) {
        ASSERT_EQ(read_code(codes.data(), c.storage.element->bits, i), read_code(expected.data(), c.storage.element->bits, i))
            << c.entry->format << " on " << c.target << ", number " << i << ": " << in[static_cast<std::size_t>(i)];
      }
      ASSERT_EQ(scales, expected_scales) << c.entry->format << " on " << c.target;
      ASSERT_EQ(saturated, expected_count) << c.entry->format << " on " << c.target;
      // And back, without what needs care.
      std::vector<T> out(in.size()), back(in.size());
      c.entry->decode({.storage = &c.storage, .codes = codes.data(), .scales = scales.data(), .reals = out.data(), .count = count});
      decode_row(c.storage, codes.data(), {}, scales.data(), count, back.data(), {});
      for (std::size_t i = 0; i < in.size(); ++i) ASSERT_TRUE(same(out[i], back[i])) << c.entry->format << " on " << c.target << ", number " << i;
    }
  };
  check(float());
  check(double());
  if (compared == 0) GTEST_SKIP() << "no target but ref has conversions";
}

// Rows as a caller may lay them out. What lies between codes, scales and reals must stay.
struct Layout {
  std::int64_t rows = 1;
  std::int64_t count = 1;
  std::int64_t group = 0;
  std::int64_t gap = 0;  // elements between groups, bytes and reals between rows
  bool real_groups_adjoin = false, code_groups_adjoin = false;
};

template <typename T>
void expect_layout(std::mt19937_64& generator, const Case& c, const Layout& layout, Rounding rounding) {
  const Storage& s = c.storage;
  const bool plain = s.scale == nullptr && !is_packed(*s.element);
  const std::int64_t groups = layout.group > 0 ? (layout.count + layout.group - 1) / layout.group : 1;
  const std::int64_t group_stride = layout.group > 0 ? layout.group + layout.gap : layout.count;
  const std::int64_t real_stride = layout.real_groups_adjoin ? layout.group : group_stride, code_stride = layout.code_groups_adjoin ? layout.group : group_stride;
  const std::int64_t span = layout.group > 0 ? groups * group_stride : layout.count;
  ConversionArgs args;
  args.storage = &s;
  args.rows = layout.rows;
  args.count = layout.count;
  args.group = layout.group;
  args.real_group_stride = real_stride;
  args.code_group_stride = code_stride;
  args.real_row_stride = span + layout.gap;
  args.code_row_bytes = plain ? span * (s.element->bits / 8) + layout.gap * (s.element->bits / 8) : code_bytes(s, layout.count) + layout.gap;
  args.scale_row_bytes = scale_bytes(s, layout.count) + layout.gap;
  args.index_row_stride = static_cast<std::uint64_t>(layout.count);
  args.seed = 9;
  args.rounding = rounding;
  const std::vector<T> in = random_reals<T>(generator, *s.element, layout.rows * args.real_row_stride, false);
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(layout.rows * args.code_row_bytes), 0x5a);
  std::vector<std::uint8_t> scales(static_cast<std::size_t>(layout.rows * args.scale_row_bytes + 1), 0xa5);
  std::vector<std::uint8_t> expected = codes, expected_scales = scales;
  args.codes = codes.data();
  args.scales = scales.data();
  args.reals = const_cast<T*>(in.data());
  c.entry->encode(args);
  const Groups real_place{layout.group, real_stride};
  const Groups code_place{plain ? layout.group : 0, code_stride};
  std::vector<T> out(in.size(), T(3)), expected_out = out;
  for (std::int64_t r = 0; r < layout.rows; ++r) {
    std::uint8_t* row_codes = expected.data() + r * args.code_row_bytes;
    std::uint8_t* row_scales = expected_scales.data() + r * args.scale_row_bytes;
    encode_row(s, in.data() + r * args.real_row_stride, real_place, layout.count, row_codes, code_place, row_scales, args.rounding,
               {nullptr, 9, static_cast<std::uint64_t>(r * layout.count)});
    decode_row(s, row_codes, code_place, row_scales, layout.count, expected_out.data() + r * args.real_row_stride, real_place);
  }
  const std::string where = std::string(c.entry->format) + " on " + c.target + ", " + std::to_string(layout.rows) + " rows of " +
                            std::to_string(layout.count) + ", group " + std::to_string(layout.group) + ", gap " + std::to_string(layout.gap) +
                            (layout.real_groups_adjoin ? ", reals adjoin" : "") + (layout.code_groups_adjoin ? ", codes adjoin" : "");
  ASSERT_EQ(codes, expected) << where;
  ASSERT_EQ(scales, expected_scales) << where;
  args.reals = out.data();
  c.entry->decode(args);
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_TRUE(same(out[i], expected_out[i])) << where << ", real " << i;
}

TEST(Conversions, RowsOfAnyLengthGroupAndGapTouchTheirOwnElementsOnly) {
  const auto check = [](auto type) {
    using T = decltype(type);
    std::mt19937_64 generator(31);
    Sampler settings(2);  // of blocks
    for (Case c : cases(sizeof(T) == 8)) {
      for (const Layout& layout : {Layout{1, 1}, {3, 2}, {2, 3, 0, 1}, {1, 7}, {2, 8, 0, 5}, {1, 15}, {2, 16, 2, 6}, {3, 17, 1, 1}, {1, 31, 2, 2}, {1, 32},
                                   {2, 33, 0, 3}, {1, 63, 1, 3}, {1, 64, 2, 0}, {1, 65}, {1, 127}, {2, 130, 2, 10}, {1, 1000, 0, 0},
                                   {2, 200, 3, 2}, {1, 1100, 5, 1}, {2, 64, 1, 1, false, true}, {2, 140, 1, 1, false, true}, {2, 192, 2, 7, true}, {1, 70, 2, 3, true}, {1, 66, 2, 3, true, true}}) {
        const bool blocks = c.storage.scale != nullptr;
        for (const int length : blocks ? std::vector<int>{0, 2, 4, 8, 16, 32, 64} : std::vector<int>{0}) {
          c.storage.length = length;
          for (int rule = 0; rule < (blocks ? kScaleRules : 1); ++rule) {
            c.storage.rule = static_cast<ScaleRule>(rule);
            if (blocks && (!is_rule_of(*c.storage.scale, c.storage.rule) || !settings.next())) continue;
            // What rounds to nearest has short ways of its own.
            for (const Rounding rounding : {Rounding::kStochastic, Rounding::kNearestSaturate}) {
              expect_layout<T>(generator, c, layout, rounding);
              if (testing::Test::HasFatalFailure()) return;
            }
          }
        }
      }
    }
  };
  check(float());
  check(double());
}

// Long rows in which few blocks need care: zeros, reals that saturate, NaN, infinity, reals near the ends of f32.
std::vector<float> rows_of_blocks(std::mt19937_64& generator, std::int64_t count) {
  std::normal_distribution<float> normal;
  std::vector<float> reals(static_cast<std::size_t>(count));
  for (float& x : reals) x = normal(generator);
  constexpr std::int64_t kApart = 600;
  for (std::int64_t begin = 0, care = 0; begin + kApart <= count; begin += kApart, ++care) {
    const auto at = reals.begin() + begin;
    switch (care % 7) {
      case 1: std::fill(at, at + 64, -0.0F); break;
      case 2: for (auto x = at; x != at + 70; ++x) *x *= 0x1p-125F; break;
      case 3: *at = std::numeric_limits<float>::quiet_NaN(); break;
      case 4: *at = std::numeric_limits<float>::infinity(); break;
      case 5: for (auto x = at; x != at + 70; ++x) *x *= 0x1p120F; break;
      case 6: *at = std::nextafter(8.0F, 0.0F); break;
      default: break;
    }
  }
  return reals;
}

TEST(Conversions, LongRowsOfBlocksEncodeAndDecodeAsTheSlowCodecDoesPastTheCachesToo) {
  std::mt19937_64 generator(41);
  constexpr std::int64_t kCount = 9100, kRoom = 128;
  for (Case c : cases(false)) {
    if (c.storage.scale == nullptr) continue;
    const std::vector<float> in = rows_of_blocks(generator, kCount);
    for (const int length : {8, 16, 32, 64}) {
      c.storage.length = length;
      for (int rule = 0; rule < kScaleRules; ++rule) {
        c.storage.rule = static_cast<ScaleRule>(rule);
        if (!is_rule_of(*c.storage.scale, c.storage.rule)) continue;
        SCOPED_TRACE(std::string(c.entry->format) + " on " + c.target + ", blocks of " + std::to_string(length) + ", rule " + std::to_string(rule));
        const auto bytes = static_cast<std::size_t>(code_bytes(c.storage, kCount)), scales = static_cast<std::size_t>(scale_bytes(c.storage, kCount));
        std::vector<std::uint8_t> expected(bytes), expected_scales(scales), got_scales(scales);
        const std::int64_t saturated = encode_row(c.storage, in.data(), Groups{}, kCount, expected.data(), Groups{}, expected_scales.data(),
                                                  Rounding::kNearestSaturate, {});
        std::vector<std::uint8_t> memory(bytes + kRoom);
        std::uint8_t* const aligned = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64);
        ConversionArgs args{.storage = &c.storage, .scales = got_scales.data(), .reals = const_cast<float*>(in.data()), .count = kCount};
        for (const int begin : {0, 1, 16}) {
          for (const bool non_temporal : {false, true}) {
            args.codes = aligned + begin;
            args.non_temporal = non_temporal;
            std::fill(memory.begin(), memory.end(), std::uint8_t{0x5a});
            EXPECT_EQ(c.entry->encode(args), saturated);
            ASSERT_TRUE(std::equal(expected.begin(), expected.end(), aligned + begin)) << "from byte " << begin << ", non-temporal " << non_temporal;
            ASSERT_EQ(got_scales, expected_scales);
          }
        }
        // Any scale, among those that were made.
        for (std::size_t i = 5; i < scales; i += 37) expected_scales[i] = static_cast<std::uint8_t>(generator());
        std::vector<float> out(in.size()), expected_out(in.size());
        decode_row(c.storage, expected.data(), Groups{}, expected_scales.data(), kCount, expected_out.data(), Groups{});
        args.codes = expected.data();
        args.scales = expected_scales.data();
        args.reals = out.data();
        c.entry->decode(args);
        for (std::size_t i = 0; i < out.size(); ++i) ASSERT_TRUE(same(out[i], expected_out[i])) << "real " << i;
      }
    }
  }
}

TEST(Conversions, PartsOfARowThatBeginWhereTheyMayGiveTheBytesOfTheWhole) {
  std::mt19937_64 generator(37);
  for (const Case& c : cases(false)) {
    const std::int64_t alignment = run_alignment(c.storage), count = 201;
    ASSERT_GT(alignment, 0) << c.entry->format;
    const std::vector<float> in = random_reals<float>(generator, *c.storage.element, count, true);
    std::vector<std::uint8_t> whole(static_cast<std::size_t>(code_bytes(c.storage, count))), parts = whole;
    std::vector<std::uint8_t> whole_scales(static_cast<std::size_t>(scale_bytes(c.storage, count))), part_scales = whole_scales;
    ConversionArgs args{.storage = &c.storage, .codes = whole.data(), .scales = whole_scales.data(), .reals = const_cast<float*>(in.data()), .count = count};
    c.entry->encode(args);
    for (std::int64_t begin = 0; begin < count; begin += 3 * alignment) {
      args.codes = parts.data() + begin * c.storage.element->bits / 8;
      args.scales = part_scales.data() + (c.storage.scale == nullptr ? 0 : begin / c.storage.length);
      args.reals = const_cast<float*>(in.data()) + begin;
      args.count = std::min(3 * alignment, count - begin);
      c.entry->encode(args);
    }
    EXPECT_EQ(parts, whole) << c.entry->format << " on " << c.target;
    EXPECT_EQ(part_scales, whole_scales) << c.entry->format << " on " << c.target;
  }
}

}  // namespace
}  // namespace ulpfft::test
