// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft plan: choose a recipe for a problem, and show what was considered.
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/command.h"
#include "tools/ulpfft/folders.h"
#include "tools/ulpfft/format_aliases.h"
#include "tools/ulpfft/interruption.h"
#include "tools/ulpfft/judge.h"
#include "tools/ulpfft/nearest.h"
#include "tools/ulpfft/pareto/report.h"
#include "tools/ulpfft/precision.h"
#include "tools/ulpfft/problem_arguments.h"
#include "tools/ulpfft/problem_parts.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {
namespace plan_command {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> words;  // of the problem
  std::string problem;
  std::string effort = "measure";
  std::string recipe;
  std::string target;
  std::string wisdom;
  std::string judge;
  std::string precision;
  std::string html;
  std::vector<std::string> storages;
  double time_limit = 0.0;
  std::size_t top = 5;
  bool all = false;
  bool deterministic = false;
  bool json = false;
  bool pareto = false;
  bool choices = false;
  bool explain = false;
  std::vector<std::string> given;  // options of the command line
};

constexpr std::pair<const char*, ulpfft::Effort> kEfforts[] = {{"estimate", ulpfft::Effort::kEstimate},
                                                               {"measure", ulpfft::Effort::kMeasure},
                                                               {"patient", ulpfft::Effort::kPatient},
                                                               {"exhaustive", ulpfft::Effort::kExhaustive},
                                                               {"wisdom_only", ulpfft::Effort::kWisdomOnly}};
constexpr const char* kLevels[] = {"predicted", "sampled", "full"};

ulpfft::Effort effort_of(const std::string& word) {
  for (const auto& [name, effort] : kEfforts) {
    if (word == name) return effort;
  }
  return ulpfft::Effort::kMeasure;
}

constexpr std::string_view kFamily = "split";

// Where the problem names a family of schemes, which stands for a choice by errors; npos: it does not.
std::size_t family_at(const std::string& problem) {
  const std::string word = " scheme=" + std::string(kFamily);
  const std::size_t at = problem.find(word), behind = at + word.size();
  return at != problem.npos && (behind == problem.size() || problem[behind] == ' ') ? at : problem.npos;
}

// The problem as the library prints it, without its limit, which might be an impossible one, and without a family of schemes.
std::string canonical(ulpfft::Context& context, const Options& options) {
  const std::string& given = options.problem;
  constexpr std::string_view kWord = "max_error=";
  std::string text = given;
  const std::size_t family = family_at(text);
  if (family != text.npos) text.erase(family, std::string_view(" scheme=").size() + kFamily.size());
  if (const std::size_t at = text.find(kWord); at != std::string::npos) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str() + at + kWord.size(), &end);
    const bool good = end != text.c_str() + at + kWord.size() && (*end == ' ' || *end == '\0') && value > 0 && value <= 1e300;
    if (good) text.erase(at, static_cast<std::size_t>(end - text.c_str()) - at);
  }
  return with_text(text, "problem", [&] { return context.parse(text, {.effort = ulpfft::Effort::kEstimate}).problem(); });
}

struct Outcome {
  ulpfft::Plan plan;
  double planning_seconds;
};

// How many candidates were timed, by kind, the most frequent first.
std::vector<std::pair<std::string, std::size_t>> timed_by_kind(const std::vector<ulpfft::Candidate>& candidates) {
  std::map<std::string, std::size_t> counts;
  for (const ulpfft::Candidate& candidate : candidates) {
    if (candidate.seconds > 0) ++counts[candidate.kind];
  }
  std::vector<std::pair<std::string, std::size_t>> list(counts.begin(), counts.end());
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second > b.second || (a.second == b.second && a.first < b.first); });
  return list;
}

Outcome make(ulpfft::Context& context, const Options& options) {
  ProgressBar bar("planning");
  ulpfft::PlanOptions plan_options;
  plan_options.effort = effort_of(options.effort);
  plan_options.deterministic = options.deterministic;
  plan_options.time_limit_seconds = options.time_limit;
  std::optional<JudgeArray> judge;
  if (!options.judge.empty()) {
    judge.emplace(options.judge, options.problem, read_parts(canonical(context, options)));
    plan_options.judge = &judge->array();
  }
  plan_options.progress = [&](double fraction, std::string_view what) {
    bar.show(fraction, what);
    return true;
  };
  const auto start = std::chrono::steady_clock::now();
  const auto choose = [&] { return context.parse(options.problem, plan_options); };
  const auto rebuild = [&] {
    return with_text(options.recipe, "recipe", [&] { return context.from_recipe(options.problem, options.recipe); });
  };
  ulpfft::Plan plan =
      with_text(options.problem, "problem", [&] { return options.recipe.empty() ? choose() : rebuild(); });
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return {std::move(plan), elapsed.count()};
}

constexpr double kQuickLimit = 1.0;  // seconds, those of effort measure
constexpr double kQuickShare = 0.1;  // of a time limit, at most

bool is_long_search(const Options& options) {
  const bool is_long = options.effort == "patient" || options.effort == "exhaustive";
  return is_long && !options.wisdom.empty() && options.recipe.empty() && options.judge.empty() && !options.deterministic;
}

// Whether the wisdom file has the plan of effort measure. The mutex is held while it is written: an interrupt then waits and tells it.
struct QuickPlan {
  std::mutex writing;
  bool is_kept = false;
};

// A long search is remembered when it ends. What effort measure finds is remembered before it, so that an interrupt leaves that.
void remember_quick_plan(ulpfft::Context& context, const Options& options, QuickPlan& quick_plan) {
  ulpfft::PlanOptions quick;
  quick.effort = ulpfft::Effort::kMeasure;
  quick.time_limit_seconds = options.time_limit > 0 ? std::min(kQuickLimit, kQuickShare * options.time_limit) : kQuickLimit;
  const ulpfft::Plan plan = with_text(options.problem, "problem", [&] { return context.parse(options.problem, quick); });
  const std::lock_guard lock(quick_plan.writing);
  if (!plan.from_wisdom()) context.export_wisdom(options.wisdom);
  quick_plan.is_kept = true;
}

void print_json(const Outcome& outcome, const Options& options, ulpfft::Context& context) {
  const ulpfft::Plan& plan = outcome.plan;
  const ulpfft::Memory memory = plan.memory();
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016" PRIx64, plan.hash());
  Json result = {{"problem", plan.problem()},
                 {"recipe", plan.recipe()},
                 {"machine", context.machine()},
                 {"effort", options.deterministic ? "deterministic" : options.effort},
                 {"seconds", plan.seconds()},
                 {"threads", plan.threads()},
                 {"error", plan.error()},
                 {"error_level", kLevels[static_cast<int>(plan.error_level())]},
                 {"array_bytes", memory.in + memory.out},
                 {"table_bytes", memory.tables},
                 {"workspace_bytes", plan.workspace_bytes()},
                 {"hash", hash},
                 {"from_wisdom", plan.from_wisdom()},
                 {"planning_seconds", outcome.planning_seconds},
                 {"timed", Json::object()},
                 {"candidates", Json::array()}};
  const auto candidates = plan.candidates();
  for (const auto& [kind, count] : timed_by_kind(candidates)) result["timed"][kind] = count;
  for (const ulpfft::Candidate& candidate : candidates) {
    result["candidates"].push_back({{"recipe", candidate.recipe},
                                    {"kind", candidate.kind},
                                    {"threads", candidate.threads},
                                    {"error", candidate.error},
                                    {"seconds", candidate.seconds},
                                    {"spread", candidate.spread},
                                    {"predicted_seconds", candidate.predicted_seconds}});
  }
  if (options.explain) result["program"] = plan.explain();
  std::cout << result.dump(2) << "\n";
}

// The chosen one, the next best, and whatever else must not be missing: the fastest of every kind that was timed, such as the best of
// Rader where Bluestein won.
std::vector<std::size_t> worth_listing(const std::vector<ulpfft::Candidate>& candidates, std::size_t top) {
  std::vector<std::size_t> listed;
  std::map<std::string, bool> seen;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool first_of_kind = candidates[i].seconds > 0 && !std::exchange(seen[candidates[i].kind], true);
    if (i < top || first_of_kind) listed.push_back(i);
  }
  return listed;
}

void print_text(const Outcome& outcome, const Options& options) {
  const ulpfft::Plan& plan = outcome.plan;
  const std::string description = plan.describe();
  std::cout << description << (description.ends_with('\n') ? "" : "\n") << "\n";
  const auto candidates = plan.candidates();
  const bool threaded = std::any_of(candidates.begin(), candidates.end(), [](const ulpfft::Candidate& c) { return c.threads > 1; });
  std::vector<std::string> headings{"", "recipe", "kind", ">measured", ">spread", ">predicted", ">error"};
  if (threaded) headings.emplace_back(">threads");
  Table table(headings);
  for (const std::size_t i : worth_listing(candidates, options.all ? candidates.size() : options.top)) {
    const ulpfft::Candidate& candidate = candidates[i];
    std::vector<std::string> cells{i == 0 ? "chosen" : i == 1 ? "next best" : "",
                                   candidate.recipe,
                                   candidate.kind,
                                   show_seconds(candidate.seconds),
                                   candidate.seconds > 0 ? show_percent(candidate.spread) : "-",
                                   show_seconds(candidate.predicted_seconds),
                                   show_error(candidate.error)};
    if (threaded) cells.push_back(std::to_string(candidate.threads));
    table.add(std::move(cells));
  }
  if (!candidates.empty()) std::cout << table.text() << "\n";
  const auto kinds = timed_by_kind(candidates);
  if (!options.recipe.empty()) {
    std::cout << "The recipe was given: nothing was timed.";
  } else if (plan.from_wisdom()) {
    std::cout << "The recipe came from wisdom: nothing was timed.";
  } else {
    std::size_t timed = 0;
    std::string list;
    for (const auto& [kind, count] : kinds) {
      timed += count;
      list += (list.empty() ? ": " : ", ") + std::to_string(count) + " " + kind;
    }
    std::cout << "Effort " << (options.deterministic ? "deterministic" : options.effort) << ": timed " << timed << " of " << candidates.size() << list
              << ".";
  }
  std::cout << " Planning took " << show_seconds(outcome.planning_seconds) << ".\n";
  if (options.explain) std::cout << "\n" << plan.explain();
}

void run_pareto(const Options& options, ulpfft::Context& context) {
  refuse_words(options.problem, {"in_strides=", "out_strides=", "batch_strides="}, "--pareto compares storages, whose arrays are dense: leave strides out.");
  refuse_words(options.problem, {"chain="}, "--pareto compares transforms, and a chain needs an operation: leave this word out.");
  const bool of_family = family_at(options.problem) != std::string::npos;
  if (!of_family) {
    refuse_words(options.problem, {"scheme="},
                         "--pareto compares all schemes: leave this word out, or write scheme=split for split schemes alone.");
  }
  refuse_words(options.problem, {"intermediate="}, "--pareto compares all storages between passes: leave this word out.");
  if (of_family && !options.storages.empty()) {
    throw UsageError("--storages adds rows in f32 and f64, and scheme=split compares split schemes in the problem's own storages: "
                     "leave one of them out.",
                     "--storages", 0, std::string_view("--storages").size());
  }
  const std::vector<std::string> known = pareto::storage_names();
  for (const std::string& name : options.storages) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw UsageError("'" + name + "' is not a format that arrays are stored in." + did_you_mean(name, known) + " --storages takes such names, separated by commas: " +
                         listed(known) + ".",
                     name, 0, name.size());
  }
  // A file that cannot be written is refused before anything is measured.
  std::optional<OutputFile> file;
  if (!options.html.empty()) file.emplace(options.html);
  ulpfft::ParetoOptions settings;
  std::optional<JudgeArray> judge;
  if (!options.judge.empty()) {
    judge.emplace(options.judge, options.problem, read_parts(canonical(context, options)));
    settings.judge = &judge->array();
  }
  settings.storages = options.storages;
  settings.choices = options.choices;
  settings.time_limit_seconds = options.time_limit;
  pareto::Table table;
  {
    ProgressBar bar("comparing");
    settings.progress = [&](double fraction, std::string_view what) {
      bar.show(fraction, what);
      return true;
    };
    table = with_text(options.problem, "problem", [&] { return pareto::measure(context, options.problem, settings); });
  }
  std::cout << (options.json ? pareto::json_report(table) : pareto::text_report(table));
  if (!file) return;
  file->write(std::string_view(pareto::page(table)));
  file->finish();
  file->commit();
  if (!options.json) std::cout << "Wrote " << options.html << ".\n";
}

// Options that mean something together with others only.
void refuse_combinations(const Options& options) {
  const auto refuse = [](const std::string& option, const std::string& why) { throw UsageError(option + " " + why, option, 0, option.size()); };
  const auto given = [&](const std::string& option) { return std::find(options.given.begin(), options.given.end(), option) != options.given.end(); };
  if (options.pareto) {
    if (!options.recipe.empty()) refuse("--recipe", "names one recipe, --pareto compares many: leave one of them out.");
    if (!options.wisdom.empty()) refuse("--wisdom", "keeps plans, --pareto makes none: leave one of them out.");
    if (options.deterministic) refuse("--deterministic", "does not time anything, --pareto does: leave one of them out.");
    if (options.explain) refuse("--explain", "shows the passes of one plan; --pareto compares many: leave one of them out.");
    if (given("--effort")) refuse("--effort", "is of one search; --pareto plans every row by measure: leave one of them out.");
    for (const char* option : {"--top", "--all"}) {
      if (given(option)) refuse(option, "counts recipes of one arithmetic; --pareto lists all its rows: leave one of them out.");
    }
    return;
  }
  if (!options.html.empty()) refuse("--html", "writes the page of --pareto: give that, too.");
  if (!options.storages.empty()) refuse("--storages", "selects rows of --pareto: give that, too.");
  if (options.choices) refuse("--choices", "belongs to the table of --pareto: give that, too.");
  if (!options.recipe.empty()) {
    if (!options.judge.empty()) refuse("--judge", "decides between recipes; with --recipe there is nothing to decide.");
    for (const char* option : {"--effort", "--time-limit", "--deterministic", "--wisdom"}) {
      if (given(option)) refuse(option, "is of a search; with --recipe nothing is searched: leave one of them out.");
    }
  }
}

void run(const Options& options) {
  refuse_combinations(options);
  require_folder_of(options.wisdom);
  ulpfft::Context context = open_context(options.target);
  if (options.pareto) return run_pareto(options, context);
  if (!options.wisdom.empty() && is_there(options.wisdom)) context.import_wisdom(options.wisdom);
  QuickPlan quick_plan;
  std::optional<KeptOnInterrupt> kept;
  if (is_long_search(options)) {
    kept.emplace([&] {
      const std::lock_guard lock(quick_plan.writing);
      if (quick_plan.is_kept) std::cerr << "\nInterrupted. " << options.wisdom << " has the plan that effort measure finds.\n";
    });
    remember_quick_plan(context, options, quick_plan);
  }
  const Outcome outcome = make(context, options);
  kept.reset();
  if (options.json) {
    print_json(outcome, options, context);
  } else {
    print_text(outcome, options);
  }
  if (!options.precision.empty()) (options.json ? std::cerr : std::cout) << precision_text(options.precision, outcome.plan);
  if (!options.wisdom.empty() && !outcome.plan.from_wisdom() && options.recipe.empty()) context.export_wisdom(options.wisdom);
}

}  // namespace plan_command
}  // namespace

void add_plan(CLI::App& app) {
  using namespace plan_command;
  CLI::App* command = app.add_subcommand("plan", "Find the fastest way to compute a transform, and show what was tried");
  const auto options = std::make_shared<Options>();
  command
      ->add_option("PROBLEM", options->words,
                   "What to compute, e.g. 1000 f32, 2^20 f32, 4096*512 i16:f32 or 256x256*8 f64 inverse scale=ortho; no quotes are needed")
      ->required();
  std::vector<std::string> efforts;
  for (const auto& effort : kEfforts) efforts.emplace_back(effort.first);
  command->add_option("--effort", options->effort,
                      "estimate: by a cost model; measure: by timing the best few; patient, exhaustive: more of them, and what is near the best; "
                      "wisdom_only: what --wisdom has")
      ->check(one_of(efforts), in_braces(efforts))
      ->capture_default_str();
  command->add_option("--recipe", options->recipe, "Use this recipe, e.g. \"f32:dit(16 8 8)\", instead of choosing one");
  command->add_option("--target", options->target, "Instruction set, e.g. avx3 (AVX-512); see ulpfft info. Without it, the best of this machine")->type_name("TARGET");
  command->add_flag("--explain", options->explain,
                    "Show the passes that run, and where each reads and writes, after every stage that made them from the recipe");
  command->add_flag("--deterministic", options->deterministic,
                    "Estimate by the library's own costs, without wisdom: the same recipe on every machine");
  command->add_option("--time-limit", options->time_limit, "Seconds that planning may take; 0: 1 for measure, 10 for patient, 60 for exhaustive")
      ->check([](const std::string& text) {
        char* end = nullptr;
        const double seconds = std::strtod(text.c_str(), &end);
        const bool good = *end == '\0' && seconds >= 0.0 && seconds <= 86400.0;
        return good ? std::string() : "'" + text + "' is not a number from 0 to 86400";
      });
  command->add_option("--wisdom", options->wisdom, "Read remembered plans from this file, and add the new one. Before patient and exhaustive, what measure finds is added, so that Ctrl-C leaves that");
  command->add_option("--top", options->top, "Recipes to list, beside the best of every kind that was timed")->capture_default_str();
  command->add_flag("--all", options->all, "List every recipe considered");
  command->add_flag("--json", options->json, "Print as JSON");
  command->add_option("--judge", options->judge,
                      "An array of the problem's input (.npy, .cfl, or narrow .json): errors, and with them max_error, are those on it, not on random data. "
                      "With scheme=split it chooses among split schemes");
  command->add_option("--precision", options->precision, "A mode of trnfft as the name of a scheme, see ulpfft transform --help");
  command->add_flag("--pareto", options->pareto,
                    "Instead of planning, compare all storage and arithmetic formats by time and measured error (time limit: 55 s); with "
                    "scheme=split the split schemes");
  command->add_option("--storages", options->storages, "With --pareto: other storages than the problem's own to compare, separated by commas; by default all")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(with_own_format_names)
      ->type_name("FORMAT");
  command->add_flag("--choices", options->choices, "With --pareto: also what max_error = 1e-1, 1e-2, ... 1e-14 chooses, timed against the fastest row that keeps it");
  command->add_option("--html", options->html, "With --pareto: write a page with a plot");
  command->footer(
      "Examples:\n"
      "  ulpfft plan 1000 f32\n"
      "  ulpfft plan 64k f64 --wisdom plans.json              the second time, nothing is timed\n"
      "  ulpfft plan 4096 f64 max_error=1e-6                  in the fastest arithmetic that is good enough\n"
      "  ulpfft plan 4096*256 f32 --pareto --html pareto.html\n"
      "  ulpfft plan 2^20 f32 threads=8 --effort patient\n"
      "  ulpfft plan 4096 f32 --recipe \"f32:dit(16 16 16)\"\n"
      "  ulpfft plan 4096 f32 --explain                       the passes of the plan, and the arrays between them\n"
      "\n"
      "Lengths may be written 2^20, 64k (k = 1024), 1M (M = 1024 * 1024) and 1e6. Two storages are written i16:f32. Without one it is "
      "f32.\n");
  command->callback([options, command] {
    for (const CLI::Option* option : command->get_options()) {
      if (option->count() > 0) options->given.push_back(option->get_name());
    }
    std::vector<std::string> problem{read_problem(options->words)};
    name_schemes(options->precision, problem);
    options->problem = problem.front();
    run(*options);
  });
}

}  // namespace ulpfft_tool
