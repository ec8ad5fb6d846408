// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The search for a chain: recipes of the transform alone, fastest first, become chains there and back, which are timed as chains.
#include <algorithm>
#include <cmath>
#include <utility>

#include "planner/search/candidates.h"
#include "planner/search/error_limit.h"
#include "planner/search/race.h"
#include "planner/search/search.h"
#include "planner/strategy/variants.h"

namespace ulpfft {
namespace {

constexpr double kAlone = 0.5;  // share of the time limit for the transform alone
// The shares of the time limit by whose end the heats and the final of chains stop.
constexpr double kHeats = 0.85, kFinal = 0.97;
constexpr std::size_t kFinalists = 3;

std::size_t reach(Effort effort) {
  switch (effort) {
    case Effort::kEstimate: case Effort::kMeasure: return 4;
    case Effort::kPatient: return 12;
    case Effort::kExhaustive: return 40;
  }
  return 4;
}

// The node with panels of half and of twice the width, because a tile of the spectrum lies in the caches beside the panel.
std::vector<Node> with_other_panels(const Node& root) {
  std::vector<Node> nodes;
  for (const bool wider : {false, true}) {
    Node node = root;
    Node& sweep = node.kind == Node::Kind::kRank ? node.children[0] : node;
    if (sweep.kind != Node::Kind::kFour && sweep.kind != Node::Kind::kCols) return nodes;
    sweep.panel = wider ? 2 * sweep.panel : sweep.panel / 2;
    if (sweep.panel > 0) nodes.push_back(std::move(node));
  }
  return nodes;
}

// The longest text of a transform that is in a chain twice.
std::size_t bytes_alone(const std::string& scheme, const std::string& operation) {
  const std::size_t around = (scheme + ":chain(; " + operation + "; )").size();
  return (scheme + ":").size() + (kMaxRecipeText - around) / 2;
}

// The transform of a chain in a scheme; an error limit is one of the chain.
Problem transform_in(const Problem& problem, const std::string& scheme) {
  Problem transform = transform_of_chain(problem);
  transform.max_error = 0;
  transform.scheme = scheme;
  return transform;
}

// The best recipes of the transform without its chain, in each scheme that the problem allows.
std::vector<Candidate> search_alone(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options) {
  const std::vector<std::string> schemes = schemes_to_try(problem);
  std::vector<Candidate> alone;
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    SearchOptions share = options;
    share.time_limit_seconds = kAlone * options.time_limit_seconds / static_cast<double>(schemes.size());
    share.recipe_bytes = bytes_alone(schemes[i], problem.chain);
    share.error_level = ErrorLevel::kPredicted;
    share.judge = nullptr;  // it judges the chain
    if (options.progress) {
      share.progress = [&](double fraction, const std::string& what) {
        const double done = kAlone * (static_cast<double>(i) + fraction) / static_cast<double>(schemes.size());
        return options.progress(done, what);
      };
    }
    const std::unique_ptr<ulpfft_plan> plan = search_plan(transform_in(problem, schemes[i]), codelets, share);
    const std::size_t count = std::min(reach(options.effort), plan->candidates.size());
    alone.insert(alone.end(), plan->candidates.begin(), plan->candidates.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return alone;
}

// The chain of a transform.
Candidate chain_of(const Problem& problem, const Candidate& alone, const Node& root) {
  Candidate candidate;
  candidate.recipe = chained({alone.recipe.scheme, root}, problem.chain);
  candidate.kind = "chain";
  candidate.threads = alone.threads;
  candidate.codelets = alone.codelets;
  return candidate;
}

// Adds the chains of a candidate to the race; with `variants` also the chains with other panels, and streaming or not.
void add_chains(Planning& planning, const Problem& problem, const Candidate& alone, bool variants, Race& race) {
  const auto add = [&](const Node& root) {
    Candidate candidate = chain_of(problem, alone, root);
    if (planning.predict(problem, candidate)) race.add(std::move(candidate));
  };
  add(alone.recipe.root);
  if (!variants) return;
  for (const Node& node : with_other_panels(alone.recipe.root)) add(node);
  if (array_bytes(problem) < kStreamsFrom || is_real_chain(problem)) return;
  for (const Variant& variant : stream_variants(alone.recipe.root)) add(variant.node);
}

}  // namespace

Candidate estimated_chain(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options) {
  Planning planning(codelets, options);
  std::vector<Candidate> chains;
  for (const std::string& scheme : schemes_to_try(problem)) {
    SearchOptions share = options;
    share.recipe_bytes = bytes_alone(scheme, problem.chain);
    const std::vector<Candidate> alone = estimated_candidates(transform_in(problem, scheme), codelets, share);
    for (std::size_t i = 0; i < std::min(reach(Effort::kEstimate), alone.size()); ++i) {
      Candidate candidate = chain_of(problem, alone[i], alone[i].recipe.root);
      if (planning.predict(problem, candidate)) chains.push_back(std::move(candidate));
    }
  }
  if (chains.empty()) refuse_length(planning, problem, execution_order(problem)[0]);
  sort_by_prediction(chains);
  return chains.front();
}

std::unique_ptr<ulpfft_plan> search_chain(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options) {
  Planning planning(codelets, options);
  const std::vector<Candidate> alone = search_alone(problem, codelets, options);
  planning.reached(kAlone);
  const bool measures = options.effort != Effort::kEstimate && !options.deterministic;
  Race race(planning, problem);
  race.force_first();
  for (const Candidate& candidate : alone) add_chains(planning, problem, candidate, measures, race);
  if (race.candidates().empty()) refuse_length(planning, problem, execution_order(problem)[0]);
  if (measures) {
    std::vector<std::size_t> order(race.candidates().size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    race.heat(order, kHeats);
    race.finish(kFinalists, {}, kFinal);
  }
  std::vector<Candidate> candidates = race.sorted();
  std::size_t chosen = 0;
  ErrorLevel level = ErrorLevel::kPredicted;
  if (problem.max_error > 0) {
    chosen = choose_within_limit(planning, problem, candidates);
    level = ErrorLevel::kSampled;
  } else if (options.error_level != ErrorLevel::kPredicted || options.judge != nullptr) {
    candidates[0].error = certify(planning, problem, candidates[0]).error;
    level = ErrorLevel::kSampled;
  }
  if (candidates[chosen].seconds == 0 && candidates[0].seconds > 0) time_alone(planning, problem, candidates[chosen]);
  return planning.build_chosen(problem, std::move(candidates), chosen, level);
}

}  // namespace ulpfft
