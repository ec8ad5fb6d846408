// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The cost table: what is shipped fits the codelets, what is measured survives wisdom, what is missing is replaced.
#include "planner/cost/cost_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codelets/registry.h"
#include "planner/cost/estimate.h"
#include "planner/lower/build_plan.h"
#include "tests/planner/best_target.h"
#include "wisdom/codec.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

bool has_row(const CodeletInfo& codelet) { return codelet.compute == ComputeType::kF32 || codelet.compute == ComputeType::kF64; }

// A few codelets of each kind, so that measuring takes milliseconds on every target.
struct Few {
  std::vector<CodeletInfo> codelets;
  CodeletTable table;
};
Few few_of(const CodeletTable& all) {
  Few few;
  few.table = all;
  for (const CodeletInfo& codelet : all.codelets) {
    const int radix = codelet.body->radix;
    if (has_row(codelet) && (radix == 1 || radix == 4 || radix == 16) && codelet.body->form != TwiddleForm::kChained) few.codelets.push_back(codelet);
  }
  few.table.codelets = few.codelets;
  return few;
}

constexpr double kAFewRounds = 0.7;  // of few_of() with looks of 100 us

// Every look takes as long as said. Long looks make short batches.
Clock ticking(double tick) {
  return [now = 0.0, tick]() mutable { return now += tick; };
}

std::vector<const RegisteredTarget*> available() {
  std::vector<const RegisteredTarget*> targets;
  for (const RegisteredTarget& target : registered_targets()) {
    if (target.available) targets.push_back(&target);
  }
  return targets;
}

double seconds_of(const std::string& problem, const std::string& recipe, const CodeletTable& codelets, const CostTable* costs) {
  TableCache cache;
  return estimate_seconds(make_program(parse_problem(problem), parse_recipe(recipe), codelets, cache), codelets, costs);
}

TEST(ShippedCosts, NameCodeletsOfTheirTargetOnceAndAreSane) {
  ASSERT_FALSE(shipped_costs().empty());
  for (const ShippedCosts& shipped : shipped_costs()) {
    for (std::size_t i = 0; i < kSweeps; ++i) {
      EXPECT_GT(shipped.sweep_ps[i], 0U) << shipped.target;
      EXPECT_GE(shipped.sweep_ps[i], shipped.sweep_ps[i == 0 ? 0 : i - 1]) << shipped.target << " " << i;
    }
    const RegisteredTarget* target = nullptr;
    for (const RegisteredTarget& registered : registered_targets()) {
      if (shipped.target == registered.table.target && !registered.table.codelets.empty()) target = &registered;  // empty: left out of this build
    }
    std::set<std::string> labels;
    if (target != nullptr) {
      for (const CodeletInfo& codelet : target->table.codelets) {
        if (has_row(codelet)) labels.insert(codelet_label(codelet));
      }
    }
    std::set<std::string> seen;
    for (const ShippedCost& row : shipped.rows) {
      const std::string text = std::string(row.name) + " kind " + std::to_string(static_cast<int>(row.kind)) + (row.compute == ComputeType::kF32 ? " f32" : " f64");
      EXPECT_TRUE(seen.insert(text).second) << shipped.target << ": twice " << text;
      for (std::size_t c = 0; c < kCosts; ++c) {
        const Cost cost = static_cast<Cost>(c);
        EXPECT_TRUE(row.ps[c] > 0 || cost == Cost::kRow || cost == Cost::kCall) << shipped.target << " " << text << " cost " << c;
        EXPECT_LT(row.ps[c], 1000000000U) << shipped.target << " " << text << " cost " << c;
      }
      if (target == nullptr) continue;
      BodyFacts first;
      BodyFacts second;
      const std::string name = row.name;
      const std::size_t plus = name.find('+');
      const std::string first_name = name.substr(0, plus);
      const std::string second_name = plus == std::string::npos ? "" : name.substr(plus + 1);
      first.name = first_name.c_str();
      second.name = second_name.c_str();
      CodeletInfo codelet;
      codelet.kind = row.kind;
      codelet.compute = row.compute;
      codelet.body = &first;
      if (plus != std::string::npos) codelet.second = &second;
      EXPECT_EQ(labels.count(codelet_label(codelet)), 1U) << shipped.target << " has no codelet " << codelet_label(codelet) << ": measure again";
    }
  }
}

TEST(ShippedCosts, AreThereForEveryCodeletAndWithoutATableGivenTheyDecide) {
  for (const RegisteredTarget* target : available()) {
    const CostTable shipped = CostTable::shipped(target->table);
    EXPECT_FALSE(shipped.is_measured());
    EXPECT_TRUE(shipped.rows("machine").empty());
    for (const CodeletInfo& codelet : target->table.codelets) {
      if (!has_row(codelet)) continue;
      ASSERT_NE(shipped.find(codelet), nullptr) << target->table.target << " " << codelet_label(codelet);
      EXPECT_GT((*shipped.find(codelet))[Cost::kL1], 0.0) << target->table.target << " " << codelet_label(codelet);
    }
    const CostTable nearest = CostTable::shipped(target->table, nearest_processor());
    EXPECT_EQ(seconds_of("256 f32", "f32:dit(16 16)", target->table, nullptr), seconds_of("256 f32", "f32:dit(16 16)", target->table, &nearest))
        << target->table.target;
  }
}

// What is shipped is the same everywhere, so that goldens and deterministic plans are; what follows from the processor comes on top.
TEST(CostTable, KnowsOfThisProcessorUnlessItIsTheShippedOne) {
  const RegisteredTarget& target = registered_targets().front();
  EXPECT_EQ(CostTable::shipped(target.table).machine().streams.batch, StreamsFrom().batch);
  EXPECT_EQ(CostTable::shipped(target.table).machine().streams.four, StreamsFrom().four);
  EXPECT_EQ(CostTable::default_for(target.table)->machine().streams.batch, streams_from_here().batch);
  EXPECT_EQ(CostTable::from_rows({}, "here", target.table).machine().streams.four, streams_from_here().four);
}

// A row that one processor lacks comes from another one, in the units of the first.
TEST(ShippedCosts, OfEveryProcessorAreThereForEveryCodeletOfItsTarget) {
  std::set<std::string> processors;
  for (const ShippedCosts& costs : shipped_costs()) processors.insert(std::string(costs.processor));
  EXPECT_TRUE(processors.contains(std::string(nearest_processor())));
  for (const RegisteredTarget* target : available()) {
    for (const std::string& processor : processors) {
      const CostTable costs = CostTable::shipped(target->table, processor);
      for (const CodeletInfo& codelet : target->table.codelets) {
        if (!has_row(codelet)) continue;
        EXPECT_GT((*costs.find(codelet))[Cost::kL1], 0.0) << processor << ' ' << codelet_label(codelet);
      }
    }
  }
}

// A target nobody measured has the model, and grows from level to level as the first one shipped does.
TEST(ShippedCosts, OfAnUnknownTargetComeFromTheModel) {
  CodeletTable unknown = registered_targets().back().table;
  unknown.target = "unknown";
  const CostTable costs = CostTable::shipped(unknown);
  for (const CodeletInfo& codelet : unknown.codelets) {
    if (!has_row(codelet)) continue;
    const CodeletCost* cost = costs.find(codelet);
    ASSERT_NE(cost, nullptr) << codelet_label(codelet);
    EXPECT_GT((*cost)[Cost::kL1], 0.0) << codelet_label(codelet);
  }
  EXPECT_GT(costs.machine().sweep[0], 0.0F);
  EXPECT_GT(seconds_of("1024 f64", "f64:dit(16 8 8)", unknown, &costs), 0.0);
}

TEST(CostTable, FindsNothingOfOtherTables) {
  const CostTable costs = CostTable::shipped(registered_targets().back().table);
  const CodeletInfo elsewhere = registered_targets().back().table.codelets[0];
  EXPECT_EQ(costs.find(elsewhere), nullptr);
}

TEST(CostTable, MeasuredWithinItsTimeAndReadBackFromRowsPredictsTheSame) {
  for (const RegisteredTarget* target : available()) {
    const Few few = few_of(target->table);
    const CostTable measured = CostTable::measure(few.table, kAFewRounds, ticking(1e-4));
    ASSERT_TRUE(measured.is_measured()) << target->table.target;
    const std::vector<std::string> rows = measured.rows("here");
    EXPECT_EQ(rows.size(), few.codelets.size() + 1) << target->table.target;
    const CostTable read = CostTable::from_rows(rows, "here", few.table);
    EXPECT_TRUE(read.is_measured()) << target->table.target;
    const std::vector<std::string> again = read.rows("here");
    ASSERT_EQ(again.size(), rows.size()) << target->table.target;
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(again[i], rows[i]) << target->table.target;
    for (const char* recipe : {"f32:dit(16 16 4)", "f32:dit(16 4 16)", "f32:n16"}) {
      const std::string problem = std::string(recipe) == "f32:n16" ? "16*100 f32" : "1024*100 f32";
      const double first = seconds_of(problem, recipe, few.table, &measured);
      EXPECT_NEAR(seconds_of(problem, recipe, few.table, &read), first, 1e-3 * first) << target->table.target << " " << recipe;
    }
  }
}

// Every look at the clock takes a second: nothing fits.
TEST(CostTable, KeepsTheShippedRowsWhenNothingCanBeMeasuredInTime) {
  const CodeletTable& codelets = best_target().table;
  const CostTable late = CostTable::measure(codelets, 2.0, ticking(1.0));
  EXPECT_FALSE(late.is_measured());
  const CostTable shipped = CostTable::shipped(codelets, nearest_processor());
  for (const CodeletInfo& codelet : codelets.codelets) {
    if (!has_row(codelet)) continue;
    EXPECT_EQ(late.find(codelet)->ns, shipped.find(codelet)->ns) << codelet_label(codelet);
  }
}

// The same clock, and no limit: one round ends, however late.
TEST(CostTable, MeasuresOneRoundWhereNoTimeIsNamed) {
  const Few few = few_of(best_target().table);
  EXPECT_EQ(CostTable::measure(few.table, 0, ticking(1.0)).rows("here").size(), few.codelets.size() + 1);
}

// Rows are whole or not there, wherever the first round ends.
TEST(CostTable, KeepsWhatWasTimedAtEveryLevelWhenTheFirstRoundIsCut) {
  const Few few = few_of(best_target().table);
  const std::size_t all = few.codelets.size() + 1;
  double none = 0, whole = kAFewRounds;
  for (int step = 0; step < 40; ++step) {
    const double seconds = (none + whole) / 2;
    const CostTable part = CostTable::measure(few.table, seconds, ticking(1e-4));
    const std::vector<std::string> rows = part.rows("here");
    if (!part.is_measured()) {
      none = seconds;
    } else if (rows.size() == all) {
      whole = seconds;
    } else {
      EXPECT_EQ(CostTable::from_rows(rows, "here", few.table).rows("here").size(), rows.size()) << "rows that cannot be read";
      return;
    }
  }
  FAIL() << "no limit ended within the last level";
}

// Rows that say what is shipped, times `factor`.
std::vector<std::string> rows_of_shipped(const Few& few, double factor) {
  const CostTable shipped = CostTable::shipped(few.table, nearest_processor());
  std::vector<std::string> rows = CostTable::measure(few.table, kAFewRounds, ticking(1e-4)).rows("here");
  for (std::size_t i = 0; i < few.codelets.size(); ++i) {
    FlatRow row = parse_flat_row(rows[i + 1]);
    EXPECT_EQ(std::get<std::string>(row["codelet"]), codelet_label(few.codelets[i]));
    const char* const names[kCosts] = {"l1",      "l2",      "l3",          "memory",  "far_l2",       "far_l3", "far_memory", "interleaved",
                                       "natural", "strided", "strided_far", "partial", "partial_most", "row",    "call"};
    for (std::size_t c = 0; c < kCosts; ++c) row[names[c]] = factor * static_cast<double>(shipped.find(few.codelets[i])->ns[c]);
    rows[i + 1] = print_flat_row(row);
  }
  return rows;
}

TEST(CostTable, ReplacesAMissingRowByTheShippedOneTimesWhatTheOthersDiffer) {
  const Few few = few_of(best_target().table);
  std::vector<std::string> rows = rows_of_shipped(few, 3.0);
  const std::size_t missing = few.codelets.size() / 2;
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(missing) + 1);
  const CostTable costs = CostTable::from_rows(rows, "here", few.table);
  ASSERT_TRUE(costs.is_measured());
  const double expected = 3.0 * (*CostTable::shipped(few.table, nearest_processor()).find(few.codelets[missing]))[Cost::kL1];
  EXPECT_NEAR((*costs.find(few.codelets[missing]))[Cost::kL1], expected, 1e-4 * expected) << codelet_label(few.codelets[missing]);
  EXPECT_EQ(costs.rows("here").size(), few.codelets.size());
}

TEST(CostTable, SkipsRowsOfOtherMachinesOtherDigestsAndWithBadFields) {
  const Few few = few_of(best_target().table);
  const std::string good = rows_of_shipped(few, 3.0)[1];
  const auto is_read = [&](const std::string& row) { return CostTable::from_rows({row}, "here", few.table).is_measured(); };
  ASSERT_TRUE(is_read(good));
  EXPECT_FALSE(CostTable::from_rows({good}, "there", few.table).is_measured());
  EXPECT_FALSE(CostTable::from_rows({}, "here", few.table).is_measured());
  const auto with = [&](const char* name, FlatValue value) {
    FlatRow row = parse_flat_row(good);
    row[name] = std::move(value);
    return print_flat_row(row);
  };
  EXPECT_FALSE(is_read(with("digest", std::string("0000000000000000"))));
  EXPECT_FALSE(is_read(with("codelet", std::string("twiddled t4"))));
  EXPECT_FALSE(is_read(with("l1", 0.0)));
  EXPECT_FALSE(is_read(with("l2", -1.0)));
  EXPECT_FALSE(is_read(with("memory", 1e300)));
  EXPECT_FALSE(is_read(with("call", std::string("3"))));
  FlatRow less = parse_flat_row(good);
  less.erase("partial");
  EXPECT_FALSE(is_read(print_flat_row(less)));
  EXPECT_FALSE(is_read("not a row"));
  EXPECT_TRUE(is_read(with("of_a_later_version", 1.0)));
}

TEST(Estimate, IsFiniteAndAPointCostsMoreInMemoryThanInCache) {
  for (const RegisteredTarget* target : available()) {
    if (target->table.lanes_f32 == 1) continue;  // arithmetic hides memory
    const double cached = seconds_of("4096 f32", "f32:dit(16 16 16)", target->table, nullptr) / 4096;
    const double beyond = seconds_of("16777216 f32", "f32:dit(16 16 16 16 16 16)", target->table, nullptr) / 16777216;
    EXPECT_TRUE(std::isfinite(cached) && cached > 0) << target->table.target;
    EXPECT_GT(beyond, 1.5 * cached) << target->table.target;
  }
}

// Batches repeat the work of one line: no estimate may lose a loop.
TEST(Estimate, OfABatchGrowsWithTheBatch) {
  for (const RegisteredTarget* target : available()) {
    const double one = seconds_of("240*10 f64", "f64:dit(15 16)", target->table, nullptr);
    const double ten = seconds_of("240*100 f64", "f64:dit(15 16)", target->table, nullptr);
    EXPECT_GT(ten, 8 * one) << target->table.target;
    EXPECT_LT(ten, 30 * one) << target->table.target;
  }
}

}  // namespace
}  // namespace ulpfft::test
