// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/search/planning.h"

#include <algorithm>
#include <span>

#include "codelets/registry.h"
#include "planner/facts/idle_forms.h"
#include "planner/cost/estimate.h"
#include "planner/facts/workspace_limit.h"
#include "planner/table/find_codelet.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

constexpr double kKeptTables = 256e6;         // bytes
constexpr double kKeptShare = 0.125;          // of the caller's limit of memory
constexpr double kAskSeconds = 0.03;          // a third of the time in which a cancel is answered
constexpr double kSecondsOfAMeeting = 10e-6;  // to wake threads and wait for them

// A choice by the codelets of this machine would be another one on the next machine. So deterministic plans are predicted for the codelets
// of ref that every target of every build has, as if they had 256-bit vectors, the width of most machines. Targets of 16 registers or
// without FMA have no larger radices, and standard twiddles only.
constexpr std::int64_t kRadixEverywhere = 16;
constexpr std::int64_t kWholeEverywhere = 32;

std::vector<CodeletInfo> codelets_everywhere() {
  const CodeletTable& all = registered_targets().back().table;
  std::vector<CodeletInfo> kept;
  for (const CodeletInfo& codelet : all.codelets) {
    const bool plain = codelet.body == nullptr || codelet.body->form == TwiddleForm::kNone || codelet.body->form == TwiddleForm::kStandard;
    const std::int64_t radix = codelet.body == nullptr ? 0 : codelet.body->radix;
    // Bodies that only serve pairs in registers have passes of their own on ref alone.
    const bool everywhere = codelet.kind != PassKind::kTwiddled ||
                            find_codelet(all, PassKind::kColumnsTwiddled, ComputeType::kF32, radix, TwiddleForm::kStandard) != nullptr;
    if (!everywhere) continue;
    if (plain && radix <= (codelet.kind == PassKind::kWhole ? kWholeEverywhere : kRadixEverywhere)) kept.push_back(codelet);
  }
  return kept;
}

CodeletTable ordinary_machine(std::span<const CodeletInfo> codelets) {
  CodeletTable table = registered_targets().back().table;
  table.target = "avx2";  // its shipped costs
  table.has_fma = true;
  table.lanes_f32 = 8;
  table.lanes_f64 = 4;
  table.codelets = codelets;
  return table;
}

// Removes words of a recipe that change no step of its plan here. Without them the recipe is recognised as the same candidate.
void keep_what_runs(Recipe& recipe, const Program& program, const CodeletTable& codelets) {
  if (has_idle_forms(recipe, program.scheme, codelets)) recipe = without_idle_forms(recipe, codelets);
  if (recipe.root.kind != Node::Kind::kDit) return;
  recipe.root.decode = program.decodes;
  recipe.root.encode = program.encodes;
}

}  // namespace

// Tables without a registered target have no costs of their own.
static StreamsFrom streams_from_of(const CostTable* costs) { return costs != nullptr ? costs->machine().streams : StreamsFrom{}; }

// Predictions of a model are the same on every machine already.
static bool assumes_a_machine(const CodeletTable& table, const SearchOptions& options) {
  return options.deterministic && backend_of(table).predicted_seconds == nullptr;
}

Planning::Planning(const CodeletTable& table, const SearchOptions& search_options)
    : codelets(table),
      options(search_options),
      everywhere_(assumes_a_machine(table, options) ? codelets_everywhere() : std::vector<CodeletInfo>()),
      predicted_codelets_(assumes_a_machine(table, options) ? ordinary_machine(everywhere_) : table),
      shipped_(assumes_a_machine(table, options) ? std::optional(CostTable::shipped(predicted_codelets_)) : std::nullopt),
      costs_(shipped_ ? &*shipped_ : search_options.costs),
      streams_from_(streams_from_of(costs_ != nullptr ? costs_ : CostTable::default_for(table))),
      begin_(search_options.clock()),
      told_(begin_) {
  cache_.roots.poll = Poll([this] { ask(); });
  take_time();
}

void Planning::take_time() {
  ranker_.emplace(predicted_codelets_, cache_, costs_, [this] { return hurry(); });
  predict_for_ = predict_until_ = INFINITY;
}

void Planning::ask() {
  if (deadline_ == INFINITY && !options.progress) return;
  const double time = now();
  if (time > deadline_) throw OutOfTime();
  if (options.progress && time - told_ > kAskSeconds) tell();
}

double Planning::seconds_on_threads(const Program& program, const CodeletTable& codelets, double seconds_on_one) {
  const auto is_own = [](const CodeletInfo* codelet, std::span<const CodeletInfo> list) {
    return std::greater_equal<>()(codelet, list.data()) && std::less<>()(codelet, list.data() + list.size());
  };
  double points = 0;    // points of all passes
  double shared = 0;    // points of the passes that threads share
  double meetings = 0;  // how often the threads meet
  std::vector<const Loop*> around;
  visit_passes(program.body, around, [&](const Pass& pass, const std::vector<const Loop*>& loops) {
    const bool split = pass.split || std::any_of(loops.begin(), loops.end(), [](const Loop* loop) { return loop->split; });
    const bool computes = std::holds_alternative<Compute>(pass.op) && is_own(pass.codelet, codelets.codelets);
    const int second = computes && pass.codelet->second != nullptr ? pass.codelet->second->radix : 1;
    const double rows = computes ? static_cast<double>(pass.codelet->body->radix) * second
                                 : static_cast<double>(std::max<std::int64_t>(1, pass.args.twist.rows));
    double computed = rows * static_cast<double>(pass.extent) * static_cast<double>(pass.args.axes[1].count) *
                      static_cast<double>(pass.args.lanes);
    for (const Loop* loop : loops) computed *= static_cast<double>(loop->count);
    points += computed;
    if (split) shared += computed;
  });
  const auto meet = [&](const auto& self, const std::vector<Item>& body, double calls) -> void {
    for (const Item& item : body) {
      if (const Pass* pass = item.pass()) {
        if (pass->split) meetings += calls;
      } else if (const Loop* loop = item.loop()) {
        if (loop->split) {
          meetings += calls;
        } else {
          self(self, loop->body, calls * static_cast<double>(loop->count));
        }
      }
    }
  };
  meet(meet, program.body, 1);
  const double part = points > 0 ? shared / points : 0;
  return seconds_on_one * (1 - part + part / program.threads) + meetings * kSecondsOfAMeeting;
}

bool Planning::predict(const Problem& problem, Candidate& candidate) {
  try {
    // Rows of another table say nothing of narrower codelets.
    const CodeletTable& predicted = candidate.codelets != nullptr ? *candidate.codelets : predicted_codelets_;
    const CostTable* const costs = candidate.codelets != nullptr ? nullptr : costs_;
    const Machine machine(predicted, candidate.threads);
    const Program program = make_program(problem, candidate.recipe, machine, cache_);
    const bool limited = is_chosen_by_workspace(problem, candidate.recipe) && !backend_of(codelets).large_workspace;
    // Scratch that is allowed for padded rows is no reason to take a matrix or a convolution.
    if (limited && !within_workspace_limit(problem, candidate.recipe, program, 1)) return false;
    if (!options.memory.allows(problem, program)) {
      // Among plans that exceed a limit of the workspace, the least workspace is reported.
      const double bytes = problem.max_workspace > 0 ? static_cast<double>(program.workspace_bytes) : bytes_of_plan(program);
      if (bytes < least_bytes_) {
        least_bytes_ = bytes;
        try {
          options.memory.check(problem, program);
        } catch (const PlanError& error) {
          too_large_ = error;
        }
      }
      refusal_ = print_recipe(candidate.recipe) + " takes too much memory.";
      return false;
    }
    if (options.deterministic) make_program(problem, candidate.recipe, {codelets, candidate.threads}, cache_);
    keep_what_runs(candidate.recipe, program, codelets_of(candidate));
    if (const std::size_t bytes = recipe_text_bytes(candidate.recipe); bytes > options.recipe_bytes) {
      refusal_ = "Its recipe would have a text of " + std::to_string(bytes) + " bytes, but at most " +
                 std::to_string(options.recipe_bytes) + " are possible.";
      shortest_refused_text_ = shortest_refused_text_ == 0 ? bytes : std::min(shortest_refused_text_, bytes);
      return false;
    }
    candidate.threads = program.threads;
    candidate.error = program.predicted_error;
    candidate.bytes = bytes_of_plan(program);
    candidate.predicted_seconds = estimate_seconds(program, predicted, costs);
    if (program.threads > 1) candidate.predicted_seconds = seconds_on_threads(program, predicted, candidate.predicted_seconds);
    return true;
  } catch (const PlanError& error) {
    refusal_ = error.message;  // a proposal that does not fit here; others may
    return false;
  }
}

std::unique_ptr<ulpfft_plan> Planning::build(const Problem& problem, const Candidate& candidate) {
  std::unique_ptr<Executable> executable = build_plan(problem, candidate.recipe, {codelets_of(candidate), candidate.threads}, cache_);
  return make_plan(problem, candidate.recipe, codelets_of(candidate), std::move(executable), options.team, &poll());
}

std::unique_ptr<ulpfft_plan> Planning::build_chosen(const Problem& problem, std::vector<Candidate> candidates, std::size_t chosen,
                                                    ErrorLevel level) {
  const auto first = candidates.begin() + static_cast<std::ptrdiff_t>(chosen);
  std::rotate(candidates.begin(), first, first + 1);
  const Candidate& winner = candidates.front();
  report(winner.recipe);
  make_room();
  std::unique_ptr<ulpfft_plan> plan = build(problem, winner);
  plan->seconds = winner.seconds;
  plan->spread = winner.spread;
  plan->error = winner.error;
  plan->error_bound = winner.error_bound;
  plan->error_level = level;
  plan->candidates = std::move(candidates);
  return plan;
}

void Planning::trim_tables() {
  double bytes = 0;
  for (const auto& [key, table] : cache_.twiddles) bytes += static_cast<double>(table->values.bytes());
  for (const auto& [key, table] : cache_.lines) bytes += static_cast<double>(table->values.bytes());
  if (bytes >= std::min(kKeptTables, kKeptShare * options.memory.of_caller())) forget_unused_tables();
}

void Planning::make_room() {
  if (std::isfinite(options.memory.of_caller())) forget_unused_tables();
}

void Planning::forget_unused_tables() {
  const auto unused = [](const auto& entry) { return entry.second.use_count() == 1; };
  std::erase_if(cache_.twiddles, unused);
  std::erase_if(cache_.lines, unused);
  std::erase_if(cache_.mx, unused);
  std::erase_if(cache_.splits, unused);
  cache_.roots.forget();
}

double Planning::left(double share) const { return std::max(0.0, share * options.time_limit_seconds - (now() - begin_)); }

void Planning::report(const Recipe& recipe) {
  if (!options.progress) return;
  what_ = print_recipe(recipe);
  tell();
}

void Planning::tell() {
  told_ = now();
  const double elapsed = (told_ - begin_) / std::max(options.time_limit_seconds, 1e-9);
  fraction_ = std::min(1.0, std::max(fraction_, elapsed));
  if (options.progress(fraction_, what_)) return;
  throw Cancelled();
}

}  // namespace ulpfft
