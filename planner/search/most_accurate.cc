// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Recipes of the least predicted errors, and the recipe of a chain.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "planner/search/candidates.h"
#include "planner/strategy/variants.h"

namespace ulpfft {
namespace {

constexpr std::size_t kOfALine = 4;   // nodes of a dimension
constexpr std::size_t kInForms = 4;   // recipes whose forms are varied

void sort_by_error(std::vector<Candidate>& candidates) {
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    if (a.error != b.error) return a.error < b.error;
    return print_recipe(a.recipe) < print_recipe(b.recipe);
  });
}

void keep_least(std::vector<Candidate>& candidates, std::size_t count) {
  sort_by_error(candidates);
  std::set<std::string> seen;
  std::erase_if(candidates, [&](const Candidate& c) { return seen.size() == count || !seen.insert(print_recipe(c.recipe)).second; });
}

// A chain converts the caller's arrays before and after it, even where the transform alone is faster with conversions in its passes.
void convert_apart(Node& node) {
  node.decode = node.encode = false;
  for (Node& child : node.children) convert_apart(child);
}

// Candidates for the transform of a problem without its chain.
std::vector<Candidate> proposals(Planning& planning, const Problem& problem) {
  const std::vector<std::string> schemes = schemes_to_try(problem);
  const std::vector<std::size_t> order = execution_order(problem);
  std::vector<std::vector<Candidate>> lines(problem.dims.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    lines[order[i]] = propose(planning, line_of(problem, order[i], i == 0), schemes, Breadth::kFew, problem.dims.size() > 1);
    if (problem.dims.size() == 1) continue;
    std::vector<Candidate> kept;
    for (const std::string& scheme : schemes) {
      std::vector<Candidate> of_scheme;
      std::copy_if(lines[order[i]].begin(), lines[order[i]].end(), std::back_inserter(of_scheme),
                   [&](const Candidate& c) { return c.recipe.scheme == scheme; });
      keep_least(of_scheme, kOfALine);
      kept.insert(kept.end(), of_scheme.begin(), of_scheme.end());
    }
    lines[order[i]] = std::move(kept);
  }
  return problem.dims.size() == 1 ? std::move(lines[0]) : combine(planning, problem, lines, schemes, kOfALine - 1);
}

// Adds the first `count` candidates in all other twiddle forms.
void add_forms(Planning& planning, const Problem& problem, std::size_t count, std::vector<Candidate>& candidates) {
  const std::size_t before = std::min(candidates.size(), count);
  for (std::size_t i = 0; i < before; ++i) {
    for (Variant& variant : form_variants(candidates[i].recipe.root)) {
      Candidate candidate = candidates[i];
      candidate.recipe.root = std::move(variant.node);
      candidate.kind = variant.kind;
      if (planning.predict(problem, candidate)) candidates.push_back(std::move(candidate));
    }
  }
}

}  // namespace

Recipe chained(const Recipe& alone, const std::string& operation) {
  Recipe recipe;
  recipe.scheme = alone.scheme;
  recipe.root.kind = Node::Kind::kChain;
  recipe.root.op = operation;
  Node there = alone.root;
  convert_apart(there);
  Node back = there;
  // The way back begins with the columns that the way there ends with.
  if (back.kind == Node::Kind::kFour) {
    std::swap(back.n, back.m);
    std::swap(back.children[0], back.children[1]);
  }
  recipe.root.children = {std::move(there), std::move(back)};
  return recipe;
}

std::vector<Candidate> most_accurate(Planning& planning, const Problem& problem, std::size_t count) {
  planning.take_time();
  std::vector<Candidate> found = proposals(planning, transform_of_chain(problem));
  if (!problem.chain.empty()) {
    std::vector<Candidate> chains;
    keep_least(found, count);
    for (Candidate& candidate : found) {
      candidate.recipe = chained(candidate.recipe, problem.chain);
      candidate.kind = "chain";
      if (planning.predict(problem, candidate)) chains.push_back(std::move(candidate));
    }
    found = std::move(chains);
  }
  if (found.empty()) return found;
  const auto cheaper = [](const Candidate& a, const Candidate& b) { return a.predicted_seconds < b.predicted_seconds; };
  std::vector<Candidate> cheapest{*std::min_element(found.begin(), found.end(), cheaper)};
  keep_least(found, std::max(count, kInForms));
  add_forms(planning, problem, kInForms, found);
  keep_least(found, count);
  // Predictions say little about forms. So the forms of the recipe that an estimate chooses are measured in any case.
  add_forms(planning, problem, 1, cheapest);
  found.insert(found.end(), cheapest.begin(), cheapest.end());
  keep_least(found, found.size());
  return found;
}

}  // namespace ulpfft
