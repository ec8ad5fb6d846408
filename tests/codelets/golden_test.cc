// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The golden vectors of tests/golden, bit for bit, through the conversions of every target of this machine.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "codelets/contract/conversion.h"
#include "codelets/registry.h"
#include "tests/support/golden.h"

namespace ulpfft::test {
namespace {

using nlohmann::json;

std::string name_of(const std::string& golden_name) {
  if (golden_name == "int8") return "int8q6";
  if (golden_name == "binary16") return "f16";
  if (golden_name == "bfloat16") return "bf16";
  return golden_name;
}

std::uint64_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

// A conversion of one target.
struct Converter {
  std::string target;
  const ConversionEntry* entry = nullptr;
};

// Of every target that has this format; ref has each.
std::vector<Converter> converters(const std::string& format, bool is_f64) {
  std::vector<Converter> found;
  bool has_ref = false;
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    for (const ConversionEntry& entry : target.table.conversions) {
      if (entry.format != format || entry.is_f64 != is_f64) continue;
      found.push_back({target.table.target, &entry});
      has_ref = has_ref || found.back().target == "ref";
    }
  }
  EXPECT_TRUE(has_ref) << "ref does not convert " << format;
  return found;
}

template <typename T>
std::vector<std::uint64_t> encoded(const Converter& converter, const Storage& storage, const std::vector<T>& in, Rounding rounding,
                                   const std::vector<std::uint16_t>& random = {}) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(code_bytes(storage, std::ssize(in))));
  ConversionArgs args;
  args.storage = &storage;
  args.codes = bytes.data();
  args.reals = const_cast<T*>(in.data());
  args.count = std::ssize(in);
  args.rounding = rounding;
  args.random = random.empty() ? nullptr : random.data();
  converter.entry->encode(args);
  std::vector<std::uint64_t> codes;
  for (std::int64_t i = 0; i < args.count; ++i) codes.push_back(read_code(bytes.data(), storage.element->bits, i));
  return codes;
}

template <typename T>
std::vector<T> decoded(const Converter& converter, const Storage& storage, const std::vector<std::uint64_t>& codes) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(code_bytes(storage, std::ssize(codes))));
  for (std::size_t i = 0; i < codes.size(); ++i) write_code(bytes.data(), storage.element->bits, static_cast<std::int64_t>(i), codes[i]);
  std::vector<T> out(codes.size());
  ConversionArgs args;
  args.storage = &storage;
  args.codes = bytes.data();
  args.reals = out.data();
  args.count = std::ssize(codes);
  converter.entry->decode(args);
  return out;
}

template <typename T>
void expect_decoded(const std::string& name, const std::vector<std::uint64_t>& codes, const std::vector<float>& expected) {
  const Storage storage{.element = find_format(formats(), name)};
  for (const Converter& converter : converters(name, sizeof(T) == 8)) {
    const std::vector<T> out = decoded<T>(converter, storage, codes);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      ASSERT_EQ(bits_of(out[i]), bits_of(static_cast<T>(expected[i]))) << name << " code " << codes[i] << " on " << converter.target;
    }
  }
}

TEST(Golden, CodesDecodeToTheirValues) {
  const json file = golden("decode.json");
  EXPECT_GE(file.size(), 13U);
  for (const auto& [golden_name, item] : file.items()) {
    const std::string name = name_of(golden_name);
    const FormatInfo* format = find_format(formats(), name);
    ASSERT_NE(format, nullptr) << name;
    EXPECT_EQ(format->bits, item.at("bits"));
    const std::vector<float> expected = golden_reals<float>(item.at("f32"));
    std::vector<std::uint64_t> codes;
    for (std::size_t i = 0; i < expected.size(); ++i) codes.push_back(item.contains("codes") ? item["codes"][i].get<std::uint64_t>() : i);
    if (!item.contains("codes")) {
      EXPECT_EQ(codes.size(), std::size_t(1) << format->bits);
    }
    expect_decoded<float>(name, codes, expected);
    expect_decoded<double>(name, codes, expected);
  }
}

template <typename T>
void expect_encoded(const std::string& name, const std::vector<T>& in, const json& expected, Rounding rounding,
                    const std::vector<std::uint16_t>& random = {}) {
  const Storage storage{.element = find_format(formats(), name)};
  ASSERT_NE(storage.element, nullptr) << name;
  ASSERT_EQ(in.size(), expected.size());
  for (const Converter& converter : converters(name, sizeof(T) == 8)) {
    const std::vector<std::uint64_t> codes = encoded(converter, storage, in, rounding, random);
    for (std::size_t i = 0; i < in.size(); ++i) {
      ASSERT_EQ(codes[i], expected[i].get<std::uint64_t>()) << name << " of " << in[i] << ", number " << i << ", on " << converter.target;
    }
  }
}

TEST(Golden, ValuesAreRoundedOnceToTheNearestCode) {
  const json file = golden("encode.json");
  EXPECT_GE(file.size(), 12U);
  for (const auto& [golden_name, item] : file.items()) {
    const std::string name = name_of(golden_name);
    const std::vector<float> in = golden_reals<float>(item.at("in_f32"));
    const std::vector<double> same(in.begin(), in.end());
    expect_encoded(name, in, item.at("rne_sat"), Rounding::kNearestSaturate);
    expect_encoded(name, same, item.at("rne_sat"), Rounding::kNearestSaturate);
    expect_encoded(name, in, item.at("rne_nosat"), Rounding::kNearest);
    expect_encoded(name, same, item.at("rne_nosat"), Rounding::kNearest);
    expect_encoded(name, golden_reals<double>(item.at("in_f64")), item.at("rne_sat_f64"), Rounding::kNearestSaturate);
  }
}

TEST(Golden, StochasticRoundingTakesTheNeighbourThatItsRandomBitsChoose) {
  const json file = golden("stochastic.json");
  EXPECT_GE(file.size(), 8U);
  for (const auto& [golden_name, item] : file.items()) {
    const std::string name = name_of(golden_name);
    const std::vector<float> in = golden_reals<float>(item.at("in_f32"));
    const auto random = item.at("r16").get<std::vector<std::uint16_t>>();
    expect_encoded(name, in, item.at("code"), Rounding::kStochastic, random);
    expect_encoded(name, std::vector<double>(in.begin(), in.end()), item.at("code"), Rounding::kStochastic, random);
  }
}

std::string hex_of(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte / 16];
    text += "0123456789abcdef"[byte % 16];
  }
  return text;
}

ScaleRule rule_of(const std::string& name) {
  for (int i = 0; i < kScaleRules; ++i) {
    if (name == kScaleRuleNames[i]) return static_cast<ScaleRule>(i);
  }
  ADD_FAILURE() << "no rule " << name;
  return ScaleRule::kRceil;
}

template <typename T>
void expect_block(const json& item, const BlockInfo& block, const Storage& storage, const std::string& what) {
  const std::vector<float> values = golden_reals<float>(item.at("in"));
  std::vector<T> in(values.begin(), values.end());
  for (const Converter& converter : converters(block.name, sizeof(T) == 8)) {
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(code_bytes(storage, std::ssize(in))), 0xaa);
    std::vector<std::uint8_t> scales(1, 0xaa);
    ConversionArgs args;
    args.storage = &storage;
    args.codes = codes.data();
    args.scales = scales.data();
    args.reals = in.data();
    args.count = std::ssize(in);
    converter.entry->encode(args);
    const std::string where = what + " on " + converter.target;
    ASSERT_EQ(scales[0], item.at("scale")) << where;
    for (std::size_t i = 0; i < in.size(); ++i) {
      ASSERT_EQ(read_code(codes.data(), storage.element->bits, static_cast<std::int64_t>(i)), item.at("codes")[i]) << where << ", number " << i;
    }
    ASSERT_EQ(hex_of(codes), item.at("packed").get<std::string>()) << where;

    std::vector<T> out(in.size(), T(77));
    args.reals = out.data();
    converter.entry->decode(args);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const double element = decode(*storage.element, item.at("codes")[i].get<std::uint64_t>());
      const double value = scales[0] == 0xff ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(element, scales[0] - 127);
      ASSERT_EQ(bits_of(out[i]), bits_of(static_cast<T>(value))) << where << ", number " << i;
    }
  }
}

TEST(Golden, BlocksHaveTheScaleCodesAndBytesOfEveryRule) {
  const json file = golden("mx_blocks.json");
  EXPECT_EQ(file.at("blocks").size(), 1200U);
  for (std::size_t b = 0; b < file.at("blocks").size(); ++b) {
    const json& item = file["blocks"][b];
    const std::string element = name_of(item.at("fmt").get<std::string>());
    const BlockInfo* found = nullptr;
    for (const BlockInfo& block : block_formats()) {
      if (block.element == element && has_powers_alone(*find_format(formats(), block.scale))) found = &block;
    }
    ASSERT_NE(found, nullptr) << "no block format of " << element;
    Storage storage{.element = find_format(formats(), element), .scale = find_format(formats(), found->scale)};
    storage.rule = rule_of(item.at("rule").get<std::string>());
    // A block of any length may be partial, so that the vector is a block of each that is long enough.
    for (const int length : {0, 2, 4, 8, 16, 32, 64}) {
      if (length != 0 && static_cast<std::size_t>(length) < item.at("in").size()) continue;
      storage.length = length;
      const std::string what = "block " + std::to_string(b) + " (" + element + ", " + item.at("rule").get<std::string>() + ", " +
                               item.at("note").get<std::string>() + ") of " + std::to_string(length);
      expect_block<float>(item, *found, storage, what);
      expect_block<double>(item, *found, storage, what);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
