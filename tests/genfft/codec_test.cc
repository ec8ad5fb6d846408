// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The slow codec against the definitions in exact arithmetic: every descriptor of the tree, and random ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "codelets/contract/quantisation_error.h"
#include "codelets/contract/storage.h"
#include "genfft/format/parse.h"
#include "tests/genfft/exact_codec.h"
#include "tests/genfft/random_descriptor.h"

namespace ulpfft::genfft {
namespace {

FormatSet shipped() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(GENFFT_FORMATS)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return read_formats(paths);
}

// Narrow formats: of the tree, and random ones.
std::vector<FormatSpec> narrow_formats(int random) {
  std::vector<FormatSpec> result;
  for (const FormatSpec& format : shipped().formats) {
    if (format.facts.kind != FormatKind::kWide) result.push_back(format);
  }
  std::mt19937_64 generator(7);
  for (int i = 0; i < random; ++i) result.push_back(std::get<FormatSpec>(parse_descriptor("random.json", random_descriptor(generator, "random" + std::to_string(i)))));
  return result;
}

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

std::string text_of(const FormatSpec& spec) {
  const FormatInfo& f = spec.facts;
  return spec.name + " (" + std::to_string(f.bits) + " bits, signed " + std::to_string(f.is_signed) + ", exponent " + std::to_string(f.exponent_bits) +
         ", bias " + std::to_string(f.bias) + ", zero " + std::to_string(f.has_zero) + ", special " + std::to_string(static_cast<int>(f.special)) +
         ", fraction " + std::to_string(f.fraction_bits) + ", offset " + std::to_string(f.offset) + ", symmetric " + std::to_string(f.symmetric) + ")";
}

TEST(Codec, EveryCodeDecodesToItsValueByDefinition) {
  for (const FormatSpec& spec : narrow_formats(300)) {
    const FormatInfo& f = spec.facts;
    const ExactFormat exact(f);
    for (std::uint64_t code = 0; code < std::uint64_t(1) << f.bits; ++code) {
      const double value = decode(f, code);
      const bool negative = f.is_signed && (code >> (f.bits - 1)) != 0;
      const ExactFormat::Class type = exact.classify(code);
      if (type == ExactFormat::Class::kNan) {
        ASSERT_EQ(bits_of(value), bits_of(std::numeric_limits<double>::quiet_NaN())) << text_of(spec) << " code " << code;
        continue;
      }
      double expected = negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
      if (type == ExactFormat::Class::kFinite) {
        if (f.kind == FormatKind::kInteger) {
          expected = to_double(exact.integer_value(static_cast<std::int64_t>(code) - (negative ? std::int64_t(1) << f.bits : 0)));
        } else {
          const Dyadic magnitude = exact.float_value(negative ? code - (std::uint64_t(1) << (f.bits - 1)) : code);
          expected = negative ? -to_double(magnitude) : to_double(magnitude);
          ASSERT_EQ(dyadic(std::abs(value)), magnitude) << text_of(spec) << " code " << code;
        }
      }
      ASSERT_EQ(bits_of(value), bits_of(expected)) << text_of(spec) << " code " << code;
    }
  }
}

void expect_encoded(const FormatSpec& spec, const ExactFormat& exact, double x, std::uint32_t random) {
  for (const Rounding rounding : {Rounding::kNearestSaturate, Rounding::kNearest, Rounding::kStochastic}) {
    for (const std::uint32_t r16 : {random, 0u, 0xffffu, 0x8000u}) {
      const Encoded expected = exact_encode(exact, spec.facts, x, rounding, r16);
      const Encoded got = encode(spec.facts, x, rounding, r16);
      ASSERT_EQ(got.code, expected.code) << text_of(spec) << " of " << x << " = " << std::hexfloat << x << ", rounding " << static_cast<int>(rounding)
                                         << ", r16 " << r16;
      ASSERT_EQ(got.saturated, expected.saturated) << text_of(spec) << " of " << std::hexfloat << x << ", rounding " << static_cast<int>(rounding);
      if (rounding != Rounding::kStochastic) break;
    }
  }
}

// The value, the one towards the next, and their neighbours in f64, of either sign.
void expect_neighbourhood(const FormatSpec& spec, const ExactFormat& exact, const Dyadic& value, const Dyadic& next, std::uint32_t random) {
  const double middle = to_double((value + next).shifted(-1));
  for (const double x : {to_double(value), middle, to_double(value) + (middle - to_double(value)) / 2}) {
    for (const double y : {x, std::nextafter(x, -HUGE_VAL), std::nextafter(x, HUGE_VAL)}) {
      if (!std::isfinite(y)) continue;
      expect_encoded(spec, exact, y, random);
      expect_encoded(spec, exact, -y, random);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Codec, ValuesTiesAndTheirNeighboursRoundAsTheListOfValuesSays) {
  std::mt19937_64 generator(3);
  for (const FormatSpec& spec : narrow_formats(300)) {
    const ExactFormat exact(spec.facts);
    const std::vector<Dyadic>& values = exact.values();
    const bool random_one = spec.name.rfind("random", 0) == 0;
    const std::size_t stride = random_one && values.size() > 256 ? values.size() / 256 : 1;
    for (std::size_t i = 0; i < values.size(); i += stride) {
      const Dyadic next = i + 1 < values.size() ? values[i + 1] : exact.beyond();
      expect_neighbourhood(spec, exact, values[i], next, static_cast<std::uint32_t>(generator() & 0xffff));
      if (HasFatalFailure()) return;
    }
    expect_neighbourhood(spec, exact, values.back(), exact.beyond(), 1);
    for (const double x : {0.0, 5e-324, 1e-300, 1e300, std::numeric_limits<double>::max(), to_double(exact.beyond()), 0.75 * to_double(values.front())}) {
      if (!std::isfinite(x)) continue;
      expect_encoded(spec, exact, x, 77);
      expect_encoded(spec, exact, -x, 77);
    }
    if (HasFatalFailure()) return;
  }
}

TEST(Codec, InfinitiesAndNanBecomeWhatTheFormatHasForThem) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const FormatSpec& spec : narrow_formats(300)) {
    const FormatInfo& f = spec.facts;
    const ExactFormat exact(f);
    const double nan = decode(f, encode(f, std::numeric_limits<double>::quiet_NaN(), Rounding::kNearest).code);
    if (f.kind == FormatKind::kInteger) {
      EXPECT_EQ(encode(f, infinity, Rounding::kNearest).code, exact.code_at(exact.values().size() - 1, false)) << text_of(spec);
      EXPECT_EQ(encode(f, -infinity, Rounding::kStochastic).code, exact.code_at(0, false)) << text_of(spec);
      EXPECT_LE(std::abs(nan), f.smallest_subnormal) << text_of(spec) << ": NaN is the value nearest to 0";
      continue;
    }
    EXPECT_EQ(std::isnan(nan), f.special != Special::kNone) << text_of(spec);
    if (f.special == Special::kNone) {
      EXPECT_EQ(nan, f.largest) << text_of(spec);
    }
    const std::uint64_t top = encode(f, infinity, Rounding::kNearestSaturate).code;
    EXPECT_EQ(decode(f, top), f.largest) << text_of(spec);
    const double open = decode(f, encode(f, infinity, Rounding::kNearest).code);
    if (f.special == Special::kIeee || f.special == Special::kP3109) {
      EXPECT_EQ(open, infinity) << text_of(spec);
      if (f.is_signed) {
        EXPECT_EQ(decode(f, encode(f, -infinity, Rounding::kNearest).code), -infinity) << text_of(spec);
      }
      EXPECT_FALSE(encode(f, infinity, Rounding::kNearest).saturated) << text_of(spec);
    } else {
      EXPECT_EQ(std::isnan(open), f.special != Special::kNone) << text_of(spec);
      EXPECT_TRUE(encode(f, infinity, Rounding::kNearest).saturated) << text_of(spec);
    }
  }
}

TEST(Codec, DerivedFactsAreThoseOfTheListOfValues) {
  for (const FormatSpec& spec : narrow_formats(300)) {
    const FormatInfo& f = spec.facts;
    const ExactFormat exact(f);
    EXPECT_EQ(dyadic(f.largest), exact.values().back()) << text_of(spec);
    const Dyadic least = *std::find_if(exact.values().begin(), exact.values().end(), [](const Dyadic& v) { return v.n > 0; });
    EXPECT_EQ(dyadic(f.smallest_subnormal), least) << text_of(spec);
    const Dyadic half_step = (exact.values().back() + exact.beyond()).shifted(-1);
    EXPECT_EQ(dyadic(overflow_limit(f).value), half_step) << text_of(spec);
    if (std::isfinite(to_double(half_step))) {
      EXPECT_EQ(overflow_limit(f).included, !exact_encode(exact, f, to_double(half_step), Rounding::kNearest, 0).saturated) << text_of(spec);
    }
  }
}

TEST(Codec, WideFormatsKeepTheirBits) {
  std::mt19937_64 generator(5);
  const FormatSet set = shipped();
  const FormatInfo& f32 = find(set, "f32")->facts;
  const FormatInfo& f64 = find(set, "f64")->facts;
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t bits = generator() >> (i % 3 == 0 ? generator() % 64 : 0);
    const auto x = std::bit_cast<double>(bits);
    if (std::isnan(x)) continue;
    ASSERT_EQ(encode(f64, x, Rounding::kNearest).code, bits);
    ASSERT_EQ(bits_of(decode(f64, bits)), bits);
    const auto narrow = static_cast<float>(x);  // the processor's rounding
    ASSERT_EQ(encode(f32, x, Rounding::kNearest).code, std::bit_cast<std::uint32_t>(narrow)) << std::hexfloat << x;
    ASSERT_EQ(bits_of(decode(f32, std::bit_cast<std::uint32_t>(narrow))), bits_of(narrow));
  }
}

// The rules as the golden README words them, by trying exponents.
int exponent_by_definition(const FormatInfo& f, const ExactFormat& exact, ScaleRule rule, double amax) {
  const Dyadic a = dyadic(amax);
  const Dyadic largest = exact.values().back();
  const auto smallest = [](int from, const auto& fits) {
    int e = from - 3;
    while (!fits(e)) ++e;
    return e;
  };
  switch (rule) {
    case ScaleRule::kFloor: return a.log2() - largest.log2();
    case ScaleRule::kCeil: return smallest(a.log2(), [&](int e) { return a <= Dyadic{1, e}; }) - largest.log2();
    case ScaleRule::kRceil: return smallest(a.log2() - largest.log2(), [&](int e) { return a <= largest.shifted(e); });
    case ScaleRule::kEven: {
      // Half up at m bits: the floor of (amax + half a step) in steps.
      const int m = f.kind == FormatKind::kInteger ? largest.log2() + f.fraction_bits : f.mantissa_bits;
      const Dyadic step{1, a.log2() - m};
      return (a + step.shifted(-1)).log2() - largest.log2();
    }
    case ScaleRule::kFit: {
      const Dyadic middle = (largest + exact.beyond()).shifted(-1);
      const bool tie_fits = exact.is_even(exact.values().size() - 1);
      return smallest(a.log2() - largest.log2(), [&](int e) { return a < middle.shifted(e) || (tie_fits && a == middle.shifted(e)); });
    }
    default: break;  // of scales with a mantissa
  }
  return 0;
}

TEST(Codec, BlockExponentsAreThoseOfTheRules) {
  std::mt19937_64 generator(11);
  for (const FormatSpec& spec : narrow_formats(200)) {
    const FormatInfo& f = spec.facts;
    if (!f.is_signed || (f.kind == FormatKind::kInteger && f.offset != 0)) continue;
    const ExactFormat exact(f);
    const double middle = to_double((exact.values().back() + exact.beyond()).shifted(-1));
    std::vector<double> amaxes = {1.0, std::nextafter(1.0, 2.0), std::nextafter(1.0, 0.0), f.largest, std::nextafter(f.largest, HUGE_VAL), middle,
                                  std::nextafter(middle, 0.0), std::nextafter(middle, HUGE_VAL), 1.96875, 1.9921875};
    // A significand whose rounding half up is a power of two: 2 - 2^-(m + 1).
    amaxes.push_back(2 - std::ldexp(1.0, -significand_bits(f) - 1));
    amaxes.push_back(std::nextafter(amaxes.back(), 0.0));
    for (int i = 0; i < 50; ++i) amaxes.push_back(std::ldexp(1 + static_cast<double>(generator() >> 12) * 0x1p-52, static_cast<int>(generator() % 200) - 100));
    for (const double amax : amaxes) {
      for (const int power : {0, -120, 90}) {
        const double scaled = std::ldexp(amax, power);
        if (!std::isfinite(scaled) || scaled == 0) continue;
        for (int rule = 0; rule < kPowerRules; ++rule) {
          ASSERT_EQ(block_exponent(f, static_cast<ScaleRule>(rule), scaled), exponent_by_definition(f, exact, static_cast<ScaleRule>(rule), scaled))
              << text_of(spec) << " rule " << kScaleRuleNames[rule] << " of " << std::hexfloat << scaled;
        }
      }
    }
  }
}

TEST(Codec, RmsErrorsAreWhatNormalDataGive) {
  std::mt19937_64 generator(17);
  std::normal_distribution<double> normal;
  std::vector<double> data(40000);
  for (double& x : data) x = normal(generator);
  for (const FormatSpec& spec : narrow_formats(0)) {
    const FormatInfo& f = spec.facts;
    if (!f.is_signed && f.kind != FormatKind::kInteger) continue;  // scales
    double error = 0, sum = 0;
    for (const double x : data) {
      const double scaled = x * placed_rms(f);
      const double back = decode(f, encode(f, scaled, Rounding::kNearestSaturate).code);
      error += (back - scaled) * (back - scaled);
      sum += scaled * scaled;
    }
    const double measured = std::sqrt(error / sum);
    EXPECT_NEAR(f.rms_error / measured, 1.0, 0.03) << spec.name << ": stated " << f.rms_error << ", measured " << measured;
  }
}

TEST(Descriptors, TheExampleOfTheReadmeIsAFormat) {
  std::ifstream file(std::string(GENFFT_FORMATS) + "/README.md");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::size_t begin = text.find("```json\n") + 8;
  const Descriptor example = parse_descriptor("README.md", std::string_view(text).substr(begin, text.find("```", begin) - begin));
  EXPECT_EQ(std::get<FormatSpec>(example).facts.bits, 7);
}

TEST(StorageName, TakesLengthThenRuleAndNothingElse) {
  const auto parsed = [](const char* text) { return parse_storage_name(text); };
  EXPECT_EQ(parsed("f32").name.format, "f32");
  EXPECT_EQ(parsed("f32").name.length, -1);
  const StorageNameResult both = parsed("mxfp8_e4m3:b8:floor");
  EXPECT_EQ(both.error, nullptr);
  EXPECT_EQ(both.name.format, "mxfp8_e4m3");
  EXPECT_EQ(both.name.length, 8);
  EXPECT_EQ(both.name.rule, static_cast<int>(ScaleRule::kFloor));
  EXPECT_EQ(parsed("mx:even").name.rule, static_cast<int>(ScaleRule::kEven));
  EXPECT_EQ(parsed("mx:b0").name.length, 0);
  struct Wrong {
    const char* text;
    std::size_t at;
  };
  for (const Wrong wrong : {Wrong{"", 0}, {":b8", 0}, {"mx:", 3}, {"mx:b3", 3}, {"mx:b128", 3}, {"mx:b08", 3}, {"mx:b", 3}, {"mx:b8:b8", 6}, {"mx:fit:b8", 7},
                            {"mx:fit:fit", 7}, {"mx:b8:", 6}, {"mx:b99999999999", 3}, {"mx:round", 3}, {"mx:b-2", 3}, {"mx:b8x", 3}}) {
    EXPECT_NE(parsed(wrong.text).error, nullptr) << wrong.text;
    EXPECT_EQ(parsed(wrong.text).at, wrong.at) << wrong.text;
  }
}

TEST(Storage, OverridesBelongToBlockFormatsOnly) {
  const FormatSet set = shipped();
  std::vector<FormatInfo> formats;
  for (const FormatSpec& spec : set.formats) {
    formats.push_back(spec.facts);
    formats.back().name = spec.name.c_str();
  }
  const BlockInfo blocks[] = {{.name = "mx", .element = "e2m3", .scale = "e8m0", .length = 32}};
  const auto found = [&](const char* text) { return find_storage(parse_storage_name(text).name, formats, blocks); };
  EXPECT_EQ(found("mx:b4").storage.length, 4);
  EXPECT_EQ(found("mx:floor").storage.length, 32);
  EXPECT_EQ(found("mx:floor").storage.rule, ScaleRule::kFloor);
  EXPECT_EQ(std::string(found("mx").storage.element->name), "e2m3");
  EXPECT_NE(found("f16:b4").error, nullptr);
  EXPECT_NE(found("f17").error, nullptr);
  // Six bits: four elements in three bytes; a row's last byte may be partial. A block of 32 is 24 bytes.
  const Storage fp6 = found("mx").storage;
  EXPECT_EQ(code_bytes(fp6, 33), 25);
  EXPECT_EQ(scale_bytes(fp6, 33), 2);
  EXPECT_EQ(run_alignment(fp6), 32);
  EXPECT_EQ(run_alignment(found("mx:b2").storage), 4);
  EXPECT_EQ(run_alignment(found("mx:b0").storage), 0);
  EXPECT_EQ(scale_bytes(found("mx:b0").storage, 1000), 1);
  EXPECT_EQ(run_alignment(found("e2m1").storage), 2);
  EXPECT_EQ(run_alignment(found("f16").storage), 1);
}

}  // namespace
}  // namespace ulpfft::genfft
