// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "genfft/format/parse.h"

namespace ulpfft::genfft {
namespace {

const std::string kE4m3 = R"({
  "name": "e4m3", "source": "OCP 8-bit floating point specification, revision 1.0", "kind": "element",
  "bits": 8, "exponent": 4, "mantissa": 3, "bias": 7, "special": "fn",
  "compute": "f32", "rounding": "nearest_even", "overflow": "saturate",
  "expect": { "largest": 448, "smallest_normal": 0.015625, "smallest_subnormal": 0.001953125 }
})";

// The descriptor of an element format or integer.
FormatSpec format_of(const Descriptor& descriptor) { return std::get<FormatSpec>(descriptor); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos)
    ADD_FAILURE() << "no '" << from << "' in the example";
  else
    text.replace(at, from.size(), to);
  return text;
}

TEST(Descriptor, F32AndF64AreTheIeeeFormats) {
  const FormatInfo f32 = format_of(read_descriptor(GENFFT_FORMATS "/f32.json")).facts;
  EXPECT_EQ(f32.largest, std::numeric_limits<float>::max());
  EXPECT_EQ(f32.smallest_normal, std::numeric_limits<float>::min());
  EXPECT_EQ(f32.smallest_subnormal, std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(f32.unit_roundoff, 0x1p-24);
  const FormatInfo f64 = format_of(read_descriptor(GENFFT_FORMATS "/f64.json")).facts;
  EXPECT_EQ(f64.largest, std::numeric_limits<double>::max());
  EXPECT_EQ(f64.smallest_normal, std::numeric_limits<double>::min());
  EXPECT_EQ(f64.smallest_subnormal, std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(f64.unit_roundoff, 0x1p-53);
}

TEST(Descriptor, NarrowFormatsParse) {
  const FormatInfo e4m3 = format_of(parse_descriptor("e4m3.json", kE4m3)).facts;
  EXPECT_EQ(e4m3.largest, 448);
  EXPECT_EQ(e4m3.overflow, Overflow::kSaturate);
  // Known: one quantisation of normal data to three stored bits.
  EXPECT_NEAR(e4m3.rms_error, 0.0266, 0.0005);
}

TEST(Descriptor, RmsErrorFallsByHalfPerMantissaBit) {
  const double f32 = format_of(read_descriptor(GENFFT_FORMATS "/f32.json")).facts.rms_error;
  const double f64 = format_of(read_descriptor(GENFFT_FORMATS "/f64.json")).facts.rms_error;
  EXPECT_NEAR(f32 / f64, 0x1p29, 0x1p9);
  EXPECT_GT(f32, 0x1p-24 / 3);
  EXPECT_LT(f32, 0x1p-24 / std::sqrt(3.0));
}

struct Refusal {
  const char* name;
  std::string from;
  std::string to;
  const char* pointer;
};

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, WithThePointerOfTheValueAtFault) {
  const std::string text = replaced(kE4m3, GetParam().from, GetParam().to);
  try {
    parse_descriptor("bad.json", text);
    FAIL() << "accepted: " << text;
  } catch (const DescriptorError& error) {
    EXPECT_EQ(error.pointer, GetParam().pointer) << error.what();
    EXPECT_EQ(std::string(error.what()).rfind("bad.json: ", 0), 0u) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Descriptors, Refused,
    testing::Values(
        Refusal{"not_json", "{", "", ""}, Refusal{"truncated", "}\n}", "}", ""}, Refusal{"text_after", "}\n}", "}\n} x", ""},
        Refusal{"array", "\"e4m3\"", "[1]", "/name"}, Refusal{"not_an_object", kE4m3, "3", ""}, Refusal{"empty", kE4m3, "", ""},
        Refusal{"nested", "\"e4m3\"", "{\"a\":{\"b\":{\"c\":{\"d\":1}}}}", "/name/a/b/c"},
        Refusal{"name_missing", "\"name\": \"e4m3\",", "", "/name"}, Refusal{"name_number", "\"e4m3\"", "4", "/name"},
        Refusal{"name_empty", "\"e4m3\"", "\"\"", "/name"}, Refusal{"name_upper", "\"e4m3\"", "\"E4m3\"", "/name"},
        Refusal{"name_digit_first", "\"e4m3\"", "\"4m3\"", "/name"},
        Refusal{"name_underscore_first", "\"e4m3\"", "\"_e4m3\"", "/name"},
        Refusal{"name_code", "\"e4m3\"", "\"e4; int x\"", "/name"}, Refusal{"name_keyword", "\"e4m3\"", "\"double\"", "/name"},
        Refusal{"name_of_an_option", "\"e4m3\"", "\"inverse\"", "/name"}, Refusal{"name_of_double_double", "\"e4m3\"", "\"dd\"", "/name"},
        Refusal{"name_long", "\"e4m3\"", "\"a23456789012345678901234567890123\"", "/name"},
        Refusal{"name_escape", "\"e4m3\"", "\"e4\\u0000\"", "/name"},
        Refusal{"name_twice", "\"kind\"", "\"name\": \"twice\", \"kind\"", "/name"},
        Refusal{"source_newline", "OCP", "OCP\\n", "/source"}, Refusal{"source_not_ascii", "OCP", "\\u00e9", "/source"},
        Refusal{"kind_unknown", "\"element\"", "\"vector\"", "/kind"},
        Refusal{"unknown_field", "\"kind\"", "\"colour\": 1, \"kind\"", "/colour"},
        Refusal{"unknown_pointer_is_escaped", "\"kind\"", "\"a/b~c\": 1, \"kind\"", "/a~1b~0c"},
        Refusal{"bits_text", "\"bits\": 8", "\"bits\": \"8\"", "/bits"},
        Refusal{"bits_fraction", "\"bits\": 8", "\"bits\": 8.0", "/bits"},
        Refusal{"bits_contradict", "\"bits\": 8", "\"bits\": 9", "/bits"},
        Refusal{"bits_negative", "\"bits\": 8", "\"bits\": -8", "/bits"},
        Refusal{"bits_huge", "\"bits\": 8", "\"bits\": 18446744073709551615", "/bits"},
        Refusal{"exponent_zero", "\"exponent\": 4", "\"exponent\": 0", "/exponent"},
        Refusal{"exponent_large", "\"exponent\": 4", "\"exponent\": 16", "/exponent"},
        Refusal{"mantissa_negative", "\"mantissa\": 3", "\"mantissa\": -1", "/mantissa"},
        Refusal{"mantissa_missing", "\"mantissa\": 3,", "", "/mantissa"},
        Refusal{"bias_text", "\"bias\": 7", "\"bias\": \"7\"", "/bias"},
        Refusal{"bias_large", "\"bias\": 7", "\"bias\": 1101", "/bias"},
        Refusal{"special_unknown", "\"fn\"", "\"fun\"", "/special"},
        Refusal{"compute_unknown", "\"f32\"", "\"f16\"", "/compute"},
        Refusal{"rounding_unknown", "\"nearest_even\"", "\"up\"", "/rounding"},
        Refusal{"overflow_unknown", "\"saturate\"", "\"wrap\"", "/overflow"},
        Refusal{"overflow_infinity_without_one", "\"saturate\"", "\"infinity\"", "/overflow"},
        Refusal{"overflow_missing", ", \"overflow\": \"saturate\"", "", "/overflow"},
        Refusal{"expect_missing",
                "\"expect\": { \"largest\": 448, \"smallest_normal\": 0.015625, \"smallest_subnormal\": 0.001953125 }",
                "\"rounding\": \"nearest_even\"", "/rounding"},
        Refusal{"expect_number", "{ \"largest\": 448, \"smallest_normal\": 0.015625, \"smallest_subnormal\": 0.001953125 }",
                "448", "/expect"},
        Refusal{"largest_contradicts", "448", "480", "/expect/largest"},
        Refusal{"largest_text", "448", "\"448\"", "/expect/largest"},
        Refusal{"normal_contradicts", "0.015625", "0.0156", "/expect/smallest_normal"},
        Refusal{"subnormal_missing", ", \"smallest_subnormal\": 0.001953125", "", "/expect/smallest_subnormal"},
        Refusal{"expect_twice", "448,", "448, \"largest\": 448,", "/expect/largest"},
        Refusal{"number_overflow", "448", "1e999", ""},
        Refusal{"expect_unknown", "448,", "448, \"epsilon\": 1,", "/expect/epsilon"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Descriptor, ComputeMustHoldEveryValue) {
  const std::string wide = R"({"name": "wide12", "source": "none", "kind": "element", "bits": 12, "exponent": 10, "mantissa": 1,
    "bias": 511, "special": "ieee", "compute": "f32", "expect": {}})";
  try {
    parse_descriptor("wide12.json", wide);
    FAIL();
  } catch (const DescriptorError& error) {
    EXPECT_EQ(error.pointer, "/compute");
  }
}

TEST(Descriptor, AMissingFileIsNamed) {
  try {
    read_descriptor("no/such/file.json");
    FAIL();
  } catch (const DescriptorError& error) {
    EXPECT_EQ(std::string(error.what()), "no/such/file.json: /: cannot be read");
  }
}

}  // namespace
}  // namespace ulpfft::genfft
