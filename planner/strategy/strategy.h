// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Decompositions: each strategy proposes nodes for one dimension of a problem. Each has a file of its own and one line in strategy.cc.
//
// A strategy sees the line only. build_plan decides whether a node can be built there, and the planner knows its cost.
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

// The ranker gives a strategy the cheapest predicted nodes for the transforms inside rader, bluestein and four.
struct Strategy {
  std::string_view name;
  void (*propose)(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);
  Node::Kind kind;  // of its nodes; a mixed radix may have an n as well
};

std::span<const Strategy> strategies();

// Children of a four whose sweeps read memory begin with it, as proposed.
inline constexpr std::int64_t kRadixFromMemory = 4;

// One codelet of a real transform of n reals, where there is one.
void propose_real_codelet(RealTransform transform, std::int64_t n, ComputeType compute, const CodeletTable& codelets,
                          std::vector<Node>& nodes);

// Real nodes in rows of an odd count of reals, line.n.
void propose_real_rows(const LineProblem& line, RealTransform transform, const CodeletTable& codelets, NodeRanker& ranker,
                       std::vector<Node>& nodes);

void propose_codelet(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);
void propose_mixed_radix(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);
void propose_four_step(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);
void propose_rader(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);
void propose_bluestein(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);
// Nodes of a chirp transform from line.n to `outputs` numbers, which is a strategy of its kind alone.
void propose_chirps(const LineProblem& line, std::int64_t outputs, NodeRanker& ranker, std::vector<Node>& nodes);
void propose_columns(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);

void propose_listed_radices(const LineProblem& line, const CodeletTable& codelets, NodeRanker& ranker, std::vector<Node>& nodes);

// The dit nodes of a length, for all strategies that contain one. `first` and `later` are the kinds whose codelets must exist.
std::vector<Node> mixed_radix_nodes(const LineProblem& line, const CodeletTable& codelets, PassKind first, PassKind later);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_STRATEGY_STRATEGY_H_
