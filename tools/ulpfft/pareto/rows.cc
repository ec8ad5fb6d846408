// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/pareto/rows.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "tools/ulpfft/bench/timing.h"
#include "tools/ulpfft/bench/ulpfft_plan.h"
#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/pareto/arrays.h"

namespace ulpfft_tool::pareto {
namespace {

constexpr std::int64_t kOutputs = std::int64_t{1} << 14;       // of an error
constexpr double kMostArrayBytes = 256.0 * 1024 * 1024;        // in f64: of larger batches a part is timed
constexpr double kSecondsAlone = 5e-4;                         // of an execution, if one transform takes no longer
constexpr double kLongSample = 50e-3;                          // one sample is enough
constexpr double kShortSample = 50e-6, kMostRepeats = 1000;    // beside what reading a clock takes
// Shares of the time: planning all wide rows but the own ones, one of those, all emulated schemes, timing wide rows by turns, and choices.
constexpr double kPlanningShare = 0.15, kOwnPlanningShare = 0.05, kEmulatedPlanningShare = 0.3, kTurnsShare = 0.15, kChoicesShare = 0.4;
constexpr double kMostPlanning = 0.4, kMostEmulatedPlanning = 0.1;  // seconds for one
constexpr double kChoiceSeconds = 2;                           // to compare one choice with the fastest row, at most
constexpr int kDecades = 14;
constexpr const char* kNoTime = "no time was left: give more with --time-limit";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::vector<std::int64_t> read_lengths(const std::string& text) {
  std::vector<std::int64_t> lengths;
  for (const std::string& part : split(text, 'x')) lengths.push_back(std::atoll(part.c_str()));
  return lengths;
}

std::int64_t product(const std::vector<std::int64_t>& lengths) {
  std::int64_t result = 1;
  for (const std::int64_t length : lengths) result *= length;
  return result;
}

// A recipe with a format wherever its data lie between passes; "" where it is one pass.
std::string with_between(const std::string& recipe, const std::string& format) {
  const std::size_t colon = recipe.rfind(':', recipe.find('('));  // names of schemes have colons of their own
  if (colon == std::string::npos) return "";
  std::string text = recipe;
  if (text.compare(colon, 6, ":rank(") == 0) return text.insert(colon + 6, "|" + format + "; ");
  if (text.compare(colon, 6, ":four(") == 0) return text.insert(text.find(';', colon), " |" + format);
  if (text.compare(colon, 5, ":dit(") != 0) return "";
  std::vector<std::string> words = split(text.substr(colon + 5, text.size() - colon - 6), ' ');
  std::erase_if(words, [](const std::string& word) { return word == "decode" || word == "encode" || word == "stream"; });
  std::size_t last = words.size();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "/") last = i;
  }
  bool first = true;
  std::string result = text.substr(0, colon + 5);
  for (std::size_t i = 0; i < words.size(); ++i) {
    result += (i > 0 ? " " : "") + words[i];
    if (words[i] != "/" && i < last) result += "|" + (std::exchange(first, false) ? format : "");
  }
  return first ? "" : result + ")";
}

class Meter {
 public:
  Meter(ulpfft::Context& context, const ProblemParts& problem, const Settings& settings)
      : context_(context), problem_(problem), settings_(settings), begin_(bench::wall_seconds()) {
    few_ = problem.fewer(static_cast<std::int64_t>(std::ceil(static_cast<double>(kOutputs) / static_cast<double>(problem.stored_points(true)))));
    const double most = kMostArrayBytes / (32.0 * static_cast<double>(problem.points()));
    many_ = problem.fewer(static_cast<std::int64_t>(std::max(1.0, most)));
    seconds_of_rows_ = settings.seconds * (settings.choices ? 1 - kChoicesShare : 1);
  }

  Table run() {
    list_rows();
    wide_rows();
    emulated_rows();
    mark_fronts();
    if (settings_.choices) choose();
    Table table;
    table.problem = print_parts(problem_, problem_.storage_in, problem_.storage_out, settings_.family, "", problem_.batch);
    table.family = settings_.family;
    table.machine = context_.machine();
    table.points = problem_.points() * problem_.transforms();
    table.transforms = problem_.transforms();
    table.max_error = problem_.max_error;
    table.rows = std::move(rows_);
    table.choices = std::move(choices_);
    table.seconds = elapsed();
    std::sort(table.rows.begin(), table.rows.end(), [](const Row& a, const Row& b) {
      if (a.measured() != b.measured()) return a.measured();
      return std::make_pair(a.error, a.seconds) < std::make_pair(b.error, b.seconds);
    });
    return table;
  }

 private:
  double elapsed() const { return bench::wall_seconds() - begin_; }
  void report(const Row& row) const {
    if (settings_.progress) settings_.progress(std::min(1.0, elapsed() / settings_.seconds), row.storage() + " " + row.scheme);
  }
  std::string text_of(const Row& row, const std::vector<std::int64_t>& batch) const {
    return print_parts(problem_, row.storage_in, row.storage_out, row.scheme, row.between, batch);
  }

  void list_rows() {
    const auto add = [&](const std::string& in, const std::string& out, bool own) {
      for (const ulpfft_scheme& scheme : ulpfft::schemes()) {
        if (!settings_.family.empty() && scheme.kind != settings_.family) continue;
        Row row;
        row.scheme = scheme.name;
        row.storage_in = in;
        row.storage_out = out;
        row.own = own;
        row.emulated = scheme.emulated != 0;
        row.bytes = (array_bytes(problem_, in, false) + array_bytes(problem_, out, true)) / static_cast<double>(problem_.points() * problem_.transforms());
        rows_.push_back(std::move(row));
      }
    };
    add(problem_.storage_in, problem_.storage_out, true);
    if (settings_.judge != nullptr || !settings_.family.empty()) return;
    for (const std::string& name : settings_.storages.empty() ? storage_names() : settings_.storages) {
      if (name != problem_.storage_in || name != problem_.storage_out) add(name, name, false);
    }
  }

  // Runs what makes numbers of a row; a refusal is its reason. A row that would probably end too late is not begun: one takes as long as
  // the longest of its kind so far.
  template <typename Work>
  void attempt(Row& row, const Work& work) {
    if (!row.measured()) return;
    double& longest = row.emulated ? longest_emulated_ : longest_wide_;
    const double begin = elapsed();
    if (begin + std::max(longest_wide_, longest) > seconds_of_rows_) {
      row.reason = kNoTime;
      return;
    }
    report(row);
    try {
      work();
    } catch (const ulpfft::Error& error) {
      row.reason = error.message();
    }
    longest = std::max(longest, elapsed() - begin);
  }

  void measure_error(Row& row, const ulpfft::Plan& plan) {
    row.predicted = plan.error();
    row.error = settings_.judge != nullptr ? error_on_judge(row) : plan.measure_error().relative_l2;
    if (std::isnan(row.error)) row.error = std::numeric_limits<double>::infinity();
  }
  double error_on_judge(const Row& row) {
    const bench::UlpfftPlan whole = bench::ulpfft_plan_of(context_.from_recipe(text_of(row, problem_.batch), row.recipe));
    ulpfft_error_report report{};
    report.size = sizeof report;
    ulpfft::detail::check(ulpfft_plan_assess(whole.plan.get(), settings_.judge, ULPFFT_ERROR_SAMPLED, &report));
    return report.relative_l2;
  }
  void measure_error(Row& row) { measure_error(row, context_.from_recipe(text_of(row, few_), row.recipe)); }

  // Own rows first, then each storage in f32, then in f64: whatever the time, the most interesting ones have numbers.
  void wide_rows() {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!rows_[i].emulated) order.push_back(i);
    }
    const auto rank = [&](std::size_t i) { return rows_[i].own ? 0 : rows_[i].scheme == "f32" ? 1 : 2; };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) != rank(b) ? rank(a) < rank(b) : a < b; });
    const double each = std::min(kMostPlanning, kPlanningShare * settings_.seconds / static_cast<double>(order.size()));
    const double own = std::min(kMostPlanning, std::max(each, kOwnPlanningShare * settings_.seconds));
    const bench::Stopwatch watch(turns(0).one_thread);
    for (const std::size_t i : order) {
      attempt(rows_[i], [&] {
        Row& row = rows_[i];
        row.recipe = context_.parse(text_of(row, many_), {.time_limit_seconds = row.own ? own : each}).recipe();
        measure_error(row);
        time_alone(row, many_, watch);
      });
    }
    const std::size_t listed = rows_.size();
    for (std::size_t i = 0; i < listed; ++i) {
      if (rows_[i].own && !rows_[i].emulated && rows_[i].measured()) add_between(rows_[i], watch);
    }
    std::vector<std::size_t> timed;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!rows_[i].emulated && rows_[i].measured() && !between_passes(rows_[i])) timed.push_back(i);
    }
    take_turns(timed, kTurnsShare * settings_.seconds);
  }

  // Between passes in the caches there is nothing to gain: as the emulated ones, each for itself.
  static bool between_passes(const Row& row) { return !row.between.empty() && row.recipe.find(":dit(") != std::string::npos; }

  // The same recipe with every storage between its passes. By value: rows are added.
  void add_between(const Row row, const bench::Stopwatch& watch) {
    if (problem_.kind != "c2c") return;  // transforms of real numbers have no storage between passes
    for (const std::string& format : storage_names()) {
      const std::string recipe = with_between(row.recipe, format);
      if (format == "f32" || format == "f64" || recipe.empty()) continue;
      Row narrow = row;
      narrow.between = format;
      narrow.recipe = recipe;
      attempt(narrow, [&] {
        if (between_passes(narrow)) return error_and_time(narrow, 0, watch);
        measure_error(narrow);
        time_alone(narrow, many_, watch);
      });
      rows_.push_back(std::move(narrow));
    }
  }

  // Times by turns in place of those of each row alone, as far as the time allows.
  void take_turns(const std::vector<std::size_t>& which, double seconds) {
    const double end = std::min(elapsed() + 2 * seconds, seconds_of_rows_);
    if (which.empty() || elapsed() > end) return;
    std::vector<std::unique_ptr<PlanContender>> contenders;
    std::vector<bench::Contender*> handles;
    SharedArrays& arrays = shared_arrays();
    for (const std::size_t i : which) {
      contenders.push_back(std::make_unique<PlanContender>(context_.from_recipe(text_of(rows_[i], many_), rows_[i].recipe), problem_, rows_[i].storage_in,
                                                           rows_[i].storage_out, arrays));
      handles.push_back(contenders.back().get());
    }
    bench::TurnSettings settings = turns(seconds);
    settings.enough = [&] { return elapsed() > end; };
    const auto samples = bench::take_turns(handles, settings);
    for (std::size_t k = 0; k < which.size() && !samples[k].empty(); ++k) set_seconds(rows_[which[k]], bench::median_of(samples[k]), many_);
  }

  bench::TurnSettings turns(double seconds) const {
    bench::TurnSettings settings;
    settings.budget_seconds = seconds;
    settings.refresh = [] {};  // zeros stay zeros
    settings.one_thread = std::find_if(problem_.words.begin(), problem_.words.end(), [](const std::string& word) { return word.starts_with("threads="); }) ==
                          problem_.words.end();
    return settings;
  }

  void set_seconds(Row& row, const bench::Estimate& estimate, const std::vector<std::int64_t>& batch) const {
    row.transforms = product(batch);
    row.seconds = estimate.value * static_cast<double>(problem_.transforms()) / static_cast<double>(row.transforms);
    row.spread = estimate.spread;
  }

  SharedArrays& shared_arrays() {
    if (!arrays_) {
      arrays_.emplace();
      for (const Row& row : rows_) arrays_->reserve(problem_, row.storage_in, row.storage_out, many_);
    }
    return *arrays_;
  }

  struct Planned {
    std::string recipe;
    std::vector<std::string> others;  // that were timed
    double seconds = 0;  // of one transform
    std::string reason;
  };

  double emulated_planning() const {
    return std::min(kMostEmulatedPlanning,
                    kEmulatedPlanningShare * settings_.seconds / static_cast<double>(std::max<std::size_t>(ulpfft::schemes().size(), 1)));
  }

  // Once for all storages: passes do not see them.
  const Planned& emulated_plan(const Row& row) {
    const auto known = planned_.find(row.scheme);
    if (known != planned_.end()) return known->second;
    Planned planned;
    try {
      const ulpfft::Plan plan =
          context_.parse(print_parts(problem_, "f32", "f32", row.scheme, "", few_), {.time_limit_seconds = emulated_planning()});
      planned.recipe = plan.recipe();
      planned.seconds = plan.seconds() / static_cast<double>(product(few_));
      for (const ulpfft::Candidate& candidate : plan.candidates()) {
        if (candidate.seconds > 0 && candidate.recipe != planned.recipe) planned.others.push_back(candidate.recipe);
      }
    } catch (const ulpfft::Error& error) {
      planned.reason = error.message();
    }
    return planned_.emplace(row.scheme, std::move(planned)).first->second;
  }

  void emulated_rows() {
    const bench::Stopwatch watch(turns(0).one_thread);
    const std::size_t listed = rows_.size();
    for (std::size_t i = 0; i < listed; ++i) {
      if (!settings_.family.empty()) add_others(rows_[i], watch);
      Row& row = rows_[i];
      if (!row.emulated) continue;
      attempt(row, [&] {
        const Planned& planned = emulated_plan(row);
        row.reason = planned.reason;
        if (!row.measured()) return;
        row.recipe = planned.recipe;
        error_and_time(row, planned.seconds, watch);
      });
    }
  }

  // The scheme by other recipes. By value: rows are added.
  void add_others(const Row row, const bench::Stopwatch& watch) {
    const Planned& planned = emulated_plan(row);
    for (const std::string& recipe : planned.others) {
      Row other = row;
      other.recipe = recipe;
      attempt(other, [&] { error_and_time(other, planned.seconds, watch); });
      rows_.push_back(std::move(other));
    }
  }

  // Its error, and as many transforms as suit an execution.
  void error_and_time(Row& row, double seconds_of_one, const bench::Stopwatch& watch) {
    const double fit = std::clamp(kSecondsAlone / std::max(seconds_of_one, 1e-6), 1.0, static_cast<double>(product(many_)));
    const std::vector<std::int64_t> batch = problem_.fewer(std::max(static_cast<std::int64_t>(fit), product(few_)));
    ulpfft::Plan plan = context_.from_recipe(text_of(row, batch), row.recipe);
    measure_error(row, plan);
    time_alone(row, std::move(plan), batch, watch);
  }
  void time_alone(Row& row, const std::vector<std::int64_t>& batch, const bench::Stopwatch& watch) {
    time_alone(row, context_.from_recipe(text_of(row, batch), row.recipe), batch, watch);
  }
  void time_alone(Row& row, ulpfft::Plan plan, const std::vector<std::int64_t>& batch, const bench::Stopwatch& watch) {
    PlanContender contender(std::move(plan), problem_, row.storage_in, row.storage_out, shared_arrays());
    std::vector<double> samples{watch.seconds_of(contender, 1)};
    if (samples[0] < kLongSample) {
      const auto repeats = static_cast<std::int64_t>(std::clamp(std::ceil(kShortSample / std::max(samples[0], 1e-9)), 1.0, kMostRepeats));
      samples.clear();
      for (int i = 0; i < 5; ++i) samples.push_back(watch.seconds_of(contender, repeats) / static_cast<double>(repeats));
    }
    set_seconds(row, bench::median_of(samples), batch);
  }

  void mark_fronts() {
    for (Row& row : rows_) {
      if (!row.measured() || !std::isfinite(row.error)) continue;
      const auto beats = [&](const Row& other) {
        if (!other.measured() || !(other.error <= row.error) || !(other.seconds <= row.seconds)) return false;
        return other.error < row.error || other.seconds < row.seconds;
      };
      row.front = std::none_of(rows_.begin(), rows_.end(), beats);
      row.own_front = row.own && std::none_of(rows_.begin(), rows_.end(), [&](const Row& other) { return other.own && beats(other); });
    }
  }

  const Row* fastest_within(double limit) const {
    const Row* best = nullptr;
    for (const Row& row : rows_) {
      if (row.own && row.measured() && row.error <= limit && (best == nullptr || row.seconds < best->seconds)) best = &row;
    }
    return best;
  }

  // Each planned for itself: nothing is remembered from one limit to the next.
  void choose() {
    double longest = 0;
    for (int decade = 1; decade <= kDecades; ++decade) {
      Choice choice;
      choice.limit = std::pow(10.0, -decade);
      char word[32];
      std::snprintf(word, sizeof word, "max_error=1e-%d", decade);
      choice.limit = std::strtod(word + 10, nullptr);
      const Row* fastest = fastest_within(choice.limit);
      ProblemParts limited = problem_;
      limited.words.emplace_back(word);
      if (settings_.progress) settings_.progress(1, word);
      const double begin = elapsed(), left = settings_.seconds - begin;
      if (longest > left) {
        choice.refusal = kNoTime;
        choices_.push_back(std::move(choice));
        continue;
      }
      const double each = std::min(kChoiceSeconds, left / (2 * (kDecades - decade + 1)));
      try {
        context_.forget_wisdom();
        ulpfft::Plan plan = context_.parse(print_parts(limited, limited.storage_in, limited.storage_out, settings_.family, "", many_),
                                           {.time_limit_seconds = std::min(1.0, each)});
        choice.recipe = plan.recipe();
        choice.error = plan.error();
        if (fastest != nullptr) {
          choice.fastest = fastest->recipe;
          choice.over_fastest = choice.recipe == fastest->recipe ? 1 : ratio(std::move(plan), *fastest, each);
        }
      } catch (const ulpfft::Error& error) {
        choice.refusal = error.message();
        if (fastest != nullptr) choice.fastest = fastest->recipe;
      }
      longest = std::max(longest, elapsed() - begin);
      choices_.push_back(std::move(choice));
    }
  }

  double ratio(ulpfft::Plan plan, const Row& fastest, double seconds) {
    SharedArrays& arrays = shared_arrays();
    PlanContender chosen(std::move(plan), problem_, problem_.storage_in, problem_.storage_out, arrays);
    PlanContender other(context_.from_recipe(text_of(fastest, many_), fastest.recipe), problem_, problem_.storage_in, problem_.storage_out, arrays);
    const auto samples = bench::take_turns({&chosen, &other}, turns(seconds));
    std::vector<double> ratios;
    for (std::size_t i = 0; i < samples[0].size(); ++i) ratios.push_back(samples[0][i] / samples[1][i]);
    return bench::median_of(ratios).value;
  }

  ulpfft::Context& context_;
  const ProblemParts& problem_;
  const Settings& settings_;
  double begin_;
  double seconds_of_rows_ = 0;    // choices come after them
  double longest_wide_ = 0, longest_emulated_ = 0;  // that a row took
  std::vector<std::int64_t> few_;   // transforms of an error
  std::vector<std::int64_t> many_;  // timed at most
  std::vector<Row> rows_;
  std::vector<Choice> choices_;
  std::map<std::string, Planned> planned_;
  std::optional<SharedArrays> arrays_;
};

}  // namespace

std::int64_t ProblemParts::points() const { return product(shape); }
bool ProblemParts::is_real(bool output) const { return is_r2r() || kind == (output ? "c2r" : "r2c"); }
std::vector<std::int64_t> ProblemParts::stored_shape(bool output) const {
  std::vector<std::int64_t> stored = shape;
  if (is_real(!output) && !is_r2r()) stored.back() = stored.back() / 2 + 1;
  return stored;
}
std::int64_t ProblemParts::stored_points(bool output) const { return product(stored_shape(output)); }
std::int64_t ProblemParts::transforms() const { return product(batch); }

std::vector<std::int64_t> ProblemParts::fewer(std::int64_t transforms) const {
  std::vector<std::int64_t> less = batch;
  for (std::int64_t& length : less) {
    const std::int64_t others = product(less) / length;
    length = std::clamp<std::int64_t>((transforms + others - 1) / others, 1, length);
  }
  return less;
}

ProblemParts read_parts(const std::string& canonical) {
  ProblemParts parts;
  std::vector<std::string> words = split(canonical, ' ');
  if (words[0].front() > '9') {
    parts.kind = words[0];
    words.erase(words.begin());
  }
  const std::size_t star = words[0].find('*');
  parts.lengths = words[0].substr(0, star);
  parts.shape = read_lengths(parts.lengths);
  if (star != std::string::npos) parts.batch = read_lengths(words[0].substr(star + 1));
  const std::size_t arrow = words[1].find("->");
  parts.storage_in = words[1].substr(0, arrow);
  parts.storage_out = arrow == std::string::npos ? parts.storage_in : words[1].substr(arrow + 2);
  for (std::size_t i = 2; i < words.size(); ++i) {
    parts.split = parts.split || words[i] == "split";
    parts.in_place = parts.in_place || words[i] == "inplace";
    parts.words.push_back(words[i]);
  }
  return parts;
}

void refuse_words(const std::string& given, const std::vector<std::string>& names, const std::string& why) {
  for (std::size_t begin = 0; begin < given.size();) {
    const std::size_t end = std::min(given.find(' ', begin), given.size());
    for (const std::string& name : names) {
      if (given.compare(begin, name.size(), name) == 0) throw UsageError(why, given, begin, end);
    }
    begin = end + 1;
  }
}

std::string print_parts(const ProblemParts& parts, const std::string& in, const std::string& out, const std::string& scheme, const std::string& between,
                        const std::vector<std::int64_t>& batch) {
  std::string text = (parts.kind == "c2c" ? "" : parts.kind + " ") + parts.lengths;
  for (std::size_t i = 0; i < batch.size(); ++i) text += (i == 0 ? "*" : "x") + std::to_string(batch[i]);
  text += " " + in + (out == in ? "" : "->" + out);
  for (const std::string& word : parts.words) text += " " + word;
  if (!scheme.empty()) text += " scheme=" + scheme;
  if (!between.empty()) text += " intermediate=" + between;
  return text;
}

std::vector<std::string> storage_names() {
  std::vector<std::string> names;
  for (const ulpfft_format& format : ulpfft::formats()) {
    // Formats of scales have neither zero nor sign.
    const bool scales_only = format.kind == std::string_view("element") && format.is_signed == 0;
    if (!scales_only) names.emplace_back(format.name);
  }
  return names;
}

Table measure(ulpfft::Context& context, const ProblemParts& problem, const Settings& settings) { return Meter(context, problem, settings).run(); }

}  // namespace ulpfft_tool::pareto
