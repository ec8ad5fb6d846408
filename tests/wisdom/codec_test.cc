// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/codec.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/wisdom/testing.h"
#include "wisdom/problem_text.h"
#include "wisdom/recipe.h"

namespace ulpfft {
namespace {

using testing::draw;
using testing::entry_of;

std::string wrap(const std::string& rows) { return "{\"ulpfft_wisdom\": 1, \"plans\": [" + rows + "]}"; }

// A row with one field replaced, added, or left out (empty value).
std::string row_with(const std::string& name, const std::string& value) {
  const std::vector<std::pair<std::string, std::string>> fields = {{"problem", "\"256 f32\""},
                                                                   {"machine", "\"x86.25.17.avx3\""},
                                                                   {"threads", "1"},
                                                                   {"recipe", "\"f32:dit(16 16)\""},
                                                                   {"digest", "\"0123456789abcdef\""},
                                                                   {"seconds", "1.25e-07"},
                                                                   {"spread", "0.01"},
                                                                   {"error", "1.1e-07"},
                                                                   {"error_level", "\"predicted\""},
                                                                   {"effort", "\"measure\""},
                                                                   {"version", "\"0.1.0\""}};
  std::string row = "{";
  bool found = false;
  const auto add = [&](const std::string& key, const std::string& text) {
    if (!text.empty()) row += (row.size() > 1 ? ", \"" : "\"") + key + "\": " + text;
  };
  for (const auto& [key, text] : fields) {
    add(key, key == name ? value : text);
    found = found || key == name;
  }
  if (!found) add(name, value);
  return row + "}";
}

std::string random_text(std::mt19937_64& random, std::int64_t least) {
  std::string text;
  const std::int64_t size = draw(random, least, 40);
  for (std::int64_t i = 0; i < size; ++i) text += static_cast<char>(draw(random, 0x20, 0x7e));
  return text;
}

Entry random_entry(std::mt19937_64& random) {
  Entry entry;
  entry.problem_key = random_text(random, 1);
  entry.machine = "x86." + std::to_string(draw(random, 0, 99));
  entry.threads = static_cast<int>(draw(random, 1, 4096));
  entry.recipe = random_text(random, 1);
  entry.digest = random();
  entry.seconds = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(draw(random, -1000, 0)));
  entry.spread = static_cast<double>(draw(random, 0, 3));
  entry.error = std::ldexp(static_cast<double>(random() >> 11), -100);
  entry.error_level = draw(random, 0, 1) == 0 ? "sampled" : "full";
  entry.effort = std::array{"estimate", "measure", "patient", "exhaustive"}[static_cast<std::size_t>(draw(random, 0, 3))];
  entry.library_version = random_text(random, 0);
  if (draw(random, 0, 3) == 0) entry.codelets = "avx" + std::to_string(draw(random, 2, 9));
  if (draw(random, 0, 2) == 0)
    entry.unknown = {{"flag", "true"}, {"future", "-12"}, {"half", "0.5"}, {"nothing", "null"}, {"text", "\"a \\\" b \\\\\""}};
  return entry;
}

bool by_key(const Entry& a, const Entry& b) {
  return std::tie(a.machine, a.problem_key, a.threads) < std::tie(b.machine, b.problem_key, b.threads);
}

TEST(Codec, DecodesWhatItEncodes) {
  std::mt19937_64 random(21);
  for (int round = 0; round < 300; ++round) {
    Document document;
    const std::int64_t count = draw(random, 0, 20);
    for (std::int64_t i = 0; i < count; ++i) document.plans.push_back(random_entry(random));
    if (draw(random, 0, 1) == 0) document.tables = {{"costs", {"{\"codelet\": \"t8\", \"seconds\": 1e-09}"}}, {"empty", {}}};
    if (draw(random, 0, 1) == 0) document.newer_plans = {"{\"schema\": 1000, \"what\": \"ever\"}"};
    if (draw(random, 0, 1) == 0) document.values = {{"generator", "\"x\""}, {"when", "18446744073709551615"}};
    const std::string text = encode_wisdom(document);
    ImportReport report;
    const Document decoded = decode_wisdom(text, report);
    std::sort(document.plans.begin(), document.plans.end(), by_key);
    ASSERT_EQ(decoded, document) << text;
    EXPECT_EQ(report.malformed, 0u);
    std::shuffle(document.plans.begin(), document.plans.end(), random);
    ASSERT_EQ(encode_wisdom(document), text);
    EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= 0x20 && c <= 0x7e); }));
  }
}

TEST(Codec, WritesOneRowPerLineInAFixedForm) {
  Document document;
  document.plans = {entry_of("256 f32")};
  EXPECT_EQ(encode_wisdom(document), "{\n\"ulpfft_wisdom\": 1,\n\"plans\": [\n" + row_with("", "") + "\n]\n}\n");
  EXPECT_EQ(encode_wisdom({}), "{\n\"ulpfft_wisdom\": 1,\n\"plans\": []\n}\n");
}

TEST(Codec, KeysMayStandInAnyOrderAndDefaultsMayBeLeftOut) {
  ImportReport report;
  const Document document = decode_wisdom(
      "{\"plans\": "
      "[{\"effort\":\"estimate\",\"digest\":\"00000000000000ff\",\"recipe\":\"f32:n8\",\"machine\":\"m\",\"problem\":\"8 f32\"}],"
      "\"ulpfft_wisdom\": 1}",
      report);
  ASSERT_EQ(document.plans.size(), 1u);
  Entry expected;
  expected.problem_key = "8 f32";
  expected.machine = "m";
  expected.recipe = "f32:n8";
  expected.digest = 255;
  expected.effort = "estimate";
  EXPECT_EQ(document.plans[0], expected);
}

TEST(Codec, UnknownScalarsArePreserved) {
  const std::string row = row_with("unknown", "-7");
  const std::string text = "{\n\"ulpfft_wisdom\": 1,\n\"made_by\": \"x\",\n\"negative_zero\": -0.0,\n\"plans\": [\n" + row +
                           "\n],\n\"costs\": [\n{\"codelet\": \"t8\", \"elements\": 512, \"seconds\": 1e-09}\n]\n}\n";
  ImportReport report;
  EXPECT_EQ(encode_wisdom(decode_wisdom(text, report)), text);
}

struct BadField {
  std::string name;
  std::string value;
};

TEST(Codec, ABadFieldCostsItsRowAlone) {
  const std::string long_text = "\"" + std::string(257, 'a') + "\"";
  const std::vector<BadField> kBad = {
      {"problem", ""},
      {"problem", "1"},
      {"problem", "\"\""},
      {"problem", "null"},
      {"problem", long_text},
      {"problem", "\"a\\u0000b\""},
      {"problem", "\"caf\xc3\xa9\""},
      {"problem", "\"a\\nb\""},
      {"problem", "\"\\u007f\""},
      {"machine", ""},
      {"machine", "\"\""},
      {"machine", "\"X86\""},
      {"machine", "\"../x\""},
      {"machine", "\"" + std::string(65, 'a') + "\""},
      {"threads", "0"},
      {"threads", "-1"},
      {"threads", "4097"},
      {"threads", "1.0"},
      {"threads", "1e0"},
      {"threads", "\"1\""},
      {"threads", "true"},
      {"threads", "9223372036854775808"},
      {"threads", "18446744073709551616"},
      {"threads", "4294967297"},
      {"threads", "-9223372036854775809"},
      {"recipe", ""},
      {"recipe", "\"\""},
      {"recipe", long_text},
      {"digest", ""},
      {"digest", "1"},
      {"digest", "\"\""},
      {"digest", "\"0123456789abcde\""},
      {"digest", "\"0123456789abcdef0\""},
      {"digest", "\"0123456789ABCDEF\""},
      {"digest", "\"0x23456789abcdef\""},
      {"digest", "\"-123456789abcdef\""},
      {"seconds", "-1"},
      {"seconds", "-1e-300"},
      {"seconds", "\"1\""},
      {"seconds", "null"},
      {"seconds", "false"},
      {"spread", "-0.5"},
      {"error", "-0.5"},
      {"error_level", "\"guessed\""},
      {"error_level", "3"},
      {"effort", ""},
      {"effort", "\"clairvoyant\""},
      {"effort", "2"},
      {"version", "7"},
      {"version", long_text},
      {"schema", "0"},
      {"schema", "-1"},
      {"schema", "\"2\""},
      {"schema", "2.0"},
      {"note", long_text},
      {"caf\xc3\xa9", "1"},
      {"", "1"},
      {std::string(65, 'n'), "1"},
  };
  for (const BadField& bad : kBad) {
    const std::string row = bad.name.empty() ? "{\"\": 1, " + row_with("", "").substr(1) : row_with(bad.name, bad.value);
    ImportReport report;
    const Document document = decode_wisdom(wrap(row_with("", "") + ", " + row), report);
    EXPECT_EQ(document.plans.size(), 1u) << row;
    EXPECT_EQ(report.malformed, 1u) << row;
    ASSERT_EQ(report.details.size(), 1u) << row;
    EXPECT_EQ(report.details[0].find("malformed: plans[1] at byte "), 0u) << report.details[0];
    EXPECT_TRUE(std::all_of(report.details[0].begin(), report.details[0].end(), [](char c) { return c >= 0x20 && c <= 0x7e; }));
  }
}

TEST(Codec, ARepeatedNameOrTooManyFieldsCostTheRow) {
  ImportReport report;
  const std::string repeated = "{\"effort\": \"measure\", " + row_with("", "").substr(1);
  EXPECT_TRUE(decode_wisdom(wrap(repeated), report).plans.empty());
  EXPECT_EQ(report.malformed, 1u);

  const auto many = [](int count) {
    std::string row = row_with("", "");
    row.pop_back();
    for (int i = 0; i < count; ++i) row += ", \"u" + std::to_string(i) + "\": 1";
    return row + "}";
  };
  report = {};
  EXPECT_EQ(decode_wisdom(wrap(many(53)), report).plans.size(), 1u);  // 64 with the 11 known ones
  EXPECT_TRUE(decode_wisdom(wrap(many(54)), report).plans.empty());
  EXPECT_EQ(report.malformed, 1u);
}

TEST(Codec, EdgesOfNumbersAreRead) {
  const auto seconds = [](const std::string& value) {
    ImportReport report;
    return decode_wisdom(wrap(row_with("seconds", value)), report).plans.at(0).seconds;
  };
  EXPECT_EQ(seconds("0"), 0.0);
  EXPECT_EQ(seconds("7"), 7.0);
  EXPECT_EQ(seconds("18446744073709551615"), 18446744073709551616.0);
  EXPECT_EQ(seconds("1e308"), 1e308);
  EXPECT_EQ(seconds("5e-324"), 5e-324);
  EXPECT_EQ(seconds("1e-999"), 0.0);
  EXPECT_FALSE(std::signbit(seconds("-0.0")));
  ImportReport report;
  EXPECT_EQ(decode_wisdom(wrap(row_with("digest", "\"ffffffffffffffff\"")), report).plans.at(0).digest, UINT64_MAX);
  EXPECT_EQ(decode_wisdom(wrap(row_with("threads", "4096")), report).plans.at(0).threads, 4096);
}

TEST(Codec, EntriesOfANewerSchemaAreCarried) {
  ImportReport report;
  const std::string newer = "{\"schema\": 1000, \"problem\": 7, \"effort\": \"clairvoyant\"}";
  const Document document = decode_wisdom(wrap(newer + ", " + row_with("schema", "1")), report);
  EXPECT_EQ(document.newer_plans, std::vector<std::string>{newer});
  ASSERT_EQ(document.plans.size(), 1u);
  EXPECT_TRUE(document.plans[0].unknown.empty());  // schema 1 is what is written anyway
  EXPECT_EQ(report.malformed, 0u);
}

// The first version of the library drops an entry with a word it does not know when it saves, but carries entries of schema 2.
TEST(Codec, EntriesWithWordsOfASchemaSaySo) {
  const auto schema_of = [](auto change) {
    Document document;
    document.plans = {entry_of("256 f32")};
    change(document.plans[0]);
    const std::string text = encode_wisdom(document);
    ImportReport report;
    EXPECT_EQ(decode_wisdom(text, report), document) << text;
    for (int schema = newest_entry_schema(); schema > 1; --schema) {
      if (text.find("{\"schema\": " + std::to_string(schema) + ", ") != std::string::npos) return schema;
    }
    return 1;
  };
  for (const char* effort : {"estimate", "measure"}) EXPECT_EQ(schema_of([&](Entry& e) { e.effort = effort; }), 1) << effort;
  for (const char* effort : {"patient", "exhaustive"}) EXPECT_EQ(schema_of([&](Entry& e) { e.effort = effort; }), 2) << effort;
  for (const char* problem : {"256x8*4 f64 centered inplace split", "8 f32 backend=ref scheme=f32 in_strides=2"})
    EXPECT_EQ(schema_of([&](Entry& e) { e.problem_key = problem; }), 1) << problem;
  for (const char* problem : {"8 f32 max_error=1e-06", "8 f32 threads=2"})
    EXPECT_EQ(schema_of([&](Entry& e) { e.problem_key = problem; }), 2) << problem;
  for (const char* recipe : {"f32:n8", "f64:dit(16:ds 8:ch / 4:lf 2:cos)", "f32:rank(cols(p64; dit(16 16)); n4)"})
    EXPECT_EQ(schema_of([&](Entry& e) { e.recipe = recipe; }), 1) << recipe;
  for (const char* recipe : {"f32:four(64x64 p8; n64; n64)", "f32:rader(17; dit(4 4))", "rounded:f16:n8",
                             "f32:share(2; n8)", "f32:dif(4 4)"})
    EXPECT_EQ(schema_of([&](Entry& e) { e.recipe = recipe; }), 2) << recipe;
  for (const char* recipe : {"f32:dit(16 16 decode)", "f32:dit(16 16 stream encode)", "f32:dit(8 8 decode encode)"})
    EXPECT_EQ(schema_of([&](Entry& e) { e.recipe = recipe; }), 3) << recipe;
  for (const char* recipe : {"f64:dit(16|f16 8)", "f32:four(64x64 p8 |f16; n64; n64)", "f32:rank(|bf16; n8; n8)"})
    EXPECT_EQ(schema_of([&](Entry& e) { e.recipe = recipe; }), 3) << recipe;
  EXPECT_EQ(schema_of([&](Entry& e) { e.problem_key = "8 f32 intermediate=f16"; }), 3);
  EXPECT_EQ(schema_of([&](Entry& e) { e.problem_key = "8 f32 chain=mul"; }), 4);
  EXPECT_EQ(schema_of([&](Entry& e) { e.problem_key = "8 f32 scheme=rounded:f16 prescale=amax"; }), 5);
  EXPECT_EQ(schema_of([&](Entry& e) { e.problem_key = "1000 f32 max_workspace=one"; }), 7);
  EXPECT_EQ(schema_of([&](Entry& e) { e.problem_key = "r2c 1000 f32 output=power"; }), 8);
}

// What two words need is the newest that either needs.
TEST(Codec, EntriesOfRealNumbersAndSplitSchemesSayTheNewestSchemaOfTheirWords) {
  struct Words {
    const char *problem, *recipe;
    int schema;
  };
  constexpr Words kEntries[] = {
      {"c2r 8x8 f32", "f32:rank(cols(p4; n8); real(8; n4))", 2},
      {"r2c 1000 f64 max_error=1e-09", "f64:real(1000; dit(25 20))", 2},
      {"r2c 1000 f32 inplace in_strides=2", "f32:real(1000; four(25x20 p4 |f16; n25; n20))", 3},
      {"c2r 8x8 f32 destroy_input", "f32:rank(cols(p4; n8); real(8; n4))", 6},
      {"c2r 8x8 f32 destroy_input", "f32:rank(cols(p4; n8); n8)", 7},
      {"r2c 16 f32", "f32:n16", 7},
      {"r2c 15x16 f64", "f64:rank(n15; n16)", 7},
      {"r2c 1000 f32", "f64:real(1000; dit(25 20))", 7},
      {"r2c 1000 f16", "f32:real(1000; dit(25 20))", 7},
      {"c2r 1000 f32->f64", "f64:real(1000; dit(25 20))", 7},
      {"r2c 1000 mxfp8_e4m3->f32", "f32:real(1000; dit(25 20))", 7},
      {"r2c 1000 i16->f32", "f32:real(1000; dit(25 20))", 7},
      {"r2c 1000 f32 centered", "f32:real(1000; dit(25 20))", 7},
      {"c2r 1000 f32 scheme=rounded:f16", "rounded:f16:real(1000; dit(25 20))", 7},
      {"c2r 1000 f32 prescale=amax", "f32:real(1000; dit(25 20))", 7},
      {"r2c 1000 f32 chain=mul", "f32:chain(real(1000; dit(25 20)); mul; real(1000; dit(25 20)))", 7},
      {"r2c 1000 f32 intermediate=f16", "f32:real(1000; dit(25 20))", 7},
      {"r2r 16 f32 kinds=dct2", "f32:n16", 7},
      {"r2r 16 f32 kinds=dct2 scale=ortho", "f32:n16", 7},
      {"r2r 1000 f16 kinds=hc2r", "f32:r2r(1000; dit(25 20))", 7},
      {"1024 f32 scheme=split:bf16x3", "split:bf16x3:dit(32 32)", 7},
      {"1024 f32 max_error=1e-05 scheme=split", "split:f16x2:dit(32 32)", 7},
      {"1024 f32 max_error=1e-05", "split:f16x2:dit(32 32)", 7},
      {"1024 f32 chain=mul", "f32:chain(n1024; mul; n1024)", 4},
  };
  for (const Words& words : kEntries) {
    Entry entry = entry_of(words.problem);
    entry.recipe = words.recipe;
    EXPECT_EQ(problem_key(parse_problem(words.problem)), words.problem);
    EXPECT_EQ(print_recipe(parse_recipe(words.recipe)), words.recipe);
    EXPECT_EQ(entry_schema(entry), words.schema) << words.problem << ' ' << words.recipe;
    EXPECT_LE(entry_schema(entry), newest_entry_schema());
    entry.effort = "patient";
    EXPECT_EQ(entry_schema(entry), words.schema) << "an older word changes nothing: " << words.problem;
  }
}

TEST(Codec, MoreThanCanBeReadIsNotWritten) {
  Document document;
  Entry entry = entry_of("256 f32");
  entry.problem_key = std::string(256, 'p');
  entry.recipe = std::string(256, 'r');
  entry.library_version = std::string(256, 'v');
  document.plans.assign(80'000, entry);  // 64 MiB are exceeded first
  EXPECT_EQ(testing::error_of([&] { encode_wisdom(document); }).status, ULPFFT_UNSUPPORTED);
  document.plans.clear();
  document.tables["t"].assign(kMaxWisdomRows, "{}");
  EXPECT_NO_THROW(encode_wisdom(document));
  document.newer_plans = {"{}"};
  EXPECT_EQ(testing::error_of([&] { encode_wisdom(document); }).status, ULPFFT_UNSUPPORTED);
}

}  // namespace
}  // namespace ulpfft
