// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Odd counts of reals in rows: a real codelet of every odd radix over the columns, and the cheapest nodes of a row.
#include <algorithm>

#include "planner/strategy/strategy.h"

namespace ulpfft {

void propose_real_rows(const LineProblem& line, RealTransform transform, const CodeletTable& codelets, NodeRanker& ranker,
                       std::vector<Node>& nodes) {
  if (line.n % 2 == 0) return;
  std::vector<std::int64_t> radices;
  for (const CodeletInfo& codelet : codelets.codelets) {
    if (codelet.kind != PassKind::kReal || codelet.compute != line.compute || codelet.body->transform != transform) continue;
    const std::int64_t radix = codelet.body->radix;
    if (radix % 2 != 0 && line.n % radix == 0 && radix < line.n) radices.push_back(radix);
  }
  // Long columns leave the fewest rows beside those that are needed.
  std::sort(radices.rbegin(), radices.rend());
  for (const std::int64_t radix : radices) {
    const std::int64_t row = line.n / radix;
    for (const Node& child : ranker.best(line_inside(line, row), line.breadth == Breadth::kFew ? 1 : 3)) {
      Node node;
      node.kind = Node::Kind::kReal;
      node.n = line.n;
      node.m = row;
      node.children.push_back(child);
      nodes.push_back(std::move(node));
    }
  }
}

}  // namespace ulpfft
