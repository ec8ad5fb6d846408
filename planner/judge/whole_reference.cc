// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/judge/whole_reference.h"

#include <utility>

#include "planner/judge/dense_plan.h"
#include "planner/lower/build_plan.h"
#include "planner/lower/pipeline.h"
#include "planner/plan/memory_need.h"
#include "planner/scheme/scheme_of.h"
#include "planner/strategy/node_ranker.h"
#include "planner/table/pick_list.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

// The node as a reference uses it: without the nodes around a line, which a transform that stands alone does not need, and with wide data.
Node alone(const Node& node) {
  if (node.kind == Node::Kind::kCols || node.kind == Node::Kind::kChain) return alone(node.children[0]);
  Node copy = node;
  copy.format.clear();
  copy.decode = copy.encode = false;
  for (PassSpec& pass : copy.passes) pass.format.clear();
  for (Node& child : copy.children) child = alone(child);
  return copy;
}

// The cheapest predicted node for each length of a dense problem without a batch. Throws PlanError where a length has none.
Recipe cheapest_recipe(const Problem& problem, const CodeletTable& codelets, TableCache& cache) {
  NodeRanker ranker(codelets, cache, nullptr);
  std::vector<Node> nodes;
  for (std::size_t d = 0; d < problem.dims.size(); ++d) {
    const bool is_r2r = problem.kind == Kind::kR2R;
    const std::int64_t reals = problem.dims[d].length, length = is_r2r ? numbers_of(problem.kinds[d], reals) : reals;
    const std::vector<Node>& best = ranker.best({length, compute_type_of_scheme(problem.storage_in)}, 1);
    if (best.empty()) {
      throw PlanError(ULPFFT_UNSUPPORTED, "recipe", "A length of " + std::to_string(length) + " has no reference recipe.");
    }
    nodes.push_back(best[0]);
    if (!is_r2r) continue;
    Node around;
    around.kind = Node::Kind::kR2R;
    around.n = reals;
    around.children = {std::move(nodes.back())};
    nodes.back() = std::move(around);
  }
  Recipe recipe{problem.storage_in, nodes[0]};
  if (nodes.size() > 1) {
    recipe.root = Node();
    recipe.root.kind = Node::Kind::kRank;
    recipe.root.children = std::move(nodes);
  }
  return recipe;
}

}  // namespace

std::optional<WholeReference> WholeReference::make(const ulpfft_plan& plan, ComputeType compute, const CodeletTable* references,
                                                   double most_bytes, Poll& poll) {
  const bool wide = compute == ComputeType::kDoubleDouble;
  const CodeletTable* own = wide ? registered_table("ref", "ref") : registered_table(plan.backend, plan.target);
  const CodeletTable* table = references != nullptr ? references : own;
  if (table == nullptr) return std::nullopt;
  Problem problem;
  for (const Dimension& d : plan.problem.dims) problem.dims.push_back({d.length, 1, 1});
  problem.storage_in = problem.storage_out = scheme_of_compute(compute);
  const bool is_r2r = plan.problem.kind == Kind::kR2R;
  if (is_r2r) {
    problem.kind = Kind::kR2R;
    problem.kinds = plan.problem.kinds;
    if (plan.problem.scale_kind == ScaleKind::kOrtho) problem.scale_kind = ScaleKind::kOrtho;  // for its weights
  }
  const bool is_czt = plan.problem.kind == Kind::kCzt;
  if (is_czt) {
    problem.kind = Kind::kCzt;
    problem.zoom = plan.problem.zoom;
  }
  set_dense_strides(problem);
  const bool same_lengths = is_r2r || is_czt || plan.problem.kind == Kind::kC2C;  // else a recipe is one of other lengths
  TableCache cache;
  cache.roots.poll = Poll([&poll] { poll.count(Poll::kWork); });
  // Throws PlanError for a recipe that there are no codelets for.
  const auto made = [&](const Recipe& recipe) -> std::optional<WholeReference> {
    const Program program = make_program(problem, recipe, *table, cache);
    if (bytes_of_plan(program) + bytes_of_arrays(problem) > most_bytes) return std::nullopt;
    return WholeReference(make_plan(problem, recipe, *table, build_plan(problem, recipe, *table, cache), nullptr, &poll), wide, poll);
  };
  if (same_lengths) {
    try {
      return made({problem.storage_in, alone(plan.recipe.root)});
    } catch (const PlanError&) {
      // A codelet that exists in one type only, such as columns of 32 points.
    }
  }
  if (is_czt) return std::nullopt;
  try {
    return made(cheapest_recipe(problem, *table, cache));
  } catch (const PlanError&) {
    return std::nullopt;
  }
}

}  // namespace ulpfft
