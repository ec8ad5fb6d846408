// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/store.h"

#include <atomic>
#include <limits>
#include <thread>

#include "tests/wisdom/testing.h"
#include "wisdom/codec.h"
#include "wisdom/file.h"

namespace ulpfft {
namespace {

using testing::entry_of;
using testing::error_of;
using testing::policy_here;

constexpr const char* kHere = "x86.25.17.avx3";

TEST(Store, FindsByKeyMachineAndEffort) {
  Store store;
  Entry estimate = entry_of("256 f32");
  estimate.effort = "estimate";
  EXPECT_TRUE(store.remember(estimate));
  EXPECT_EQ(store.find("256 f32", kHere), estimate);
  EXPECT_EQ(store.find("256 f32", kHere, "estimate"), estimate);
  EXPECT_EQ(store.find("256 f32", kHere, "measure"), std::nullopt);
  EXPECT_EQ(store.find("256 f32", "x86.25.17.avx2"), std::nullopt);
  EXPECT_EQ(store.find("512 f32", kHere), std::nullopt);
  EXPECT_EQ(store.find("", ""), std::nullopt);
}

TEST(Store, OfEntriesUnderAnyLimitThoseWhoseErrorKeepsItAreFoundTheFastestFirst) {
  Store store;
  const auto remember = [&](const std::string& problem, double seconds, double error, const char* level) {
    Entry entry = entry_of(problem);
    entry.seconds = seconds;
    entry.error = error;
    entry.error_level = level;
    ASSERT_TRUE(store.remember(entry));
  };
  remember("256 f64 max_error=1e-12", 4e-6, 2e-16, "sampled");
  remember("256 f64 max_error=1e-05", 3e-6, 1e-7, "sampled");
  remember("256 f64 max_error=0.1", 1e-6, 1e-2, "predicted");
  remember("256 f64", 1e-6, 2e-16, "sampled");
  remember("256 f64 max_error=1e-05 scheme=f32", 1e-6, 1e-7, "sampled");
  const auto found = [&](const std::string& key, double limit) {
    const std::optional<Entry> entry = store.find_within(key, kHere, limit);
    return entry ? entry->problem_key : "";
  };
  EXPECT_EQ(found("256 f64 max_error=0.001", 1e-3), "256 f64 max_error=1e-05") << "made for a stricter limit";
  EXPECT_EQ(found("256 f64 max_error=1e-06", 1e-6), "256 f64 max_error=1e-05") << "made for a looser limit, but its error keeps this one";
  EXPECT_EQ(found("256 f64 max_error=1e-08", 1e-8), "256 f64 max_error=1e-12");
  EXPECT_EQ(found("256 f64 max_error=1e-17", 1e-17), "");
  EXPECT_EQ(found("256 f32 max_error=0.001", 1e-3), "");
  EXPECT_EQ(found("256 f64 max_error=0.001 scheme=f32", 1e-3), "256 f64 max_error=1e-05 scheme=f32");
  EXPECT_EQ(store.find_within("256 f64 max_error=0.001", "x86.25.17.avx2", 1e-3), std::nullopt);
  EXPECT_EQ(store.find_within("256 f64 max_error=0.001", kHere, 1e-3, "patient"), std::nullopt);
  store.forget();
  EXPECT_EQ(found("256 f64 max_error=0.001", 1e-3), "");
}

TEST(Store, KeepsTheHigherEffortThenTheLater) {
  Store store;
  Entry first = entry_of("256 f32");
  Entry second = first;
  second.recipe = "f32:dit(4 4 16)";
  EXPECT_TRUE(store.remember(first));
  EXPECT_TRUE(store.remember(second));
  EXPECT_EQ(store.find("256 f32", kHere), second);
  first.effort = "estimate";
  EXPECT_FALSE(store.remember(first));
  EXPECT_EQ(store.find("256 f32", kHere), second);
  EXPECT_EQ(store.size(), 1u);
}

TEST(Store, ThreadCountsAreEntriesOfTheirOwnAndTheFastestIsFound) {
  Store store;
  Entry entry = entry_of("256 f32");
  for (const auto& [threads, seconds] : {std::pair{1, 4e-6}, {2, 3e-6}, {4, 5e-6}, {8, 0.0}}) {
    entry.threads = threads;
    entry.seconds = seconds;
    store.remember(entry);
  }
  EXPECT_EQ(store.size(), 4u);
  EXPECT_EQ(store.find("256 f32", kHere)->threads, 2);  // seconds 0 means not timed
  entry.threads = 16;
  entry.seconds = 1e-9;
  entry.effort = "estimate";
  store.remember(entry);
  EXPECT_EQ(store.find("256 f32", kHere)->threads, 2);
}

TEST(Store, UnknownFieldsPassToAWinnerWithTheSameRecipe) {
  Store store;
  Entry old = entry_of("256 f32");
  old.unknown = {{"joule", "2"}, {"note", "\"a\""}};
  store.remember(old);
  Entry better = entry_of("256 f32");
  better.unknown = {{"note", "\"b\""}};
  store.remember(better);
  EXPECT_EQ(store.find("256 f32", kHere)->unknown, (std::vector<UnknownField>{{"joule", "2"}, {"note", "\"b\""}}));
  better.recipe = "f32:dit(4 4 16)";
  better.unknown.clear();
  store.remember(better);
  EXPECT_TRUE(store.find("256 f32", kHere)->unknown.empty());
}

TEST(Store, AnEntryThatCouldNotBeWrittenIsRefused) {
  const auto refused = [](auto change) {
    Store store;
    Entry entry = entry_of("256 f32");
    change(entry);
    EXPECT_EQ(error_of([&] { store.remember(entry); }).status, ULPFFT_INVALID_ARGUMENT);
    EXPECT_EQ(store.size(), 0u);
  };
  refused([](Entry& e) { e.problem_key = ""; });
  refused([](Entry& e) { e.recipe = "f32:\n"; });
  refused([](Entry& e) { e.recipe = std::string(257, 'r'); });
  refused([](Entry& e) { e.machine = "A"; });
  refused([](Entry& e) { e.threads = 0; });
  refused([](Entry& e) { e.seconds = -1; });
  refused([](Entry& e) { e.spread = std::numeric_limits<double>::infinity(); });
  refused([](Entry& e) { e.error = std::numeric_limits<double>::quiet_NaN(); });
  refused([](Entry& e) { e.error_level = ""; });
  refused([](Entry& e) { e.effort = "hard"; });
}

TEST(Store, ImportSortsEntriesByWhatTheyAreWorthHere) {
  Document document;
  document.plans = {entry_of("256 f32"),
                    entry_of("512 f32"),
                    entry_of("1024 f32"),
                    entry_of("2048 f32"),
                    entry_of("4096 f32", "arm64.41.d0c.neon"),
                    entry_of("256 f32"),
                    entry_of("256 f33 sideways"),
                    entry_of("256 f32 inverse"),
                    entry_of("8192 f32")};
  document.plans[1].digest = 1;
  document.plans[2].recipe = "f32:dit(1024)";
  document.plans[3].recipe = "f32:dit(2048)";
  document.plans[8].recipe = "f32:dit(8192";
  document.newer_plans = {"{\"schema\": 1000}"};
  const ImportPolicy policy = {{kHere}, [](const Problem&, const Recipe& recipe, const std::string&) -> std::optional<std::uint64_t> {
                                 if (print_recipe(recipe) == "f32:dit(1024)") return std::nullopt;
                                 if (print_recipe(recipe) == "f32:dit(2048)")
                                   throw PlanError(ULPFFT_UNSUPPORTED, "recipe", "There is no radix 2048.");
                                 return 0x0123456789abcdef;
                               }};
  Store store;
  ImportReport report;
  store.import(document, policy, report);
  EXPECT_EQ(report.accepted, 1u);
  EXPECT_EQ(report.stale, 3u);
  EXPECT_EQ(report.foreign, 2u);
  EXPECT_EQ(report.malformed, 4u);
  const std::vector<std::string> expected = {
      "stale: '512 f32' on x86.25.17.avx3: its codelets or formats have changed since.",
      "stale: '1024 f32' on x86.25.17.avx3: its recipe 'f32:dit(1024)' cannot be built here.",
      "stale: '2048 f32' on x86.25.17.avx3: There is no radix 2048.",
      "foreign: '4096 f32' on arm64.41.d0c.neon: it was planned on another machine.",
      "malformed: '256 f32' on x86.25.17.avx3: the entry stands twice; the first one counts.",
  };
  ASSERT_EQ(report.details.size(), 9u);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(report.details[i], expected[i]);
  EXPECT_EQ(report.details[6],
            "malformed: '256 f32 inverse' on x86.25.17.avx3: its problem is not a key as this version prints it.");

  EXPECT_EQ(store.size(), 2u);  // accepted, and the one of the other machine
  EXPECT_TRUE(store.find("4096 f32", "arm64.41.d0c.neon").has_value());
  const Document kept = store.document();
  EXPECT_EQ(kept.plans.size(), 2u);
  EXPECT_EQ(kept.newer_plans, document.newer_plans);
}

TEST(Store, ImportReachesTheCallbackOnlyWithTextsThatParse) {
  Document document;
  document.plans = {entry_of("nonsense"), entry_of("8 f32")};
  document.plans[1].recipe = "nonsense";
  Store store;
  ImportReport report;
  store.import(document,
               {{kHere},
                [](const Problem&, const Recipe&, const std::string&) -> std::optional<std::uint64_t> {
                  ADD_FAILURE();
                  return 0;
                }},
               report);
  EXPECT_EQ(report.malformed, 2u);
}

TEST(Store, AFailureInTheCallbackChangesNothing) {
  Store store;
  store.remember(entry_of("8 f32"));
  const Document before = store.document();
  Document document;
  document.plans = {entry_of("16 f32"), entry_of("32 f32")};
  int calls = 0;
  ImportReport report;
  EXPECT_THROW(store.import(document,
                            {{kHere},
                             [&](const Problem&, const Recipe&, const std::string&) -> std::optional<std::uint64_t> {
                               if (++calls == 2) throw std::bad_alloc();
                               return 0x0123456789abcdef;
                             }},
                            report),
               std::bad_alloc);
  EXPECT_EQ(store.document(), before);
  EXPECT_EQ(report.accepted, 0u);
}

TEST(Store, ForeignAndUnknownThingsSurviveImportAndExport) {
  const std::string text =
      "{\n\"ulpfft_wisdom\": 1,\n\"hint\": 3,\n\"plans\": [\n"
      "{\"problem\": \"8 f32\", \"machine\": \"arm64.41.d0c.neon\", \"threads\": 1, \"recipe\": \"f32:n8\", \"digest\": "
      "\"0000000000000001\", "
      "\"seconds\": 0, \"spread\": 0, \"error\": 0, \"error_level\": \"full\", \"effort\": \"measure\", \"version\": \"9\", "
      "\"joule\": 0.5},\n"
      "{\"schema\": 1000, \"a\": \"b\"}\n],\n\"costs\": [\n{\"codelet\": \"t8\", \"seconds\": 1e-09}\n]\n}\n";
  Store store;
  const ImportReport report = import_wisdom(store, text, policy_here());
  EXPECT_EQ(report.foreign, 2u);
  EXPECT_EQ(report.malformed, 0u);
  EXPECT_EQ(export_wisdom(store), text);
  import_wisdom(store, text, policy_here());
  EXPECT_EQ(export_wisdom(store), text);  // nothing is doubled
}

TEST(Store, MergeKeepsTheUnionAndPrefersTheArriving) {
  Store a;
  Store b;
  a.remember(entry_of("8 f32"));
  a.remember(entry_of("16 f32"));
  Entry later = entry_of("16 f32");
  later.recipe = "f32:n16";
  b.remember(later);
  b.remember(entry_of("32 f32"));
  a.merge(b);
  EXPECT_EQ(a.size(), 3u);
  EXPECT_EQ(a.find("16 f32", kHere), later);
  a.merge(a);
  EXPECT_EQ(a.size(), 3u);
}

std::string cost(const std::string& machine, const std::string& codelet, double seconds) {
  return print_flat_row({{"machine", machine}, {"codelet", codelet}, {"seconds", seconds}});
}

TEST(StoreTables, RowsOfAMachineAreReplacedTogether) {
  Store store;
  EXPECT_TRUE(store.table_rows("costs").empty());
  store.replace_table_rows("costs", kHere, {cost(kHere, "t4", 1), cost(kHere, "t8", 2)});
  store.replace_table_rows("costs", "elsewhere", {cost("elsewhere", "t4", 3)});
  store.replace_table_rows("costs", kHere, {cost(kHere, "t4", 4)});
  EXPECT_EQ(store.table_rows("costs"), (std::vector<std::string>{cost("elsewhere", "t4", 3), cost(kHere, "t4", 4)}));
  EXPECT_TRUE(store.table_rows("other").empty());
  store.replace_table_rows("costs", "elsewhere", {});
  EXPECT_EQ(store.table_rows("costs"), std::vector<std::string>{cost(kHere, "t4", 4)});
}

TEST(StoreTables, ArrivingRowsOfAMachineWinAndOthersStay) {
  Store store;
  store.replace_table_rows("costs", kHere, {cost(kHere, "t4", 1), cost(kHere, "t8", 1)});
  store.replace_table_rows("costs", "elsewhere", {cost("elsewhere", "t4", 1)});
  Store arriving;
  arriving.replace_table_rows("costs", kHere, {cost(kHere, "t4", 2)});
  arriving.replace_table_rows("sizes", "third", {cost("third", "t4", 3)});
  store.merge(arriving);
  EXPECT_EQ(store.table_rows("costs"), (std::vector<std::string>{cost("elsewhere", "t4", 1), cost(kHere, "t4", 2)}));
  EXPECT_EQ(store.table_rows("sizes"), std::vector<std::string>{cost("third", "t4", 3)});
  store.merge(Store());
  import_wisdom(store, export_wisdom(store), policy_here());
  EXPECT_EQ(store.table_rows("costs").size(), 2u);
}

TEST(StoreTables, RowsThatNameNoMachineAreASet) {
  const std::string text = "{\"ulpfft_wisdom\": 1, \"notes\": [{\"a\": 1}, {\"machine\": 7}, {\"b\": null}]}";
  Store store;
  import_wisdom(store, text, policy_here());
  import_wisdom(store, "{\"ulpfft_wisdom\": 1, \"notes\": [{\"a\": 2}, {\"a\": 1}]}", policy_here());
  EXPECT_EQ(store.table_rows("notes"),
            (std::vector<std::string>{"{\"a\": 1}", "{\"a\": 2}", "{\"b\": null}", "{\"machine\": 7}"}));
}

TEST(StoreTables, WhatCouldNotBeWrittenIsRefusedAndChangesNothing) {
  Store store;
  store.replace_table_rows("costs", kHere, {cost(kHere, "t4", 1)});
  const Document before = store.document();
  const auto refused = [&](const std::string& table, const std::string& machine, const std::string& row, ulpfft_status status) {
    const PlanError error = error_of([&] { store.replace_table_rows(table, machine, {cost(machine, "t2", 1), row}); });
    EXPECT_EQ(error.status, status) << error.message;
    EXPECT_EQ(store.document(), before);
  };
  for (const std::string& table : {std::string("plans"), std::string("ulpfft_wisdom"), std::string(), std::string(65, 'n')})
    refused(table, kHere, cost(kHere, "t8", 1), ULPFFT_INVALID_ARGUMENT);
  refused("costs", "", cost("", "t8", 1), ULPFFT_INVALID_ARGUMENT);
  refused("costs", kHere, cost("elsewhere", "t8", 1), ULPFFT_INVALID_ARGUMENT);
  refused("costs", kHere, "{}", ULPFFT_INVALID_ARGUMENT);
  for (const char* row : {"", "7", "[]", "{\"machine\": {}}", "{\"machine\": \"x86.25.17.avx3\"} {}", "{\"a\": 1, \"a\": 1}"})
    refused("costs", kHere, row, ULPFFT_INVALID_TEXT);
  std::vector<std::string> many;
  for (std::size_t i = 0; i <= kMaxWisdomRows; ++i) many.push_back(cost(kHere, "t4", static_cast<double>(i)));
  EXPECT_EQ(error_of([&] { store.replace_table_rows("costs", kHere, many); }).status, ULPFFT_UNSUPPORTED);
  EXPECT_EQ(store.document(), before);
  many.pop_back();
  store.replace_table_rows("costs", kHere, many);
  store.replace_table_rows("costs", kHere, many);
  EXPECT_FALSE(store.remember(entry_of("8 f32")));
}

// One name is one thing in a text, and a text has at most 64 of them.
TEST(StoreTables, WhatIsExportedCanBeImported) {
  Store store;
  import_wisdom(store, "{\"ulpfft_wisdom\": 1, \"costs\": 3, \"note\": 4}", policy_here());
  store.replace_table_rows("costs", kHere, {cost(kHere, "t4", 1)});
  import_wisdom(store, "{\"ulpfft_wisdom\": 1, \"costs\": 5, \"note\": []}", policy_here());
  Store copy;
  import_wisdom(copy, export_wisdom(store), policy_here());
  EXPECT_EQ(copy.document(), store.document());
  EXPECT_EQ(copy.table_rows("costs").size(), 1u);

  const auto named = [](const std::string& prefix) {
    std::string text = "{\"ulpfft_wisdom\": 1";
    for (int i = 0; i < 30; ++i) text += ", \"" + prefix + std::to_string(i) + "\": 1";
    return text + "}";
  };
  import_wisdom(store, named("a"), policy_here());
  import_wisdom(store, named("b"), policy_here());
  const Document before = store.document();
  EXPECT_EQ(error_of([&] { import_wisdom(store, named("c"), policy_here()); }).status, ULPFFT_UNSUPPORTED);
  EXPECT_EQ(error_of([&] { store.replace_table_rows("c", kHere, {cost(kHere, "t4", 1)}); }).status, ULPFFT_UNSUPPORTED);
  EXPECT_EQ(store.document(), before);
  import_wisdom(copy, export_wisdom(store), policy_here());
  EXPECT_EQ(copy.document(), store.document());
}

TEST(FlatRow, ReadsWhatItPrints) {
  const FlatRow row = {{"machine", "x"}, {"seconds", 1.25e-9}, {"n", 4096.0}, {"text", "a \"b\" \\ c"}, {"tiny", 5e-324}};
  EXPECT_EQ(print_flat_row(row),
            "{\"machine\": \"x\", \"n\": 4096, \"seconds\": 1.25e-09, \"text\": \"a \\\"b\\\" \\\\ c\", \"tiny\": 5e-324}");
  EXPECT_EQ(parse_flat_row(print_flat_row(row)), row);
  EXPECT_EQ(parse_flat_row(" {\"a\":\n1, \"b\": true, \"c\": null}"), (FlatRow{{"a", 1.0}}));
  EXPECT_EQ(print_flat_row({}), "{}");
}

TEST(FlatRow, RefusesWhatHasNoText) {
  const auto refused = [](const FlatRow& row) {
    EXPECT_EQ(error_of([&] { print_flat_row(row); }).status, ULPFFT_INVALID_ARGUMENT);
  };
  refused({{"", 1.0}});
  refused({{"a", std::numeric_limits<double>::infinity()}});
  refused({{"a", std::numeric_limits<double>::quiet_NaN()}});
  refused({{"a", std::string(257, 'x')}});
  refused({{"a", "line\nline"}});
  FlatRow many;
  for (int i = 0; i < 65; ++i) many["n" + std::to_string(i)] = 1.0;
  refused(many);
}

TEST(Store, EntriesAreListedInOrder) {
  Store store;
  EXPECT_EQ(store.entry(0), std::nullopt);
  for (const char* problem : {"512 f32", "256 f32", "64 f64"}) store.remember(entry_of(problem));
  store.remember(entry_of("8 f32", "arm64.0.0.ref"));
  const Document document = store.document();
  ASSERT_EQ(document.plans.size(), 4u);
  EXPECT_EQ(document.plans[0].machine, "arm64.0.0.ref");
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(store.entry(i), document.plans[i]);
  EXPECT_EQ(store.entry(4), std::nullopt);
  store.remember(entry_of("1 f32"));
  EXPECT_EQ(store.entry(1)->problem_key, "1 f32");
  store.forget();
  EXPECT_EQ(store.size(), 0u);
  EXPECT_EQ(store.entry(0), std::nullopt);
  EXPECT_EQ(store.document(), Document());
}

TEST(Store, AFullStoreTakesNoNewKeys) {
  Document document;
  document.plans.reserve(kMaxWisdomRows);
  for (std::size_t i = 0; i < kMaxWisdomRows; ++i)
    document.plans.push_back(entry_of(std::to_string(i + 1) + " f32", "elsewhere"));
  Store store;
  ImportReport report;
  store.import(document, policy_here(), report);
  EXPECT_EQ(store.size(), kMaxWisdomRows);
  EXPECT_FALSE(store.remember(entry_of("8 f32")));
  EXPECT_TRUE(store.remember(entry_of("8 f32", "elsewhere")));  // replaces

  Document one;
  one.plans = {entry_of("8 f32")};
  EXPECT_EQ(error_of([&] { store.import(one, policy_here(), report); }).status, ULPFFT_UNSUPPORTED);
  EXPECT_EQ(store.size(), kMaxWisdomRows);
}

TEST(Store, IsUsableFromManyThreads) {
  Store store;
  std::atomic<int> found = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        store.remember(entry_of(std::to_string(t * 1000 + i + 1) + " f32"));
        found += store.find(std::to_string(t * 1000 + i + 1) + " f32", kHere).has_value() ? 1 : 0;
        store.entry(static_cast<std::size_t>(i));
        if (i % 50 == 0) import_wisdom(store, export_wisdom(store), policy_here());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found, 1200);
  EXPECT_EQ(store.size(), 1200u);
}

}  // namespace
}  // namespace ulpfft
