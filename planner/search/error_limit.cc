// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/search/error_limit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>

#include "codelets/registry.h"
#include "planner/convert/side.h"
#include "planner/facts/stored_error.h"
#include "planner/judge/assess.h"
#include "planner/plan/memory_need.h"
#include "planner/scheme/scheme.h"
#include "planner/search/candidates.h"
#include "planner/strategy/variants.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

constexpr double kSimilar = 1.15;    // errors of recipes of one arithmetic are in proportion to their predictions within this factor
constexpr double kClose = 1.3;       // times the least predicted error; predictions are as good as this
constexpr std::size_t kTries = 6;    // recipes measured in the order of their times
constexpr std::size_t kFixed = 6;    // recipes of the least predicted errors
constexpr double kStandardErrors = 3;
constexpr std::int64_t kMoreTransforms = 4;  // times as many, where a recipe is none for fewer

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// "1.23e-07", with its doubt unless that is 0.
std::string shown(const Candidate& candidate) {
  const double doubt = candidate.error_bound - candidate.error;
  return number(candidate.error) + (doubt > 0 ? " (and up to " + number(doubt) + " by three standard errors)" : "");
}

// The scheme, and the storages between passes.
std::string arithmetic_of(const Recipe& recipe) {
  std::string name = recipe.scheme;
  for (const std::string& format : intermediate_formats(recipe.root)) name += "|" + format;
  return name;
}

// The error of storing the output, which every scheme has.
double output_rounding(const Problem& problem) {
  const Sides sides(problem);
  if (sides.out.wide) return sides.out.storage.element->rms_error;
  std::map<std::string, double> blocks;
  return output_quantisation(problem, sides, blocks);
}

// A measurement takes the arrays of the slice, its input once more as doubles, and a reference in
// f64 with its arrays, workspace and tables.
void require_share_of_memory(const Problem& slice) {
  const double points = static_cast<double>(transform_points(slice));
  const double need = bytes_of_arrays(slice) + points * 6 * 2 * sizeof(double);
  constexpr double kShare = 0.5;  // of the memory of this process; plans and the rest of the system take the other half
  if (need <= kShare * memory_of_process()) return;
  throw PlanError(ULPFFT_NO_MEMORY, "max_error",
                  "Measuring the error of this problem needs " + show_bytes(need) + "; this process may use " +
                      show_bytes(memory_of_process()) + ". Plan it without max_error, or a problem of fewer points with it.");
}

// Of the caller's limit of memory.
double room_beside(const Planning& planning, const PlanFacts& plan) {
  return planning.options.memory.of_caller() - plan.table_bytes - static_cast<double>(plan.workspace_bytes);
}

// A plan to measure. Where its measurement will not have the memory that it takes, this is known before the tables are made.
std::unique_ptr<ulpfft_plan> plan_to_measure(Planning& planning, const Problem& problem, const Candidate& candidate, bool on_given) {
  require_memory_to_measure(problem, on_given, room_beside(planning, planning.outline(problem, candidate)));
  planning.make_room();
  return planning.build(problem, candidate);
}

Certificate measured(Planning& planning, const Problem& part, const Candidate& candidate) {
  require_share_of_memory(part);
  const std::unique_ptr<ulpfft_plan> plan = plan_to_measure(planning, part, candidate, false);
  return certificate_of(measure_error(*plan, ErrorLevel::kSampled, nullptr, &planning.poll(), room_beside(planning, *plan->facts)));
}

class Choice {
 public:
  Choice(Planning& planning, const Problem& problem, std::vector<Candidate>& candidates)
      : planning_(planning), problem_(problem), candidates_(candidates), judged_(planning.options.judge != nullptr) {
    for (const Candidate& candidate : candidates) predicted_.push_back(candidate.error);
  }

  // The index of the choice; candidates_.size() where no candidate keeps the limit.
  std::size_t run() {
    const double least = *std::min_element(predicted_.begin(), predicted_.end());
    // Predictions hold for random data, not for a judge's.
    if (!judged_ && problem_.max_error < kClose * least) return most_accurate_one();
    std::size_t tries = 0;
    for (std::size_t i = 0; i < candidates_.size() && tries < kTries; ++i) {
      if ((!judged_ && !may_keep_limit(problem_, candidates_[i])) || hopeless(candidates_[i])) continue;
      ++tries;
      if (within(i)) return i;
    }
    return most_accurate_one();
  }

  [[noreturn]] void refuse() {
    const Candidate& best = candidates_[best_];
    std::string message = "No recipe keeps max_error = " + number(problem_.max_error) + ": the least error found is " + shown(best) +
                          ", in scheme " + best.recipe.scheme + " (" + print_recipe(best.recipe) + ").";
    const double rounding = output_rounding(problem_);
    Candidate wide = best;
    wide.recipe.scheme = "f64";
    if (planning_.options.judge == nullptr && rounding > problem_.max_error) {
      message += " Storing the output in " + problem_.storage_out + " alone errs by " + number(rounding) +
                 (problem_.storage_out == "f64" ? ": raise max_error." : ": store it in a more accurate format, or raise max_error.");
    } else if (!problem_.scheme.empty() && problem_.scheme != "f64" && planning_.predict(problem_, wide) &&
               wide.error <= problem_.max_error) {
      message += " Leave scheme = " + problem_.scheme + " out, which allows f64 (predicted to err by " + number(wide.error) +
                 "), or raise max_error.";
    } else {
      message += " Raise max_error to what there is.";
    }
    throw PlanError(ULPFFT_UNSUPPORTED, "max_error", message);
  }

 private:
  // The cheapest predicted of the recipes that follow from the problem alone and keep the limit.
  std::size_t most_accurate_one() {
    std::vector<Candidate> fixed = most_accurate(planning_, problem_, kFixed);
    if (fixed.empty()) return candidates_.size();
    const bool possible = judged_ || fixed.front().error <= kErrorTrust * problem_.max_error;
    if (!possible) fixed.resize(1);  // its measured error keeps the limit against the prediction, or is named in the refusal
    sort_by_prediction(fixed);
    for (Candidate& candidate : fixed) {
      const auto same = [&](const Candidate& c) { return c.recipe == candidate.recipe && c.threads == candidate.threads; };
      auto at = std::find_if(candidates_.begin(), candidates_.end(), same);
      if (at == candidates_.end()) {
        predicted_.push_back(candidate.error);
        candidates_.push_back(std::move(candidate));
        at = candidates_.end() - 1;
      }
      const std::size_t index = static_cast<std::size_t>(at - candidates_.begin());
      if (within(index)) return index;
    }
    return candidates_.size();
  }

  // True if other recipes of its arithmetic have shown that the candidate cannot keep the limit.
  bool hopeless(const Candidate& candidate) const {
    const auto ratio = ratio_.find(arithmetic_of(candidate.recipe));
    return ratio != ratio_.end() && candidate.error * ratio->second > kSimilar * problem_.max_error;
  }

  bool within(std::size_t i) {
    Candidate& candidate = candidates_[i];
    const std::string text = print_recipe(candidate.recipe);
    auto known = measured_.find(text);
    if (known == measured_.end()) {
      planning_.report(candidate.recipe);
      known = measured_.emplace(text, certify(planning_, problem_, candidate)).first;
      if (predicted_[i] > 0) ratio_[arithmetic_of(candidate.recipe)] = known->second.error / predicted_[i];
    }
    candidate.error = known->second.error;
    candidate.error_bound = known->second.bound;
    if (best_ == SIZE_MAX || candidate.error_bound < candidates_[best_].error_bound) best_ = i;
    return candidate.error_bound <= problem_.max_error;
  }

  Planning& planning_;
  const Problem& problem_;
  std::vector<Candidate>& candidates_;
  bool judged_;
  std::vector<double> predicted_;
  std::map<std::string, Certificate> measured_;  // by recipe; threads do not change it
  std::map<std::string, double> ratio_;          // last measured error over its prediction, by arithmetic
  std::size_t best_ = SIZE_MAX;
};

}  // namespace

Certificate certificate_of(const ErrorMeasurement& measured) {
  return {measured.relative_l2, measured.relative_l2 + kStandardErrors * measured.standard_error};
}

Certificate certify(Planning& planning, const Problem& problem, const Candidate& candidate) {
  Candidate single = candidate;
  single.threads = 1;
  if (const ArrayAddress* judge = planning.options.judge; judge != nullptr) {
    try {
      // The error on the judge's numbers is exact, not a sample.
      const std::unique_ptr<ulpfft_plan> plan = plan_to_measure(planning, problem, single, true);
      const double error = assess(*plan, *judge, ErrorLevel::kSampled, &planning.poll(), room_beside(planning, *plan->facts)).relative_l2;
      return {error, error};
    } catch (PlanError& error) {
      if (error.field == "in") error.field = "judge";
      throw;
    }
  }
  // A recipe for neighbouring transforms may need them: then more of the batch are measured, and in the end the problem as it is.
  std::int64_t transforms = scheme_named(candidate.recipe.scheme).mixes_batches ? batch_count(problem) : transforms_to_measure(problem);
  while (true) {
    const Problem slice = error_slice(problem, transforms);
    Candidate of_slice = single;
    if (planning.predict(slice, of_slice)) return measured(planning, slice, single);
    if (transforms >= batch_count(problem)) return measured(planning, problem, single);
    transforms = std::min(batch_count(problem), kMoreTransforms * transforms);
  }
}

Certificate certify_within_limit(Planning& planning, const Problem& problem, const Candidate& candidate) {
  const Certificate certificate = certify(planning, problem, candidate);
  if (certificate.bound <= problem.max_error) return certificate;
  Candidate measured = candidate;
  measured.error = certificate.error;
  measured.error_bound = certificate.bound;
  throw PlanError(ULPFFT_UNSUPPORTED, "max_error",
                  "The recipe " + print_recipe(candidate.recipe) + " does not keep max_error = " + number(problem.max_error) +
                      ": its error is " + shown(measured) + ". Give another one, plan without one, or raise max_error.");
}

std::size_t choose_within_limit(Planning& planning, const Problem& problem, std::vector<Candidate>& candidates) {
  Choice choice(planning, problem, candidates);
  const std::size_t chosen = choice.run();
  if (chosen == candidates.size()) choice.refuse();
  return chosen;
}

}  // namespace ulpfft
