// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Texts that are not wisdom, from accident or malice: refused as a whole, and the store stays as it was.
#include <algorithm>
#include <chrono>

#include "tests/wisdom/testing.h"
#include "wisdom/codec.h"
#include "wisdom/file.h"

namespace ulpfft {
namespace {

using testing::draw;
using testing::entry_of;
using testing::policy_here;

std::string three_entries() {
  Document document;
  document.plans = {entry_of("256 f32"), entry_of("512 f32 centered"), entry_of("1024 f64", "arm64.41.d0c.neon")};
  document.plans[1].unknown = {{"note", "\"quiet\""}};
  document.tables["costs"] = {"{\"codelet\": \"t8\", \"seconds\": 1e-09}"};
  return encode_wisdom(document);
}

// A store with one entry that no text of this file holds.
class HostileWisdom : public ::testing::Test {
 protected:
  void SetUp() override {
    store_.remember(entry_of("8 f32"));
    before_ = store_.document();
  }

  void expect_refused(const std::string& text, const std::string& what) {
    const PlanError error = testing::error_of([&] { import_wisdom(store_, text, policy_here()); });
    ASSERT_EQ(error.status, ULPFFT_INVALID_TEXT) << what;
    ASSERT_EQ(error.field, "wisdom");
    ASSERT_LE(error.text_begin, error.text_end);
    ASSERT_LE(error.text_end, text.size());
    ASSERT_TRUE(std::all_of(error.message.begin(), error.message.end(), [](char c) { return c >= 0x20 && c <= 0x7e; })) << what;
    ASSERT_EQ(store_.document(), before_) << what;
  }

  Store store_;
  Document before_;
};

TEST_F(HostileWisdom, TruncatedAtEveryByte) {
  std::string text = three_entries();
  text.pop_back();  // the final newline is not part of the JSON text
  for (std::size_t size = 0; size < text.size(); ++size) expect_refused(text.substr(0, size), "cut at " + std::to_string(size));
  EXPECT_EQ(import_wisdom(store_, text, policy_here()).accepted, 2u);
}

struct Bad {
  std::string text;
  const char* says;
};

TEST_F(HostileWisdom, WhatIsNotWisdomIsRefusedWithItsReason) {
  const std::string good = three_entries();
  std::string repeated;
  for (int i = 0; i < 65; ++i) repeated += ", \"n" + std::to_string(i) + "\": 1";
  const std::vector<Bad> kBad = {
      {"", "not valid JSON"},
      {" ", "not valid JSON"},
      {"null", "plain value"},
      {"1", "plain value"},
      {"\"wisdom\"", "plain value"},
      {"[]", "array stands"},
      {"{}", "ulpfft_wisdom is missing"},
      {"{\"plans\": []}", "ulpfft_wisdom is missing"},
      {"{\"ulpfft_wisdom\": 2}", "schema is 2"},
      {"{\"ulpfft_wisdom\": 0}", "not a schema number"},
      {"{\"ulpfft_wisdom\": -1}", "not a schema number"},
      {"{\"ulpfft_wisdom\": 1.0}", "not a schema number"},
      {"{\"ulpfft_wisdom\": \"1\"}", "not a schema number"},
      {"{\"ulpfft_wisdom\": [1]}", "not a schema number"},
      {"{\"ulpfft_wisdom\": {}}", "is an object"},
      {"{\"ulpfft_wisdom\": 99999999999999999999}", "not a schema number"},
      {"{\"ulpfft_wisdom\": 1, \"plans\": 1}", "plans is not an array"},
      {"{\"ulpfft_wisdom\": 1, \"plans\": null}", "plans is not an array"},
      {"{\"ulpfft_wisdom\": 1, \"plans\": {}}", "is an object"},
      {"{\"ulpfft_wisdom\": 1, \"plans\": [1]}", "plain value"},
      {"{\"ulpfft_wisdom\": 1, \"plans\": [\"x\"]}", "plain value"},
      {"{\"ulpfft_wisdom\": 1, \"plans\": [[]]}", "array stands"},
      {"{\"ulpfft_wisdom\": 1, \"plans\": [{\"a\": {}}]}", "deeper than 3"},
      {"{\"ulpfft_wisdom\": 1, \"plans\": [{\"a\": []}]}", "deeper than 3"},
      {"{\"ulpfft_wisdom\": 1, \"other\": {\"a\": 1}}", "is an object"},
      {"{\"ulpfft_wisdom\": 1, \"ulpfft_wisdom\": 1}", "stands twice"},
      {"{\"ulpfft_wisdom\": 1, \"plans\": [], \"plans\": []}", "stands twice"},
      {"{\"ulpfft_wisdom\": 1, \"a\": 1, \"\\u0061\": 1}", "stands twice"},
      {"{\"ulpfft_wisdom\": 1, \"\": 1}", "1 to 64 bytes"},
      {"{\"ulpfft_wisdom\": 1, \"caf\xc3\xa9\": 1}", "1 to 64 bytes"},
      {"{\"ulpfft_wisdom\": 1, \"a\": \"caf\xc3\xa9\"}", "printable ASCII"},
      {"{\"ulpfft_wisdom\": 1" + repeated + "}", "more than 64 names"},
      {"{\"ulpfft_wisdom\": 1,}", "not valid JSON"},
      {"{\"ulpfft_wisdom\": 1} // comment", "not valid JSON"},
      {"{'ulpfft_wisdom': 1}", "not valid JSON"},
      {"{\"ulpfft_wisdom\": 1, \"a\": 01}", "not valid JSON"},
      {"{\"ulpfft_wisdom\": NaN}", "not valid JSON"},
      {"{\"ulpfft_wisdom\": 1, \"a\": 1e400}", "not valid JSON"},
      {"{\"ulpfft_wisdom\": 1, \"a\": \"\xff\"}", "not valid JSON"},
      {"{\"ulpfft_wisdom\": 1, \"a\": \"\xc0\xaf\"}", "not valid JSON"},
      {"{\"ulpfft_wisdom\": 1, \"a\": \"\\ud800\"}", "not valid JSON"},
      {"{\"ulpfft_wisdom\": 1, \"a\": \"\n\"}", "not valid JSON"},
      {good + "x", "not valid JSON"},
      {good + good, "not valid JSON"},
      {good + std::string(1, '\0'), "NUL byte"},
      {good + std::string("\0x", 2), "NUL byte"},
      {"\xef\xbb\xbf" + good, "byte order mark"},
      {"\xff\xfe{\0", "not valid JSON"},
  };
  for (const Bad& bad : kBad) {
    expect_refused(bad.text, bad.text.substr(0, 80));
    const PlanError error = testing::error_of([&] { import_wisdom(store_, bad.text, policy_here()); });
    EXPECT_NE(error.message.find(bad.says), std::string::npos) << bad.text.substr(0, 80) << ": " << error.message;
  }
}

TEST_F(HostileWisdom, PositionsPointAtTheFault) {
  const auto at = [&](const std::string& text) {
    return testing::error_of([&] { import_wisdom(store_, text, policy_here()); }).text_begin;
  };
  EXPECT_EQ(at("{\"ulpfft_wisdom\": 1, \"plans\": [tru]}"), 34u);
  EXPECT_EQ(at("{\"ulpfft_wisdom\": 1, \"plans\": [{\"a\": {}}]}"), 37u);
  EXPECT_EQ(at(std::string("{\"ulpfft_wisdom\": 1}\0", 21)), 20u);
}

TEST_F(HostileWisdom, MutatedBytesChangeNothingUnlessTheTextIsWisdom) {
  std::mt19937_64 random(31);
  const std::string good = three_entries();
  int read = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text = good;
    const std::int64_t changes = draw(random, 1, 4);
    for (std::int64_t i = 0; i < changes; ++i) {
      const auto at = static_cast<std::size_t>(draw(random, 0, static_cast<std::int64_t>(text.size()) - 1));
      switch (draw(random, 0, 2)) {
        case 0: text[at] = static_cast<char>(draw(random, 0, 255)); break;
        case 1: text.erase(at, static_cast<std::size_t>(draw(random, 1, 20))); break;
        default:
          text.insert(at, text.substr(static_cast<std::size_t>(draw(random, 0, static_cast<std::int64_t>(text.size()) - 1)), 20));
          break;
      }
      if (text.empty()) text = " ";
    }
    Store store(store_);
    try {
      const ImportReport report = import_wisdom(store, text, policy_here());
      EXPECT_LE(report.accepted + report.stale + report.foreign + report.malformed, 4u);
      const std::string exported = export_wisdom(store);
      Store again;
      EXPECT_EQ(import_wisdom(again, exported, policy_here()).malformed, 0u) << exported;
      EXPECT_EQ(export_wisdom(again), exported);
      ++read;
    } catch (const PlanError& error) {
      ASSERT_EQ(error.status, ULPFFT_INVALID_TEXT);
      ASSERT_EQ(store.document(), before_) << text;
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_LT(read, 4900);
}

TEST_F(HostileWisdom, AMillionLevelsAreRefusedAtTheFourth) {
  for (const char* level : {"[", "{\"a\":"}) {
    std::string text = "{\"ulpfft_wisdom\": 1, \"plans\": ";
    for (int i = 0; i < 1'000'000; ++i) text += level;
    expect_refused(text, level);
    EXPECT_LT(testing::error_of([&] { import_wisdom(store_, text, policy_here()); }).text_begin, 60u);
  }
}

TEST_F(HostileWisdom, SizesBeyondTheLimitsAreRefused) {
  const auto rows = [](std::size_t count) {
    std::string text = "{\"ulpfft_wisdom\": 1, \"plans\": [{}";
    for (std::size_t i = 1; i < count; ++i) text += ",{}";
    return text + "]}";
  };
  expect_refused(rows(kMaxWisdomRows + 1), "too many rows");
  const ImportReport report = import_wisdom(store_, rows(kMaxWisdomRows), policy_here());
  EXPECT_EQ(report.malformed, kMaxWisdomRows);
  EXPECT_EQ(report.details.size(), ImportReport::kMaxDetails);

  std::string spaces = three_entries();
  spaces.resize(kMaxWisdomBytes, ' ');
  EXPECT_EQ(import_wisdom(store_, spaces, policy_here()).accepted, 2u);
  store_.forget();
  before_ = {};
  spaces += ' ';
  expect_refused(spaces, "too large");
}

}  // namespace
}  // namespace ulpfft
