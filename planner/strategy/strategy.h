// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Decompositions: each proposes nodes for one dimension of a problem. One file a decomposition, one line in strategy.cc.
//
// A strategy looks at the line only; whether a node can be built there and what it costs is decided by build_plan and the planner.
#ifndef ULPFFT_PLANNER_STRATEGY_STRATEGY_H_
#define ULPFFT_PLANNER_STRATEGY_STRATEGY_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "codelets/contract/codelet.h"
#include "planner/strategy/node_ranker.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// Nodes inside a node (the transforms of rader, bluestein, four) come from the ranker: the cheapest predicted ones.
struct Strategy {
  std::string_view name;
  void (*propose)(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);
};

std::span<const Strategy> strategies();

void propose_codelet(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);
void propose_mixed_radix(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);
void propose_four_step(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);
void propose_rader(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);
void propose_bluestein(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);
void propose_columns(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);

// The dit nodes of a length, shared by the strategies that contain one; `first` and `later` are the kinds whose codelets must exist.
std::vector<Node> mixed_radix_nodes(const LineProblem& line, const CodeletTable& codelets, PassKind first, PassKind later);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_STRATEGY_STRATEGY_H_
