// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Neighbouring lines in the lanes of a vector: columns of n-D arrays, strided batches.
#include <algorithm>

#include "planner/lower/build_plan.h"
#include "planner/strategy/strategy.h"
#include "planner/table/find_codelet.h"

namespace ulpfft {
namespace {

Node columns_of(std::int64_t panel, Node child) {
  Node node;
  node.kind = Node::Kind::kCols;
  node.panel = panel;
  node.children.push_back(std::move(child));
  return node;
}

}  // namespace

void propose_columns(const LineProblem& line, const CodeletTable& codelets, NodeRanker&, std::vector<Node>& nodes) {
  if (line.columns < 2 || line.n < 2) return;
  constexpr std::int64_t kPanel = 64;  // 512-byte reads for f32 (design 7.5: 16 / 32 / 64 columns: 37 / 42 / 45 GFLOP/s at 2^24)
  if (find_codelet(codelets, PassKind::kColumns, line.compute, line.n, TwiddleForm::kNone) != nullptr) {
    Node node;
    node.kind = Node::Kind::kN;
    node.n = line.n;
    nodes.push_back(columns_of(kPanel, std::move(node)));
  }
  for (Node& node : mixed_radix_nodes(line, codelets, PassKind::kColumns, PassKind::kColumnsTwiddled)) {
    // Inside a panel every level of the recursion is as wide as the panel, so groups would only add loops.
    const bool grouped = std::any_of(node.passes.begin(), node.passes.end(), [](const PassSpec& p) { return p.starts_group; });
    if (grouped) continue;
    for (const std::int64_t panel : {kPanel / 2, kPanel}) nodes.push_back(columns_of(panel, node));
  }
}

}  // namespace ulpfft
