// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/strategy/node_ranker.h"

#include <algorithm>

#include "planner/cost/estimate.h"
#include "planner/facts/node_facts.h"
#include "planner/scheme/scheme_of.h"
#include "planner/strategy/strategy.h"
#include "planner/table/find_codelet.h"
#include "wisdom/error.h"

namespace ulpfft {

namespace {

constexpr std::int64_t kPanelColumns = 64;

Node cols_node(Node child) {
  Node node;
  node.kind = Node::Kind::kCols;
  node.panel = kPanelColumns;
  node.children.push_back(std::move(child));
  return node;
}

// This is no local static, because the guard of one would stay held in a child process if another thread forked while holding it.
constinit const std::vector<Node> kNoNodes;

}  // namespace

// Whether the codelets of an n or a dit exist for columns.
bool NodeRanker::has_columns(const Node& node, ComputeType compute) const {
  const auto exists = [&](PassKind kind, std::int64_t radix, TwiddleForm form) {
    return find_codelet(codelets_, kind, compute, radix, form) != nullptr;
  };
  if (node.kind == Node::Kind::kN) return exists(PassKind::kColumns, node.n, TwiddleForm::kNone);
  return !node.passes.empty() && exists(PassKind::kColumns, node.passes[0].radix, TwiddleForm::kNone) &&
         std::all_of(node.passes.begin() + 1, node.passes.end(),
                     [&](const PassSpec& pass) { return exists(PassKind::kColumnsTwiddled, pass.radix, pass.form); });
}

const std::vector<Node>& NodeRanker::best_for(Use use, const LineProblem& line, std::size_t count) {
  const Key key{line.n, line.compute, line.columns, line.breadth, count, use, 0, line.max_workspace};
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  if (std::find(open_.begin(), open_.end(), line.n) != open_.end()) return kNoNodes;
  if (hurry() == Hurry::kStop) return kNoNodes;
  open_.push_back(line.n);
  std::vector<Node> nodes;
  LineProblem asked = line;
  if (hurry() != Hurry::kNo) asked.breadth = Breadth::kFew;
  for (const Strategy& strategy : strategies()) strategy.propose(asked, codelets_, *this, nodes);
  open_.pop_back();
  if (use == Use::kInFour) {
    std::erase_if(nodes, [&](const Node& node) { return runs_on_columns(node) && !has_columns(node, line.compute); });
  }
  return known_[key] = rank(line, count, false, std::move(nodes));
}

const std::vector<Node>& NodeRanker::best_on_columns(std::int64_t n, ComputeType compute, std::size_t count, std::int64_t first_radix) {
  const LineProblem line{n, compute, kPanelColumns, Breadth::kFew};
  const Key key{n, compute, kPanelColumns, Breadth::kFew, count, Use::kColumns, first_radix, 0};
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  if (hurry() == Hurry::kStop) return kNoNodes;
  std::vector<Node> nodes;
  if (first_radix == 0 && find_codelet(codelets_, PassKind::kColumns, compute, n, TwiddleForm::kNone) != nullptr) {
    Node node;
    node.kind = Node::Kind::kN;
    node.n = n;
    nodes.push_back(std::move(node));
  }
  for (Node& node : mixed_radix_nodes(line, codelets_, PassKind::kColumns, PassKind::kColumnsTwiddled)) {
    const bool grouped = std::any_of(node.passes.begin(), node.passes.end(), [](const PassSpec& pass) { return pass.starts_group; });
    if (!grouped && (first_radix == 0 || node.passes[0].radix == first_radix)) nodes.push_back(std::move(node));
  }
  return known_[key] = rank(line, count, true, std::move(nodes));
}

std::vector<Node> NodeRanker::rank(const LineProblem& line, std::size_t count, bool panels, std::vector<Node> nodes) {
  Problem problem;
  problem.dims = {{line.n, line.columns, line.columns}};
  if (line.columns > 1) problem.batch = {{line.columns, 1, 1}};
  const std::string scheme = scheme_of_compute(line.compute);
  problem.storage_in = problem.storage_out = scheme;
  problem.max_workspace = std::min<std::int64_t>(line.max_workspace, 0);  // bytes count for a whole plan alone
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!order.empty() && hurry() != Hurry::kNo) break;
    try {
      const Recipe recipe{scheme, panels ? cols_node(nodes[i]) : nodes[i]};
      order.emplace_back(estimate_seconds(make_program(problem, recipe, codelets_, cache_), codelets_, costs_), i);
    } catch (const PlanError&) {
      continue;  // this proposal does not fit; others may
    }
  }
  std::sort(order.begin(), order.end());
  std::vector<Node> kept;
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i) kept.push_back(std::move(nodes[order[i].second]));
  return kept;
}

}  // namespace ulpfft
