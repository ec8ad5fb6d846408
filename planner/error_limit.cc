#include "planner/error_limit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>

#include "codelets/registry.h"
#include "planner/array_shape.h"
#include "planner/assess.h"
#include "planner/candidates.h"
#include "planner/stored_error.h"
#include "planner/strategy/variants.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

constexpr double kShare = 0.2;       // of the time limit
constexpr double kSimilar = 1.15;    // recipes of one arithmetic err in proportion to their predictions within this
constexpr std::size_t kLastTries = 4;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// Scheme, and what lies between passes.
std::string arithmetic_of(const Recipe& recipe) {
  std::string name = recipe.scheme;
  for (const std::string& format : intermediate_formats(recipe.root)) name += "|" + format;
  return name;
}

// What storing the output costs in any scheme.
double output_rounding(const Problem& problem) {
  if (is_wide(problem.storage_out)) {
    const FormatInfo* f = find_format(formats(), problem.storage_out);
    return f == nullptr ? 0 : f->rms_error;
  }
  std::map<std::string, double> blocks;
  return output_quantisation(problem, blocks);
}

class Choice {
 public:
  Choice(Planning& planning, const Problem& problem, std::vector<Candidate>& candidates)
      : planning_(planning), problem_(problem), candidates_(candidates), begin_(planning.now()) {
    for (const Candidate& candidate : candidates) predicted_.push_back(candidate.error);
  }

  std::size_t run() {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (i > 0 && left() == 0) break;
      const bool judged = planning_.options.judge != nullptr;  // predictions are of other data
      if ((!judged && !may_keep_limit(problem_, candidates_[i])) || hopeless(candidates_[i])) continue;
      if (within(i)) return i;
    }
    // Before it refuses, the least predicted errors, whatever they cost; then those in other twiddle forms.
    if (const std::size_t found = least_predicted(); found < candidates_.size()) return found;
    const std::size_t before = candidates_.size();
    for (std::size_t i = 0; i < before; ++i) {
      if (measured_.count(print_recipe(candidates_[i].recipe)) == 0) continue;
      for (Variant& variant : form_variants(candidates_[i].recipe.root)) {
        Candidate candidate = candidates_[i];
        candidate.recipe.root = std::move(variant.node);
        candidate.kind = variant.kind;
        candidate.seconds = candidate.spread = 0;
        if (!planning_.predict(problem_, candidate)) continue;
        predicted_.push_back(candidate.error);
        candidates_.push_back(std::move(candidate));
      }
    }
    return least_predicted();
  }

  [[noreturn]] void refuse() {
    const Candidate& best = candidates_[best_];
    std::string message = "No recipe keeps max_error = " + number(problem_.max_error) + ": the least error found is " + number(best.error) + ", in scheme " +
                          best.recipe.scheme + " (" + print_recipe(best.recipe) + ").";
    const double rounding = output_rounding(problem_);
    Candidate wide = best;
    wide.recipe.scheme = "f64";
    if (planning_.options.judge == nullptr && rounding > problem_.max_error) {
      message += " Storing the output in " + problem_.storage_out + " alone errs by " + number(rounding) +
                 (problem_.storage_out == "f64" ? ": raise max_error." : ": store it in a more accurate format, or raise max_error.");
    } else if (!problem_.scheme.empty() && problem_.scheme != "f64" && planning_.predict(problem_, wide) && wide.error <= problem_.max_error) {
      message += " Leave scheme = " + problem_.scheme + " out, which allows f64 (predicted to err by " + number(wide.error) + "), or raise max_error.";
    } else {
      message += " Raise max_error to what there is.";
    }
    throw PlanError(ULPFFT_UNSUPPORTED, "max_error", message);
  }

 private:
  double left() const {
    if (planning_.options.deterministic) return INFINITY;
    return std::max(0.0, kShare * planning_.options.time_limit_seconds - (planning_.now() - begin_));
  }

  // The first within the limit of the kLastTries least predicted errors that were not measured; candidates_.size() where none is.
  std::size_t least_predicted() {
    std::vector<std::size_t> order(candidates_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return predicted_[a] < predicted_[b] || (predicted_[a] == predicted_[b] && a < b);
    });
    std::size_t tries = 0;
    for (const std::size_t i : order) {
      if (measured_.count(print_recipe(candidates_[i].recipe)) != 0) continue;
      if (tries++ == kLastTries) break;
      if (within(i)) return i;
    }
    return candidates_.size();
  }

  // By what its arithmetic has shown so far.
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
      known = measured_.emplace(text, sampled_error(planning_, problem_, candidate, 0.5 * left())).first;
      if (predicted_[i] > 0) ratio_[arithmetic_of(candidate.recipe)] = known->second / predicted_[i];
    }
    candidate.error = known->second;
    if (best_ == SIZE_MAX || candidate.error < candidates_[best_].error) best_ = i;
    return candidate.error <= problem_.max_error;
  }

  Planning& planning_;
  const Problem& problem_;
  std::vector<Candidate>& candidates_;
  double begin_;
  std::vector<double> predicted_;
  std::map<std::string, double> measured_;  // by recipe: threads do not change it
  std::map<std::string, double> ratio_;     // of the last measured to its prediction, by arithmetic
  std::size_t best_ = SIZE_MAX;
};

}  // namespace

double sampled_error(Planning& planning, const Problem& problem, const Candidate& candidate, double limit_seconds) {
  Candidate single = candidate;
  single.threads = 1;
  if (const ArrayAddress* judge = planning.options.judge; judge != nullptr) {
    try {
      return assess(*planning.build(problem, single), *judge, ErrorLevel::kSampled).relative_l2;
    } catch (PlanError& error) {
      if (error.field == "in") error.field = "judge";
      throw;
    }
  }
  Problem slice;
  double part = 1;
  if (!timing_slice(problem, kLargestTimed, slice, part)) slice = problem;
  const std::unique_ptr<ulpfft_plan> plan = planning.build(slice, single);
  return measure_error(*plan, ErrorLevel::kSampled, limit_seconds, planning.options.clock).relative_l2;
}

double error_within_limit(Planning& planning, const Problem& problem, const Candidate& candidate) {
  const double error = sampled_error(planning, problem, candidate, planning.options.time_limit_seconds * kShare);
  if (error <= problem.max_error) return error;
  throw PlanError(ULPFFT_UNSUPPORTED, "max_error",
                  "The recipe " + print_recipe(candidate.recipe) + " does not keep max_error = " + number(problem.max_error) + ": its error is " +
                      number(error) + ". Give another one, plan without one, or raise max_error.");
}

std::size_t choose_within_limit(Planning& planning, const Problem& problem, std::vector<Candidate>& candidates) {
  Choice choice(planning, problem, candidates);
  const std::size_t chosen = choice.run();
  if (chosen == candidates.size()) choice.refuse();
  return chosen;
}

}  // namespace ulpfft
