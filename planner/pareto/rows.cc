// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/pareto/rows.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "codelets/registry.h"
#include "planner/api/create.h"
#include "planner/api/request.h"
#include "planner/judge/assess.h"
#include "planner/pareto/between.h"
#include "planner/pareto/shared_arrays.h"
#include "planner/pareto/turns.h"
#include "planner/scheme/scheme.h"
#include "planner/search/planning.h"

namespace ulpfft {
namespace {

constexpr std::int64_t kOutputs = std::int64_t{1} << 14;  // of an error
constexpr double kMostArrayBytes = 256.0 * 1024 * 1024;   // in f64: of larger batches a part is timed
constexpr double kSecondsAlone = 5e-4;                    // of an execution, if one transform takes no longer
constexpr double kAskSeconds = 0.03;
// Shares of the time: planning all wide rows but the own ones, one of those, all emulated schemes, timing wide rows by turns, and choices.
constexpr double kPlanningShare = 0.15, kOwnPlanningShare = 0.05, kEmulatedPlanningShare = 0.3, kTurnsShare = 0.15,
                 kChoicesShare = 0.4;
constexpr double kMostPlanning = 0.4, kMostEmulatedPlanning = 0.1;  // seconds for one
constexpr double kChoiceSeconds = 2;                                // to compare one choice with the fastest row, at most
constexpr int kDecades = 14;
constexpr const char* kNoTime = "No time was left: a larger limit gives more rows.";

// Lengths of a batch with these many transforms (or a few more, of several batch dimensions), at most all.
std::vector<std::int64_t> fewer(const Problem& problem, double transforms) {
  std::vector<std::int64_t> less;
  std::int64_t all = 1;
  for (const Dimension& d : problem.batch) {
    less.push_back(d.length);
    all *= d.length;
  }
  for (std::int64_t& length : less) {
    const std::int64_t others = all / length;
    const double wanted = std::ceil(transforms / static_cast<double>(others));
    length = static_cast<std::int64_t>(std::clamp(wanted, 1.0, static_cast<double>(length)));
    all = others * length;
  }
  return less;
}

std::int64_t product(const std::vector<std::int64_t>& lengths) {
  std::int64_t result = 1;
  for (const std::int64_t length : lengths) result *= length;
  return result;
}

Problem with_batch(Problem problem, const std::vector<std::int64_t>& lengths) {
  for (std::size_t i = 0; i < lengths.size(); ++i) problem.batch[i].length = lengths[i];
  set_dense_strides(problem);
  return problem;
}

Problem with_storages(Problem problem, const std::string& in, const std::string& out) {
  problem.storage_in = in;
  problem.storage_out = out;
  set_dense_strides(problem);
  return problem;
}

// Names of all storages of arrays that this build has. Formats of scales have neither zero nor sign.
std::vector<std::string> storage_names() {
  std::vector<std::string> names;
  for (const FormatInfo& format : formats()) {
    if (format.kind != FormatKind::kFloat || format.is_signed) names.emplace_back(format.name);
  }
  for (const BlockInfo& block : block_formats()) names.emplace_back(block.name);
  return names;
}

std::string name_of(const ParetoRow& row) {
  const Problem& problem = row.problem;
  const bool same = problem.storage_in == problem.storage_out;
  return problem.storage_in + (same ? "" : "->" + problem.storage_out) + " " + problem.scheme;
}

// Between passes in the caches there is nothing to gain: each row for itself, as the emulated ones.
bool between_in_caches(const ParetoRow& row) {
  return !row.problem.intermediate.empty() && row.recipe.find(":dit(") != std::string::npos;
}

class Meter {
 public:
  Meter(ulpfft_context& context, const Problem& base, const std::string& family, const ParetoSettings& settings)
      : context_(context),
        base_(base),
        family_(family),
        settings_(settings),
        begin_(clock_()),
        poll_([this] { ask(); }),
        turns_(base.threads == 1, poll_) {
    few_ = fewer(base, std::ceil(static_cast<double>(kOutputs) / static_cast<double>(stored_points(base, true))));
    many_ = fewer(base, std::max(1.0, std::floor(kMostArrayBytes / (32.0 * static_cast<double>(transform_points(base))))));
    seconds_of_rows_ = settings.seconds * (settings.choices ? 1 - kChoicesShare : 1);
  }

  void run(ulpfft_pareto& result) {
    list_rows();
    wide_rows();
    emulated_rows();
    mark_fronts();
    if (settings_.choices) choose();
    std::sort(rows_.begin(), rows_.end(), [](const ParetoRow& a, const ParetoRow& b) {
      if (a.measured() != b.measured()) return a.measured();
      return std::make_pair(a.error, a.seconds) < std::make_pair(b.error, b.seconds);
    });
    result.rows = std::move(rows_);
    result.choices = std::move(choices_);
    result.seconds = elapsed();
  }

 private:
  double elapsed() const { return clock_() - begin_; }

  // Throws Cancelled, and OutOfTime where a row takes too long.
  void ask() {
    const double now = elapsed();
    if (now > deadline_) throw OutOfTime();
    if (now - asked_ > kAskSeconds) tell();
  }
  void tell() {
    asked_ = elapsed();
    if (settings_.progress && !settings_.progress(std::min(1.0, asked_ / settings_.seconds), what_)) throw Cancelled();
  }
  void report(std::string what) {
    what_ = std::move(what);
    tell();
  }

  // ---- Plans ----

  std::unique_ptr<ulpfft_plan> search(const Problem& problem, double seconds) {
    ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
    options.time_limit_seconds = seconds;
    PlanRequest request = request_from_c(&options);
    if (settings_.progress) {
      request.search.progress = [this](double, const std::string&) {
        return settings_.progress(std::min(1.0, elapsed() / settings_.seconds), what_);
      };
    }
    return create_plan(context_, problem, request);
  }
  std::unique_ptr<ulpfft_plan> rebuild(const ParetoRow& row, const std::vector<std::int64_t>& batch) {
    Problem problem = with_batch(row.problem, batch);
    complete(problem);
    SearchOptions options;
    options.progress = [this](double, const std::string&) {
      ask();
      return true;
    };
    return plan_from_recipe(context_, problem, parse_recipe(row.recipe), options);
  }
  Contender contender(const ParetoRow& row, std::unique_ptr<ulpfft_plan> plan) {
    const Problem problem = with_batch(row.problem, many_);
    return {std::move(plan), shared_arrays().address(problem, false), shared_arrays().address(problem, true)};
  }
  SharedArrays& shared_arrays() {
    if (!arrays_) {
      arrays_.emplace(backend_of(codelets_for(context_, base_)).memory, poll_);
      for (const ParetoRow& row : rows_) arrays_->reserve(with_batch(row.problem, many_));
    }
    return *arrays_;
  }

  // ---- Rows ----

  void list_rows() {
    const auto add = [&](const std::string& in, const std::string& out, bool own) {
      for (const SchemeFacts& scheme : all_schemes()) {
        if (!family_.empty() && scheme.kind != family_) continue;
        ParetoRow row;
        row.problem = with_storages(base_, in, out);
        row.problem.scheme = scheme.name;
        row.own = own;
        row.emulated = scheme.emulated;
        row.bytes = (bytes_of_side(row.problem, false) + bytes_of_side(row.problem, true)) / static_cast<double>(points());
        set_text(row);
        rows_.push_back(std::move(row));
      }
    };
    add(base_.storage_in, base_.storage_out, true);
    if (settings_.judge != nullptr || !family_.empty()) return;
    for (const std::string& name : settings_.storages.empty() ? storage_names() : settings_.storages) {
      if (name != base_.storage_in || name != base_.storage_out) add(name, name, false);
    }
  }
  std::int64_t points() const { return transform_points(base_) * batch_count(base_); }

  // A text may become too long.
  static void set_text(ParetoRow& row) {
    try {
      row.problem_text = print_problem(row.problem);
    } catch (const PlanError& error) {
      row.reason = error.message;
    }
  }
  static void leave_out(ParetoRow& row) {
    row.out_of_time = true;
    row.reason = kNoTime;
  }

  // Runs what makes numbers of a row; a refusal is its reason. A row that would probably end too late is not begun: one takes as
  // long as the longest of its kind so far. The first row has all the time it needs.
  template <typename Work>
  void attempt(ParetoRow& row, const Work& work) {
    if (!row.measured()) return;
    double& longest = row.emulated ? longest_emulated_ : longest_wide_;
    const double begin = elapsed();
    if (begin + std::max(longest_wide_, longest) > seconds_of_rows_) return leave_out(row);
    report(name_of(row));
    if (longest_wide_ > 0 || longest_emulated_ > 0) deadline_ = seconds_of_rows_;
    try {
      work();
    } catch (const PlanError& error) {
      if (error.status == ULPFFT_CANCELLED) throw;
      row.reason = error.message;
    } catch (const std::bad_alloc&) {
      row.reason = "Not enough memory.";
    } catch (const OutOfTime&) {
      leave_out(row);
    }
    deadline_ = INFINITY;
    longest = std::max(longest, elapsed() - begin);
  }

  void measure(ParetoRow& row, const ulpfft_plan& plan) {
    row.predicted = plan.error;
    row.error =
        settings_.judge != nullptr ? error_on_judge(row) : measure_error(plan, ErrorLevel::kSampled, nullptr, &poll_).relative_l2;
    if (std::isnan(row.error)) row.error = std::numeric_limits<double>::infinity();
  }
  double error_on_judge(const ParetoRow& row) {
    const std::unique_ptr<ulpfft_plan> whole = rebuild(row, {});
    return assess(*whole, input_address(whole->problem, *settings_.judge, "judge"), ErrorLevel::kSampled, &poll_).relative_l2;
  }
  void set_time(ParetoRow& row, const TimeEstimate& estimate, const std::vector<std::int64_t>& batch) const {
    row.transforms = product(batch);
    row.seconds = estimate.seconds * static_cast<double>(batch_count(base_)) / static_cast<double>(row.transforms);
    row.spread = estimate.spread;
  }
  void error_and_time(ParetoRow& row) {
    measure(row, *rebuild(row, few_));
    set_time(row, turns_.alone(contender(row, rebuild(row, many_))), many_);
  }
  // With as many transforms as suit an execution.
  void error_and_time_of_some(ParetoRow& row, double seconds_of_one) {
    const double fit = std::max(kSecondsAlone / std::max(seconds_of_one, 1e-6), static_cast<double>(product(few_)));
    const std::vector<std::int64_t> batch = fewer(base_, std::clamp(fit, 1.0, static_cast<double>(product(many_))));
    std::unique_ptr<ulpfft_plan> plan = rebuild(row, batch);
    measure(row, *plan);
    set_time(row, turns_.alone(contender(row, std::move(plan))), batch);
  }

  // Own rows first, then each storage in f32, then in f64: whatever the time, the most interesting ones have numbers.
  void wide_rows() {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!rows_[i].emulated) order.push_back(i);
    }
    const auto rank = [&](std::size_t i) { return rows_[i].own ? 0 : rows_[i].problem.scheme == "f32" ? 1 : 2; };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return std::make_pair(rank(a), a) < std::make_pair(rank(b), b); });
    const double each = std::min(kMostPlanning, kPlanningShare * settings_.seconds / static_cast<double>(order.size()));
    const double own = std::min(kMostPlanning, std::max(each, kOwnPlanningShare * settings_.seconds));
    for (const std::size_t i : order) {
      ParetoRow& row = rows_[i];
      attempt(row, [&] {
        row.recipe = print_recipe(search(with_batch(row.problem, many_), row.own ? own : each)->recipe);
        error_and_time(row);
      });
    }
    const std::size_t listed = rows_.size();
    for (std::size_t i = 0; i < listed; ++i) {
      if (rows_[i].own && !rows_[i].emulated && rows_[i].measured()) add_between(rows_[i]);
    }
    take_turns(kTurnsShare * settings_.seconds);
  }

  // The same recipe with every storage between its passes. By value: rows are added.
  void add_between(const ParetoRow row) {
    if (base_.kind != Kind::kC2C) return;  // transforms of real numbers have no storage between passes
    for (const std::string& format : storage_names()) {
      const std::string recipe = recipe_with_between(row.recipe, format);
      if (format == "f32" || format == "f64" || recipe.empty()) continue;
      ParetoRow narrow = row;
      narrow.problem.intermediate = format;
      set_text(narrow);
      narrow.recipe = recipe;
      attempt(narrow, [&] { between_in_caches(narrow) ? error_and_time_of_some(narrow, 0) : error_and_time(narrow); });
      rows_.push_back(std::move(narrow));
    }
  }

  // Times by turns in place of those of each row alone, as far as the time allows.
  void take_turns(double seconds) {
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!rows_[i].emulated && rows_[i].measured() && !between_in_caches(rows_[i])) which.push_back(i);
    }
    const double end = std::min(elapsed() + 2 * seconds, seconds_of_rows_);
    if (which.empty() || elapsed() > end) return;
    deadline_ = end;
    try {
      std::vector<Contender> contenders;
      for (const std::size_t i : which) contenders.push_back(contender(rows_[i], rebuild(rows_[i], many_)));
      const auto samples = turns_.all(contenders, seconds, [&] {
        tell_now_and_then();
        return elapsed() > end;
      });
      for (std::size_t k = 0; k < which.size() && !samples[k].empty(); ++k)
        set_time(rows_[which[k]], estimate_of(samples[k]), many_);
    } catch (const OutOfTime&) {
      // in the middle of a turn: the times of each alone stay
    }
    deadline_ = INFINITY;
  }
  void tell_now_and_then() {
    if (elapsed() - asked_ > kAskSeconds) tell();
  }

  struct Planned {
    std::string recipe;
    std::vector<std::string> others;  // that were timed
    double seconds = 0;               // of one transform
    std::string reason;
  };

  // Once for all storages: passes do not see them.
  const Planned& emulated_plan(const std::string& scheme) {
    const auto known = planned_.find(scheme);
    if (known != planned_.end()) return known->second;
    const double share =
        kEmulatedPlanningShare * settings_.seconds / static_cast<double>(std::max<std::size_t>(all_schemes().size(), 1));
    Planned planned;
    try {
      Problem problem = with_batch(with_storages(base_, "f32", "f32"), few_);
      problem.scheme = scheme;
      const std::unique_ptr<ulpfft_plan> plan = search(problem, std::min(kMostEmulatedPlanning, share));
      planned.recipe = print_recipe(plan->recipe);
      planned.seconds = plan->seconds / static_cast<double>(product(few_));
      for (const Candidate& candidate : plan->candidates) {
        std::string recipe = print_recipe(candidate.recipe);
        if (candidate.seconds > 0 && recipe != planned.recipe) planned.others.push_back(std::move(recipe));
      }
    } catch (const PlanError& error) {
      if (error.status == ULPFFT_CANCELLED) throw;
      planned.reason = error.message;
    }
    return planned_.emplace(scheme, std::move(planned)).first->second;
  }

  void emulated_rows() {
    const std::size_t listed = rows_.size();
    for (std::size_t i = 0; i < listed; ++i) {
      if (!family_.empty()) add_others(rows_[i]);
      ParetoRow& row = rows_[i];
      if (!row.emulated) continue;
      attempt(row, [&] {
        const Planned& planned = emulated_plan(row.problem.scheme);
        row.reason = planned.reason;
        if (!row.measured()) return;
        row.recipe = planned.recipe;
        error_and_time_of_some(row, planned.seconds);
      });
    }
  }
  // The scheme by other recipes. By value: rows are added.
  void add_others(const ParetoRow row) {
    const Planned& planned = emulated_plan(row.problem.scheme);
    for (const std::string& recipe : planned.others) {
      ParetoRow other = row;
      other.recipe = recipe;
      attempt(other, [&] { error_and_time_of_some(other, planned.seconds); });
      rows_.push_back(std::move(other));
    }
  }

  // ---- The front, and choices ----

  void mark_fronts() {
    for (ParetoRow& row : rows_) {
      if (!row.measured() || !std::isfinite(row.error)) continue;
      row.front = true;
      row.own_front = row.own;
      for (const ParetoRow& other : rows_) {
        const bool as_good = other.measured() && other.error <= row.error && other.seconds <= row.seconds;
        if (!as_good || !(other.error < row.error || other.seconds < row.seconds)) continue;
        row.front = false;
        if (other.own) row.own_front = false;
      }
    }
  }

  const ParetoRow* fastest_within(double limit) const {
    const ParetoRow* best = nullptr;
    for (const ParetoRow& row : rows_) {
      if (row.own && row.measured() && row.error <= limit && (best == nullptr || row.seconds < best->seconds)) best = &row;
    }
    return best;
  }

  // Each planned for itself: nothing is remembered from one limit to the next.
  void choose() {
    double longest = 0;
    for (int decade = 1; decade <= kDecades; ++decade) {
      ParetoChoice choice;
      const std::string word = "1e-" + std::to_string(decade);
      choice.limit = std::strtod(word.c_str(), nullptr);
      report("max_error=" + word);
      const double begin = elapsed(), left = settings_.seconds - begin;
      choice.out_of_time = longest > left;
      if (choice.out_of_time) {
        choice.refusal = kNoTime;
      } else {
        make(choice, std::min(kChoiceSeconds, left / (2 * (kDecades - decade + 1))));
      }
      longest = std::max(longest, elapsed() - begin);
      choices_.push_back(std::move(choice));
    }
  }
  void make(ParetoChoice& choice, double seconds) {
    const ParetoRow* fastest = fastest_within(choice.limit);
    if (fastest != nullptr) choice.fastest = fastest->recipe;
    ParetoRow limited;
    limited.problem = base_;
    limited.problem.scheme = family_;
    limited.problem.max_error = choice.limit;
    try {
      context_.store.forget();
      std::unique_ptr<ulpfft_plan> plan = search(with_batch(limited.problem, many_), std::min(1.0, seconds));
      choice.recipe = print_recipe(plan->recipe);
      choice.error = plan->error;
      if (fastest == nullptr) return;
      choice.over_fastest = choice.recipe == choice.fastest ? 1 : ratio(contender(limited, std::move(plan)), *fastest, seconds);
    } catch (const PlanError& error) {
      if (error.status == ULPFFT_CANCELLED) throw;
      choice.refusal = error.message;
    }
  }
  double ratio(Contender chosen, const ParetoRow& fastest, double seconds) {
    std::vector<Contender> contenders;
    contenders.push_back(std::move(chosen));
    contenders.push_back(contender(fastest, rebuild(fastest, many_)));
    const auto samples = turns_.all(contenders, seconds, [&] {
      tell_now_and_then();
      return false;
    });
    std::vector<double> ratios;
    for (std::size_t i = 0; i < samples[0].size(); ++i) ratios.push_back(samples[0][i] / samples[1][i]);
    return estimate_of(ratios).seconds;
  }

  ulpfft_context& context_;
  const Problem& base_;
  const std::string& family_;
  const ParetoSettings& settings_;
  Clock clock_ = steady_clock();
  double begin_;
  Poll poll_;
  Turns turns_;
  double asked_ = 0;
  double deadline_ = INFINITY;                      // of a row
  double seconds_of_rows_ = 0;                      // choices come after them
  double longest_wide_ = 0, longest_emulated_ = 0;  // that a row took
  std::string what_;
  std::vector<std::int64_t> few_;   // transforms of an error
  std::vector<std::int64_t> many_;  // timed at most
  std::vector<ParetoRow> rows_;
  std::vector<ParetoChoice> choices_;
  std::map<std::string, Planned> planned_;
  std::optional<SharedArrays> arrays_;
};

[[noreturn]] void refuse(const std::string& field, const std::string& why) { throw PlanError(ULPFFT_UNSUPPORTED, field, why); }

void refuse_gaps(const Problem& problem) {
  Problem dense = problem;
  set_dense_strides(dense);
  const auto check = [](const std::string& prefix, const std::vector<Dimension>& given, const std::vector<Dimension>& wanted) {
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (given[i] == wanted[i]) continue;
      const std::string side = given[i].in_stride != wanted[i].in_stride ? "in_strides[" : "out_strides[";
      refuse(prefix + side + std::to_string(i) + "]", "Rows compare storages, whose arrays are dense: leave strides out.");
    }
  };
  check("", problem.dims, dense.dims);
  check("batch_", problem.batch, dense.batch);
}

}  // namespace

ulpfft_pareto measure_pareto(ulpfft_context& context, const Problem& given, const ParetoSettings& settings) {
  Problem base = given;
  ulpfft_pareto result;
  if (!base.scheme.empty() && scheme_named(base.scheme).any) result.family = std::exchange(base.scheme, "");
  if (!base.scheme.empty())
    refuse("scheme", "Rows are of all schemes: leave the word out, or write scheme=split for split schemes alone.");
  if (!base.intermediate.empty()) refuse("intermediate", "Rows are of all storages between passes: leave the word out.");
  if (!base.chain.empty()) refuse("chain", "Rows are transforms, and a chain needs an operation: leave the word out.");
  refuse_gaps(base);
  if (!result.family.empty() && !settings.storages.empty()) {
    refuse(
        "storages",
        "Storages add rows in f32 and f64, and schemes of a family are compared in the storages of the problem: leave one out.");
  }
  result.max_error = std::exchange(base.max_error, 0.0);
  Problem whole = base;
  complete(whole);
  if (settings.judge != nullptr) input_address(whole, *settings.judge, "judge");
  whole.scheme = result.family;
  result.problem = print_problem(whole);
  result.machine = context.machine;
  result.points = transform_points(base) * batch_count(base);
  result.transforms = batch_count(base);
  hearing_cancel([&] { Meter(context, base, result.family, settings).run(result); });
  return result;
}

}  // namespace ulpfft
