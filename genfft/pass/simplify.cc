// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/pass/simplify.h"

namespace ulpfft::genfft {
namespace {

class Rebuild {
 public:
  explicit Rebuild(const Dag& input)
      : input_(input),
        output_(input.constants()),
        readers_(reader_counts(input)),
        rebuilt_(static_cast<std::size_t>(input.size()), kNoNode) {}

  Dag run() {
    // In order of the input's creation, which keeps sub-transforms together.
    for (NodeId id = 0; id < input_.size(); ++id) {
      if (readers_[at(id)] > 0) rebuilt_[at(id)] = rebuild(input_[id]);
    }
    for (const Store& store : input_.stores) output_.stores.push_back({rebuilt_[at(store.re)], rebuilt_[at(store.im)]});
    return std::move(output_);
  }

 private:
  static std::size_t at(NodeId id) { return static_cast<std::size_t>(id); }

  bool sole_product(NodeId id) const { return input_.is(id, Op::kMul) && readers_[at(id)] == 1; }

  NodeId rebuild(Node node) {
    if ((node.op == Op::kAdd || node.op == Op::kSub) && sole_product(node.a) && sole_product(node.b) &&
        input_[node.a].a == input_[node.b].a) {
      const NodeId x = rebuilt_[at(input_[node.a].b)];
      const NodeId y = rebuilt_[at(input_[node.b].b)];
      const NodeId sum = node.op == Op::kAdd ? output_.add(x, y) : output_.sub(x, y);
      return output_.mul(rebuilt_[at(input_[node.a].a)], sum);
    }
    if (node.op == Op::kNeg && input_.is(node.a, Op::kSub) && readers_[at(node.a)] == 1) {
      const Node inner = input_[node.a];
      return output_.make({Op::kSub, rebuilt_[at(inner.b)], rebuilt_[at(inner.a)]});
    }
    if (node.op == Op::kConstant) return output_.constant(input_.constants()->value(node.a));
    const int count = operand_count(node.op);
    if (count >= 1) node.a = rebuilt_[at(node.a)];
    if (count >= 2) node.b = rebuilt_[at(node.b)];
    if (count >= 3) node.c = rebuilt_[at(node.c)];
    return output_.build(node);
  }

  const Dag& input_;
  Dag output_;
  std::vector<int> readers_;
  std::vector<NodeId> rebuilt_;
};

int negations(const Dag& dag) {
  const std::vector<int> readers = reader_counts(dag);
  int count = 0;
  for (NodeId id = 0; id < dag.size(); ++id) count += readers[static_cast<std::size_t>(id)] > 0 && dag.is(id, Op::kNeg);
  return count;
}

}  // namespace

Dag simplify(const Dag& input) {
  Dag best = Rebuild(input).run();
  for (;;) {
    Dag next = Rebuild(best).run();
    const int before = count_operations(best).total();
    const int after = count_operations(next).total();
    if (after > before || (after == before && negations(next) >= negations(best))) return best;
    best = std::move(next);
  }
}

}  // namespace ulpfft::genfft
