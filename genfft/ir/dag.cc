// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/ir/dag.h"

#include <algorithm>
#include <utility>

namespace ulpfft::genfft {

std::size_t Dag::Hash::operator()(const Node& node) const {
  std::uint64_t h = static_cast<std::uint64_t>(node.op);
  for (const NodeId id : {node.a, node.b, node.c}) h = (h ^ static_cast<std::uint32_t>(id)) * 0x9e3779b97f4a7c15u + (h >> 29);
  return static_cast<std::size_t>(h ^ (h >> 32));
}

NodeId Dag::find(const Node& node) const {
  const auto found = index_.find(node);
  return found == index_.end() ? kNoNode : found->second;
}

NodeId Dag::make(Node node) {
  const auto [entry, inserted] = index_.try_emplace(node, size());
  if (inserted) nodes_.push_back(node);
  return entry->second;
}

bool Dag::is_constant(NodeId id, double value) const {
  return is(id, Op::kConstant) && same_constant(constant_value(id), DoubleDouble(value));
}

NodeId Dag::constant(DoubleDouble value) {
  if (value < DoubleDouble()) return make({Op::kNeg, constant(-value)});
  return make({Op::kConstant, constants_->intern(value)});
}

NodeId Dag::neg(NodeId a) {
  if (is(a, Op::kNeg)) return (*this)[a].a;
  if (is_constant(a, 0)) return a;
  return make({Op::kNeg, a});
}

NodeId Dag::add(NodeId a, NodeId b) {
  if (is_constant(a, 0)) return b;
  if (is_constant(b, 0)) return a;
  if (is(a, Op::kConstant) && is(b, Op::kConstant)) return constant(constant_value(a) + constant_value(b));
  const bool a_negative = is(a, Op::kNeg);
  const bool b_negative = is(b, Op::kNeg);
  if (a_negative && b_negative) return neg(add((*this)[a].a, (*this)[b].a));
  if (b_negative) return sub(a, (*this)[b].a);
  if (a_negative) return sub(b, (*this)[a].a);
  if (a == b) return mul(DoubleDouble(2.0), a);
  if (a > b) std::swap(a, b);
  return make({Op::kAdd, a, b});
}

NodeId Dag::sub(NodeId a, NodeId b) {
  if (is_constant(b, 0)) return a;
  if (is_constant(a, 0)) return neg(b);
  if (a == b) return constant(DoubleDouble());
  if (is(a, Op::kConstant) && is(b, Op::kConstant)) return constant(constant_value(a) - constant_value(b));
  const bool a_negative = is(a, Op::kNeg);
  const bool b_negative = is(b, Op::kNeg);
  if (a_negative && b_negative) return sub((*this)[b].a, (*this)[a].a);
  if (b_negative) return add(a, (*this)[b].a);
  if (a_negative) return neg(add((*this)[a].a, b));
  const NodeId reversed = find({Op::kSub, b, a});
  if (reversed != kNoNode) return neg(reversed);
  return make({Op::kSub, a, b});
}

NodeId Dag::mul(NodeId coefficient, NodeId b) {
  if (is(coefficient, Op::kNeg)) return neg(mul((*this)[coefficient].a, b));
  if (is(b, Op::kNeg)) return neg(mul(coefficient, (*this)[b].a));
  if (is_constant(coefficient, 0) || is_constant(b, 1)) return coefficient;
  if (is_constant(b, 0) || is_constant(coefficient, 1)) return b;
  if (is(coefficient, Op::kConstant)) {
    if (is(b, Op::kConstant)) return constant(constant_value(coefficient) * constant_value(b));
    if (is(b, Op::kMul) && is((*this)[b].a, Op::kConstant)) {
      const Node inner = (*this)[b];
      return mul(constant_value(coefficient) * constant_value(inner.a), inner.b);
    }
  }
  return make({Op::kMul, coefficient, b});
}

NodeId Dag::build(const Node& node) {
  switch (node.op) {
    case Op::kAdd: return add(node.a, node.b);
    case Op::kSub: return sub(node.a, node.b);
    case Op::kMul: return mul(node.a, node.b);
    case Op::kNeg: return neg(node.a);
    default: return make(node);
  }
}

std::vector<int> reader_counts(const Dag& dag) {
  std::vector<int> readers(static_cast<std::size_t>(dag.size()), 0);
  for (const Store& store : dag.stores) {
    ++readers[static_cast<std::size_t>(store.re)];
    ++readers[static_cast<std::size_t>(store.im)];
  }
  for (NodeId id = dag.size() - 1; id >= 0; --id) {
    if (readers[static_cast<std::size_t>(id)] == 0) continue;
    for_each_operand(dag[id], [&](NodeId operand) { ++readers[static_cast<std::size_t>(operand)]; });
  }
  return readers;
}

int input_count(const Dag& dag) {
  int count = 0;
  for (NodeId id = 0; id < dag.size(); ++id) {
    if (dag.is(id, Op::kLoad)) count = std::max(count, dag[id].a + 1);
  }
  return count;
}

bool loads_im(const Dag& dag, int point) {
  const std::vector<int> readers = reader_counts(dag);
  for (NodeId id = 0; id < dag.size(); ++id) {
    if (dag.is(id, Op::kLoad) && dag[id].a == point && dag[id].b == 1 && readers[static_cast<std::size_t>(id)] > 0) return true;
  }
  return false;
}

bool stores_zero_im(const Dag& dag, const Store& store) { return dag.is(store.im, Op::kConstant) && dag.constant_value(store.im).hi == 0; }

OpTotals count_operations(const Dag& dag) {
  const std::vector<int> readers = reader_counts(dag);
  OpTotals totals;
  for (NodeId id = 0; id < dag.size(); ++id) {
    const Op op = dag[id].op;
    if (readers[static_cast<std::size_t>(id)] == 0 || is_leaf(op)) continue;
    if (op == Op::kNeg && dag.is(dag[id].a, Op::kConstant)) continue;
    if (is_fused(op))
      ++totals.fma;
    else if (op == Op::kMul)
      ++totals.mul;
    else
      ++totals.add;
  }
  return totals;
}

}  // namespace ulpfft::genfft
