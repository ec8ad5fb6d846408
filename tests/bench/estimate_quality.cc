// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How good the cost model is: rank correlation of predicted and measured time over the candidates of 20 problems, and what the plan
// that estimate effort chooses costs beside the one of measure effort. Printed, for the shipped table and for one measured just now.
//
//   estimate_quality [--target=T] [--sample=N] [--times=FILE] [--costs=FILE] [--list] [--reals]
//
// With --reals the problems are transforms of real numbers: r2c, c2r and r2r, 20 of each.
// The sample of each problem is every k-th candidate in the order of recipe text, so it does not depend on the model. With --times,
// measured times are read from FILE where it has them and added where not: models can then be compared on equal times. --costs reads
// the measured table from FILE if it exists and writes it otherwise.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "codelets/registry.h"
#include "planner/cost/estimate.h"
#include "planner/lower/build_plan.h"
#include "planner/scheme/scheme_of.h"
#include "planner/search/search.h"
#include "tests/bench/timing.h"
#include "wisdom/problem_text.h"

namespace ulpfft::bench {
namespace {

constexpr const char* kProblems[] = {
    "64 f32",      "256 f32",  "1024 f32", "4096 f32", "16384 f32", "65536 f32", "262144 f32", "1048576 f32", "60 f32",    "5003 f32",
    "10000 f32", "1024*100 f32", "256x256 f32", "1021 f64", "1000 f64",  "2048 f64", "44100 f64",  "131072 f64", "360*50 f64", "100x120 f64"};
constexpr const char* kRealProblems[] = {
    "r2c 64 f32",     "r2c 16 f64",     "r2c 256 f64",      "r2c 1024 f32",       "r2c 16384 f32",  "r2c 262144 f32",  "r2c 1000 f32",
    "r2c 2018 f32",   "r2c 105 f32",    "r2c 256x256 f32",  "r2c 1000 f64",       "r2c 131072 f64", "r2c 45*50 f64",   "r2c 8*10000 f32",
    "r2c 32*500 f32", "r2c 2187 f64",   "r2c 1024*100 f64", "r2c 100x120 f64",    "r2c 60 f64",     "r2c 65536 f32",
    "c2r 128 f32",    "c2r 4096 f32",   "c2r 65536 f32",    "c2r 60 f32",         "c2r 32 f64",     "c2r 1024*100 f32", "c2r 2187 f32",
    "c2r 2048 f64",   "c2r 44100 f64",  "c2r 100x120 f64",  "c2r 16*2000 f32",    "c2r 9*2000 f64", "c2r 512 f32",     "c2r 262144 f64",
    "c2r 105 f64",    "c2r 360*50 f32", "c2r 256x256 f64",  "c2r 1021 f32",       "c2r 20*300 f64", "c2r 16384 f64",
    "r2r 64 f32 kinds=dct2",            "r2r 1024 f32 kinds=dct3",                "r2r 4096 f32 kinds=dct4",
    "r2r 16384 f32 kinds=dct2",         "r2r 65536 f32 kinds=dst3",               "r2r 262144 f32 kinds=dct2",
    "r2r 60 f32 kinds=dct2",            "r2r 1000 f32 kinds=dst4",                "r2r 1024*100 f32 kinds=dct2",
    "r2r 8x8*1000 f32 kinds=dct2,dct2", "r2r 512x512 f32 kinds=dct2,dct2",        "r2r 257 f32 kinds=dct1",
    "r2r 128 f64 kinds=dht",            "r2r 2048 f64 kinds=dct2",                "r2r 44100 f64 kinds=dct3",
    "r2r 131072 f64 kinds=dst2",        "r2r 1000 f64 kinds=dct4",                "r2r 100x120 f64 kinds=dct3,dct3",
    "r2r 32*500 f64 kinds=dct2",        "r2r 16x16*500 f64 kinds=dct3,dct3"};

struct Options {
  std::string target;
  std::size_t sample = 23;
  std::string times;
  std::string costs;
  bool list = false;
  bool reals = false;
};

// Seconds by problem and recipe.
struct Times {
  std::map<std::string, std::map<std::string, double>> of;
  std::map<std::string, std::string> measured_pick;
};

Times read_times(const std::string& path) {
  Times times;
  std::ifstream file(path);
  std::string problem, recipe, seconds;
  while (std::getline(file, problem, '\t') && std::getline(file, recipe, '\t') && std::getline(file, seconds)) {
    if (seconds == "pick") {
      times.measured_pick[problem] = recipe;
    } else {
      times.of[problem][recipe] = std::stod(seconds);
    }
  }
  return times;
}

void write_times(const std::string& path, const Times& times) {
  std::ofstream file(path);
  file.precision(9);
  for (const auto& [problem, recipe] : times.measured_pick) file << problem << '\t' << recipe << "\tpick\n";
  for (const auto& [problem, recipes] : times.of) {
    for (const auto& [recipe, seconds] : recipes) file << problem << '\t' << recipe << '\t' << seconds << '\n';
  }
}

// Ranks from 0, ties share their mean.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> rank(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    for (std::size_t j = i; j < end; ++j) rank[order[j]] = 0.5 * static_cast<double>(i + end - 1);
    i = end;
  }
  return rank;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 1.0;
}

// The best of every dimension together.
Recipe whole(const std::string& scheme, const std::vector<const Node*>& nodes) {
  Recipe recipe;
  recipe.scheme = scheme;
  if (nodes.size() == 1) {
    recipe.root = *nodes[0];
  } else {
    recipe.root.kind = Node::Kind::kRank;
    for (const Node* node : nodes) recipe.root.children.push_back(*node);
  }
  return recipe;
}

std::vector<Recipe> sample(const std::vector<std::vector<Candidate>>& lines, const std::string& scheme, std::size_t count) {
  std::vector<std::map<std::string, const Node*>> sorted(lines.size());
  std::size_t most = 0;
  for (std::size_t d = 0; d < lines.size(); ++d) {
    for (const Candidate& candidate : lines[d]) sorted[d][print_recipe(candidate.recipe)] = &candidate.recipe.root;
    most = std::max(most, sorted[d].size());
  }
  std::vector<Recipe> recipes;
  std::set<std::string> seen;
  const std::size_t picks = std::min(count, most);
  for (std::size_t i = 0; i < picks; ++i) {
    std::vector<const Node*> nodes;
    for (std::size_t d = 0; d < lines.size(); ++d) {
      // Dimensions step at different speeds, or the sample of 2-D would pair like with like.
      const std::size_t at = (d == 0 ? i : (7 * i) % picks) * sorted[d].size() / picks;
      nodes.push_back(std::next(sorted[d].begin(), static_cast<std::ptrdiff_t>(at))->second);
    }
    Recipe recipe = whole(scheme, nodes);
    if (seen.insert(print_recipe(recipe)).second) recipes.push_back(std::move(recipe));
  }
  return recipes;
}

// Medians, alternating. Each plan runs once untimed before its batch: with many plans in turn, every one would find its tables and
// workspace evicted by the others, which is not how a plan is used.
std::vector<double> time_warm(const Problem& problem, const std::vector<std::unique_ptr<ulpfft_plan>>& plans) {
  constexpr int kRounds = 7;
  constexpr double kBatchSeconds = 300e-6;
  const Extent in_extent = array_extent(problem, false);
  const Extent out_extent = array_extent(problem, true);
  AlignedBuffer in(static_cast<std::size_t>(in_extent.high));
  AlignedBuffer out(static_cast<std::size_t>(out_extent.high));
  const auto work = [&](const ulpfft_plan& plan) { plan.run(plan, in.data(), in.data(), out.data(), out.data(), nullptr); };
  std::vector<std::vector<double>> samples(plans.size());
  std::vector<std::int64_t> repeats(plans.size(), 1);
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      work(*plans[i]);
      if (round == 0) repeats[i] = calibrate([&] { work(*plans[i]); }, kBatchSeconds);
      samples[i].push_back(seconds_of([&] { work(*plans[i]); }, repeats[i]) / static_cast<double>(repeats[i]));
    }
  }
  std::vector<double> medians;
  for (const std::vector<double>& values : samples) medians.push_back(median(values));
  return medians;
}

class Quality {
 public:
  Quality(const CodeletTable& codelets, const Options& options) : codelets_(codelets), options_(options) {
    if (!options.times.empty()) times_ = read_times(options.times);
  }

  void run(const char* label, const CostTable& costs) {
    std::printf("\n%s\n%-32s %10s %8s %12s  %s\n", label, "problem", "candidates", "spearman", "est/measure", "estimate's plan");
    double sum_correlation = 0;
    double sum_log = 0;
    double worst = 1;
    double squares = 0;
    int count = 0;
    std::map<std::string, std::pair<double, int>> of_kind;  // sum of logarithms, count
    const std::span<const char* const> problems = options_.reals ? std::span<const char* const>(kRealProblems) : kProblems;
    for (const char* text : problems) {
      const Problem problem = parse_problem(text);
      std::vector<std::vector<Candidate>> lines = predicted_candidates(problem, codelets_);
      std::size_t candidates = 1;
      for (const auto& line : lines) candidates *= line.size();
      std::vector<Recipe> recipes = sample(lines, scheme_of(problem), options_.sample);
      const std::size_t sampled = recipes.size();
      // What estimate chooses with this table.
      std::vector<const Node*> best;
      for (std::size_t d = 0; d < lines.size(); ++d) {
        const Candidate* cheapest = nullptr;
        double least = INFINITY;
        for (const Candidate& candidate : lines[d]) {
          std::vector<const Node*> nodes;
          for (const auto& line : lines) nodes.push_back(&line[0].recipe.root);
          nodes[d] = &candidate.recipe.root;
          const double seconds = predict(problem, whole(scheme_of(problem), nodes), costs);
          if (seconds < least) {
            least = seconds;
            cheapest = &candidate;
          }
        }
        best.push_back(&cheapest->recipe.root);
      }
      const Recipe pick = whole(scheme_of(problem), best);
      recipes.push_back(pick);
      if (times_.measured_pick.find(text) == times_.measured_pick.end()) {
        SearchOptions search;
        search.clock = &thread_seconds;
        times_.measured_pick[text] = print_recipe(search_plan(problem, codelets_, search)->recipe);
      }
      recipes.push_back(parse_recipe(times_.measured_pick[text]));
      time(text, problem, recipes);

      std::vector<double> predicted, measured, logs;
      for (std::size_t i = 0; i < sampled; ++i) {
        const double seconds = times_.of[text][print_recipe(recipes[i])];
        if (seconds <= 0) continue;
        predicted.push_back(predict(problem, recipes[i], costs));
        measured.push_back(seconds);
        logs.push_back(std::log(predicted.back() / measured.back()));
        if (options_.list) {
          std::printf("    %10.3f us predicted %10.3f us  %5.2f  %s\n", 1e6 * measured.back(), 1e6 * predicted.back(),
                      predicted.back() / measured.back(), print_recipe(recipes[i]).c_str());
        }
      }
      const double rank_correlation = correlation(ranks(predicted), ranks(measured));
      const double ratio = times_.of[text][print_recipe(pick)] / times_.of[text][times_.measured_pick[text]];
      for (const double l : logs) squares += l * l / static_cast<double>(logs.size());
      std::printf("%-32s %10zu %8.3f %12.3f  %s (measure: %s)\n", text, candidates, rank_correlation, ratio, print_recipe(pick).c_str(),
                  times_.measured_pick[text].c_str());
      std::fflush(stdout);
      sum_correlation += rank_correlation;
      sum_log += std::log(ratio);
      std::pair<double, int>& kind = of_kind[std::string(text, std::strcspn(text, " "))];
      kind.first += std::log(ratio);
      ++kind.second;
      worst = std::min(worst, rank_correlation);
      ++count;
    }
    std::printf("%s: mean rank correlation %.3f (worst %.3f; goal >= 0.8), estimate / measure %.3f geometric mean (goal <= 1.25), "
                "rms of log(predicted / measured) %.3f\n",
                label, sum_correlation / count, worst, std::exp(sum_log / count), std::sqrt(squares / count));
    for (const auto& [kind, sum] : of_kind) {
      if (of_kind.size() > 1) std::printf("  %s %.3f geometric mean of %d\n", kind.c_str(), std::exp(sum.first / sum.second), sum.second);
    }
    if (!options_.times.empty()) write_times(options_.times, times_);
  }

 private:
  double predict(const Problem& problem, const Recipe& recipe, const CostTable& costs) {
    return estimate_seconds(make_program(problem, recipe, codelets_, cache_), codelets_, &costs);
  }

  // Fills times_ for these recipes; alternating, those known take part as the yardstick of the last one only.
  void time(const std::string& text, const Problem& problem, const std::vector<Recipe>& recipes) {
    std::map<std::string, double>& known = times_.of[text];
    std::vector<std::unique_ptr<ulpfft_plan>> plans;
    std::vector<std::string> names;
    TableCache tables;
    const std::string yardstick = print_recipe(recipes.back());
    const bool scaled = known.count(yardstick) != 0;
    std::set<std::string> taken;
    for (const Recipe& recipe : recipes) {
      const std::string name = print_recipe(recipe);
      const bool needed = known.count(name) == 0 || name == yardstick;
      if (!needed || !taken.insert(name).second) continue;
      plans.push_back(make_plan(problem, recipe, codelets_, build_plan(problem, recipe, codelets_, tables)));
      names.push_back(name);
    }
    if (scaled && plans.size() < 2) return;
    const std::vector<double> timings = time_warm(problem, plans);
    const auto at = std::find(names.begin(), names.end(), yardstick) - names.begin();
    const double unit = scaled ? known[yardstick] / timings[static_cast<std::size_t>(at)] : 1.0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (known.count(names[i]) == 0) known[names[i]] = unit * timings[i];
    }
  }

  const CodeletTable& codelets_;
  const Options& options_;
  TableCache cache_;
  Times times_;
};

const RegisteredTarget* find_target(const std::string& name) {
  for (const RegisteredTarget& target : registered_targets()) {
    if (target.available && (name.empty() || name == target.table.target)) return &target;
  }
  return nullptr;
}

int run(const Options& options) {
  const RegisteredTarget* target = find_target(options.target);
  if (target == nullptr) {
    std::fprintf(stderr, "This machine has no target %s.\n", options.target.c_str());
    return 1;
  }
  std::printf("target %s\n", target->table.target);
  Quality quality(target->table, options);
  quality.run("shipped", CostTable::shipped(target->table));
  const std::string machine = "here";
  std::vector<std::string> rows;
  if (!options.costs.empty()) {
    std::ifstream file(options.costs);
    for (std::string line; std::getline(file, line);) rows.push_back(line);
  }
  CostTable measured;
  if (!rows.empty()) {
    measured = CostTable::from_rows(rows, machine, target->table);
  } else {
    const double begin = now();
    measured = CostTable::measure(target->table, 2.0, &thread_seconds);
    std::printf("\nmeasured in %.2f s\n", now() - begin);
    if (!options.costs.empty()) {
      std::ofstream file(options.costs);
      for (const std::string& row : measured.rows(machine)) file << row << '\n';
    }
  }
  quality.run("measured", measured);
  return 0;
}

}  // namespace
}  // namespace ulpfft::bench

int main(int argc, char** argv) {
  ulpfft::bench::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto value = [&](const char* name, std::string& to) {
      const std::size_t length = std::strlen(name);
      if (argument.compare(0, length, name) != 0) return false;
      to = argument.substr(length);
      return true;
    };
    std::string number;
    if (value("--target=", options.target) || value("--times=", options.times) || value("--costs=", options.costs)) continue;
    if (value("--sample=", number)) {
      options.sample = static_cast<std::size_t>(std::stoul(number));
    } else if (argument == "--list") {
      options.list = true;
    } else if (argument == "--reals") {
      options.reals = true;
    } else {
      std::fprintf(stderr, "estimate_quality [--target=T] [--sample=N] [--times=FILE] [--costs=FILE] [--list] [--reals]\n");
      return 2;
    }
  }
  if (!ulpfft::bench::pin(1)) std::printf("not pinned: the system refuses core 1\n");
  return ulpfft::bench::run(options);
}
