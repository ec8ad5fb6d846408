// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Every pass keeps the values of random graphs, and reduces what it says it reduces.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>

#include "genfft/ir/evaluate.h"
#include "genfft/pass/factor_scales.h"
#include "genfft/pass/fuse_fma.h"
#include "genfft/pass/place_rounding.h"
#include "genfft/pass/schedule.h"
#include "genfft/pass/simplify.h"
#include "genfft/pass/transpose.h"

namespace ulpfft::genfft {
namespace {

using Values = std::vector<ComplexValue<DoubleDouble>>;

constexpr int kPoints = 3;
constexpr int kTable = 4;

// A linear network of about `size` nodes as an algorithm might build it, or node by node without simplification.
Dag random_dag(std::mt19937_64& engine, int size, bool raw) {
  Dag dag(std::make_shared<ConstantPool>());
  const double constants[] = {0.5, 0.70710678118654752, 0.25, 0.86602540378443865, 0.3};
  std::vector<NodeId> pool;
  for (int j = 0; j < kPoints; ++j) {
    pool.push_back(dag.load(j, 0));
    pool.push_back(dag.load(j, 1));
  }
  const auto pick = [&] { return pool[engine() % pool.size()]; };
  while (static_cast<int>(pool.size()) < size) {
    Node node;
    switch (engine() % 8) {
      case 0:
      case 1: node = {Op::kAdd, pick(), pick()}; break;
      case 2:
      case 3: node = {Op::kSub, pick(), pick()}; break;
      case 4: node = {Op::kNeg, pick()}; break;
      case 5: node = {Op::kMul, dag.table(static_cast<int>(engine() % kTable)), pick()}; break;
      default: node = {Op::kMul, dag.constant(DoubleDouble(constants[engine() % 5])), pick()}; break;
    }
    const NodeId made = raw ? dag.make(node) : dag.build(node);
    if (!dag.is(made, Op::kConstant)) pool.push_back(made);
  }
  for (int q = 0; q < kPoints; ++q)
    dag.stores.push_back({pool[pool.size() - 1 - engine() % 8], pool[pool.size() - 1 - engine() % 8]});
  return dag;
}

Values random_loads(std::mt19937_64& engine) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Values loads(kPoints);
  for (auto& load : loads) load = {DoubleDouble(uniform(engine)), DoubleDouble(uniform(engine))};
  return loads;
}

std::vector<DoubleDouble> random_table(std::mt19937_64& engine) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<DoubleDouble> table(kTable);
  for (auto& value : table) value = DoubleDouble(uniform(engine));
  return table;
}

void expect_same_values(const Dag& before, const Dag& after, std::mt19937_64& engine, const std::string& where) {
  const Values loads = random_loads(engine);
  const std::vector<DoubleDouble> table = random_table(engine);
  const Values a = evaluate<DoubleDouble>(before, loads, table);
  const Values b = evaluate<DoubleDouble>(after, loads, table);
  ASSERT_EQ(a.size(), b.size()) << where;
  for (std::size_t q = 0; q < a.size(); ++q) {
    const double bound = 0x1p-85 * (1 + std::abs(a[q].re.hi) + std::abs(a[q].im.hi));
    EXPECT_LE(std::abs((a[q].re - b[q].re).hi), bound) << where << ", store " << q;
    EXPECT_LE(std::abs((a[q].im - b[q].im).hi), bound) << where << ", store " << q;
  }
}

struct Case {
  const char* name;
  std::function<Dag(const Dag&)> run;
};

class EveryPass : public testing::TestWithParam<Case> {};

TEST_P(EveryPass, KeepsTheValuesOfRandomGraphs) {
  std::mt19937_64 engine(7);
  for (int i = 0; i < 300; ++i) {
    const Dag dag = random_dag(engine, 12 + i % 60, i % 2 == 0);
    expect_same_values(dag, GetParam().run(dag), engine, "graph " + std::to_string(i));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Passes, EveryPass,
    testing::Values(
        Case{"simplify", simplify}, Case{"factor_scales", factor_scales}, Case{"fuse_fma", fuse_fma},
        Case{"place_rounding", [](const Dag& d) { return place_rounding(fuse_fma(d), RoundingPlace::kEvery); }},
        Case{"place_rounding_at_factors", [](const Dag& d) { return place_rounding(fuse_fma(d), RoundingPlace::kFactors); }},
        Case{"transpose_twice", [](const Dag& d) { return transpose(transpose(d)); }},
        Case{"all", [](const Dag& d) { return fuse_fma(factor_scales(simplify(transpose(simplify(transpose(simplify(d))))))); }}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Transpose, GivesTheTransposedMatrix) {
  std::mt19937_64 engine(8);
  for (int i = 0; i < 50; ++i) {
    const Dag dag = random_dag(engine, 30, false);
    const Dag transposed = transpose(dag);
    const std::vector<DoubleDouble> table = random_table(engine);
    // <y, A x> = <A^T y, x>
    const Values x = random_loads(engine);
    const Values y = random_loads(engine);
    const Values ax = evaluate<DoubleDouble>(dag, x, table);
    const Values ty = evaluate<DoubleDouble>(transposed, y, table);
    DoubleDouble left;
    DoubleDouble right;
    for (std::size_t j = 0; j < x.size(); ++j) {
      left += y[j].re * ax[j].re + y[j].im * ax[j].im;
      right += ty[j].re * x[j].re + ty[j].im * x[j].im;
    }
    EXPECT_LE(std::abs((left - right).hi), 0x1p-85 * (1 + std::abs(left.hi))) << "graph " << i;
  }
}

// Negations move towards the stores, where one may become two before both vanish; nothing else may grow.
int operations_but_negations(const Dag& dag) {
  const std::vector<int> readers = reader_counts(dag);
  int count = 0;
  for (NodeId id = 0; id < dag.size(); ++id) {
    count += readers[static_cast<std::size_t>(id)] > 0 && !is_leaf(dag[id].op) && dag[id].op != Op::kNeg;
  }
  return count;
}

TEST(Simplify, NeverAddsOperationsButNegations) {
  std::mt19937_64 engine(9);
  for (int i = 0; i < 300; ++i) {
    const Dag dag = random_dag(engine, 40, true);
    EXPECT_LE(operations_but_negations(simplify(dag)), operations_but_negations(dag)) << "graph " << i;
  }
}

TEST(Simplify, IsIdempotent) {
  std::mt19937_64 engine(10);
  for (int i = 0; i < 100; ++i) {
    const Dag once = simplify(random_dag(engine, 40, true));
    EXPECT_EQ(count_operations(simplify(once)).total(), count_operations(once).total()) << "graph " << i;
  }
}

TEST(FuseFma, LeavesNoMultiplyThatOnlyAddsRead) {
  Dag dag(std::make_shared<ConstantPool>());
  const NodeId x = dag.load(0, 0);
  const NodeId y = dag.load(0, 1);
  const NodeId product = dag.mul(DoubleDouble(0.3), x);
  dag.stores = {{dag.add(y, product), dag.sub(y, product)}};
  const OpTotals totals = count_operations(fuse_fma(dag));
  EXPECT_EQ(totals.fma, 2);
  EXPECT_EQ(totals.total(), 2);
}

TEST(FuseFma, KeepsAMultiplyThatIsStored) {
  Dag dag(std::make_shared<ConstantPool>());
  const NodeId x = dag.load(0, 0);
  const NodeId y = dag.load(0, 1);
  const NodeId product = dag.mul(DoubleDouble(0.3), x);
  dag.stores = {{dag.add(y, product), product}};
  const OpTotals totals = count_operations(fuse_fma(dag));
  EXPECT_EQ(totals.fma, 0);
  EXPECT_EQ(totals.total(), 2);
}

TEST(FactorScales, ARotationBeforeAButterflyCostsItsAddsOnly) {
  Dag dag(std::make_shared<ConstantPool>());
  const NodeId x = dag.load(0, 0);
  const NodeId y = dag.load(0, 1);
  const NodeId z = dag.load(1, 0);
  const NodeId turned = dag.add(dag.mul(DoubleDouble(0.8), x), dag.mul(DoubleDouble(0.6), y));
  dag.stores = {{dag.add(z, turned), dag.sub(z, turned)}};
  EXPECT_EQ(count_operations(fuse_fma(dag)).total(), 4);
  EXPECT_EQ(count_operations(fuse_fma(factor_scales(dag))).total(), 3);
}

TEST(PlaceRounding, RoundsEveryOperationOnce) {
  std::mt19937_64 engine(9);
  for (int i = 0; i < 50; ++i) {
    const Dag before = fuse_fma(simplify(random_dag(engine, 40, false)));
    const Dag after = place_rounding(before, RoundingPlace::kEvery);
    int roundings = 0;
    const std::vector<int> readers = reader_counts(after);
    for (NodeId id = 0; id < after.size(); ++id) {
      if (readers[static_cast<std::size_t>(id)] == 0) continue;
      for_each_operand(after[id], [&](NodeId operand) {
        // What is read is a leaf or rounded; what is rounded is an operation, read by nothing else.
        const bool rounds = is_rounding(after[id].op);
        EXPECT_EQ(rounds, !is_leaf(after[operand].op) && !is_rounding(after[operand].op)) << "graph " << i << ", node " << id;
        EXPECT_TRUE(!rounds || readers[static_cast<std::size_t>(operand)] == 1) << "graph " << i << ", node " << operand;
      });
      roundings += is_rounding(after[id].op) ? 1 : 0;
    }
    EXPECT_EQ(roundings, count_operations(after).total() - roundings) << "graph " << i;
  }
}

TEST(PlaceRounding, KeepsSumsOfPointsWideAndRoundsWhatBelongsToOne) {
  Dag dag(std::make_shared<ConstantPool>());
  const NodeId first = dag.load(0, 0);
  const NodeId product = dag.mul(dag.table(0), dag.load(1, 0));
  const NodeId turned = dag.add(product, dag.load(1, 1));
  dag.stores = {{dag.add(first, turned), dag.load(0, 1)}};
  const Dag after = place_rounding(fuse_fma(dag), RoundingPlace::kFactors);
  const Node sum = after[after.stores[0].re];
  ASSERT_EQ(sum.op, Op::kRoundSum);
  const Node add = after[sum.a];
  ASSERT_EQ(add.op, Op::kAdd);
  EXPECT_TRUE(after.is(add.a, Op::kLoad));  // as it is
  ASSERT_TRUE(after.is(add.b, Op::kRound));
  const Node fused = after[after[add.b].a];
  EXPECT_EQ(fused.op, Op::kMulAdd);
  EXPECT_TRUE(after.is(fused.b, Op::kRound));
  EXPECT_TRUE(after.is(fused.c, Op::kRound));
}

TEST(SpillTraffic, IsZeroWhereEverythingFits) {
  Dag dag(std::make_shared<ConstantPool>());
  const NodeId x = dag.load(0, 0);
  const NodeId y = dag.load(0, 1);
  dag.stores = {{dag.add(x, y), dag.sub(x, y)}};
  const std::vector<Statement> statements = schedule(dag);
  EXPECT_EQ(spill_traffic(dag, statements, 4), 0);
  EXPECT_EQ(live_values(dag, statements), 3);
}

}  // namespace
}  // namespace ulpfft::genfft
