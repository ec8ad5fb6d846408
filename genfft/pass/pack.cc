// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/pass/pack.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "genfft/pass/verify.h"

namespace ulpfft::genfft {
namespace {

// Signs and operands of a real operation: sign_x * factor * x + sign_y * y.
struct Terms {
  NodeId factor = kNoNode;  // kNoNode: 1
  NodeId x = kNoNode;
  NodeId y = kNoNode;       // kNoNode: a product alone
  bool negative_x = false;
  bool negative_y = false;
};

Terms terms_of(const Node& node) {
  switch (node.op) {
    case Op::kAdd: return {.x = node.a, .y = node.b};
    case Op::kSub: return {.x = node.a, .y = node.b, .negative_y = true};
    case Op::kMul: return {.factor = node.a, .x = node.b};
    case Op::kMulAdd: return {.factor = node.a, .x = node.b, .y = node.c};
    case Op::kNegMulAdd: return {.factor = node.a, .x = node.b, .y = node.c, .negative_x = true};
    case Op::kMulSub: return {.factor = node.a, .x = node.b, .y = node.c, .negative_y = true};
    case Op::kNegMulSub: return {.factor = node.a, .x = node.b, .y = node.c, .negative_x = true, .negative_y = true};
    default: return {};
  }
}

class Packer {
 public:
  explicit Packer(const Kernel& kernel) : kernel_(kernel), dag_(kernel.body.dag) {}

  PackedKernel run() {
    for (const Store& store : dag_.stores) {
      if (!packable(store.re, store.im)) throw WrongBody(kernel_.body.spec.name + ": does not pack");
    }
    // A sum is made where the body completes it. Partners are known before: through what the stores need.
    for (const Store& store : dag_.stores) pair_up(store.re, store.im);
    std::map<NodeId, NodeId> partner;
    for (const auto& [pair, node] : pairs_) {
      partner[pair.first] = pair.second;
      partner[pair.second] = pair.first;
    }
    std::vector<bool> computed(static_cast<std::size_t>(dag_.size()));
    for (const Statement& statement : kernel_.statements) {
      if (statement.kind == Statement::Kind::kLoad) {
        value({dag_load(statement.index, 0), dag_load(statement.index, 1)});
      } else if (statement.kind == Statement::Kind::kCompute) {
        computed[static_cast<std::size_t>(statement.index)] = true;
        const NodeId other = partner.at(statement.index);
        if (!computed[static_cast<std::size_t>(other)]) continue;
        const Pair pair = pairs_.contains({statement.index, other}) ? Pair{statement.index, other} : Pair{other, statement.index};
        value(pair);
      } else if (statement.kind == Statement::Kind::kStore) {
        const Store& store = dag_.stores[static_cast<std::size_t>(statement.index)];
        const int node = value({store.re, store.im});
        output_.statements.push_back({.store = true, .point = statement.index, .node = node});
      }
    }
    return std::move(output_);
  }

 private:
  using Pair = std::pair<NodeId, NodeId>;

  // The two operands a sum of pairs reads, and how: x may be `turned`, either may be the lone addend of the other.
  struct Match {
    NodeId factor = kNoNode;
    Pair x, y;
    bool turned_x = false;   // the signs of x differ: turn * x, or -turn * x
    bool negative_x = false; // of the first part
    bool turned_y = false;
    bool negative_y = false;
  };

  NodeId dag_load(int point, int component) const {
    for (NodeId id = 0; id < dag_.size(); ++id) {
      if (dag_.is(id, Op::kLoad) && dag_[id].a == point && dag_[id].b == component) return id;
    }
    throw WrongBody(kernel_.body.spec.name + ": loads a point in part");
  }

  std::optional<Match> match(NodeId a, NodeId b) {
    const Terms ta = terms_of(dag_[a]);
    std::array<Terms, 2> candidates = {terms_of(dag_[b]), {}};
    std::size_t count = 1;
    if (candidates[0].factor == kNoNode && candidates[0].y != kNoNode) {
      Terms& other = candidates[1];
      other = candidates[0];
      std::swap(other.x, other.y);
      std::swap(other.negative_x, other.negative_y);
      count = 2;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Terms& tb = candidates[i];
      if (ta.factor != tb.factor || (ta.y == kNoNode) != (tb.y == kNoNode)) continue;
      if (!packable(ta.x, tb.x) || (ta.y != kNoNode && !packable(ta.y, tb.y))) continue;
      Match found{.factor = ta.factor, .x = {ta.x, tb.x}, .y = {ta.y, tb.y}};
      found.turned_x = ta.negative_x != tb.negative_x;
      found.negative_x = ta.negative_x;
      found.turned_y = ta.negative_y != tb.negative_y;
      found.negative_y = ta.negative_y;
      return found;
    }
    return std::nullopt;
  }

  // Whether a and b are the parts of one complex number.
  bool packable(NodeId a, NodeId b) {
    if (a == b) return false;
    const auto [entry, fresh] = packable_.try_emplace({a, b}, false);
    if (!fresh) return entry->second;
    const Node& na = dag_[a];
    const Node& nb = dag_[b];
    bool result = false;
    if (na.op == Op::kLoad || nb.op == Op::kLoad) {
      result = na.op == nb.op && na.a == nb.a && na.b != nb.b;
    } else if (!is_leaf(na.op) && !is_leaf(nb.op) && na.op != Op::kNeg && nb.op != Op::kNeg) {
      result = match(a, b).has_value();
    }
    packable_[{a, b}] = result;
    return result;
  }

  // Decides which of (a, b) and (b, a) is computed: the one that reads its last operand as it is.
  void pair_up(NodeId a, NodeId b) {
    if (pairs_.contains({a, b}) || pairs_.contains({b, a})) return;
    bool reversed = false;
    if (dag_.is(a, Op::kLoad)) {
      reversed = dag_[a].b != 0;
    } else {
      const Match m = *match(a, b);
      pair_up(m.x.first, m.x.second);
      if (m.y.first != kNoNode) pair_up(m.y.first, m.y.second);
      reversed = !pairs_.contains(m.y.first != kNoNode && !m.turned_y ? m.y : m.x);
    }
    pairs_[reversed ? Pair{b, a} : Pair{a, b}] = -1;
  }

  int add(const PackedNode& node) {
    const auto found = std::find(output_.nodes.begin(), output_.nodes.end(), node);
    if (found != output_.nodes.end()) return static_cast<int>(found - output_.nodes.begin());
    const int id = static_cast<int>(output_.nodes.size());
    output_.nodes.push_back(node);
    output_.statements.push_back({.node = id});
    return id;
  }

  int value(const Pair& pair) {
    const auto own = pairs_.find(pair);
    if (own == pairs_.end()) return add({.kind = PackedNode::Kind::kSwap, .x = value({pair.second, pair.first})});
    if (own->second < 0) own->second = compute(pair);
    return own->second;
  }

  int compute(const Pair& pair) {
    if (dag_.is(pair.first, Op::kLoad)) return add({.kind = PackedNode::Kind::kLoad, .index = dag_[pair.first].a});
    Match m = *match(pair.first, pair.second);
    PackedNode node;
    if (m.y.first == kNoNode) {
      node.op = Op::kMul;
    } else if (m.factor == kNoNode) {
      if (!m.turned_x && !m.turned_y) {
        // Of a sum at most the second operand is negative.
        node.op = m.negative_y ? Op::kSub : Op::kAdd;
        node.x = value(m.x);
        node.y = value(m.y);
        if (!m.negative_x) return add(node);
        throw WrongBody(kernel_.body.spec.name + ": a sum that is negative throughout");
      }
      // turn * x + y: the operand whose signs differ is the product.
      if (!m.turned_x) {
        std::swap(m.x, m.y);
        std::swap(m.turned_x, m.turned_y);
        std::swap(m.negative_x, m.negative_y);
      }
      if (m.turned_y || m.negative_y) throw WrongBody(kernel_.body.spec.name + ": a sum with two turned operands");
    }
    if (node.op != Op::kMul) {
      constexpr Op kFused[2][2] = {{Op::kMulAdd, Op::kMulSub}, {Op::kNegMulAdd, Op::kNegMulSub}};
      node.op = kFused[m.negative_x ? 1 : 0][!m.turned_y && m.negative_y ? 1 : 0];
    }
    node.turned = m.turned_x;
    if (m.factor != kNoNode) {
      const bool constant = dag_.is(m.factor, Op::kConstant);
      node.factor = constant ? PackedNode::Factor::kConstant : PackedNode::Factor::kTable;
      node.index = dag_[m.factor].a;
      if (!constant) {
        const bool imaginary = kernel_.body.table[static_cast<std::size_t>(node.index)].kind == TableTerm::Kind::kIm;
        if (imaginary != node.turned) throw WrongBody(kernel_.body.spec.name + ": a table value in two shapes");
      }
    }
    node.x = value(m.x);
    if (m.y.first != kNoNode) node.y = value(m.y);
    if (m.turned_y) {
      node.y = add({.op = Op::kMul, .turned = true, .x = node.y});
      if (m.negative_y) node.op = node.op == Op::kMulAdd ? Op::kMulSub : Op::kNegMulSub;
    }
    return add(node);
  }

  const Kernel& kernel_;
  const Dag& dag_;
  std::map<Pair, bool> packable_;
  std::map<Pair, int> pairs_;  // those computed, and their nodes
  PackedKernel output_;
};

}  // namespace

PackedKernel pack(const Kernel& kernel) { return Packer(kernel).run(); }

}  // namespace ulpfft::genfft
