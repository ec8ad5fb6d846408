// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "codelets/contract/sums_alone.h"
#include "genfft/codelet_list.h"
#include "genfft/emit/cuda.h"
#include "genfft/emit/facts.h"
#include "genfft/emit/highway.h"
#include "genfft/emit/packed.h"
#include "genfft/emit/real.h"
#include "genfft/emit/reference.h"
#include "genfft/pipeline.h"
#include "genfft/register_pairs.h"
#include "tests/genfft/all_kernels.h"

namespace ulpfft::genfft {
namespace {

std::map<std::string, std::string> emit(int groups, const std::vector<Kernel>& kernels) {
  const ConstantNames constants(kernels);
  FormatSpec format;
  format.name = "f32";
  format.source = "a \"quoted\" \\ source";
  format.compute = "f32";
  format.facts.bits = 32;
  format.facts.exponent_bits = 8;
  format.facts.mantissa_bits = 23;
  format.facts.bias = 127;
  derive(format);
  FormatSet formats;
  formats.formats.push_back(format);
  std::map<std::string, std::string> files;
  const auto take = [&](const std::vector<GeneratedFile>& list) {
    for (const GeneratedFile& file : list) EXPECT_TRUE(files.emplace(file.name, file.text).second) << file.name << " twice";
  };
  take({constants.header()});
  take(emit_body_facts(kernels));
  take(emit_reference(kernels, constants));
  take(emit_highway(kernels, constants, groups));
  take(emit_packed(kernels, constants));
  take(emit_real(kernels, constants));
  take(emit_cuda(kernels, constants));
  take(emit_formats(formats));
  return files;
}

int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}
// Kernels take seconds to make, and files to print: what tests only read is made once.
const std::map<std::string, std::string>& emitted(int groups) {
  static std::map<int, std::map<std::string, std::string>> known;
  const auto at = known.find(groups);
  return at != known.end() ? at->second : known.emplace(groups, emit(groups, all_kernels())).first->second;
}

TEST(Emit, EqualInputGivesEqualBytes) { EXPECT_EQ(emitted(6), emit(6, make_all_kernels())); }

TEST(Emit, FileNamesFollowFromTheNumberOfGroups) {
  const auto& files = emitted(3);
  std::vector<std::string> expected = {"body_constants.h", "body_facts.h", "body_facts.cc", "ref_bodies.h",
                                       "ref_codelets.cc",  "hwy_groups.h", "formats.h",     "formats.cc",
                                       "hwy_packed-inl.h", "hwy_f32_packed.cc", "hwy_f64_packed.cc", "hwy_f32_rolled.cc", "hwy_f64_rolled.cc", "hwy_f32_fused.cc", "hwy_real-inl.h", "hwy_f32_real.cc", "hwy_f64_real.cc", "hwy_f32_cosines.cc", "hwy_f64_cosines.cc", "cuda_bodies.h", "cuda_list.h"};
  for (const std::string g : {"0", "1", "2"}) {
    for (const std::string& name : {"hwy_bodies_" + g + "-inl.h", "hwy_f32_" + g + ".cc", "hwy_f64_" + g + ".cc"})
      expected.push_back(name);
  }
  EXPECT_EQ(files.size(), expected.size());
  for (const std::string& name : expected) EXPECT_TRUE(files.contains(name)) << name;
}

TEST(Emit, EveryBodyIsInExactlyOneGroupAndInstantiatedOncePerShapeAndType) {
  const std::vector<RegisterPair> pairs = register_pairs(all_kernels());
  for (const int groups : {2, 6, 9}) {
    const auto& files = emitted(groups);
    std::string bodies;
    std::string calls;
    for (const auto& [name, text] : files) {
      if (name.starts_with("hwy_bodies_")) bodies += text;
      if (name.starts_with("hwy_f")) calls += text;
    }
    for (const BodySpec& spec : body_list()) {
      const int expected = is_comparison(spec.form) || shapes_of(spec).empty() ? 0 : 1;  // those are on ref alone, or in pairs
      const bool is_real = spec.transform != RealTransform::kNone;
      EXPECT_EQ(occurrences(bodies, "struct " + struct_name(spec.name) + " {"), is_real ? 0 : expected) << spec.name;
      EXPECT_EQ(occurrences(files.at("hwy_real-inl.h"), "struct " + struct_name(spec.name) + " {"), is_real ? 1 : 0) << spec.name;
      for (const std::string& shape : shapes_of(spec)) {
        for (const std::string type : {"float", "double"}) {
          EXPECT_EQ(occurrences(calls, "add_" + shape + "<" + type + ", " + body_arguments(spec) + ">("), expected)
              << spec.name << " " << shape;
        }
      }
    }
    for (const auto& [first, second] : whole_two_list()) {
      EXPECT_EQ(occurrences(calls, "add_whole_two<float, " + struct_name(first) + ", " + struct_name(second) + ">("), 1)
          << first << " " << second;
    }
    const auto radix_of = [](const std::string& body) { return std::stoi(body.substr(1)); };
    // The list of the first one of two equal sets of calls.
    const auto list_before = [&](const std::string& second) {
      const std::size_t begin = calls.find("kBefore" + second + "[] = {");
      return begin == calls.npos ? "" : calls.substr(begin, calls.find('}', begin) - begin) + ',';
    };
    for (const std::string& body : packed_list()) {
      const bool sums = is_of_sums_alone(radix_of(body));
      EXPECT_EQ(occurrences(calls, "add_packed<double, Packed" + struct_name(body) + ">("), sums ? 0 : 1) << body;
      EXPECT_EQ(occurrences(list_before(""), "&facts::" + body + ","), sums ? 1 : 0) << body;
    }
    for (const RegisterPair& pair : pairs) {
      const bool sums = is_of_sums(radix_of(pair.first));
      const std::string first = struct_name(pair.first), second = struct_name(pair.second);
      EXPECT_EQ(occurrences(calls, "add_packed_pair<double, Packed" + first + ", Packed" + second + ", "), sums ? 0 : 1) << pair.first << " " << pair.second;
      EXPECT_EQ(occurrences(list_before(second), "&facts::" + pair.first + ","), sums ? 1 : 0) << pair.first << " " << pair.second;
      for (const std::string& body : {pair.first, pair.second}) {
        EXPECT_EQ(occurrences(files.at("hwy_packed-inl.h"), "struct Packed" + struct_name(body) + " {"), is_of_sums_alone(radix_of(body)) ? 0 : 1) << body;
      }
    }
    for (const std::string type : {"float", "double"}) {
      EXPECT_EQ(occurrences(calls, "add_sums<" + type + ">(sink, kBefore)"), 1);
      EXPECT_EQ(occurrences(calls, "add_sums<" + type + ", PackedT2>(sink, kBeforeT2, &facts::t2)"), 1);
    }
  }
}

TEST(Emit, ReferenceHasEveryStatementOfEveryBodyAndEveryShapeInThreeTypes) {
  const auto& files = emitted(2);
  const std::string& bodies = files.at("ref_bodies.h");
  for (const Kernel& kernel : all_kernels()) {
    const BodySpec& spec = kernel.body.spec;
    const std::size_t begin = bodies.find("struct " + struct_name(spec.name) + " {");
    ASSERT_NE(begin, bodies.npos) << spec.name;
    const std::string text = bodies.substr(begin, bodies.find("static_assert", begin) - begin);
    EXPECT_EQ(occurrences(text, "{BodyOp::"), static_cast<int>(kernel.statements.size())) << spec.name;
    EXPECT_EQ(occurrences(text, "{BodyOp::kF"), kernel.ops.fma) << spec.name;
    for (const std::string& shape : ref_shapes_of(spec)) {
      for (const std::string type : {"float", "double", "DoubleDouble"}) {
        EXPECT_EQ(occurrences(files.at("ref_codelets.cc"), "add_" + shape + "<" + type + ", " + body_arguments(spec) + ">("), 1) << spec.name << " " << shape;
      }
    }
  }
}

TEST(Emit, EveryBodyOfCudaIsDefinedAndListedOnce) {
  const auto& files = emitted(2);
  int bodies = 0;
  for (const BodySpec& spec : body_list()) {
    const int expected = has_cuda(spec) ? 1 : 0;
    bodies += expected;
    EXPECT_EQ(occurrences(files.at("cuda_bodies.h"), "struct " + struct_name(spec.name) + " {"), expected) << spec.name;
    EXPECT_EQ(occurrences(files.at("cuda_list.h"), "X(" + struct_name(spec.name) + ", " + spec.name + ")"), expected) << spec.name;
  }
  EXPECT_GT(bodies, 0);
}

TEST(Emit, TextOfADescriptorIsQuoted) {
  EXPECT_EQ(occurrences(emitted(2).at("formats.h"), R"(.source = "a \"quoted\" \\ source")"), 1);
}

TEST(Emit, UnchangedFilesAreNotRewritten) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                       ("genfft_emit_test_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()));
  std::filesystem::remove_all(folder);
  write_if_changed(folder, {{"a.h", "one\n"}});
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(folder / "a.h", long_ago);
  const auto before = std::filesystem::last_write_time(folder / "a.h");
  write_if_changed(folder, {{"a.h", "one\n"}});
  EXPECT_EQ(std::filesystem::last_write_time(folder / "a.h"), before);
  write_if_changed(folder, {{"a.h", "two\n"}});
  std::ifstream file(folder / "a.h");
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>()), "two\n");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()), 1);
  std::filesystem::remove_all(folder);
}

TEST(Literals, ReadBackExactly) {
  EXPECT_EQ(hex_literal(0.5), "0x1p-1");
  EXPECT_EQ(hex_literal(-1.5), "-0x1.8p+0");
  EXPECT_EQ(hex_literal(0.25f), "0x1p-2f");
  EXPECT_EQ(hex_literal(0.0), "0x0p+0");
  EXPECT_EQ(decimal_literal(3.0), "3.0");
  EXPECT_EQ(decimal_literal(1e-30), "1e-30");
}

}  // namespace
}  // namespace ulpfft::genfft
