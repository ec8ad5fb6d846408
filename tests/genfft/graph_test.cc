// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include <gtest/gtest.h>

#include <memory>

#include "codelets/contract/unit_root.h"
#include "genfft/ir/dag.h"

namespace ulpfft::genfft {
namespace {

Dag empty() { return Dag(std::make_shared<ConstantPool>()); }

TEST(ConstantPool, OneValueByTwoRoutesIsOneConstant) {
  ConstantPool pool;
  const ConstantId first = pool.intern(unit_root(1, 8).re);
  EXPECT_EQ(pool.intern(sqrt(DoubleDouble(0.5))), first);
  EXPECT_EQ(pool.intern(DoubleDouble(1.0) / sqrt(DoubleDouble(2.0))), first);
  EXPECT_EQ(pool.intern(unit_root(3, 24).re), first);
  EXPECT_NE(pool.intern(unit_root(1, 8).re + DoubleDouble(0x1p-90)), first);
}

TEST(ConstantPool, ValuesOnEitherSideOfARoundingBoundaryMeet) {
  ConstantPool pool;
  const ConstantId one = pool.intern(DoubleDouble(1.0, -0x1p-104));
  EXPECT_EQ(pool.intern(DoubleDouble(1.0)), one);
  EXPECT_EQ(pool.intern(two_sum(1 - 0x1p-53, 0x1p-53)), one);
}

TEST(Dag, ConstantsArePositive) {
  Dag dag = empty();
  const NodeId minus = dag.constant(DoubleDouble(-0.75));
  ASSERT_TRUE(dag.is(minus, Op::kNeg));
  EXPECT_EQ(dag[minus].a, dag.constant(DoubleDouble(0.75)));
}

TEST(Dag, EqualExpressionsAreOneNode) {
  Dag dag = empty();
  const NodeId x = dag.load(0, 0);
  const NodeId y = dag.load(1, 0);
  EXPECT_EQ(dag.add(x, y), dag.add(y, x));
  EXPECT_EQ(dag.load(1, 0), y);
  EXPECT_NE(dag.load(1, 1), y);
}

TEST(Dag, SignsMoveOutwards) {
  Dag dag = empty();
  const NodeId x = dag.load(0, 0);
  const NodeId y = dag.load(1, 0);
  const NodeId c = dag.constant(DoubleDouble(0.25));
  EXPECT_EQ(dag.add(x, dag.neg(y)), dag.sub(x, y));
  EXPECT_EQ(dag.sub(x, dag.neg(y)), dag.add(x, y));
  EXPECT_EQ(dag.add(dag.neg(x), dag.neg(y)), dag.neg(dag.add(x, y)));
  EXPECT_EQ(dag.sub(dag.neg(x), dag.neg(y)), dag.sub(y, x));
  EXPECT_EQ(dag.neg(dag.neg(x)), x);
  EXPECT_EQ(dag.mul(c, dag.neg(x)), dag.neg(dag.mul(c, x)));
  EXPECT_EQ(dag.mul(DoubleDouble(-0.25), x), dag.neg(dag.mul(c, x)));
}

TEST(Dag, ADifferenceIsSharedWithItsReverse) {
  Dag dag = empty();
  const NodeId x = dag.load(0, 0);
  const NodeId y = dag.load(1, 0);
  const NodeId difference = dag.sub(x, y);
  EXPECT_EQ(dag.sub(y, x), dag.neg(difference));
}

TEST(Dag, IdentitiesVanishAndConstantsFold) {
  Dag dag = empty();
  const NodeId x = dag.load(0, 0);
  const NodeId zero = dag.constant(DoubleDouble());
  EXPECT_EQ(dag.add(x, zero), x);
  EXPECT_EQ(dag.sub(x, zero), x);
  EXPECT_EQ(dag.sub(x, x), zero);
  EXPECT_EQ(dag.mul(DoubleDouble(1.0), x), x);
  EXPECT_EQ(dag.mul(DoubleDouble(-1.0), x), dag.neg(x));
  EXPECT_EQ(dag.mul(zero, x), zero);
  EXPECT_EQ(dag.add(x, x), dag.mul(DoubleDouble(2.0), x));
  EXPECT_EQ(dag.mul(DoubleDouble(0.5), dag.mul(DoubleDouble(0.5), x)), dag.mul(DoubleDouble(0.25), x));
}

TEST(Dag, CountsOnlyWhatStoresDependOn) {
  Dag dag = empty();
  const NodeId x = dag.load(0, 0);
  const NodeId y = dag.load(0, 1);
  dag.mul(DoubleDouble(0.5), x);
  dag.stores = {{dag.add(x, y), dag.sub(x, y)}};
  const OpTotals totals = count_operations(dag);
  EXPECT_EQ(totals.add, 2);
  EXPECT_EQ(totals.mul, 0);
}

}  // namespace
}  // namespace ulpfft::genfft
