// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A few hundred descriptors that lie, contradict themselves or try to become code: each is refused with the file and the place.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "genfft/format/parse.h"

namespace ulpfft::genfft {
namespace {

struct Field {
  std::string name;
  std::string value;  // JSON
};
using Fields = std::vector<Field>;

const Fields kElement = {{"name", "\"e4m3\""}, {"source", "\"OCP\""}, {"kind", "\"element\""}, {"bits", "8"}, {"signed", "true"}, {"zero", "true"},
                         {"exponent", "4"}, {"mantissa", "3"}, {"bias", "7"}, {"special", "\"fn\""}, {"compute", "\"f32\""},
                         {"rounding", "\"nearest_even\""}, {"overflow", "\"saturate\""},
                         {"expect", "{\"largest\": 448, \"smallest_normal\": 0.015625, \"smallest_subnormal\": 0.001953125}"}};
const Fields kInteger = {{"name", "\"i12\""}, {"source", "\"own\""}, {"kind", "\"integer\""}, {"bits", "12"}, {"signed", "true"}, {"fraction", "4"},
                         {"offset", "0.5"}, {"range", "\"whole\""}, {"compute", "\"f32\""}, {"rounding", "\"nearest_even\""},
                         {"overflow", "\"saturate\""}, {"expect", "{\"largest\": 127.90625, \"lowest\": -128.03125, \"step\": 0.0625}"}};
const Fields kBlock = {{"name", "\"blocks\""}, {"source", "\"MX\""}, {"kind", "\"block\""}, {"element", "\"e4m3\""}, {"scale", "\"e8m0\""},
                       {"length", "32"}, {"rule", "\"rceil\""}, {"expect", "{\"bits_per_value\": 8.25}"}};
const std::vector<Fields> kTemplates = {kElement, kInteger, kBlock};

std::string document(const Fields& fields) {
  std::string text = "{";
  for (const Field& field : fields) text += (text.size() > 1 ? ", \"" : "\"") + field.name + "\": " + field.value;
  return text + "}";
}

// What blocks refer to.
void parse_whole(const std::string& text) {
  FormatSet set;
  const Descriptor descriptor = parse_descriptor("bad.json", text);
  const auto* format = std::get_if<FormatSpec>(&descriptor);
  for (const char* name : {"e4m3", "e5m2", "e8m0", "ue4m3", "f32", "u8"}) {
    const std::string path = std::string(GENFFT_FORMATS) + "/" + name + ".json";
    if (format == nullptr || format->name != name) add(set, path, read_descriptor(path));
  }
  add(set, "bad.json", descriptor);
  resolve(set);
}

int refusals = 0;

// `pointer`: where the fault is; "*": anywhere. `words`: part of what is said.
void expect_refused(const std::string& text, const std::string& pointer, const std::string& words = "") {
  ++refusals;
  try {
    parse_whole(text);
    ADD_FAILURE() << "accepted: " << text.substr(0, 2000);
  } catch (const DescriptorError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("bad.json: ", 0), 0U) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    for (const char c : std::string(error.what())) {
      EXPECT_TRUE(c >= ' ' && c <= '~') << "an unprintable byte in: " << error.what();
    }
    EXPECT_LT(std::string(error.what()).size(), 1000U) << error.what();
    if (pointer != "*") {
      EXPECT_EQ(error.pointer, pointer) << text.substr(0, 2000) << "\n" << error.what();
    }
  }
}

Fields with(Fields fields, const std::string& name, const std::string& value) {
  for (Field& field : fields) {
    if (field.name == name) field.value = value;
  }
  return fields;
}

TEST(HostileDescriptor, TheTemplatesThemselvesAreAccepted) {
  for (const Fields& fields : kTemplates) EXPECT_NO_THROW(parse_whole(document(fields))) << document(fields);
}

TEST(HostileDescriptor, EveryFieldOfAWrongTypeIsRefusedWhereItStands) {
  refusals = 0;
  for (const Fields& fields : kTemplates) {
    for (const Field& field : fields) {
      const bool text = field.value[0] == '"', truth = field.value == "true", object = field.value[0] == '{';
      std::vector<std::string> wrong = {"null", "[]", "[1]"};
      if (!text) wrong.insert(wrong.end(), {"\"8\"", "\"\"", "\"*/ int x; /*\""});
      if (!truth) wrong.insert(wrong.end(), {"true", "false"});
      if (!object) wrong.insert(wrong.end(), {"{}", "{\"a\": 1}"});
      if (text || truth || object) wrong.insert(wrong.end(), {"8", "-1", "0.5", "1e300"});
      for (const std::string& value : wrong) expect_refused(document(with(fields, field.name, value)), "/" + field.name);
    }
  }
  EXPECT_GE(refusals, 200);
}

TEST(HostileDescriptor, EveryFieldMissingTwiceOrMisspeltIsRefused) {
  for (const Fields& fields : kTemplates) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      Fields less = fields;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      const std::string& name = fields[i].name;
      // These have defaults; without its offset the integer contradicts what it says to expect.
      const bool optional = name == "rounding" || name == "signed" || name == "zero" || (name == "overflow" && fields[2].value == "\"integer\"");
      if (!optional || (name == "signed" && fields[2].value == "\"integer\"")) {
        expect_refused(document(less), name == "offset" ? "/expect/largest" : "/" + name);
      }
      Fields twice = fields;
      twice.push_back(fields[i]);
      expect_refused(document(twice), "/" + name);
      Fields misspelt = fields;
      misspelt.push_back({name + "s", fields[i].value});
      expect_refused(document(misspelt), "/" + name + "s");
      Fields escaped = fields;
      escaped.push_back({"a/~" + name, "1"});
      expect_refused(document(escaped), "/a~1~0" + name);
    }
  }
}

TEST(HostileDescriptor, NamesThatAreNoPlainWordsAreRefused) {
  const std::vector<std::string> names = {
      "", " ", "e4m3 ", " e4m3", "E4M3", "4m3", "_e4m3", "e4-m3", "e4.m3", "e4/m3", "../e4m3", "e4m3.json", "e4m3;", "e4m3*/", "*/", "/*", "//", "#define x",
      "e4m3\\n", "\\u0000", "e4\\u0000m3", "\\u00e9", "\\u202e", "e4m3\\\"", "e4m3\\\\", "a b", "a,b", "a::b", "a<b>", "a(b)", "a{b}", "a[b]", "a'b", "a`b",
      "a$b", "a@b", "a%s", "a?\?/b", "int", "double", "struct", "constexpr", "namespace", "co_await", "not_eq", "template", "this",
      "restrict", "errno", "linux", "main", "std", "a__b", "none", "inf", "nan", "inverse", "dd", "user", "dit", "n", "n16", "p64", "b32", "mx", "avx3",
      std::string(33, 'a'), std::string(5000, 'a'), "\\ud83d\\ude00"};
  for (const Fields& fields : kTemplates) {
    for (const std::string& name : names) {
      expect_refused(document(with(fields, "name", "\"" + name + "\"")), "/name");
      if (fields[2].value != "\"block\"") continue;
      expect_refused(document(with(fields, "element", "\"" + name + "\"")), "/element");
      expect_refused(document(with(fields, "scale", "\"" + name + "\"")), "/scale");
    }
    for (const std::string source : {"", "a\\n", "\\u0000", "\\u00e9", "a\\tb", "\\u007f"}) {
      expect_refused(document(with(fields, "source", "\"" + source + "\"")), "/source");
    }
    expect_refused(document(with(fields, "source", "\"" + std::string(201, 'a') + "\"")), "/source");
    expect_refused(document(with(fields, "name", "\"f32\"")), "/name");
  }
}

TEST(HostileDescriptor, ByteOrderMarksAreRefused) {
  for (const Fields& fields : kTemplates) {
    for (const std::string mark : {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"}) expect_refused(mark + document(fields), "", "byte order mark");
  }
}

TEST(HostileDescriptor, NumbersOutOfRangeAreRefusedWhereTheyStand) {
  const std::vector<std::string> numbers = {"-9223372036854775808", "-1101", "1101", "65536", "4294967296", "9223372036854775807", "9223372036854775808",
                                            "18446744073709551615", "1e2", "8.0", "8.5", "-0.0"};
  for (const Fields& fields : kTemplates) {
    for (const char* name : {"bits", "exponent", "mantissa", "bias", "fraction", "length"}) {
      bool has = false;
      for (const Field& field : fields) has = has || field.name == name;
      if (!has) continue;
      for (const std::string& value : numbers) expect_refused(document(with(fields, name, value)), std::string("/") + name);
      // 2^64 and 1e400 do not fit the parser's own types: a fraction, or no JSON number.
      expect_refused(document(with(fields, name, "18446744073709551616")), std::string("/") + name);
      expect_refused(document(with(fields, name, "1e400")), "*");
    }
  }
  for (const char* value : {"-1", "0", "1", "2", "17", "32", "64", "100000000"}) {
    expect_refused(document(with(kElement, "bits", value)), "/bits");
    expect_refused(document(with(kInteger, "bits", value)), "/bits");
  }
  for (const char* value : {"-2", "1", "3", "5", "6", "31", "33", "63", "65", "128"}) expect_refused(document(with(kBlock, "length", value)), "/length");
  for (const char* value : {"0.25", "2047", "2047.5", "-2049", "-2048.5", "1e300", "-1e300", "1e-300"}) {
    expect_refused(document(with(kInteger, "offset", value)), "/offset");
  }
}

TEST(HostileDescriptor, ContradictionsAreRefusedAtOneOfTheFieldsThatDisagree) {
  const auto element = [](const std::vector<Field>& changes) {
    Fields fields = kElement;
    for (const Field& change : changes) fields = with(fields, change.name, change.value);
    return document(fields);
  };
  for (const char* value : {"3", "4", "7", "9", "16"}) expect_refused(element({{"bits", value}}), "/bits");
  expect_refused(element({{"signed", "false"}}), "/bits");
  expect_refused(element({{"zero", "false"}}), "/zero");
  expect_refused(element({{"signed", "false"}, {"exponent", "5"}, {"special", "\"fnuz\""}}), "/special");
  expect_refused(element({{"signed", "false"}, {"exponent", "5"}, {"special", "\"p3109\""}}), "/special");
  expect_refused(element({{"exponent", "7"}, {"mantissa", "0"}, {"special", "\"ieee\""}}), "/mantissa");
  expect_refused(element({{"exponent", "1"}, {"mantissa", "6"}, {"special", "\"ieee\""}}), "/exponent");
  for (const char* special : {"\"fn\"", "\"fnuz\"", "\"none\""}) {
    expect_refused(element({{"special", special}, {"overflow", "\"infinity\""}}), "/overflow");
  }
  // Only `fn` leaves out one code: the others end elsewhere.
  for (const char* special : {"\"ieee\"", "\"none\"", "\"fnuz\""}) expect_refused(element({{"special", special}}), "/expect/largest");
  expect_refused(element({{"bias", "-1017"}}), "/bias");
  expect_refused(element({{"bias", "1080"}}), "/bias");
  expect_refused(element({{"bias", "8"}}), "/expect/largest");
  expect_refused(element({{"bias", "150"}}), "/compute");
  expect_refused(element({{"bias", "-120"}}), "/compute");
  expect_refused(element({{"bits", "16"}, {"exponent", "12"}}), "/bias");
  expect_refused(element({{"bits", "16"}, {"exponent", "15"}, {"mantissa", "0"}}), "/bias");
  for (const char* kind : {"\"wide\"", "\"integer\"", "\"block\"", "\"Element\"", "\"\"", "\"element\\u0000\""}) expect_refused(element({{"kind", kind}}), "*");
  for (const char* kind : {"\"wide\"", "\"element\"", "\"block\""}) expect_refused(document(with(kInteger, "kind", kind)), "*");
  for (const char* kind : {"\"wide\"", "\"element\"", "\"integer\""}) expect_refused(document(with(kBlock, "kind", kind)), "*");
  for (const char* bits : {"8", "8.5", "16.25", "-8.25", "1e300"}) {
    expect_refused(document(with(kBlock, "expect", std::string("{\"bits_per_value\": ") + bits + "}")), "/expect/bits_per_value");
  }
  expect_refused(document(with(kBlock, "length", "16")), "/expect/bits_per_value");
  expect_refused(document(with(kBlock, "element", "\"nobody\"")), "/element");
  expect_refused(document(with(kBlock, "element", "\"blocks\"")), "/element", "a block format");
  expect_refused(document(with(kBlock, "element", "\"f32\"")), "/element");
  expect_refused(document(with(kBlock, "element", "\"u8\"")), "/element");
  expect_refused(document(with(kBlock, "element", "\"e8m0\"")), "/element");
  expect_refused(document(with(kBlock, "scale", "\"e4m3\"")), "/scale");
  expect_refused(document(with(kBlock, "scale", "\"f32\"")), "/scale");
  expect_refused(document(with(kBlock, "scale", "\"u8\"")), "/scale", "as e8m0 and ue4m3");
  for (const char* rule : {"\"te\"", "\"torchao\"", "\"search\""}) {
    expect_refused(document(with(kBlock, "rule", rule)), "/rule", "because the scales are powers of two");
  }
  const Fields scaled = with(with(kBlock, "scale", "\"ue4m3\""), "rule", "\"te\"");
  parse_whole(document(scaled));
  for (const char* rule : {"\"floor\"", "\"fit\""}) {
    expect_refused(document(with(scaled, "rule", rule)), "/rule", "must be te, torchao or search");
  }
  expect_refused(document(with(scaled, "element", "\"e5m2\"")), "/element", "has infinities");
  expect_refused(document(with(kInteger, "overflow", "\"infinity\"")), "/overflow");
  expect_refused(document(with(kInteger, "fraction", "160")), "/compute");
  expect_refused(document(with(kInteger, "fraction", "1090")), "/fraction");
  expect_refused(document(with(kInteger, "fraction", "-1090")), "/fraction");
  expect_refused(document(with(kInteger, "range", "\"symmetric\"")), "*");
}

TEST(HostileDescriptor, DocumentsThatAreNoObjectOfFieldsAreRefused) {
  const std::string good = document(kElement);
  for (std::size_t length = 0; length < good.size(); length += 7) expect_refused(good.substr(0, length), "*");
  for (const std::string& text : std::vector<std::string>{std::string("null"), std::string("[]"), std::string("\"{}\""), std::string("{}"), std::string("{{}}"), good + good, good + ",",
                                  "// comment\n" + good, "\xef\xbb\xbf\xef\xbb\xbf" + good, std::string(1, '\0'), good + std::string(1, '\0') + "x",
                                  std::string("\xff\xfe{\0}\0", 6), "{\"name\": \"\xff\"}", std::string(100 * 1024, ' ') + good, std::string(70000, '[')}) {
    expect_refused(text, "*");
  }
  expect_refused(document(with(kElement, "expect", "{\"" + std::string(60000, 'x') + "\": 1}")), "*");
  for (const int depth : {5, 100, 5000}) {
    std::string deep;
    for (int i = 0; i < depth; ++i) deep += "{\"a\": ";
    deep += "1";
    for (int i = 0; i < depth; ++i) deep += "}";
    expect_refused(document(with(kElement, "expect", deep)), "/expect/a/a/a");
  }
}

TEST(HostileDescriptor, AFileWithoutAnEndIsRead64KiBFar) {
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "no /dev/zero";
  try {
    (void)read_descriptor("/dev/zero");
    ADD_FAILURE() << "zeros are a descriptor";
  } catch (const DescriptorError& error) {
    EXPECT_NE(std::string(error.what()).find("is larger than 64 KiB"), std::string::npos) << error.what();
  }
}

TEST(HostileDescriptor, OneAmongGoodOnesLeavesNothingEmitted) {
  const auto folder = std::filesystem::temp_directory_path() / ("ulpfft_hostile_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                                                               std::to_string(reinterpret_cast<std::uintptr_t>(&refusals)));
  std::filesystem::create_directories(folder);
  const auto bad = folder / "bad.json";
  std::ofstream(bad) << document(with(kElement, "name", "\"e4m3; */\""));
  const auto out = folder / "out";
  const std::string command = std::string(GENFFT_PROGRAM) + " emit --outdir " + out.string() + " --groups 2 " + GENFFT_FORMATS + "/f32.json " + bad.string() + " 2> " +
                              (folder / "log").string();
  EXPECT_NE(std::system(command.c_str()), 0);
  EXPECT_FALSE(std::filesystem::exists(out));
  std::ifstream log(folder / "log");
  const std::string message((std::istreambuf_iterator<char>(log)), std::istreambuf_iterator<char>());
  EXPECT_EQ(message, "ulpfft-genfft: " + bad.string() + ": /name: must match [a-z][a-z0-9_]{0,31}\n");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ulpfft::genfft
