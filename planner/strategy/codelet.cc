// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The whole transform in one generated body: in registers where lines are dense, else on scalar lanes.
#include "planner/lower/build_plan.h"
#include "planner/strategy/strategy.h"
#include "planner/table/find_codelet.h"
#include "planner/table/number_theory.h"

namespace ulpfft {

void propose_codelet(const LineProblem& line, const CodeletTable& codelets, NodeRanker&, std::vector<Node>& nodes) {
  if (line.family->radices != nullptr && line.n > 1) return;
  if (line.family->radix_17 && line.n > 17 && rough_part(line.n) != 1) return;  // mx schemes
  if (find_codelet(codelets, PassKind::kWhole, line.compute, line.n, TwiddleForm::kNone) == nullptr &&
      find_codelet(codelets, PassKind::kPacked, line.compute, line.n, TwiddleForm::kNone) == nullptr)
    return;
  Node node;
  node.kind = Node::Kind::kN;
  node.n = line.n;
  nodes.push_back(node);
}

void propose_real_codelet(RealTransform transform, std::int64_t n, ComputeType compute, const CodeletTable& codelets,
                          std::vector<Node>& nodes) {
  if (find_real_codelet(codelets, transform, compute, n) == nullptr) return;
  Node node;
  node.kind = Node::Kind::kN;
  node.n = n;
  nodes.push_back(node);
}

}  // namespace ulpfft
