// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/pass/transpose.h"

#include <stdexcept>

namespace ulpfft::genfft {

Dag transpose(const Dag& input) {
  const auto at = [](NodeId id) { return static_cast<std::size_t>(id); };
  const std::vector<int> readers = reader_counts(input);
  Dag output(input.constants());
  // What flows into each node from its readers, summed as it arrives.
  std::vector<NodeId> flow(at(input.size()), kNoNode);
  const auto arrive = [&](NodeId node, NodeId value, bool negative) {
    NodeId& sum = flow[at(node)];
    if (sum == kNoNode)
      sum = negative ? output.neg(value) : value;
    else
      sum = negative ? output.sub(sum, value) : output.add(sum, value);
  };
  for (std::size_t q = 0; q < input.stores.size(); ++q) {
    arrive(input.stores[q].re, output.load(static_cast<int>(q), 0), false);
    arrive(input.stores[q].im, output.load(static_cast<int>(q), 1), false);
  }
  const NodeId zero = output.constant(DoubleDouble());
  output.stores.assign(static_cast<std::size_t>(input_count(input)), {zero, zero});
  for (NodeId id = input.size() - 1; id >= 0; --id) {
    if (readers[at(id)] == 0 || flow[at(id)] == kNoNode) continue;
    const Node& node = input[id];
    const NodeId value = flow[at(id)];
    switch (node.op) {
      case Op::kLoad: {
        Store& store = output.stores[at(node.a)];
        (node.b == 0 ? store.re : store.im) = value;
        break;
      }
      case Op::kAdd:
        arrive(node.a, value, false);
        arrive(node.b, value, false);
        break;
      case Op::kSub:
        arrive(node.a, value, false);
        arrive(node.b, value, true);
        break;
      case Op::kNeg: arrive(node.a, value, true); break;
      case Op::kMul: {
        if (!input.is_coefficient(node.a)) throw std::logic_error("transpose: a product without a coefficient");
        const NodeId coefficient =
            input.is(node.a, Op::kTable) ? output.table(input[node.a].a) : output.constant(input.constant_value(node.a));
        arrive(node.b, output.mul(coefficient, value), false);
        break;
      }
      case Op::kConstant:
        // A stored zero is linear, and nothing flows back from it.
        if (input.constant_value(id).hi != 0) throw std::logic_error("transpose: an affine term");
        break;
      default: throw std::logic_error("transpose: a fused operation");
    }
  }
  return output;
}

}  // namespace ulpfft::genfft
