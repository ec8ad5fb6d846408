// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/pass/factor_scales.h"

#include "genfft/pass/fuse_fma.h"
#include "genfft/pass/simplify.h"

namespace ulpfft::genfft {
namespace {

bool constant_product(const Dag& dag, NodeId id) { return dag.is(id, Op::kMul) && dag.is(dag[id].a, Op::kConstant); }

// Sums of two constant products whose readers can all take up a factor.
std::vector<bool> eligible(const Dag& dag) {
  const std::vector<int> readers = reader_counts(dag);
  std::vector<bool> absorbed(at(dag.size()), true);
  for (const Store& store : dag.stores) absorbed[at(store.re)] = absorbed[at(store.im)] = false;
  for (NodeId id = 0; id < dag.size(); ++id) {
    const Node& node = dag[id];
    if (readers[at(id)] == 0 || node.op == Op::kAdd || node.op == Op::kSub || constant_product(dag, id)) continue;
    for_each_operand(node, [&](NodeId operand) { absorbed[at(operand)] = false; });
  }
  std::vector<bool> result(at(dag.size()), false);
  for (NodeId id = 0; id < dag.size(); ++id) {
    const Node& node = dag[id];
    result[at(id)] = readers[at(id)] > 0 && absorbed[at(id)] && (node.op == Op::kAdd || node.op == Op::kSub) &&
                     constant_product(dag, node.a) && constant_product(dag, node.b);
  }
  return result;
}

Dag factor(const Dag& input, const std::vector<bool>& chosen) {
  const std::vector<int> readers = reader_counts(input);
  Dag output(input.constants());
  std::vector<NodeId> made(at(input.size()), kNoNode);
  for (NodeId id = 0; id < input.size(); ++id) {
    if (readers[at(id)] == 0) continue;
    Node node = input[id];
    if (chosen[at(id)]) {
      const DoubleDouble c1 = input.constant_value(input[node.a].a);
      const DoubleDouble c2 = input.constant_value(input[node.b].a);
      NodeId x = made[at(input[node.a].b)];
      NodeId y = made[at(input[node.b].b)];
      const bool first_outside = c1 >= c2;
      const DoubleDouble outside = first_outside ? c1 : c2;
      const DoubleDouble ratio = same_constant(c1, c2) ? DoubleDouble(1.0) : (first_outside ? c2 / c1 : c1 / c2);
      NodeId& inside = first_outside ? y : x;
      inside = output.mul(ratio, inside);
      made[at(id)] = output.mul(outside, node.op == Op::kAdd ? output.add(x, y) : output.sub(x, y));
      continue;
    }
    const int count = operand_count(node.op);
    if (count >= 1) node.a = made[at(node.a)];
    if (count >= 2) node.b = made[at(node.b)];
    made[at(id)] = output.build(node);
  }
  for (const Store& store : input.stores) output.stores.push_back({made[at(store.re)], made[at(store.im)]});
  return output;
}

int cost(const Dag& dag) { return count_operations(fuse_fma(dag)).total(); }

}  // namespace

Dag factor_scales(const Dag& input) {
  Dag best = input;
  // Factors travel one sum a round; several rounds may pass before the last one is absorbed.
  Dag current = input;
  for (int round = 0; round < 16; ++round) {
    const std::vector<bool> chosen = eligible(current);
    current = simplify(factor(current, chosen));
    if (cost(current) < cost(best)) best = current;
  }
  // What pushing everything did not gain, single sums may.
  for (bool gained = true; gained;) {
    gained = false;
    const std::vector<bool> all = eligible(best);
    for (std::size_t i = 0; i < all.size() && !gained; ++i) {
      if (!all[i]) continue;
      std::vector<bool> one(all.size(), false);
      one[i] = true;
      Dag next = simplify(factor(best, one));
      if (cost(next) >= cost(best)) continue;
      best = std::move(next);
      gained = true;
    }
  }
  return best;
}

}  // namespace ulpfft::genfft
