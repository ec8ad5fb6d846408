// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/pass/place_rounding.h"

namespace ulpfft::genfft {
namespace {

class Placer {
 public:
  Placer(const Dag& input, RoundingPlace place)
      : input_(input), place_(place), output_(input.constants()), made_(static_cast<std::size_t>(input.size()), kNoNode), point_(made_.size(), kNoPoint) {}

  Dag run() {
    const std::vector<int> readers = reader_counts(input_);
    for (NodeId id = 0; id < input_.size(); ++id) {
      if (readers[static_cast<std::size_t>(id)] == 0) continue;
      point_[static_cast<std::size_t>(id)] = point_of(input_[id]);
      made_[static_cast<std::size_t>(id)] = node(input_[id], point_[static_cast<std::size_t>(id)] >= 0);
    }
    for (const Store& store : input_.stores) output_.stores.push_back({made(store.re), made(store.im)});
    return std::move(output_);
  }

 private:
  NodeId made(NodeId id) const { return made_[static_cast<std::size_t>(id)]; }
  // The point that a node depends on.
  static constexpr int kNoPoint = -1, kSeveral = -2;
  int point_of(const Node& n) const {
    if (n.op == Op::kLoad) return n.a;
    int point = kNoPoint;
    for_each_operand(n, [&](NodeId operand) {
      const int other = point_[static_cast<std::size_t>(operand)];
      if (other != kNoPoint) point = point == kNoPoint || point == other ? other : kSeveral;
    });
    return point;
  }
  NodeId round(NodeId id) { return output_.make({Op::kRound, id}); }
  NodeId round_sum(NodeId id) { return output_.make({Op::kRoundSum, id}); }

  NodeId node(const Node& n, bool one_point) {
    if (is_leaf(n.op)) return output_.make(n);
    const bool every = place_ == RoundingPlace::kEvery;
    if (every || one_point) {
      Node copy = n;
      for (NodeId* operand : {&copy.a, &copy.b, &copy.c}) {
        if (*operand != kNoNode) *operand = every ? made(*operand) : factor(*operand);
      }
      return round(output_.make(copy));
    }
    switch (n.op) {
      case Op::kNeg: return output_.make({Op::kNeg, made(n.a)});
      case Op::kAdd:
      case Op::kSub: return round_sum(output_.make({n.op, made(n.a), made(n.b)}));
      default: break;
    }
    const NodeId a = factor(n.a);
    const NodeId product = round(output_.make({Op::kMul, a, factor(n.b)}));
    switch (n.op) {
      case Op::kMulAdd: return round_sum(output_.make({Op::kAdd, product, made(n.c)}));
      case Op::kNegMulAdd: return round_sum(output_.make({Op::kSub, made(n.c), product}));
      case Op::kMulSub: return round_sum(output_.make({Op::kSub, product, made(n.c)}));
      case Op::kNegMulSub: return round_sum(output_.make({Op::kSub, output_.make({Op::kNeg, product}), made(n.c)}));
      default: return product;
    }
  }

  NodeId factor(NodeId id) {
    const NodeId value = made(id);
    return input_.is_coefficient(id) || output_.is(value, Op::kRound) ? value : round(value);
  }

  const Dag& input_;
  RoundingPlace place_;
  Dag output_;
  std::vector<NodeId> made_;  // by node of the input
  std::vector<int> point_;
};

}  // namespace

Dag place_rounding(const Dag& input, RoundingPlace place) { return Placer(input, place).run(); }

}  // namespace ulpfft::genfft
