// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Every strategy by name, on every line up to 2000 points that it accepts: what it proposes can be built, and is within the gate.
#include "planner/strategy/strategy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "codelets/registry.h"
#include "planner/lower/build_plan.h"
#include "planner/plan/plan.h"
#include "planner/scheme/scheme_of.h"
#include "planner/table/find_codelet.h"
#include "planner/table/line_table.h"
#include "tests/planner/best_target.h"
#include "tests/support/api.h"
#include "tests/support/compare.h"
#include "tests/support/gates.h"
#include "tests/support/oracle.h"
#include "tests/support/problems.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "wisdom/problem_text.h"
#include "wisdom/recipe.h"

namespace ulpfft::test {
namespace {

constexpr std::int64_t kLongest = 2000;
constexpr std::int64_t kColumns = 24;  // lines side by side, for the strategies that are about them

// Random lines of n points and their transforms, enough for the gate; one after another.
template <typename T>
struct Lines {
  std::int64_t n, count;
  std::vector<std::complex<T>> data;
  std::vector<ComplexDD> expected;

  explicit Lines(std::int64_t length) : n(length) {
    count = (kGateOutputs + n - 1) / n;
    count = (count + kColumns - 1) / kColumns * kColumns;
    data = random_signal<T>(static_cast<std::size_t>(n * count), seed_of("strategies " + std::to_string(n)));
    const auto wide = widen(data);
    expected.resize(wide.size());
    for (std::int64_t t = 0; t < count; ++t) oracle_for(n)->forward(wide.data() + t * n, 1, expected.data() + t * n);
  }
};

// Relative L2 of a plan of `columns` lines side by side.
template <typename T>
double error_of(const ulpfft_plan& plan, const Lines<T>& lines, std::int64_t columns) {
  std::vector<std::complex<T>> in(static_cast<std::size_t>(lines.n * columns)), out(in.size());
  ErrorSum sum;
  for (std::int64_t t = 0; t < lines.count; t += columns) {
    const auto at = [&](std::int64_t c, std::int64_t j) { return static_cast<std::size_t>((t + c) * lines.n + j); };
    for (std::int64_t c = 0; c < columns; ++c) {
      for (std::int64_t j = 0; j < lines.n; ++j) in[static_cast<std::size_t>(j * columns + c)] = lines.data[at(c, j)];
    }
    EXPECT_EQ(ulpfft_execute(&plan, in.data(), out.data()), ULPFFT_OK) << last_error_text();
    for (std::int64_t c = 0; c < columns; ++c) {
      for (std::int64_t k = 0; k < lines.n; ++k) sum.add(out[static_cast<std::size_t>(k * columns + c)], lines.expected[at(c, k)]);
    }
  }
  return sum.relative_l2();
}

class EveryStrategy {
 public:
  // `count` proposals of each strategy at most.
  template <typename T>
  void check(std::int64_t n, Breadth breadth, std::size_t count) {
    const ComputeType compute = sizeof(T) == 4 ? ComputeType::kF32 : ComputeType::kF64;
    std::unique_ptr<const Lines<T>> lines;
    for (const Strategy& strategy : strategies()) {
      for (const std::int64_t columns : {std::int64_t{1}, kColumns}) {
        if (columns > 1 && strategy.name != "columns") continue;
        std::vector<Node> nodes;
        strategy.propose({n, compute, columns, breadth}, table_, ranker_, nodes);
        if (!nodes.empty()) ++accepted_[std::string(strategy.name)];
        if (nodes.size() > count) nodes.resize(count);
        for (const Node& node : nodes) {
          if (lines == nullptr) lines = std::make_unique<const Lines<T>>(n);
          check_node<T>(strategy.name, node, *lines, columns);
        }
      }
    }
  }
  const std::map<std::string, int>& accepted() const { return accepted_; }

 private:
  template <typename T>
  void check_node(std::string_view strategy, const Node& node, const Lines<T>& lines, std::int64_t columns) {
    Problem problem;
    problem.dims = {{lines.n, columns, columns}};
    if (columns > 1) problem.batch = {{columns, 1, 1}};
    problem.storage_in = problem.storage_out = Storage<T>::kName;
    const Recipe recipe{Storage<T>::kName, node};
    const std::string text = print_recipe(recipe);
    if (!built_.insert(text).second) return;
    try {
      const auto plan = ulpfft::make_plan(problem, recipe, table_, build_plan(problem, recipe, table_, cache_));
      EXPECT_LE(error_of<T>(*plan, lines, columns), gate_of<T>(text, lines.n)) << "strategy " << strategy << ", n = " << lines.n << ", recipe " << text;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "strategy " << strategy << " proposes for n = " << lines.n << " what cannot be built: " << text << ": " << error.what();
    }
  }

  const CodeletTable& table_ = best_table();
  TableCache cache_;
  NodeRanker ranker_{table_, cache_, nullptr};
  std::map<std::string, int> accepted_;
  std::set<std::string> built_;
};

class UpTo2000 : public testing::TestWithParam<std::int64_t> {};
constexpr std::int64_t kBlock = 125;

// What estimate and measure look at: every third length, f32 and f64 in turn, three proposals of each strategy; in full every length, both,
// and all.
TEST_P(UpTo2000, EveryFirstProposalIsWithinTheGate) {
  EveryStrategy every;
  const std::size_t count = full_run() ? 1000 : 3;
  for (std::int64_t n = GetParam(); n < GetParam() + kBlock; n += full_run() ? 1 : 3) {
    if (full_run() || n % 2 == 0) every.check<float>(n, Breadth::kFew, count);
    if (full_run() || n % 2 != 0) every.check<double>(n, Breadth::kFew, count);
  }
  EXPECT_GT(every.accepted().count("mixed radix") + every.accepted().count("codelet"), 0U);
}

// What the exhaustive search looks at: four for every composite, rader for every prime, bluestein for everything.
TEST_P(UpTo2000, EveryExhaustiveProposalIsWithinTheGate) {
  EveryStrategy every;
  for (std::int64_t n = GetParam(); n < GetParam() + kBlock; n += full_run() ? 1 : 13) {
    if (full_run() || n % 2 != 0) every.check<float>(n, Breadth::kAll, full_run() ? 6 : 2);
    if (full_run() || n % 2 == 0) every.check<double>(n, Breadth::kAll, full_run() ? 6 : 2);
  }
}

std::string block_name(const testing::TestParamInfo<std::int64_t>& info) {
  return "From" + std::to_string(info.param) + "To" + std::to_string(info.param + kBlock - 1);
}
INSTANTIATE_TEST_SUITE_P(N, UpTo2000, testing::Range(std::int64_t{1}, kLongest, kBlock), block_name);

// Proposals of every strategy for a length, made as programs without tables. Returns how many there are.
std::size_t check_programs(const CodeletTable& table, TableCache& cache, NodeRanker& ranker, std::int64_t n, ComputeType compute, Breadth breadth) {
  Problem problem;
  problem.dims = {{n, 1, 1}};
  problem.storage_in = problem.storage_out = scheme_of_compute(compute);
  std::vector<Node> nodes;
  for (const Strategy& strategy : strategies()) strategy.propose({n, compute, 1, breadth}, table, ranker, nodes);
  for (const Node& node : nodes) {
    const Recipe recipe{problem.storage_in, node};
    try {
      (void)make_program(problem, recipe, table, cache);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "n = " << n << ", " << table.target << ": " << print_recipe(recipe) << " cannot be built: " << error.what();
    }
  }
  return nodes.size();
}

// The tests above execute the first proposals of some lengths. This one executes none, so that it can take all of them for each target.
TEST(EveryStrategy, ProposesOnlyWhatCanBeBuilt) {
  for (const RegisteredTarget& target : registered_targets()) {
    TableCache cache;
    NodeRanker ranker(target.table, cache, nullptr);
    std::size_t proposals = 0;
    for (std::int64_t n = 1; n <= kLongest; ++n) {
      if (!is_sampled(static_cast<std::uint64_t>(n), 3)) continue;
      for (const ComputeType compute : {ComputeType::kF32, ComputeType::kF64}) {
        proposals += check_programs(target.table, cache, ranker, n, compute, Breadth::kAll);
        proposals += check_programs(target.table, cache, ranker, n, compute, Breadth::kFew);
      }
    }
    EXPECT_GT(proposals, static_cast<std::size_t>(kLongest)) << target.table.target;
  }
}

// Accepting is a claim about the length alone, so it can be counted without building anything.
TEST(EveryStrategy, AcceptsTheLengthsItIsFor) {
  const CodeletTable& table = best_table();
  TableCache cache;
  NodeRanker ranker(table, cache, nullptr);
  for (std::int64_t n = 1; n <= 400; ++n) {
    std::set<std::string> accepted;
    for (const Strategy& strategy : strategies()) {
      std::vector<Node> nodes;
      strategy.propose({n, ComputeType::kF32, kColumns, Breadth::kFew}, table, ranker, nodes);
      if (!nodes.empty()) accepted.insert(std::string(strategy.name));
      for (const Node& node : nodes) EXPECT_EQ(node_length(node), n) << strategy.name;
    }
    const bool smooth = is_smooth(n);
    const bool whole = find_codelet(table, PassKind::kWhole, ComputeType::kF32, n, TwiddleForm::kNone) != nullptr ||
                       find_codelet(table, PassKind::kPacked, ComputeType::kF32, n, TwiddleForm::kNone) != nullptr;
    EXPECT_EQ(accepted.count("codelet") != 0, whole) << n;
    EXPECT_TRUE(accepted.count("mixed radix") != 0 || whole || !smooth) << n;
    EXPECT_EQ(accepted.count("rader") != 0, is_prime(n) && !smooth) << n;
    EXPECT_EQ(accepted.count("bluestein") != 0, !smooth) << n;
    EXPECT_TRUE(accepted.count("four-step") != 0 || smooth || is_prime(n)) << n;
  }
}

// Planning builds many recipes from one cache of tables; the plan of a recipe must not depend on which came before.
TEST(TableCache, SharedByRecipesChangesNoBit) {
  const CodeletTable& table = best_table();
  struct Pair {
    const char* problem;
    const char* first;
    const char* second;
  };
  for (const Pair& pair : {Pair{"4099 f64", "f64:rader(4099; dit(16 7 5 5 3))", "f64:rader(4099; dit(25 16 7 3))"},
                           Pair{"2503 f64", "f64:bluestein(2503; 5120; dit(32 16 5 2))", "f64:bluestein(2503; 5120; dit(5 4 16 16))"},
                           Pair{"2503 f32", "f32:bluestein(2503; 5120; dit(32 16 5 2))", "f32:bluestein(2503; 5120; dit(5 4 16 16))"}}) {
    const Problem problem = parse_problem(pair.problem);
    const auto hash = [&](const char* text, TableCache& cache) {
      const Recipe recipe = parse_recipe(text);
      return hash_of_fixed_input(*ulpfft::make_plan(problem, recipe, table, build_plan(problem, recipe, table, cache)));
    };
    TableCache fresh, shared;
    hash(pair.first, shared);
    EXPECT_EQ(hash(pair.second, shared), hash(pair.second, fresh)) << pair.second << " after " << pair.first;
  }
}

TEST(EveryStrategy, DefinedInItsFolderIsListed) {
  std::set<std::string> defined;
  const std::regex definition("void (propose_\\w+)\\(const LineProblem& line, [^;]*\\{");
  for (const auto& entry : std::filesystem::directory_iterator(ULPFFT_STRATEGY_FOLDER)) {
    if (entry.path().extension() != ".cc") continue;
    std::ifstream file(entry.path());
    for (std::string text; std::getline(file, text);) {
      std::smatch match;
      if (!std::regex_search(text, match, definition)) continue;
      if (text.find("CodeletTable&") != std::string::npos) defined.insert(match[1]);  // others are steps of one
    }
  }
  EXPECT_EQ(strategies().size(), defined.size()) << "a strategy is one file and one line in strategy.cc";
  std::set<void*> functions;
  for (const Strategy& strategy : strategies()) functions.insert(reinterpret_cast<void*>(strategy.propose));
  EXPECT_EQ(functions.size(), strategies().size()) << "a strategy is listed twice";
}

TEST(EveryStrategy, HasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const Strategy& strategy : strategies()) EXPECT_TRUE(names.insert(strategy.name).second) << strategy.name << " twice";
  EXPECT_GE(names.size(), 6U);
}

}  // namespace
}  // namespace ulpfft::test
