// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/search/search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "planner/facts/group_bytes.h"
#include "planner/scheme/families.h"
#include "planner/scheme/scheme.h"
#include "planner/scheme/scheme_of.h"
#include "planner/search/candidates.h"
#include "planner/search/error_limit.h"
#include "planner/search/race.h"
#include "planner/strategy/strategy.h"
#include "planner/strategy/variants.h"
#include "planner/table/narrower_codelets.h"
#include "planner/table/number_theory.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

// How many recipes an effort times.
struct Reach {
  std::size_t proposals;       // the cheapest predicted of a line
  std::size_t of_each;         // of each strategy and scheme in any case
  std::size_t more;            // the cheapest predicted of the wider proposals
  std::size_t starts;          // best recipes whose neighbours are timed
  std::size_t neighbours;      // the cheapest predicted neighbours of each start
  std::size_t alternatives;    // nodes of a dimension that replace its best in whole recipes
  std::size_t whole;           // the cheapest predicted whole recipes
  std::size_t threaded;        // recipes timed on several threads
  std::size_t finalists;
  std::size_t narrower;        // recipes timed with codelets of narrower vectors
};
constexpr std::size_t kAll = SIZE_MAX;
constexpr Reach kMeasureReach{10, 1, 0, 0, 0, 3, 4, 3, 3, 3};
constexpr Reach kPatientReach{10, 1, 40, 2, 32, 3, 16, 6, 5, 6};
constexpr Reach kExhaustiveReach{10, 1, kAll, 5, kAll, 6, kAll, 12, 8, 12};

constexpr double kWorth = 5;           // times the cheapest prediction; recipes of a rare kind are timed up to this prediction
constexpr double kLikely = 2;          // times the cheapest prediction; the cheapest for narrower vectors is timed first up to this one
constexpr double kWorthNarrow = 1.15;  // the same for narrow storage between passes that the problem does not ask for
constexpr double kPredicting = 0.25;   // part of the time left for predicting the wider proposals
constexpr std::int64_t kRadixOfFewPasses = 16;  // of the first pass of a sweep
constexpr std::size_t kFormsOf = 3;    // best recipes that are also timed in the other twiddle forms
constexpr double kFormsWithin = 1.15;  // times the best; slower recipes are not timed in other forms
constexpr int kMostClimbs = 20;        // rounds of neighbours, each from a new best
// Where fewer executions than this fit in the time left, one recipe is timed on several threads all the same.
constexpr double kExecutionsForThreads = 10;
// Part of the time limit for the final. Where the limit ends a search, heats have told recipes apart that differ by a tenth.
constexpr double kForFinal = 0.15;
constexpr std::size_t kMostForEnds = 5;   // recipes that are asked for passes that convert
constexpr double kWorthThreads = 100e-6;  // seconds on one thread from which an estimate uses several

// Whether rows of the lines are no whole vectors, in arithmetic that every target has vectors for. Transforms beyond L2 wait for memory.
bool leaves_lanes_empty(const Problem& problem, const CodeletTable& codelets) {
  const Scheme scheme = scheme_named(scheme_of(problem));
  if (scheme.any || scheme.family != &kWideFamily) return false;
  const std::int64_t lanes = scheme.compute == ComputeType::kF32 ? codelets.lanes_f32 : codelets.lanes_f64;
  const auto leaves = [&](const Dimension& d) {
    const bool is_power = (d.length & (d.length - 1)) == 0;
    return !is_power && d.length % (lanes * lanes) != 0 && rough_part(d.length) == 1;
  };
  const std::int64_t bytes = transform_points(problem) * static_cast<std::int64_t>(2 * real_bytes(scheme.compute));
  return bytes <= kL2Bytes && std::any_of(problem.dims.begin(), problem.dims.end(), leaves);
}

// Shares of the time limit by whose end a phase stops. The time that one phase leaves goes to the next.
struct Shares {
  double lines, whole, threads, finals;
};

class Search {
 public:
  Search(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options)
      : problem_(problem),
        options_(options),
        planning_(codelets, options),
        order_(execution_order(problem)),
        schemes_(schemes_to_try(problem)) {
    sampled_ = problem.max_error > 0 || options.error_level != ErrorLevel::kPredicted || options.judge != nullptr;
    const bool planes = problem.dims.size() > 1;
    const double end = sampled_ ? 0.8 : 0.97;
    const double final_begin = end - kForFinal;
    const double threads_begin = most_threads() > 1 ? final_begin - 0.35 : final_begin;
    shares_ = {planes ? 0.7 * threads_begin : threads_begin, threads_begin, final_begin, end};
    reach_ = options.effort == Effort::kExhaustive ? kExhaustiveReach : options.effort == Effort::kPatient ? kPatientReach : kMeasureReach;
  }

  std::unique_ptr<ulpfft_plan> run() {
    std::vector<Candidate> candidates = options_.effort == Effort::kEstimate || options_.deterministic ? estimate() : measure();
    std::size_t chosen = 0;
    ErrorLevel level = ErrorLevel::kPredicted;
    if (problem_.max_error > 0) {
      chosen = choose_within_limit(planning_, problem_, candidates);
      level = ErrorLevel::kSampled;
    }
    Candidate& best = candidates[chosen];
    if (problem_.max_error == 0 && sampled_) {
      planning_.report(best.recipe);
      best.error = certify(planning_, problem_, best).error;
      level = ErrorLevel::kSampled;
    }
    if (best.seconds == 0 && candidates[0].seconds > 0) time_alone(planning_, problem_, best);
    return planning_.build_chosen(problem_, std::move(candidates), chosen, level);
  }

  std::vector<Candidate> estimates() { return estimate(); }

  std::vector<std::vector<Candidate>> predicted_lines(Breadth breadth) {
    planning_.predict_for(options_.time_limit_seconds, false);
    return proposed_lines(breadth);
  }

 private:
  std::vector<std::vector<Candidate>> proposed_lines(Breadth breadth) {
    std::vector<std::vector<Candidate>> lines(problem_.dims.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::size_t d = order_[i];
      lines[d] = propose(planning_, line_of(problem_, d, i == 0), schemes_, breadth, problem_.dims.size() > 1);
      if (lines[d].empty()) refuse_length(planning_, problem_, d);
    }
    return lines;
  }

  // Predictions say nothing about a judge's data.
  bool may_keep(const Candidate& candidate) const { return options_.judge != nullptr || may_keep_limit(problem_, candidate); }

  // A deterministic choice knows nothing of the threads this machine has.
  int most_threads() const {
    if (options_.deterministic) return problem_.threads;
    return options_.team == nullptr ? 1 : std::min(problem_.threads, options_.team->size());
  }

  // most_threads(), half of it, a quarter of it, and so on down to 2.
  std::vector<int> thread_counts() const {
    std::vector<int> counts;
    for (int threads = most_threads(); threads > 1; threads /= 2) counts.push_back(threads);
    return counts;
  }

  // Whole recipes of the candidates of each dimension. Where little time was left there are few, which may have no text together; then all
  // proposals are made, however late it is.
  std::vector<Candidate> combined(const std::vector<std::vector<Candidate>>& lines, std::size_t alternatives) {
    std::vector<Candidate> whole = combine(planning_, problem_, lines, schemes_, alternatives);
    if (!whole.empty() || options_.deterministic || planning_.refused_for_size()) return whole;
    planning_.take_time();
    return combine(planning_, problem_, proposed_lines(Breadth::kFew), schemes_, alternatives);
  }

  std::vector<Candidate> estimate() {
    std::vector<std::vector<Candidate>> lines = predicted_lines(Breadth::kFew);
    std::vector<Candidate> whole = problem_.dims.size() == 1 ? std::move(lines[0]) : combined(lines, 3);
    if (whole.empty()) refuse_length(planning_, problem_, order_[0]);
    const std::size_t recipes = whole.size();
    for (std::size_t i = 0; i < std::min(recipes, kMeasureReach.threaded); ++i) {
      if (whole[i].predicted_seconds < kWorthThreads) continue;
      for (const int threads : thread_counts()) {
        Candidate candidate = whole[i];
        candidate.threads = threads;
        candidate.kind = "threads";
        if (planning_.predict(problem_, candidate) && candidate.threads == threads) whole.push_back(std::move(candidate));
      }
    }
    sort_by_prediction(whole);
    return whole;
  }

  std::vector<Candidate> measure() {
    std::vector<std::vector<Candidate>> lines(problem_.dims.size());
    const bool planes = problem_.dims.size() > 1;
    Race whole(planning_, problem_);
    whole.force_first();
    std::vector<std::size_t> of_measure;  // the choice of measure effort, which takes part in the final of higher efforts
    if (!planes) {
      const std::size_t winner = line(whole, problem_, shares_.lines, 0);
      if (winner != SIZE_MAX) of_measure.push_back(winner);
    } else {
      for (std::size_t i = 0; i < order_.size(); ++i) {
        const std::size_t d = order_[i];
        const Problem one = line_of(problem_, d, i == 0);
        Race race(planning_, one);
        line(race, one, shares_.lines * static_cast<double>(i + 1) / static_cast<double>(order_.size()), d);
        lines[d] = race.sorted();
        // One candidate of a scheme that cannot keep the limit stays, so that a refusal can name its error.
        std::set<std::string> schemes;
        std::erase_if(lines[d], [&](const Candidate& c) { return !schemes.insert(c.recipe.scheme).second && !may_keep(c); });
      }
      planning_.predict_for(kPredicting * planning_.left(shares_.whole), true);
      for (Candidate& candidate : combined(lines, reach_.alternatives)) whole.add(std::move(candidate));
      heat(whole, reach_.whole, intermediates_to_try(problem_).empty() ? 0 : 1, shares_.whole);
      streams(whole, problem_, shares_.whole);
      narrower(whole, problem_, shares_.whole);
    }
    planning_.reached(shares_.whole);
    threads(whole);
    planning_.reached(shares_.threads);
    whole.expect_known_tables();
    whole.finish(reach_.finalists, of_measure, shares_.finals);
    planning_.reached(shares_.finals);
    std::vector<Candidate> candidates = whole.sorted();
    if (candidates.empty()) refuse_length(planning_, problem_, order_[0]);
    return candidates;
  }

  // Times the candidates that the effort allows for one dimension. Returns the index of the choice
  // of measure effort; SIZE_MAX where nothing was timed.
  std::size_t line(Race& race, const Problem& problem, double share, std::size_t d) {
    const bool measure_only = reach_.more == 0;
    planning_.predict_for(0.5 * planning_.left(share), false);
    const bool planes = problem_.dims.size() > 1;
    for (Candidate& candidate : propose(planning_, problem, schemes_, Breadth::kFew, planes)) race.add(std::move(candidate));
    if (race.candidates().empty()) refuse_length(planning_, problem_, d);
    // A heat ends with its share of the time, so that the cheapest of the narrower vectors takes part in this one, and the cheapest of all
    // both streaming and not: 18*175616 f32 kept streaming, at twice the time, because the time was over before the other was timed.
    std::vector<Candidate> narrow = planes ? std::vector<Candidate>() : narrower_proposals(problem, share);
    if (!narrow.empty()) race.add(narrow.front());
    if (!planes && array_bytes(problem) >= 8 * kStreamsFrom) {
      const Node cheapest = race.candidates()[0].recipe.root;
      add_variants(race, problem, 0, stream_variants(cheapest), kAll);
    }
    heat(race, reach_.proposals, reach_.of_each, share);
    if (!planes) widths(race, problem, share, std::move(narrow));
    // Whole recipes of planes are compared later, because one dimension leaves data in the caches that the next one gains from.
    if (!planes) {
      ends(race, problem, share);
      streams(race, problem, share);
      sweeps(race, problem, share);
    }
    forms(race, problem, share);
    panels(race, problem, share);
    const std::vector<std::size_t> ranking = race.ranking();
    const std::size_t winner = ranking.empty() ? SIZE_MAX : ranking[0];
    if (measure_only || winner == SIZE_MAX || planning_.left(share) == 0) return winner;
    planning_.predict_for(kPredicting * planning_.left(share), true);
    const Breadth breadth = options_.effort == Effort::kExhaustive ? Breadth::kAll : Breadth::kMore;
    for (Candidate& candidate : propose(planning_, problem, schemes_, breadth, planes)) race.add(std::move(candidate));
    heat(race, reach_.more, 3, share);
    climb(race, problem, share);
    return winner;
  }

  // Times the `count` cheapest predicted of the untimed candidates, and the cheapest `of_each` of each kind and scheme that may be worth it.
  // Predictions compare best recipes for the same vectors that convert narrow ends in the same way: at 1024 f16->f32 with AVX-512 the ten
  // cheapest predicted convert apart and take 1.2 to 1.8 times their predictions, those that decode in a pass 1.1 times. So the cheapest
  // one for narrower vectors, and the cheapest one of each other way to convert, come first, while there is time.
  void heat(Race& race, std::size_t count, std::size_t of_each, double share) {
    const std::vector<Candidate>& all = race.candidates();
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].seconds == 0 && may_keep(all[i])) order.push_back(i);
    }
    // If no prediction keeps the limit, one candidate is timed and the choice by measured errors decides.
    if (order.empty() && race.ranking().empty() && !all.empty()) order.push_back(0);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return all[a].predicted_seconds < all[b].predicted_seconds || (all[a].predicted_seconds == all[b].predicted_seconds && a < b);
    });
    const CodeletTable* const narrower = narrower_codelets(planning_.codelets);
    const std::string narrow = narrower != nullptr ? narrower->target : "";
    std::vector<std::size_t> entrants, later;
    std::size_t timed_anyway = 0;
    std::map<std::pair<std::string, std::string>, std::size_t> seen;
    std::map<std::string, std::set<std::pair<bool, bool>>> ways;  // of each scheme, at the input and at the output
    for (const std::size_t i : order) {
      // Formats that a limit would allow between passes are timed beside the cheapest recipes, not instead of them: each format once.
      const std::vector<std::string> formats =
          problem_.intermediate.empty() ? intermediate_formats(all[i].recipe.root) : std::vector<std::string>();
      std::size_t& alike = seen[{all[i].kind + (formats.empty() ? "" : "|" + formats[0]), all[i].recipe.scheme}];
      auto& known = ways[all[i].recipe.scheme];
      const bool other_way = known.insert({all[i].recipe.root.decode, all[i].recipe.root.encode}).second && known.size() > 1;
      const double worth = (formats.empty() ? kWorth : kWorthNarrow) * all[order[0]].predicted_seconds;
      const bool rare = (alike < of_each || other_way) && all[i].predicted_seconds <= worth;
      if ((timed_anyway >= count || !formats.empty()) && !rare) continue;
      if (formats.empty()) ++timed_anyway;
      const bool is_narrow = alike++ == 0 && all[i].kind == narrow;
      const bool is_likely = all[i].predicted_seconds <= kLikely * all[order[0]].predicted_seconds;
      ((is_narrow || other_way) && is_likely ? entrants : later).push_back(i);
    }
    entrants.insert(entrants.end(), later.begin(), later.end());
    race.heat(entrants, share);
  }

  // Adds up to `count` variants of the candidate `of`, cheapest predicted first, and returns their indices.
  std::vector<std::size_t> add_variants(Race& race, const Problem& problem, std::size_t of, std::vector<Variant> variants,
                                        std::size_t count) {
    std::vector<Candidate> made;
    for (Variant& variant : variants) {
      Candidate candidate;
      candidate.recipe = {race.candidates()[of].recipe.scheme, std::move(variant.node)};
      candidate.threads = race.candidates()[of].threads;
      candidate.codelets = race.candidates()[of].codelets;
      candidate.kind = candidate.codelets != nullptr ? candidate.codelets->target : variant.kind;
      if (planning_.predict(problem, candidate) && may_keep(candidate)) made.push_back(std::move(candidate));
    }
    sort_by_prediction(made);
    std::vector<std::size_t> added;
    for (Candidate& candidate : made) {
      if (added.size() == count) break;
      if (race.add(std::move(candidate))) added.push_back(race.candidates().size() - 1);
    }
    return added;
  }

  // Times the best recipe with its narrow ends converted elsewhere: in passes or apart.
  void ends(Race& race, const Problem& problem, double share) {
    const std::vector<std::size_t> ranking = race.ranking();
    const bool narrow_in = !is_wide(problem.storage_in) && !problem.window, narrow_out = !is_wide(problem.storage_out);
    if (problem.prescale_kind != PrescaleKind::kNone || ranking.empty() || !(narrow_in || narrow_out)) return;
    if (planning_.predicted_codelets().fused.empty()) return;
    // The best recipe may be one whose codelets convert nothing, such as a pair in registers: then those of the next one.
    std::vector<std::size_t> entrants;
    for (std::size_t place = 0; place < std::min(kMostForEnds, ranking.size()) && entrants.empty(); ++place) {
      entrants = untimed_ends(race, problem, ranking[place], narrow_in, narrow_out);
    }
    race.heat(entrants, share);
  }

  // The recipe with passes that convert, as far as there are any and they are untimed; some were proposed before.
  std::vector<std::size_t> untimed_ends(Race& race, const Problem& problem, std::size_t of, bool narrow_in, bool narrow_out) {
    const std::vector<Variant> variants = end_variants(race.candidates()[of].recipe.root, narrow_in, narrow_out);
    add_variants(race, problem, of, variants, kAll);
    std::vector<std::size_t> entrants;
    for (std::size_t i = 0; i < race.candidates().size(); ++i) {
      const Candidate& candidate = race.candidates()[i];
      const auto same = [&](const Variant& variant) { return variant.node == candidate.recipe.root; };
      if (candidate.seconds == 0 && std::any_of(variants.begin(), variants.end(), same)) entrants.push_back(i);
    }
    return entrants;
  }

  // Times the best recipe streaming if it does not stream, and not streaming if it does.
  void streams(Race& race, const Problem& problem, double share) {
    const std::vector<std::size_t> ranking = race.ranking();
    if (ranking.empty() || array_bytes(problem) < kStreamsFrom) return;
    const Node node = race.candidates()[ranking[0]].recipe.root;
    race.heat(add_variants(race, problem, ranking[0], stream_variants(node), kAll), share);
  }

  // Times the best recipe with its panels narrower and wider.
  void panels(Race& race, const Problem& problem, double share) {
    const std::vector<std::size_t> ranking = race.ranking();
    if (ranking.empty()) return;
    const Node node = race.candidates()[ranking[0]].recipe.root;
    race.heat(add_variants(race, problem, ranking[0], panel_variants(node), kAll), share);
  }

  // Sweeps over memory are proposed with radix 4 first, which reads the fewest rows at once. Times the best recipe with sweeps of fewer
  // passes: processors differ in it.
  void sweeps(Race& race, const Problem& problem, double share) {
    const std::vector<std::size_t> ranking = race.ranking();
    if (ranking.empty()) return;
    const Recipe& best = race.candidates()[ranking[0]].recipe;
    if (best.root.kind != Node::Kind::kFour) return;
    const ComputeType compute = scheme_named(best.scheme).compute;
    Variant variant{best.root, "sweeps"};
    for (Node& child : variant.node.children) {
      if (child.kind != Node::Kind::kDit || child.passes[0].radix != kRadixFromMemory) continue;
      const std::vector<Node>& nodes = planning_.ranker().best_on_columns(node_length(child), compute, 1, kRadixOfFewPasses);
      if (!nodes.empty()) child = nodes[0];
    }
    if (variant.node == best.root) return;
    std::vector<Variant> variants;
    for (const std::int64_t panel : {variant.node.panel, 2 * variant.node.panel}) {
      variants.push_back(variant);
      variants.back().node.panel = panel;
    }
    race.heat(add_variants(race, problem, ranking[0], std::move(variants), kAll), share);
  }

  // Times the best recipe with the codelets of narrower vectors. Vectors that divide a length and its rows are seldom too wide.
  void narrower(Race& race, const Problem& problem, double share) {
    const CodeletTable* const table = narrower_codelets(planning_.codelets);
    const std::vector<std::size_t> ranking = race.ranking();
    if (table == nullptr || ranking.empty() || !leaves_lanes_empty(problem, planning_.codelets)) return;
    Candidate candidate = race.candidates()[ranking[0]];
    candidate.codelets = table;
    candidate.kind = table->target;
    candidate.seconds = candidate.spread = 0;
    if (planning_.predict(problem, candidate) && race.add(std::move(candidate))) race.heat({race.candidates().size() - 1}, share);
  }

  // The recipes of a line for these codelets, cheapest predicted first; none where they are not faster.
  std::vector<Candidate> narrower_proposals(const Problem& problem, double share) {
    const CodeletTable* const table = narrower_codelets(planning_.codelets);
    if (table == nullptr || !leaves_lanes_empty(problem, planning_.codelets)) return {};
    SearchOptions options = options_;
    options.costs = nullptr;  // they are of the wider codelets
    options.time_limit_seconds = planning_.left(share);
    Planning proposing(*table, options);
    proposing.predict_for(kPredicting * options.time_limit_seconds, true);
    std::vector<Candidate> proposals;
    for (Candidate& candidate : propose(proposing, problem, schemes_, Breadth::kFew, false)) {
      if (proposals.size() == reach_.narrower || !may_keep(candidate)) break;
      candidate.codelets = table;
      candidate.kind = table->target;
      proposals.push_back(std::move(candidate));
    }
    return proposals;
  }

  // Times the best recipe of a line with the codelets of narrower vectors, and the recipes that were proposed for them.
  void widths(Race& race, const Problem& problem, double share, std::vector<Candidate> proposals) {
    narrower(race, problem, share);
    std::vector<std::size_t> entrants;
    for (Candidate& candidate : proposals) {
      if (race.add(std::move(candidate))) entrants.push_back(race.candidates().size() - 1);
    }
    race.heat(entrants, share);
  }

  // Times the best recipes in the other twiddle forms.
  void forms(Race& race, const Problem& problem, double share) {
    std::vector<std::size_t> ranking = race.ranking();
    std::vector<std::size_t> entrants;
    for (std::size_t i = 0; i < std::min(kFormsOf, ranking.size()); ++i) {
      if (race.candidates()[ranking[i]].seconds > kFormsWithin * race.candidates()[ranking[0]].seconds) break;
      const Node node = race.candidates()[ranking[i]].recipe.root;
      for (const std::size_t added : add_variants(race, problem, ranking[i], form_variants(node), kAll)) entrants.push_back(added);
    }
    race.heat(entrants, share);
  }

  // Times the neighbours of the best recipes, then of the new best ones, and so on until none of them is better.
  void climb(Race& race, const Problem& problem, double share) {
    std::vector<std::size_t> visited;
    for (int round = 0; round < kMostClimbs && planning_.left(share) > 0; ++round) {
      std::vector<std::size_t> entrants;
      std::size_t starts = 0;
      for (const std::size_t i : race.ranking()) {
        if (starts++ == reach_.starts) break;
        if (std::find(visited.begin(), visited.end(), i) != visited.end()) continue;
        visited.push_back(i);
        const Node node = race.candidates()[i].recipe.root;
        for (const std::size_t added : add_variants(race, problem, i, neighbours(node), reach_.neighbours)) entrants.push_back(added);
      }
      if (entrants.empty()) return;
      race.heat(entrants, share);
    }
  }

  // Times the best recipes, and the best of each kind of decomposition, on several threads. The
  // fastest recipe on one thread may offer little to share.
  void threads(Race& race) {
    const std::vector<int> counts = thread_counts();
    if (counts.empty()) return;
    std::vector<std::size_t> chosen;
    std::map<std::pair<Node::Kind, std::string>, std::size_t> seen;
    std::vector<std::size_t> ranking = race.ranking();
    if (ranking.empty()) {  // nothing can be timed, so predictions decide
      for (std::size_t i = 0; i < race.candidates().size(); ++i) ranking.push_back(i);
    }
    for (const std::size_t i : ranking) {
      const Recipe& recipe = race.candidates()[i].recipe;
      if (chosen.size() >= reach_.threaded) break;
      if (chosen.size() >= 2 && seen[{recipe.root.kind, recipe.scheme}] > 0) continue;
      ++seen[{recipe.root.kind, recipe.scheme}];
      chosen.push_back(i);
    }
    std::vector<std::size_t> entrants;
    for (const int count : counts) {
      for (const std::size_t i : chosen) {
        Candidate candidate = race.candidates()[i];
        candidate.threads = count;
        if (candidate.codelets == nullptr) candidate.kind = "threads";
        candidate.seconds = candidate.spread = 0;
        if (!planning_.predict(problem_, candidate) || candidate.threads == 1) continue;
        if (race.add(std::move(candidate))) entrants.push_back(race.candidates().size() - 1);
      }
    }
    race.expect_known_tables();
    // The lines may have left too little time for a long transform, where threads matter most.
    const double best_seconds = ranking.empty() ? 0 : race.candidates()[ranking[0]].seconds;
    const bool none_in_time = planning_.left(shares_.threads) < kExecutionsForThreads * best_seconds;
    race.heat(entrants, shares_.threads, none_in_time);
    // Cores that share a cache and the way to memory may stream where one alone does not, or the other way round.
    if (array_bytes(problem_) < kStreamsFrom) return;
    for (const std::size_t i : race.ranking()) {
      if (race.candidates()[i].threads == 1) continue;
      const Node node = race.candidates()[i].recipe.root;
      race.heat(add_variants(race, problem_, i, stream_variants(node), kAll), shares_.threads);
      return;
    }
  }

  const Problem& problem_;
  const SearchOptions& options_;
  Planning planning_;
  std::vector<std::size_t> order_;
  std::vector<std::string> schemes_;
  Shares shares_{};
  Reach reach_{};
  bool sampled_ = false;
};

}  // namespace

std::unique_ptr<ulpfft_plan> search_plan(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options) {
  return hearing_cancel([&] {
    return problem.chain.empty() ? Search(problem, codelets, options).run() : search_chain(problem, codelets, options);
  });
}

Candidate estimated_recipe(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options) {
  return hearing_cancel([&] {
    return problem.chain.empty() ? estimated_candidates(problem, codelets, options).front() : estimated_chain(problem, codelets, options);
  });
}

std::vector<Candidate> estimated_candidates(const Problem& problem, const CodeletTable& codelets, const SearchOptions& options) {
  return Search(problem, codelets, options).estimates();
}

std::vector<std::vector<Candidate>> predicted_candidates(const Problem& problem, const CodeletTable& codelets) {
  SearchOptions options;
  options.time_limit_seconds = 60;  // an estimate ends by itself
  return Search(problem, codelets, options).predicted_lines(Breadth::kFew);
}

}  // namespace ulpfft
