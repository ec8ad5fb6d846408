#include "wisdom/store.h"

#include <atomic>
#include <thread>

#include "tests/wisdom/testing.h"
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
  document.newer_plans = {"{\"schema\": 2}"};
  const ImportPolicy policy = {{kHere}, [](const std::string&, const std::string& recipe) -> std::optional<std::uint64_t> {
                                 if (recipe == "f32:dit(1024)") return std::nullopt;
                                 if (recipe == "f32:dit(2048)")
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
      "stale: '512 f32' on x86.25.17.avx3: its codelets have changed since.",
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
                [](const std::string&, const std::string&) -> std::optional<std::uint64_t> {
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
                             [&](const std::string&, const std::string&) -> std::optional<std::uint64_t> {
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
      "{\"problem\": \"8 f32\", \"machine\": \"arm64.41.d0c.neon\", \"threads\": 1, \"recipe\": \"future(recipe)\", \"digest\": "
      "\"0000000000000001\", "
      "\"seconds\": 0, \"spread\": 0, \"error\": 0, \"error_level\": \"full\", \"effort\": \"measure\", \"version\": \"9\", "
      "\"joule\": 0.5},\n"
      "{\"schema\": 3, \"a\": \"b\"}\n],\n\"costs\": [\n{\"codelet\": \"t8\", \"seconds\": 1e-09}\n]\n}\n";
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
