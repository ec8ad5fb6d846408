// The formats a build knows are the descriptors in genfft/formats: adding a file is enough, and removing one too.
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
  for (const auto& entry : std::filesystem::directory_iterator(ULPFFT_FORMATS_FOLDER)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    found[entry.path().stem().string()] = nlohmann::json::parse(file);
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
    EXPECT_EQ(format.bits, descriptor.at("bits")) << name;
    EXPECT_EQ(format.exponent_bits, descriptor.at("exponent")) << name;
    EXPECT_EQ(format.mantissa_bits, descriptor.at("mantissa")) << name;
    EXPECT_EQ(format.bias, descriptor.at("bias")) << name;
    EXPECT_EQ(format.source, descriptor.at("source").get<std::string>()) << name;
    EXPECT_EQ(format.largest, descriptor.at("expect").at("largest").get<double>()) << name;
    EXPECT_EQ(format.smallest_normal, descriptor.at("expect").at("smallest_normal").get<double>()) << name;
    EXPECT_EQ(format.smallest_subnormal, descriptor.at("expect").at("smallest_subnormal").get<double>()) << name;
    // One quantisation of normal data: between a uniform error's rms at the top and at the bottom of a binade.
    const double unit = std::ldexp(1.0, -format.mantissa_bits - 1);
    EXPECT_GT(format.rms_error, 0.25 * unit) << name;
    EXPECT_LT(format.rms_error, 0.60 * unit) << name;
  }
}

}  // namespace
}  // namespace ulpfft::test
