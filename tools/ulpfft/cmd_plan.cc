// ulpfft plan: choose a recipe for a problem, and show what was considered.
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/ulpfft/command.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string problem;
  std::string effort = "measure";
  std::string recipe;
  std::string target;
  std::string wisdom;
  double time_limit = 0.0;
  std::size_t top = 5;
  bool json = false;
};

struct Outcome {
  ulpfft::Plan plan;
  double planning_seconds;
};

Outcome make(ulpfft::Context& context, const Options& options) {
  ProgressBar bar("planning");
  ulpfft::PlanOptions plan_options;
  plan_options.effort = options.effort == "estimate" ? ulpfft::Effort::kEstimate : ulpfft::Effort::kMeasure;
  plan_options.time_limit_seconds = options.time_limit;
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

void print_json(const Outcome& outcome, ulpfft::Context& context) {
  const ulpfft::Plan& plan = outcome.plan;
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016" PRIx64, plan.hash());
  Json result = {{"problem", plan.problem()},
                 {"recipe", plan.recipe()},
                 {"machine", context.machine()},
                 {"seconds", plan.seconds()},
                 {"error", plan.error()},
                 {"workspace_bytes", plan.workspace_bytes()},
                 {"hash", hash},
                 {"from_wisdom", plan.from_wisdom()},
                 {"planning_seconds", outcome.planning_seconds},
                 {"candidates", Json::array()}};
  for (const ulpfft::Candidate& candidate : plan.candidates()) {
    result["candidates"].push_back({{"recipe", candidate.recipe},
                                    {"seconds", candidate.seconds},
                                    {"spread", candidate.spread},
                                    {"predicted_seconds", candidate.predicted_seconds}});
  }
  std::cout << result.dump(2) << "\n";
}

void print_text(const Outcome& outcome, std::size_t top) {
  const ulpfft::Plan& plan = outcome.plan;
  const std::string description = plan.describe();
  std::cout << description << (description.ends_with('\n') ? "" : "\n") << "\n";
  const auto candidates = plan.candidates();
  std::size_t timed = 0;
  Table table({"", "recipe", ">measured", ">spread", ">predicted"});
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const ulpfft::Candidate& candidate = candidates[i];
    timed += candidate.seconds > 0;
    if (i >= top) continue;
    table.add({candidate.recipe == plan.recipe() ? "chosen" : i == 1 ? "next best" : "", candidate.recipe,
               show_seconds(candidate.seconds), candidate.seconds > 0 ? show_percent(candidate.spread) : "-",
               show_seconds(candidate.predicted_seconds)});
  }
  if (!candidates.empty()) std::cout << table.text() << "\n";
  if (plan.from_wisdom()) {
    std::cout << "The recipe came from wisdom: nothing was timed.";
  } else if (timed > 0) {
    std::cout << "Of " << candidates.size() << " recipes considered, " << timed << (timed == 1 ? " was" : " were") << " timed.";
  } else {
    std::cout << "Nothing was timed.";
  }
  std::cout << " Planning took " << show_seconds(outcome.planning_seconds) << ".\n";
}

void run(const Options& options) {
  ulpfft::Context context = open_context(options.target);
  if (!options.wisdom.empty() && std::filesystem::exists(options.wisdom)) context.import_wisdom(options.wisdom);
  const Outcome outcome = make(context, options);
  if (options.json) {
    print_json(outcome, context);
  } else {
    print_text(outcome, options.top);
  }
  if (!options.wisdom.empty() && !outcome.plan.from_wisdom() && options.recipe.empty()) context.export_wisdom(options.wisdom);
}

}  // namespace

void add_plan(CLI::App& app) {
  CLI::App* command = app.add_subcommand("plan", "Choose the recipe for a problem; show it, the next best and what was timed");
  const auto options = std::make_shared<Options>();
  command->add_option("PROBLEM", options->problem, "What to compute, e.g. \"1000 f32\" or \"256x256*8 f64 inverse scale=ortho\"")
      ->required();
  command->add_option("--effort", options->effort, "estimate: by a cost model; measure: by timing the best few")
      ->check(CLI::IsMember({"estimate", "measure"}))
      ->capture_default_str();
  command->add_option("--recipe", options->recipe, "Use this recipe, e.g. \"f32:dit(16 8 8)\", instead of choosing one");
  command->add_option("--target", options->target, "Instruction set; see ulpfft info. Without it, the best of this machine");
  command->add_option("--time-limit", options->time_limit, "Seconds that timing may take; 0: the library's default")
      ->check([](const std::string& text) {
        char* end = nullptr;
        const double seconds = std::strtod(text.c_str(), &end);
        const bool good = *end == '\0' && seconds >= 0.0 && seconds <= 86400.0;
        return good ? std::string() : "'" + text + "' is not a number from 0 to 86400";
      });
  command->add_option("--wisdom", options->wisdom, "Read remembered plans from this file, and add the new one");
  command->add_option("--top", options->top, "Recipes to list")->capture_default_str();
  command->add_flag("--json", options->json, "Print as JSON");
  command->footer(
      "Examples:\n"
      "  ulpfft plan \"1000 f32\"\n"
      "  ulpfft plan \"65536 f64\" --wisdom plans.json        the second time, nothing is timed\n"
      "  ulpfft plan \"4096 f32\" --recipe \"f32:dit(16 16 16)\"\n");
  command->callback([options] { run(*options); });
}

}  // namespace ulpfft_tool
