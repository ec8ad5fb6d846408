// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The bodies themselves: counts, order of statements, and that a wrong one is caught.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

#include "genfft/algorithm/dft.h"
#include "genfft/codelet_list.h"
#include "genfft/ir/print.h"
#include "genfft/pass/verify.h"
#include "genfft/pipeline.h"
#include "tests/genfft/all_kernels.h"

namespace ulpfft::genfft {
namespace {

const Kernel& kernel(const std::string& name) {
  return *std::find_if(all_kernels().begin(), all_kernels().end(), [&](const Kernel& k) { return k.body.spec.name == name; });
}

TEST(OpCounts, MatchTheGoldenTable) {
  std::ifstream file(GENFFT_OP_COUNTS);
  const std::string golden((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(print_stats(all_kernels()), golden) << "if the change is meant: genfft stats > tests/genfft/op_counts.txt";
}

TEST(OpCounts, StayWithinTheCeilingsBeforeFusing) {
  const std::map<int, int> ceilings = {{3, 16}, {5, 44}, {7, 96}, {9, 120}, {11, 240}, {13, 244}};
  for (const Kernel& k : all_kernels()) {
    if (k.body.spec.form != TwiddleForm::kNone || k.body.spec.transform != RealTransform::kNone) continue;
    const int n = k.body.spec.radix;
    if (n >= 2 && (n & (n - 1)) == 0) {
      const int log2 = static_cast<int>(std::log2(n));
      EXPECT_LE(k.unfused.total(), 4 * n * log2 - 6 * n + 8) << k.body.spec.name;
    }
    const auto ceiling = ceilings.find(n);
    if (ceiling == ceilings.end()) continue;
    EXPECT_LE(k.unfused.total(), ceiling->second) << k.body.spec.name;
  }
}

// Split radix on reals; DCT-II adds a rotation for each pair of outputs, and DCT-IV one before and after a complex transform.
TEST(OpCounts, OfRealTransformsStayWithinTheCeilingsBeforeFusing) {
  for (const Kernel& k : all_kernels()) {
    const int n = k.body.spec.radix;
    if (k.body.spec.transform == RealTransform::kNone || !std::has_single_bit(static_cast<unsigned>(n)) || n < 4) continue;
    const int log2 = std::bit_width(static_cast<unsigned>(n)) - 1;
    const int r2c = 2 * n * log2 - 4 * n + 6;
    const std::map<RealTransform, int> ceilings = {{RealTransform::kR2C, r2c},
                                                   {RealTransform::kC2R, r2c + n - 2},  // and 2 x for each number that counts twice
                                                   {RealTransform::kRedft10, r2c + 3 * (n - 2) + 2},
                                                   {RealTransform::kRedft01, r2c + 3 * (n - 2) + 2},
                                                   {RealTransform::kRedft11, 2 * n * log2 + n}};
    const auto ceiling = ceilings.find(k.body.spec.transform);
    if (ceiling == ceilings.end()) continue;
    EXPECT_LE(k.unfused.total(), ceiling->second) << k.body.spec.name;
  }
}

TEST(OpCounts, NoBodyWithoutTwiddlesKeepsAMultiply) {
  for (const Kernel& k : all_kernels()) {
    if (k.body.spec.form != TwiddleForm::kNone || k.body.spec.transform != RealTransform::kNone) continue;
    // Both parts of a sum of sines begin with a product.
    EXPECT_EQ(k.ops.mul, is_of_sums(k.body.spec.radix) ? k.body.spec.radix - 1 : 0) << k.body.spec.name;
  }
}

TEST(OpCounts, TwiddleFormsMeetTheDesign) {
  const std::map<std::string, int> totals = {{"t2", 8},     {"t4", 28},   {"t8", 80},    {"t2_ds", 6}, {"t4_ds", 22},
                                             {"t8_ds", 66}, {"t2_ch", 6}, {"t4_ch", 24}, {"t8_ch", 72}};
  for (const auto& [name, total] : totals) EXPECT_LE(kernel(name).ops.total(), total) << name;
}

TEST(Statements, AreInAnOrderThatWorksInPlace) {
  for (const Kernel& k : all_kernels()) EXPECT_NO_THROW(verify_order(k.body, k.statements));
}

TEST(Statements, AMissingOrEarlyOneIsCaught) {
  for (const char* name : {"n8", "t4_ds", "n25", "r2c16", "c2r15"}) {
    const Kernel& k = kernel(name);
    for (std::size_t i = 0; i < k.statements.size(); ++i) {
      std::vector<Statement> missing = k.statements;
      missing.erase(missing.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_THROW(verify_order(k.body, missing), WrongBody) << name << " without statement " << i;
      std::vector<Statement> late = missing;
      late.push_back(k.statements[i]);
      if (k.statements[i].kind == Statement::Kind::kStore) continue;
      EXPECT_THROW(verify_order(k.body, late), WrongBody) << name << " with statement " << i << " last";
    }
  }
}

TEST(Table, StandardAndChainedHoldReAndImOfEveryPoint) {
  for (const Kernel& k : all_kernels()) {
    if (k.body.spec.form != TwiddleForm::kStandard && k.body.spec.form != TwiddleForm::kChained) continue;
    ASSERT_EQ(static_cast<int>(k.body.table.size()), 2 * (k.body.spec.radix - 1)) << k.body.spec.name;
    for (std::size_t i = 0; i < k.body.table.size(); ++i) {
      EXPECT_EQ(k.body.table[i].kind, i % 2 == 0 ? TableTerm::Kind::kRe : TableTerm::Kind::kIm) << k.body.spec.name;
      EXPECT_EQ(k.body.table[i].j, i / 2 + 1) << k.body.spec.name;
    }
  }
}

TEST(Table, ScalesOfDualSelectStayWithinSqrt2) {
  for (const Kernel& k : all_kernels()) {
    if (k.body.spec.form != TwiddleForm::kDualSelect) continue;
    const std::uint64_t n = 97 * static_cast<std::uint64_t>(k.body.spec.radix);
    for (std::uint64_t column = 0; column < 97; ++column) {
      for (const TableTerm& term : k.body.table) {
        EXPECT_LE(std::abs(table_value(term, column, n).hi), std::sqrt(2.0)) << k.body.spec.name << " " << print_term(term);
      }
    }
  }
}

TEST(Accuracy, OfOneBodyIsWellBelowTheGate) {
  for (const Kernel& k : all_kernels()) {
    // Gate of the design: 1.0 u sqrt(log2 n), 1.5 of that for DCT and DST, 2 of type I; a twiddle counts as one more stage.
    const double stages = std::log2(static_cast<double>(k.body.spec.radix)) + (k.body.table.empty() ? 0 : 1);
    const RealTransform transform = k.body.spec.transform;
    const bool ends = transform == RealTransform::kRedft00 || transform == RealTransform::kRodft00;
    const double gate = ends ? 2.0 : transform >= RealTransform::kRedft10 ? 1.5 : 1.0;
    double limit = 0.68 * gate * std::sqrt(std::max(stages, 0.0));
    // Sums that grow term by term: a rounding errs by 0.18 u^2 in the mean square; h partial sums count half, and three times come from the
    // sum of opposite points, the root and the last addition.
    if (is_of_sums(k.body.spec.radix) && transform == RealTransform::kNone) limit = std::sqrt(0.2 * ((k.body.spec.radix - 1) / 4.0 + 3));
    EXPECT_LE(k.f32.rms, limit) << k.body.spec.name;
  }
}

TEST(Digest, DiffersBetweenBodies) {
  std::map<std::uint64_t, std::string> seen;
  for (const Kernel& k : all_kernels()) {
    const auto [entry, fresh] = seen.emplace(k.digest, k.body.spec.name);
    EXPECT_TRUE(fresh) << k.body.spec.name << " and " << entry->second;
  }
}

TEST(Digest, DoesNotDependOnOtherBodies) {
  const Kernel alone =
      make_kernel({.name = "t8_ds", .radix = 8, .form = TwiddleForm::kDualSelect}, std::make_shared<ConstantPool>());
  EXPECT_EQ(alone.digest, kernel("t8_ds").digest);
}

// One operand of one node is read twice in place of another.
class Breakage : public testing::TestWithParam<const char*> {};

TEST_P(Breakage, OfAnySingleNodeIsCaught) {
  Body body = kernel(GetParam()).body;
  const std::vector<int> readers = reader_counts(body.dag);
  int tried = 0;
  for (NodeId id = 0; id < body.dag.size(); ++id) {
    const Op op = body.dag[id].op;
    if (readers[static_cast<std::size_t>(id)] == 0 || (op != Op::kAdd && op != Op::kSub && !is_fused(op))) continue;
    Dag broken(body.dag.constants());
    for (NodeId i = 0; i < body.dag.size(); ++i) {
      Node node = body.dag[i];
      if (i == id) {
        (is_fused(op) ? node.c : node.b) = is_fused(op) ? node.b : node.a;
        // Kept apart from an equal node elsewhere, so that numbers do not shift.
        if (broken.make(node) != i) break;
        continue;
      }
      broken.make(node);
    }
    if (broken.size() != body.dag.size()) continue;
    broken.stores = body.dag.stores;
    Body wrong = body;
    wrong.dag = std::move(broken);
    EXPECT_THROW(verify(wrong), WrongBody) << GetParam() << " node " << id;
    ++tried;
  }
  EXPECT_GE(tried, count_operations(body.dag).total() * 3 / 4);
}

INSTANTIATE_TEST_SUITE_P(Bodies, Breakage, testing::Values("n5", "n8", "t4", "t4_ds", "t8_ch", "r2c8", "c2r9", "dct2_8", "dct3_5", "dct4_4", "dct1_9", "dst1_7", "dht8"));

TEST(Verify, CatchesAConstantWrongInItsLastBits) {
  Body body = make_body({.name = "n3", .radix = 3, .form = TwiddleForm::kNone}, std::make_shared<ConstantPool>());
  Dag off(body.dag.constants());
  for (NodeId id = 0; id < body.dag.size(); ++id) {
    if (body.dag.is(id, Op::kConstant))
      off.constant(body.dag.constant_value(id) * DoubleDouble(1.0, 0x1p-80));
    else
      off.make(body.dag[id]);
  }
  off.stores = body.dag.stores;
  EXPECT_NO_THROW(verify(body));
  body.dag = std::move(off);
  EXPECT_THROW(verify(body), WrongBody);
}

}  // namespace
}  // namespace ulpfft::genfft
