// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A body as a graph of real-valued operations, hash-consed: equal expressions are one node.
//
// Nodes are numbered in order of creation, operands before their readers. The arithmetic constructors simplify as they build;
// every rule lowers (operations other than negations, distance of negations from the stores) in that order:
//   signs      negations move towards the stores: x + -y = x - y, -x - y = -(x + y), c * -x = -(c * x), --x = x
//   constants  are folded, and positive: the sign goes to the readers; c1 * (c2 * x) = (c1 c2) * x
//   identities x + 0, x - 0, x - x, x + x = 2 x, 1 * x, 0 * x
//   sharing    a - b where b - a exists is -(b - a)
// Rounding nodes take the exact value of their operand; a graph without them is rounded by the type it is evaluated in.
// In a product the coefficient (constant or table value) is operand a. Fused operations are built by fuse_fma only.
#ifndef ULPFFT_GENFFT_IR_DAG_H_
#define ULPFFT_GENFFT_IR_DAG_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "genfft/ir/constant.h"

namespace ulpfft::genfft {

using NodeId = std::int32_t;
inline constexpr NodeId kNoNode = -1;
// A node or a point as an index of a list.
constexpr std::size_t at(NodeId id) { return static_cast<std::size_t>(id); }

enum class Op : std::uint8_t {
  kLoad,       // a: point, b: component (0 re, 1 im)
  kTable,      // a: index into the body's table
  kConstant,   // a: ConstantId
  kAdd,        // a + b
  kSub,        // a - b
  kMul,        // a * b
  kNeg,        // -a
  kMulAdd,     // a * b + c
  kNegMulAdd,  // c - a * b
  kMulSub,     // a * b - c
  kNegMulSub,  // -a * b - c
  kRound,      // a, rounded to the format of a rounded scheme: place_rounding only
  kRoundSum,   // a, rounded to the type of the sums of such a scheme
};

constexpr bool is_leaf(Op op) { return op <= Op::kConstant; }
constexpr bool is_fused(Op op) { return op >= Op::kMulAdd && op <= Op::kNegMulSub; }
constexpr bool is_rounding(Op op) { return op >= Op::kRound; }

struct Node {
  Op op = Op::kLoad;
  NodeId a = kNoNode;
  NodeId b = kNoNode;
  NodeId c = kNoNode;
  bool operator==(const Node&) const = default;
};

// Number of node operands: 0 for leaves.
constexpr int operand_count(Op op) {
  if (is_leaf(op)) return 0;
  if (op == Op::kNeg || is_rounding(op)) return 1;
  return is_fused(op) ? 3 : 2;
}

struct Store {
  NodeId re = kNoNode;
  NodeId im = kNoNode;
};

class Dag {
 public:
  explicit Dag(std::shared_ptr<ConstantPool> constants) : constants_(std::move(constants)) {}

  NodeId load(int point, int component) { return make({Op::kLoad, point, component}); }
  NodeId table(int index) { return make({Op::kTable, index}); }
  NodeId constant(DoubleDouble value);
  NodeId add(NodeId a, NodeId b);
  NodeId sub(NodeId a, NodeId b);
  NodeId mul(NodeId coefficient, NodeId b);
  NodeId mul(DoubleDouble coefficient, NodeId b) { return mul(constant(coefficient), b); }
  NodeId neg(NodeId a);
  // As written, no rule applied but hash-consing.
  NodeId make(Node node);
  // The simplifying constructor for a node of this kind.
  NodeId build(const Node& node);

  const Node& operator[](NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  NodeId size() const { return static_cast<NodeId>(nodes_.size()); }
  const DoubleDouble& constant_value(NodeId id) const { return constants_->value((*this)[id].a); }
  bool is(NodeId id, Op op) const { return (*this)[id].op == op; }
  bool is_coefficient(NodeId id) const { return is(id, Op::kConstant) || is(id, Op::kTable); }
  const std::shared_ptr<ConstantPool>& constants() const { return constants_; }

  std::vector<Store> stores;

 private:
  bool is_constant(NodeId id, double value) const;
  NodeId find(const Node& node) const;

  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  std::shared_ptr<ConstantPool> constants_;
  std::vector<Node> nodes_;
  std::unordered_map<Node, NodeId, Hash> index_;
};

// Calls visit(operand) for each node operand.
template <class Visit>
void for_each_operand(const Node& node, Visit&& visit) {
  const int count = operand_count(node.op);
  if (count >= 1) visit(node.a);
  if (count >= 2) visit(node.b);
  if (count >= 3) visit(node.c);
}

// Per node, how many operands and stores refer to it; 0 for nodes no store depends on.
std::vector<int> reader_counts(const Dag& dag);

// Points that a graph loads: the number of the last one, plus 1.
int input_count(const Dag& dag);
// Whether a load of the point has an im part that something reads.
bool loads_im(const Dag& dag, int point);
// Whether the im part of a store is the constant 0.
bool stores_zero_im(const Dag& dag, const Store& store);

// Real operations among the nodes that stores depend on. A negation counts as an add.
struct OpTotals {
  int add = 0;
  int mul = 0;
  int fma = 0;
  int total() const { return add + mul + fma; }
};
OpTotals count_operations(const Dag& dag);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_IR_DAG_H_
