// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Packed bodies: the bits of the bodies they were made from, and how few operations they take.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "genfft/ir/evaluate.h"
#include "genfft/pass/pack.h"
#include "genfft/pass/verify.h"
#include "genfft/pipeline.h"
#include "tests/genfft/all_kernels.h"

namespace ulpfft::genfft {
namespace {

bool packs(const Kernel& kernel) {
  if (kernel.body.spec.transform != RealTransform::kNone) return false;
  return kernel.body.spec.form == TwiddleForm::kNone || kernel.body.spec.form == TwiddleForm::kStandard;
}

using Number = ComplexValue<float>;

Number with_turn(float turn, bool turned, float factor) { return turned ? Number{turn * factor, -turn * factor} : Number{factor, factor}; }

// A packed body on numbers; `turn` is 1 or -1.
std::vector<Number> run(const Kernel& kernel, const PackedKernel& packed, const std::vector<Number>& loads, const std::vector<float>& table, float turn) {
  std::vector<Number> values(packed.nodes.size());
  std::vector<Number> stored(kernel.body.dag.stores.size());
  for (const PackedStatement& statement : packed.statements) {
    if (statement.store) {
      stored[static_cast<std::size_t>(statement.point)] = values[static_cast<std::size_t>(statement.node)];
      continue;
    }
    const PackedNode& node = packed.nodes[static_cast<std::size_t>(statement.node)];
    Number& result = values[static_cast<std::size_t>(statement.node)];
    const Number x = node.x >= 0 ? values[static_cast<std::size_t>(node.x)] : Number{};
    const Number y = node.y >= 0 ? values[static_cast<std::size_t>(node.y)] : Number{};
    if (node.kind == PackedNode::Kind::kLoad) {
      result = loads[static_cast<std::size_t>(node.index)];
    } else if (node.kind == PackedNode::Kind::kSwap) {
      result = {x.im, x.re};
    } else {
      float factor = 1;
      if (node.factor == PackedNode::Factor::kTable) factor = table[static_cast<std::size_t>(node.index)];
      if (node.factor == PackedNode::Factor::kConstant) factor = round_to<float>(kernel.body.dag.constants()->value(node.index));
      const Number w = with_turn(turn, node.turned, factor);
      const auto one = [&](float c, float a, float b) {
        switch (node.op) {
          case Op::kAdd: return a + b;
          case Op::kSub: return a - b;
          case Op::kMul: return c * a;
          case Op::kMulAdd: return fused(c, a, b);
          case Op::kNegMulAdd: return fused(-c, a, b);
          case Op::kMulSub: return fused(c, a, -b);
          default: return fused(-c, a, -b);
        }
      };
      result = {one(w.re, x.re, y.re), one(w.im, x.im, y.im)};
    }
  }
  return stored;
}

struct Example {
  std::vector<Number> loads;
  std::vector<float> table;
};

Example example(const Kernel& kernel) {
  std::mt19937 engine(7);
  const auto random = [&] { return static_cast<float>(static_cast<std::int32_t>(engine())) * 0x1p-31f; };
  Example made;
  for (int j = 0; j < kernel.body.spec.radix; ++j) made.loads.push_back({random(), random()});
  for (const TableTerm& term : kernel.body.table) made.table.push_back(round_to<float>(table_value(term, 3, 1024)));
  return made;
}

bool same_bits(Number a, Number b) {
  return std::bit_cast<std::uint32_t>(a.re) == std::bit_cast<std::uint32_t>(b.re) && std::bit_cast<std::uint32_t>(a.im) == std::bit_cast<std::uint32_t>(b.im);
}

TEST(Packed, BodiesHaveTheBitsOfTheirBodies) {
  for (const Kernel& kernel : all_kernels()) {
    if (!packs(kernel)) continue;
    const Example e = example(kernel);
    const auto expected = evaluate<float>(kernel.body.dag, e.loads, std::span<const float>(e.table));
    const auto got = run(kernel, pack(kernel), e.loads, e.table, 1);
    for (std::size_t q = 0; q < expected.size(); ++q) EXPECT_TRUE(same_bits(got[q], expected[q])) << kernel.body.spec.name << " output " << q;
  }
}

TEST(Packed, BodiesWithANegatedTurnComputeOnExchangedParts) {
  for (const Kernel& kernel : all_kernels()) {
    if (!packs(kernel)) continue;
    Example e = example(kernel);
    const auto got = run(kernel, pack(kernel), e.loads, e.table, -1);
    for (Number& x : e.loads) std::swap(x.re, x.im);
    const auto expected = evaluate<float>(kernel.body.dag, e.loads, std::span<const float>(e.table));
    for (std::size_t q = 0; q < expected.size(); ++q) EXPECT_TRUE(same_bits({got[q].im, got[q].re}, expected[q])) << kernel.body.spec.name << " output " << q;
  }
}

// Half the real operations, and an exchange for every product with i that no other can share.
TEST(Packed, BodiesTakeHalfTheOperationsAndFewExchanges) {
  const std::map<std::string, std::pair<int, int>> expected = {{"n2", {2, 0}}, {"n4", {8, 1}}, {"n8", {28, 5}}, {"t4", {14, 4}}, {"t8", {42, 12}}};
  for (const Kernel& kernel : all_kernels()) {
    const auto found = expected.find(kernel.body.spec.name);
    if (found == expected.end()) continue;
    const PackedKernel packed = pack(kernel);
    const auto of = [&](PackedNode::Kind kind) {
      return static_cast<int>(std::count_if(packed.nodes.begin(), packed.nodes.end(), [&](const PackedNode& node) { return node.kind == kind; }));
    };
    EXPECT_LE(of(PackedNode::Kind::kCompute), found->second.first) << kernel.body.spec.name;
    EXPECT_LE(of(PackedNode::Kind::kSwap), found->second.second) << kernel.body.spec.name;
  }
}

TEST(Packed, ABodyWhosePartsDoNotPairUpIsRefused) {
  const auto constants = std::make_shared<ConstantPool>();
  Kernel kernel{.body = {.spec = {.name = "odd", .radix = 1}, .dag = Dag(constants), .table = {}}, .unfused = {}, .ops = {}, .statements = {}};
  Dag& dag = kernel.body.dag;
  const NodeId re = dag.load(0, 0);
  const NodeId im = dag.load(0, 1);
  dag.stores.push_back({dag.add(re, im), dag.mul(DoubleDouble(0.5), im)});
  EXPECT_THROW(pack(kernel), WrongBody);
}

}  // namespace
}  // namespace ulpfft::genfft
