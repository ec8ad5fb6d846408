// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The formats a build knows are the descriptors in genfft/formats and in the folder of -Dextra_formats: adding a file is enough, and removing one too.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/api.h"

namespace ulpfft::test {
namespace {

std::map<std::string, nlohmann::json> descriptors() {
  std::map<std::string, nlohmann::json> found;
  for (const std::string folder : {ULPFFT_FORMATS_FOLDER, ULPFFT_EXTRA_FORMATS_FOLDER}) {
    if (folder.empty()) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".json") continue;
      std::ifstream file(entry.path());
      found[entry.path().stem().string()] = nlohmann::json::parse(file);
    }
  }
  return found;
}

std::map<std::string, ulpfft_format> registered() {
  std::map<std::string, ulpfft_format> found;
  for (std::size_t i = 0; i < ulpfft_format_count(); ++i) {
    auto format = sized<ulpfft_format>();
    if (ulpfft_format_get(i, &format) == ULPFFT_OK) {
      found[format.name] = format;
    } else {
      ADD_FAILURE() << last_error_text();
    }
  }
  return found;
}

TEST(Registry, FormatsAreTheDescriptorsOfTheFolder) {
  std::set<std::string> files;
  std::set<std::string> names;
  for (const auto& [stem, descriptor] : descriptors()) {
    files.insert(stem);
    EXPECT_EQ(descriptor.at("name"), stem) << "a descriptor is named after its file";
  }
  for (const auto& [name, format] : registered()) names.insert(name);
  EXPECT_EQ(names, files);
  EXPECT_GE(names.size(), 2U);
}

TEST(Registry, FactsOfAFormatAreThoseOfItsDescriptor) {
  const auto formats = registered();
  for (const auto& [name, descriptor] : descriptors()) {
    const auto found = formats.find(name);
    if (found == formats.end()) continue;  // reported above
    const ulpfft_format& format = found->second;
    EXPECT_EQ(format.kind, descriptor.at("kind").get<std::string>()) << name;
    EXPECT_EQ(format.source, descriptor.at("source").get<std::string>()) << name;
    if (std::string(format.kind) == "block") {
      EXPECT_EQ(format.element, descriptor.at("element").get<std::string>()) << name;
      EXPECT_EQ(format.scale, descriptor.at("scale").get<std::string>()) << name;
      EXPECT_EQ(format.rule, descriptor.at("rule").get<std::string>()) << name;
      EXPECT_EQ(format.block_length, descriptor.at("length")) << name;
      EXPECT_EQ(format.bits, formats.at(format.element).bits) << name;
      // A scale of its own places each block no worse than one for all data.
      EXPECT_LT(format.rms_error, 1.1 * formats.at(format.element).rms_error) << name;
      EXPECT_GT(format.rms_error, 0.0) << name;
      continue;
    }
    EXPECT_EQ(format.bits, descriptor.at("bits")) << name;
    EXPECT_EQ(format.compute, descriptor.at("compute").get<std::string>()) << name;
    const nlohmann::json& expect = descriptor.at("expect");
    EXPECT_EQ(format.largest, expect.at("largest").get<double>()) << name;
    if (std::string(format.kind) == "integer") {
      EXPECT_EQ(format.lowest, expect.at("lowest").get<double>()) << name;
      EXPECT_EQ(std::ldexp(1.0, -format.fraction_bits), expect.at("step").get<double>()) << name;
      EXPECT_EQ(format.is_signed != 0, descriptor.at("signed").get<bool>()) << name;
      continue;
    }
    EXPECT_EQ(format.exponent_bits, descriptor.at("exponent")) << name;
    EXPECT_EQ(format.mantissa_bits, descriptor.at("mantissa")) << name;
    EXPECT_EQ(format.bias, descriptor.at("bias")) << name;
    EXPECT_EQ(format.special, descriptor.at("special").get<std::string>()) << name;
    EXPECT_EQ(format.smallest_normal, expect.at("smallest_normal").get<double>()) << name;
    if (expect.contains("smallest_subnormal")) {
      EXPECT_EQ(format.smallest_subnormal, expect.at("smallest_subnormal").get<double>()) << name;
    }
    // One quantisation of normal data: between a uniform error's rms at the top and at the bottom of a binade; where there are few
    // binades, the steps of the subnormals count, too.
    const double unit = std::ldexp(1.0, -format.mantissa_bits - 1);
    EXPECT_GT(format.rms_error, 0.25 * unit) << name;
    EXPECT_LT(format.rms_error, (format.largest > 64 * format.smallest_normal ? 0.60 : 1.0) * unit) << name;
  }
}

// Rows of the table of formats in tests/golden.
TEST(Registry, CodesHaveTheValuesThatThisInterfaceTells) {
  const auto value = [](const std::string& name, std::uint64_t code) {
    double result = -1;
    for (std::size_t i = 0; i < ulpfft_format_count(); ++i) {
      auto format = sized<ulpfft_format>();
      EXPECT_EQ(ulpfft_format_get(i, &format), ULPFFT_OK);
      if (format.name == name) {
        EXPECT_EQ(ulpfft_format_value(i, code, &result), ULPFFT_OK) << last_error_text();
      }
    }
    return result;
  };
  EXPECT_EQ(value("e4m3", 0x7e), 448.0);
  EXPECT_TRUE(std::isnan(value("e4m3", 0xff)));
  EXPECT_EQ(value("e5m2", 0xfc), -HUGE_VAL);
  EXPECT_EQ(value("int8q6", 0x80), -2.0);
  EXPECT_EQ(value("e8m0", 0), 0x1p-127);
  EXPECT_EQ(value("u8", 0), -127.5);
  EXPECT_EQ(value("i16", 0x8000), -32768.0);
  EXPECT_EQ(value("f16", 1), 0x1p-24);
  EXPECT_EQ(value("f64", 1), 5e-324);
}

}  // namespace
}  // namespace ulpfft::test
