// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/pass/fuse_fma.h"

#include <algorithm>
#include <utility>

namespace ulpfft::genfft {
namespace {

// Multiplies chosen to disappear.
std::vector<bool> choose(const Dag& dag, const std::vector<int>& readers) {
  std::vector<bool> candidate(at(dag.size()), false);
  for (NodeId id = 0; id < dag.size(); ++id) candidate[at(id)] = readers[at(id)] > 0 && dag.is(id, Op::kMul);
  for (const Store& store : dag.stores) candidate[at(store.re)] = candidate[at(store.im)] = false;
  for (NodeId id = 0; id < dag.size(); ++id) {
    if (readers[at(id)] == 0) continue;
    const Node& node = dag[id];
    if (node.op == Op::kAdd || node.op == Op::kSub) {
      if (node.a == node.b) candidate[at(node.a)] = false;
      continue;
    }
    for_each_operand(node, [&](NodeId operand) { candidate[at(operand)] = false; });
  }
  std::vector<std::vector<NodeId>> rivals(at(dag.size()));
  for (NodeId id = 0; id < dag.size(); ++id) {
    const Node& node = dag[id];
    if (readers[at(id)] == 0 || (node.op != Op::kAdd && node.op != Op::kSub)) continue;
    if (!candidate[at(node.a)] || !candidate[at(node.b)]) continue;
    rivals[at(node.a)].push_back(node.b);
    rivals[at(node.b)].push_back(node.a);
  }
  std::vector<NodeId> order;
  for (NodeId id = 0; id < dag.size(); ++id) {
    if (candidate[at(id)]) order.push_back(id);
  }
  std::sort(order.begin(), order.end(),
            [&](NodeId x, NodeId y) { return std::pair(rivals[at(x)].size(), x) < std::pair(rivals[at(y)].size(), y); });
  std::vector<bool> chosen(at(dag.size()), false);
  std::vector<bool> blocked(at(dag.size()), false);
  for (const NodeId id : order) {
    if (blocked[at(id)]) continue;
    chosen[at(id)] = true;
    for (const NodeId rival : rivals[at(id)]) blocked[at(rival)] = true;
  }
  return chosen;
}

}  // namespace

Dag fuse_fma(const Dag& input) {
  const std::vector<int> readers = reader_counts(input);
  const std::vector<bool> fused = choose(input, readers);
  Dag output(input.constants());
  std::vector<NodeId> made(at(input.size()), kNoNode);
  const auto sole_fused = [&](NodeId id) { return readers[at(id)] == 1 && is_fused(output[made[at(id)]].op); };
  for (NodeId id = 0; id < input.size(); ++id) {
    if (readers[at(id)] == 0 || fused[at(id)]) continue;
    Node node = input[id];
    if ((node.op == Op::kAdd || node.op == Op::kSub) && (fused[at(node.a)] || fused[at(node.b)])) {
      const bool left = fused[at(node.a)];
      const Node& product = input[left ? node.a : node.b];
      const NodeId other = made[at(left ? node.b : node.a)];
      const Op op = node.op == Op::kAdd ? Op::kMulAdd : (left ? Op::kMulSub : Op::kNegMulAdd);
      made[at(id)] = output.make({op, made[at(product.a)], made[at(product.b)], other});
      continue;
    }
    if (node.op == Op::kNeg && sole_fused(node.a)) {
      Node inner = output[made[at(node.a)]];
      switch (inner.op) {
        case Op::kMulAdd: inner.op = Op::kNegMulSub; break;
        case Op::kNegMulAdd: inner.op = Op::kMulSub; break;
        case Op::kMulSub: inner.op = Op::kNegMulAdd; break;
        default: inner.op = Op::kMulAdd; break;
      }
      made[at(id)] = output.make(inner);
      continue;
    }
    const int count = operand_count(node.op);
    if (count >= 1) node.a = made[at(node.a)];
    if (count >= 2) node.b = made[at(node.b)];
    if (count >= 3) node.c = made[at(node.c)];
    made[at(id)] = output.make(node);
  }
  for (const Store& store : input.stores) output.stores.push_back({made[at(store.re)], made[at(store.im)]});
  return output;
}

}  // namespace ulpfft::genfft
