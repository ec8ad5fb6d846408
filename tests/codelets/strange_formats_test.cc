// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Vector conversions of formats that no descriptor here has, drawn while this file is compiled: no mantissa bits, one bit of exponent,
// any bias, every policy of special values. Inputs are codes, the midpoints between them, and what lies beside a midpoint.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "codelets/contract/conversion.h"
#include "codelets/hwy/convert_facts.h"
#include "codelets/hwy/target_facts.h"
#include "codelets/registry.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/codelets/strange_formats_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "codelets/hwy/collect.h"
#include "codelets/hwy/convert_formats-inl.h"

#ifndef ULPFFT_TESTS_CODELETS_STRANGE_FORMATS_ONCE_
#define ULPFFT_TESTS_CODELETS_STRANGE_FORMATS_ONCE_
namespace ulpfft::test {

constexpr int kStrangeFormats = 30;

// A third have no mantissa bits.
constexpr FormatInfo strange_format(int number) {
  std::uint64_t index = 0;
  const auto draw = [&](int low, int high) {
    return low + static_cast<int>(random_bits(static_cast<std::uint64_t>(number) + 77, index++) % static_cast<std::uint32_t>(high - low + 1));
  };
  FormatInfo f;
  f.name = "strange";
  f.kind = FormatKind::kFloat;
  f.special = static_cast<Special>(draw(0, 4));
  const int least = f.special == Special::kIeee ? 2 : 1;  // of exponent, and then one of mantissa
  f.mantissa_bits = number % 3 == 0 && f.special != Special::kIeee ? 0 : draw(1, 6);
  f.exponent_bits = draw(std::max(least, 2 - f.mantissa_bits), 7 - f.mantissa_bits < least ? least : 7 - f.mantissa_bits);
  f.bits = 1 + f.exponent_bits + f.mantissa_bits;
  f.bias = draw(0, 1) == 0 ? (1 << (f.exponent_bits - 1)) - 1 : draw(-20, 60);
  f.nan = f.special == Special::kIeee ? ((std::uint64_t(2) << f.exponent_bits) - 1) << (f.mantissa_bits - 1) : 0;
  return f;
}
template <int N>
struct Strange {
  static constexpr FormatInfo kInfo = strange_format(N);
};

std::vector<float> midpoints(const FormatInfo& f) {
  std::vector<double> values;
  for (std::uint64_t code = 0; code < std::uint64_t(1) << f.bits; ++code) {
    if (const double value = decode(f, code); std::isfinite(value)) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  std::mt19937_64 generator(5);
  std::vector<float> result(4096);
  for (float& x : result) {
    const std::size_t at = generator() % (values.size() - 1);
    const auto middle = static_cast<float>(values[at] / 2 + values[at + 1] / 2);
    const float infinity = std::numeric_limits<float>::infinity();
    const std::uint64_t kind = generator() % 4;
    x = kind == 0 ? static_cast<float>(values[at]) : kind == 1 ? middle : std::nextafter(middle, kind == 2 ? infinity : -infinity);
  }
  return result;
}

void expect_slow_codec(const FormatInfo& f, int number, const char* target, DecodeFn decode_rows, EncodeFn encode_rows) {
  const Storage s{.element = &f};
  std::vector<float> in = midpoints(f);
  const auto count = std::ssize(in);
  // Overflow, infinity and NaN come last: what is before them needs no care.
  in[4095] = std::numeric_limits<float>::quiet_NaN();
  in[4094] = -std::numeric_limits<float>::infinity();
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(code_bytes(s, count))), expected = codes;
  const std::int64_t saturated = encode_rows({.storage = &s, .codes = codes.data(), .reals = in.data(), .count = count});
  EXPECT_EQ(saturated, encode_row(s, in.data(), {}, count, expected.data(), {}, nullptr, Rounding::kNearestSaturate, {}))
      << "format " << number << " on " << target;
  for (std::int64_t i = 0; i < count; ++i) {
    ASSERT_EQ(read_code(codes.data(), f.bits, i), read_code(expected.data(), f.bits, i))
        << "format " << number << " (1-" << f.exponent_bits << "-" << f.mantissa_bits << ", bias " << f.bias << ", special "
        << static_cast<int>(f.special) << ") on " << target << ", " << in[static_cast<std::size_t>(i)];
  }
  std::vector<float> out(in.size()), back(in.size());
  decode_rows({.storage = &s, .codes = codes.data(), .reals = out.data(), .count = count});
  decode_row(s, codes.data(), {}, nullptr, count, back.data(), {});
  for (std::size_t i = 0; i < out.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint32_t>(out[i]), std::bit_cast<std::uint32_t>(back[i])) << "format " << number << " on " << target << ", number " << i;
  }
}

// Scales with a mantissa that no descriptor here has: of a byte, of two bytes, and powers of two beside a zero.
constexpr FormatInfo scale_format(int exponent, int mantissa) {
  FormatInfo f;
  f.name = "strange_scale";
  f.kind = FormatKind::kFloat;
  f.is_signed = false;
  f.exponent_bits = exponent;
  f.mantissa_bits = mantissa;
  f.bits = exponent + mantissa;
  f.bias = (1 << (exponent - 1)) - 1;
  f.special = Special::kFn;
  f.nan = top_magnitude(f);
  return f;
}
template <int kExponent, int kMantissa>
struct StrangeScale {
  static constexpr FormatInfo kInfo = scale_format(kExponent, kMantissa);
};
struct E2m1 {
  static constexpr FormatInfo kInfo = {.name = "e2m1", .kind = FormatKind::kFloat, .bits = 4, .exponent_bits = 2, .mantissa_bits = 1, .bias = 1,
                                       .special = Special::kNone, .nan = 7};
};
struct E4m3 {
  static constexpr FormatInfo kInfo = {.name = "e4m3", .kind = FormatKind::kFloat, .bits = 8, .exponent_bits = 4, .mantissa_bits = 3, .bias = 7,
                                       .special = Special::kFn, .nan = 0x7f};
};
struct Int8q6 {
  static constexpr FormatInfo kInfo = {.name = "int8q6", .kind = FormatKind::kInteger, .bits = 8, .fraction_bits = 6, .symmetric = true};
};

void expect_slow_blocks(const FormatInfo& element, const FormatInfo& scale, const char* target, DecodeFn decode_rows, EncodeFn encode_rows) {
  std::mt19937_64 generator(7);
  std::normal_distribution<float> normal;
  std::vector<float> in(1203);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::ldexp(normal(generator), static_cast<int>(i / 64) * 3 - 30);
  in[700] = std::numeric_limits<float>::infinity();
  std::fill(in.begin() + 128, in.begin() + 192, -0.0F);
  const auto count = std::ssize(in);
  for (const int length : {2, 8, 16, 64, 0}) {
    for (int rule = kPowerRules; rule < kScaleRules; ++rule) {
      for (const Rounding rounding : {Rounding::kNearestSaturate, Rounding::kStochastic}) {
        const Storage s{.element = &element, .scale = &scale, .length = length, .rule = static_cast<ScaleRule>(rule)};
        std::vector<std::uint8_t> codes(static_cast<std::size_t>(code_bytes(s, count))), expected = codes;
        std::vector<std::uint8_t> scales(static_cast<std::size_t>(scale_bytes(s, count))), expected_scales = scales;
        const auto where = [&] {
          return std::string(element.name) + " with scales of " + std::to_string(scale.exponent_bits) + " and " + std::to_string(scale.mantissa_bits) +
                 " bits on " + target + ", blocks of " + std::to_string(length) + ", rule " + kScaleRuleNames[rule];
        };
        const std::int64_t saturated = encode_rows({.storage = &s, .codes = codes.data(), .scales = scales.data(), .reals = in.data(), .count = count,
                                                    .rounding = rounding, .seed = 3});
        const RandomSource random{nullptr, 3, 0};
        EXPECT_EQ(saturated, encode_row(s, in.data(), {}, count, expected.data(), {}, expected_scales.data(), rounding, random)) << where();
        ASSERT_EQ(scales, expected_scales) << where();
        ASSERT_EQ(codes, expected) << where();
        std::vector<float> out(in.size()), back(in.size());
        decode_rows({.storage = &s, .codes = codes.data(), .scales = scales.data(), .reals = out.data(), .count = count});
        decode_row(s, codes.data(), {}, scales.data(), count, back.data(), {});
        ASSERT_EQ(std::memcmp(out.data(), back.data(), 4 * out.size()), 0) << where();
      }
    }
  }
}

}  // namespace ulpfft::test
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {

#if ULPFFT_HWY_SIMD
template <int... N>
void check_formats(const char* target, std::integer_sequence<int, N...>) {
  (test::expect_slow_codec(test::Strange<N>::kInfo, N, target,
                           &decode_with<conversion::lanes_for<float>(test::Strange<N>::kInfo, nullptr), float, test::Strange<N>, NoScale>,
                           &encode_with<conversion::lanes_for<float>(test::Strange<N>::kInfo, nullptr), float, test::Strange<N>, NoScale>),
   ...);
}
template <typename Element, typename Scale>
void check_blocks(const char* target) {
  constexpr conversion::Lanes kLanes = conversion::lanes_for<float>(Element::kInfo, &Scale::kInfo);
  static_assert(kLanes == conversion::Lanes::kF32);
  test::expect_slow_blocks(Element::kInfo, Scale::kInfo, target, &decode_with<kLanes, float, Element, Scale>,
                           &encode_with<kLanes, float, Element, Scale>);
}
void check_strange_formats(const char* target) {
  check_formats(target, std::make_integer_sequence<int, test::kStrangeFormats>());
  check_blocks<test::E2m1, test::StrangeScale<5, 3>>(target);
  check_blocks<test::Int8q6, test::StrangeScale<7, 5>>(target);
  check_blocks<test::E4m3, test::StrangeScale<5, 0>>(target);
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulpfft::test {
namespace {

void check_on(std::int64_t target, const char* name) { ULPFFT_HWY_SWITCH(target, check_strange_formats(name)) }

TEST(StrangeFormats, MidpointsTheirNeighboursAndBlocksConvertAsTheSlowCodecDoesOnEveryTarget) {
  int without_mantissa = 0;
  for (int number = 0; number < kStrangeFormats; ++number) without_mantissa += strange_format(number).mantissa_bits == 0 ? 1 : 0;
  EXPECT_GE(without_mantissa, 5);
  for (const TargetFacts& target : hwy_targets()) {
    if (target.supported) check_on(target.bit, target.name);
  }
}

}  // namespace
}  // namespace ulpfft::test
#endif
