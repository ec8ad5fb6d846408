// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The cheapest nodes for a line by the cost model. Strategies put them inside their own nodes.
#ifndef ULPFFT_PLANNER_STRATEGY_NODE_RANKER_H_
#define ULPFFT_PLANNER_STRATEGY_NODE_RANKER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "planner/cost/cost_table.h"
#include "planner/lower/build_plan.h"
#include "planner/scheme/families.h"

namespace ulpfft {

// How many proposals are worth their time at efforts estimate and measure, at patient, and at exhaustive.
enum class Breadth : std::uint8_t { kFew, kMore, kAll };
// The breadth of nodes inside a node; it is less because proposals multiply with every level.
constexpr Breadth narrower(Breadth breadth) { return breadth == Breadth::kAll ? Breadth::kMore : Breadth::kFew; }

struct LineProblem {
  std::int64_t n = 1;
  ComputeType compute = ComputeType::kF64;
  std::int64_t columns = 1;  // how many lines lie side by side, in the loop of the smallest stride
  Breadth breadth = Breadth::kFew;
  std::int64_t least_panel = 1;  // columns from which on rows of a panel are long enough; more where arrays are narrow
  const SchemeFamily* family = &kWideFamily;
  std::int64_t longest_sweep = 0;  // Backend::longest_sweep; 0: any
  std::int64_t max_workspace = 0;  // Problem::max_workspace
};

// One line of another length inside a node for `line`.
inline LineProblem line_inside(const LineProblem& line, std::int64_t n) {
  LineProblem inside{n, line.compute, 1, narrower(line.breadth)};
  inside.max_workspace = line.max_workspace;
  return inside;
}

// How much time ranking may take: kNo: any; kFirstWillDo: so little that the first node has to do; kStop: none.
enum class Hurry : std::uint8_t { kNo, kFirstWillDo, kStop };

class NodeRanker {
 public:
  // `costs` null: the shipped table. Keeps the references. `hurry` is asked before any work that takes time.
  NodeRanker(const CodeletTable& codelets, TableCache& cache, const CostTable* costs, std::function<Hurry()> hurry = nullptr)
      : codelets_(codelets), cache_(cache), costs_(costs), hurry_(std::move(hurry)) {}

  // Up to `count` nodes for one dense line, or for `columns` lines side by side, cheapest first; empty where no strategy has a node.
  // Answers are remembered.
  const std::vector<Node>& best(const LineProblem& line, std::size_t count) { return best_for(Use::kLine, line, count); }
  // The same for children of a four: an n or a dit needs codelets for columns there, other nodes run line by line.
  const std::vector<Node>& best_in_four(const LineProblem& line, std::size_t count) { return best_for(Use::kInFour, line, count); }
  // The same for children of cols and of panels, whose lanes hold many lines side by side: an n or a dit without groups. With a
  // `first_radix` only dit nodes that begin with it count; 0: any node.
  const std::vector<Node>& best_on_columns(std::int64_t n, ComputeType compute, std::size_t count, std::int64_t first_radix = 0);

 private:
  Hurry hurry() const { return hurry_ ? hurry_() : Hurry::kNo; }
  enum class Use : std::uint8_t { kLine, kInFour, kColumns };
  const std::vector<Node>& best_for(Use use, const LineProblem& line, std::size_t count);
  bool has_columns(const Node& node, ComputeType compute) const;
  std::vector<Node> rank(const LineProblem& line, std::size_t count, bool panels, std::vector<Node> nodes);

  const CodeletTable& codelets_;
  TableCache& cache_;
  const CostTable* costs_;
  std::function<Hurry()> hurry_;
  using Key = std::tuple<std::int64_t, ComputeType, std::int64_t, Breadth, std::size_t, Use, std::int64_t, std::int64_t>;
  std::map<Key, std::vector<Node>> known_;
  std::vector<std::int64_t> open_;  // lengths that are being ranked; a length is never proposed inside itself
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_STRATEGY_NODE_RANKER_H_
