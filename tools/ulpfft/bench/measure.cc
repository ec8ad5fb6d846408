// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/measure.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "tools/ulpfft/bench/arrays.h"
#include "tools/ulpfft/bench/copy_team.h"
#include "tools/ulpfft/bench/facts.h"
#include "tools/ulpfft/bench/reference.h"
#include "tools/ulpfft/bench/suites.h"
#include "tools/ulpfft/bench/timing.h"
#include "tools/ulpfft/bench/ulpfft_plan.h"
#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool::bench {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::int64_t kErrorOutputs = 1 << 14;
constexpr std::int64_t kMostErrorElements = 1 << 22;
constexpr std::int64_t kLargestEstimate = 1 << 20;  // whose planning by estimate is timed too

// What is wrong with the request, not merely beyond this version.
bool is_wrong(const ulpfft::Error& error) {
  const auto status = static_cast<int>(error.status());
  return status == ULPFFT_INVALID_ARGUMENT || status == ULPFFT_INVALID_TEXT || status == ULPFFT_UNKNOWN_NAME ||
         status == ULPFFT_INTERNAL;
}

ulpfft::PlanOptions with_effort(int effort) { return {.effort = static_cast<ulpfft::Effort>(effort)}; }

// Repeated in place, numbers grow or shrink by the root of n each time: they start at one end of the range of the format, and
// are refreshed before they leave it at the other. So does c2r, whose input other libraries overwrite.
struct Range {
  double rms = 1.0;
  std::int64_t repeats = 0;  // 0: any number
};

Range range_in_place(const Facts& facts) {
  const double growth = 0.5 * std::log2(static_cast<double>(facts.size())) + std::log2(std::abs(facts.scale_factor()));
  if ((!facts.in_place && !facts.out_is_real()) || std::abs(growth) < 1e-3) return {};
  // Above the least normal number by twice the digits, so that rounding errors of rounding errors are normal: parts that should be 0 have
  // no others. On Intel c2r of 135 reals that began at 2^-100 took 558 ns, where it takes 155.
  const double reach = facts.storage_in == "f64" ? 900 : 75;
  return {std::exp2(growth > 0 ? -reach : reach), std::max<std::int64_t>(1, static_cast<std::int64_t>(2 * reach / std::abs(growth)))};
}

// The output of one execution, everything fresh.
std::vector<double> output_of(Contender& contender, const Arrays& arrays) {
  arrays.clear_output();
  arrays.refresh();
  contender.run(1);
  return arrays.output();
}

// Relative L2, mean over enough inputs for 2^14 outputs; 0 where there is no reference.
std::vector<double> errors_of(const std::vector<Contender*>& contenders, const Facts& facts, Arrays& arrays) {
  std::vector<ErrorSum> sums(contenders.size());
  Reference reference(facts, kErrorOutputs);
  if (reference.outputs() > 0) {
    const auto elements = static_cast<std::int64_t>(facts.in_extent().elements);
    const std::int64_t inputs = std::clamp<std::int64_t>(kMostErrorElements / elements, 1, reference.inputs());
    for (std::int64_t i = 0; i < inputs; ++i) {
      const std::uint64_t seed = 100 + static_cast<std::uint64_t>(i);
      arrays.fill(seed, 1.0);
      reference.expect(arrays, seed);
      for (std::size_t c = 0; c < contenders.size(); ++c) reference.compare(output_of(*contenders[c], arrays), sums[c]);
    }
  }
  std::vector<double> errors;
  for (const ErrorSum& sum : sums) errors.push_back(sum.relative_l2());
  return errors;
}

// The fastest of the plans of a peer; the reason where there is none.
std::unique_ptr<Contender> best_plan(const Peer& peer, const Facts& facts, const Arrays& arrays, const Settings& settings,
                                     const TurnSettings& turns, PeerResult& result) {
  std::unique_ptr<Contender> best;
  std::string reason;
  double best_seconds = 0;
  TurnSettings quick = turns;
  quick.most_repeats = (turns.most_repeats + 1) / 2;  // the numbers are of rms 1 here: half of the range is left
  for (int attempt = 0; attempt < peer.plans(); ++attempt) {
    const double start = wall_seconds();
    PeerPlan plan = peer.plan(facts, arrays, settings.efforts);
    const double planning = wall_seconds() - start;
    if (plan.contender == nullptr) {
      reason = std::move(plan.reason);
      continue;
    }
    const double seconds = quick_seconds(*plan.contender, quick);
    if (best != nullptr && seconds >= best_seconds) continue;
    best = std::move(plan.contender);
    result.recipe = std::move(plan.recipe);
    best_seconds = seconds;
    result.planning_seconds = planning;
  }
  if (best == nullptr) result.reason = std::move(reason);
  return best;
}

// Both transform the same numbers: a difference beyond rounding means that they do not do the same.
std::string disagreement(const std::vector<double>& theirs, const std::vector<double>& ours, const Facts& facts) {
  const double limit = facts.storage_in == "f64" ? 1e-10 : 1e-4;
  const double difference = relative_l2(theirs, ours);
  if (difference <= limit) return "";
  return "its result differs from ours by " + show_error(difference) + " (relative L2), more than " + show_error(limit);
}

// Results, as yet without numbers.
PeerResult result_of(const Peer& peer) {
  PeerResult result;
  result.peer = peer.name();
  result.is_ulpfft = peer.is_ulpfft();
  return result;
}

PeerResult result_of_one_thread() {
  PeerResult result;
  result.peer = kOneThread;
  result.is_ulpfft = true;
  return result;
}

double estimate_seconds(const Settings& settings, const std::string& problem) {
  ulpfft::Context fresh = open_context(settings.target);
  const double start = wall_seconds();
  const ulpfft::Plan plan = fresh.parse(problem, with_effort(ULPFFT_ESTIMATE));
  return wall_seconds() - start;
}

Row without_plan(Row row, const std::string& reason, const std::vector<std::unique_ptr<Peer>>& peers, bool against_one_thread) {
  row.reason = reason;
  row.peers.clear();
  if (against_one_thread) row.peers.push_back(result_of_one_thread());
  for (const std::unique_ptr<Peer>& peer : peers) row.peers.push_back(result_of(*peer));
  for (PeerResult& result : row.peers) result.reason = "ulpfft did not do this problem";
  return row;
}

// Copies of the input array to the output array on one thread and on as many as the problem has; none where there is one array only.
std::vector<std::unique_ptr<CopyTeam>> copies_of(const Facts& facts, const Arrays& arrays, const Machine& machine) {
  std::vector<std::unique_ptr<CopyTeam>> copies;
  if (facts.in_place) return copies;
  const CopySpeed* level = machine.level_of(facts.bytes_touched());
  const bool streaming = level == nullptr || level->streaming > level->plain;
  for (const int threads : {1, facts.threads}) {
    copies.push_back(std::make_unique<CopyTeam>(arrays.in_begin(), arrays.out_begin(), arrays.common_bytes(), threads, streaming));
  }
  return copies;
}

// Medians over rounds: of one contender's time over another's.
Estimate ratio_of(const std::vector<double>& theirs, const std::vector<double>& ours) {
  std::vector<double> ratios;
  for (std::size_t k = 0; k < ours.size(); ++k) ratios.push_back(theirs[k] / ours[k]);
  return median_of(std::move(ratios));
}

// What all plans for a row have in common.
struct Match {
  const Facts& facts;
  const Settings& settings;
  const Arrays& arrays;
  const TurnSettings& turns;
};

// Adds to the row a result for each peer, and returns their plans in that order; null where a peer is not compared.
std::vector<std::unique_ptr<Contender>> plans_of_peers(Row& row, const Match& match, ulpfft::Context& context,
                                                       const std::vector<std::unique_ptr<Peer>>& peers, bool against_one_thread,
                                                       const std::vector<double>& our_output) {
  const Facts& facts = match.facts;
  std::vector<std::unique_ptr<Contender>> theirs;
  const auto add = [&](PeerResult result, std::unique_ptr<Contender> contender) {
    if (contender != nullptr) {
      const std::vector<double> output = output_of(*contender, match.arrays);
      result.reason = disagreement(output, our_output, facts);
      if (!result.reason.empty()) contender.reset();
    }
    theirs.push_back(std::move(contender));
    row.peers.push_back(std::move(result));
  };
  if (against_one_thread) {
    PeerResult result = result_of_one_thread();
    const std::string alone = on_one_thread(facts);
    const double start = wall_seconds();
    ulpfft::Plan on_one = context.parse(alone, with_effort(match.settings.efforts.ours));
    result.planning_seconds = wall_seconds() - start;
    add(std::move(result), std::make_unique<UlpfftContender>(ulpfft_plan_of(std::move(on_one)), facts, match.arrays));
  }
  for (const std::unique_ptr<Peer>& peer : peers) {
    PeerResult result = result_of(*peer);
    result.reason = peer->refusal(facts);
    std::unique_ptr<Contender> contender;
    if (result.reason.empty()) contender = best_plan(*peer, facts, match.arrays, match.settings, match.turns, result);
    add(std::move(result), std::move(contender));
  }
  return theirs;
}

// Everything of a row that follows from its plan.
void compete(Row& row, const Facts& facts, ulpfft::Plan plan, ulpfft::Context& context, const Settings& settings, const Machine& machine,
             const std::vector<std::unique_ptr<Peer>>& peers, bool against_one_thread) {
  Arrays arrays(facts);
  arrays.fill(kSeed, 1.0);
  const Range range = range_in_place(facts);
  TurnSettings turns;
  turns.budget_seconds = settings.seconds;
  turns.most_repeats = range.repeats;
  turns.refresh = [&] { arrays.refresh(); };
  turns.one_thread = facts.threads == 1;

  UlpfftContender ours(ulpfft_plan_of(std::move(plan)), facts, arrays);
  const std::vector<double> our_output = output_of(ours, arrays);
  const std::vector<std::unique_ptr<Contender>> theirs =
      plans_of_peers(row, {facts, settings, arrays, turns}, context, peers, against_one_thread, our_output);

  std::vector<Contender*> contenders = {&ours};
  std::vector<PeerResult*> results;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    if (theirs[i] == nullptr) continue;
    contenders.push_back(theirs[i].get());
    results.push_back(&row.peers[i]);
  }
  const std::vector<double> errors = errors_of(contenders, facts, arrays);
  row.error = errors[0];
  for (std::size_t i = 0; i < results.size(); ++i) results[i]->error = errors[i + 1];

  std::vector<std::unique_ptr<CopyTeam>> copies;
  if (against_one_thread) copies = copies_of(facts, arrays, machine);
  for (const std::unique_ptr<CopyTeam>& copy : copies) contenders.push_back(copy.get());

  arrays.fill(kSeed, range.rms);
  const std::vector<std::vector<double>> samples = take_turns(contenders, turns);
  const Estimate mine = median_of(samples[0]);
  row.seconds = mine.value;
  row.spread = mine.spread;
  row.rounds = static_cast<int>(samples[0].size());
  for (std::size_t i = 0; i < results.size(); ++i) take_times(samples[i + 1], samples[0], *results[i]);
  if (!copies.empty()) row.copy_gain = ratio_of(samples[samples.size() - 2], samples.back()).value;

  row.gflops = 1e-9 * facts.nominal_flops() / row.seconds;
  const double peak = facts.storage_in == "f64" ? machine.flops_f64 : machine.flops_f32;
  row.of_peak = peak > 0 ? 1e9 * row.gflops / (peak * facts.threads) : 0;
  const CopySpeed* level = machine.level_of(facts.bytes_touched() / (facts.in_place ? 2 : 1));
  if (facts.threads == 1 && level != nullptr && level->best() > 0) row.of_copy = facts.bytes_touched() / row.seconds / level->best();
}

}  // namespace

void take_times(const std::vector<double>& theirs, const std::vector<double>& ours, PeerResult& result) {
  const Estimate time = median_of(theirs);
  const Estimate ratio = ratio_of(theirs, ours);
  result.seconds = time.value;
  result.spread = time.spread;
  result.ratio = ratio.value;
  result.ratio_spread = ratio.spread;
}

void check_problem(const Settings& settings, const std::string& problem) {
  ulpfft::Context context = open_context(settings.target);
  with_text(problem, "problem", [&] {
    try {
      const ulpfft::Plan plan = context.parse(problem, with_effort(ULPFFT_ESTIMATE));
    } catch (const ulpfft::Error& error) {
      if (is_wrong(error)) throw;
    }
  });
  if (const std::size_t chain = problem.find(" chain="); chain != problem.npos) {
    throw UsageError("A chain needs an operation and is not timed: leave this word out, which times the transform.", problem, chain + 1,
                     std::min(problem.find(' ', chain + 1), problem.size()));
  }
  const Facts facts = read_facts(problem);
  for (const std::string& storage : {facts.storage_in, facts.storage_out}) {
    if (storage == "f32" || storage == "f64") continue;
    const std::size_t begin = problem.find(storage);
    throw UsageError("Problems with arrays in " + storage + " are not timed one by one; see --suite.", problem, begin, begin + storage.size());
  }
}

Row measure(ulpfft::Context& context, const Settings& settings, const Machine& machine, const std::vector<std::unique_ptr<Peer>>& peers,
            std::string_view suite, std::string_view band, const std::string& problem, bool against_one_thread) {
  Row row;
  row.suite = suite;
  row.band = band;
  const Facts facts = read_facts(problem);
  row.problem = problem;
  row.storage = facts.storage_in;
  row.size = facts.size();
  row.points = facts.points();
  row.threads = facts.threads;
  std::optional<Pin> pin;
  if (facts.threads == 1) pin.emplace();
  row.cpu = pin ? pin->cpu() : -1;

  std::optional<ulpfft::Plan> plan;
  try {
    const double start = wall_seconds();
    plan = context.parse(problem, with_effort(settings.efforts.ours));
    row.planning_seconds = wall_seconds() - start;
    if (facts.size() <= kLargestEstimate) row.estimate_seconds = estimate_seconds(settings, problem);
  } catch (const ulpfft::Error& error) {
    if (is_wrong(error)) throw;
    return without_plan(std::move(row), error.what(), peers, against_one_thread);
  }
  row.recipe = plan->recipe();
  row.threads_used = ulpfft_plan_threads(plan->get());
  row.from_wisdom = plan->from_wisdom();

  try {
    compete(row, facts, std::move(*plan), context, settings, machine, peers, against_one_thread);
  } catch (const std::bad_alloc&) {
    return without_plan(std::move(row), "There is not enough memory for its arrays.", peers, against_one_thread);
  }
  return row;
}

}  // namespace ulpfft_tool::bench
