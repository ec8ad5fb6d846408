#include "planner/strategy/node_ranker.h"

#include <algorithm>

#include "planner/estimate.h"
#include "planner/strategy/strategy.h"
#include "wisdom/error.h"

namespace ulpfft {

const std::vector<Node>& NodeRanker::best(const LineProblem& line, std::size_t count) {
  static const std::vector<Node> kNone;
  const auto key = std::make_tuple(line.n, line.compute, line.columns, line.breadth, count);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  if (std::find(open_.begin(), open_.end(), line.n) != open_.end()) return kNone;
  open_.push_back(line.n);
  std::vector<Node> nodes;
  for (const Strategy& strategy : strategies()) strategy.propose(line, codelets_, *this, nodes);
  open_.pop_back();

  Problem problem;
  problem.dims = {{line.n, 1, 1}};
  if (line.columns > 1) problem.batch = {{line.columns, 1, 1}};
  if (line.columns > 1) problem.dims = {{line.n, line.columns, line.columns}};
  const std::string scheme = scheme_of_compute(line.compute);
  problem.storage_in = problem.storage_out = scheme;
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    try {
      const CompiledPlan plan = build_plan(problem, {scheme, nodes[i]}, codelets_, cache_, false);
      order.emplace_back(estimate_seconds(plan, codelets_, costs_), i);
    } catch (const PlanError&) {
      continue;  // a proposal that does not fit; the others may
    }
  }
  std::sort(order.begin(), order.end());
  std::vector<Node> kept;
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i) kept.push_back(std::move(nodes[order[i].second]));
  return known_[key] = std::move(kept);
}

}  // namespace ulpfft
