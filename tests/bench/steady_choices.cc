// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Whether plannings of one problem choose alike: N plannings of effort measure, each in a context of its own.
//
//   steady_choices [--repeat=N] [--best=SECONDS] [--random=COUNT] [--seed=S] [--rounds=N] [PROBLEM...]
//   steady_choices --cost ...      one planning of each problem alone: processor seconds of measure and of estimate
//   steady_choices --estimate ...  the time of the plan that estimate chooses over that of measure's
//
// Every recipe that a planning chose, and the one that patient effort chooses with SECONDS as its time limit (0: not asked), is timed by
// turns with the others. The best known recipe is the fastest of them. Printed: how many of the plannings chose a recipe within 3 % of it.
// --random adds problems of a rule: lines, batches, planes and transforms of real numbers, of smooth and other lengths, in both types.
// Two libraries are compared by runs that alternate, the other one with its library in LD_PRELOAD.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "tests/bench/plans_by_turns.h"

namespace ulpfft::bench {
namespace {

constexpr double kWithin = 1.03;

struct Options {
  std::vector<std::string> problems;
  int repeat = 20;
  double best_seconds = 5;
  int random = 0;
  unsigned seed = 1;
  int rounds = 15;
  bool cost = false;
  bool estimate = false;
};

// Lengths are even in their logarithms.
class RandomProblems {
 public:
  explicit RandomProblems(unsigned seed) : random_(seed) {}

  std::string next() {
    const std::string type = below(2) == 0 ? " f32" : " f64";
    switch (below(6)) {
      case 0: return length(2, 4e5) + type;
      case 1: return length(2, 4e5) + type;
      case 2: {
        const std::string n = length(4, 8e3);
        const double most = 4e6 / std::stod(n);
        return n + "*" + length(2, most) + type;
      }
      case 3: return length(8, 1e3) + "x" + length(8, 1e3) + type;
      case 4: return "r2c " + length(8, 4e5) + type;
      default: return "c2r " + length(8, 4e5) + type;
    }
  }

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  // Three of four are products of 2, 3, 5 and 7.
  std::string length(double least, double most) {
    const double unit = static_cast<double>(random_() % 1000003) / 1000003;
    const auto wanted = static_cast<std::int64_t>(least * std::pow(most / least, unit));
    if (below(4) == 0) return std::to_string(wanted);
    for (std::int64_t n = wanted;; ++n) {
      std::int64_t rest = n;
      for (const std::int64_t p : {2, 3, 5, 7}) {
        while (rest % p == 0) rest /= p;
      }
      if (rest == 1) return std::to_string(n);
    }
  }

  std::mt19937_64 random_;
};

// A choice: the recipe, and the target of its codelets where that is not the context's own.
struct Choice {
  std::string recipe, target;
  bool operator<(const Choice& other) const { return std::tie(recipe, target) < std::tie(other.recipe, other.target); }
};

Choice choice_of(const ulpfft_plan* plan) {
  const std::string kind = candidate_of(plan, 0).kind;
  return {recipe_of(plan), kind == "avx2" || kind == "sse4" ? kind : ""};
}

class Steadiness {
 public:
  explicit Steadiness(const Options& options) : options_(options) {}

  void run(const std::string& problem) {
    std::map<Choice, int> chosen;
    const double begin = thread_seconds();
    for (int i = 0; i < options_.repeat; ++i) {
      const Context context = make_context(nullptr);
      ++chosen[choice_of(make_plan(context.get(), problem, ULPFFT_MEASURE).get())];
    }
    const double planning = (thread_seconds() - begin) / options_.repeat;
    if (options_.best_seconds > 0) {
      const Context context = make_context(nullptr);
      chosen.try_emplace(choice_of(make_plan(context.get(), problem, ULPFFT_PATIENT, options_.best_seconds).get()), 0);
    }
    std::vector<Context> contexts;
    std::vector<Plan> plans;
    std::vector<const ulpfft_plan*> handles;
    for (const auto& [choice, times] : chosen) {
      contexts.push_back(make_context(choice.target.empty() ? nullptr : choice.target.c_str()));
      plans.push_back(make_plan(contexts.back().get(), problem, choice.recipe));
      handles.push_back(plans.back().get());
    }
    const Timed timed = time_by_turns(handles, handles.size() > 1 ? options_.rounds : 1);
    const double best = *std::min_element(timed.ratio.begin(), timed.ratio.end());
    int good = 0;
    std::size_t i = 0;
    std::string list;
    for (const auto& [choice, times] : chosen) {
      const double ratio = timed.ratio[i++] / best;
      if (ratio <= kWithin) good += times;
      char text[32];
      std::snprintf(text, sizeof text, "%d x %.3f ", times, ratio);
      list += "\n      " + (text + choice.recipe) + (choice.target.empty() ? "" : " " + choice.target);
    }
    std::printf("%-28s %2d of %d within 3 %%, %.4f s a planning%s\n", problem.c_str(), good, options_.repeat, planning,
                list.c_str());
    good_ += good;
    all_ += options_.repeat;
    steady_ += 20 * good >= 19 * options_.repeat;
    ++problems_;
  }

  void cost(const std::string& problem) const {
    double seconds[2];
    for (const bool measured : {true, false}) {
      const Context context = make_context(nullptr);
      const double begin = thread_seconds();
      make_plan(context.get(), problem, measured ? ULPFFT_MEASURE : ULPFFT_ESTIMATE);
      seconds[measured ? 0 : 1] = thread_seconds() - begin;
    }
    std::printf("%-28s measure %.6f s, estimate %.6f s\n", problem.c_str(), seconds[0], seconds[1]);
  }

  void estimate(const std::string& problem) {
    Context contexts[2] = {make_context(nullptr), make_context(nullptr)};
    const Plan measured = make_plan(contexts[0].get(), problem, ULPFFT_MEASURE), estimated = make_plan(contexts[1].get(), problem, ULPFFT_ESTIMATE);
    const Choice first = choice_of(measured.get()), second = choice_of(estimated.get());
    const bool same = !(first < second) && !(second < first);
    const double ratio = same ? 1 : time_by_turns({measured.get(), estimated.get()}, options_.rounds).ratio[1];
    std::printf("%-28s %.3f  %s %s", problem.c_str(), ratio, first.recipe.c_str(), first.target.c_str());
    std::printf(same ? "\n" : "  estimate %s\n", second.recipe.c_str());
    ratios_.push_back(ratio);
  }

  void print() const {
    if (!ratios_.empty()) {
      double logs = 0;
      for (const double ratio : ratios_) logs += std::log(ratio);
      std::printf("estimate over measure: geometric mean %.3f of %zu, worst %.2f\n", std::exp(logs / static_cast<double>(ratios_.size())),
                  ratios_.size(), *std::max_element(ratios_.begin(), ratios_.end()));
    }
    if (problems_ == 0) return;
    std::printf("%d of %d plannings within 3 %% of the best known recipe; 19 of 20 in %d of %d problems\n", good_, all_, steady_, problems_);
  }

 private:
  const Options& options_;
  std::vector<double> ratios_;
  int good_ = 0, all_ = 0, steady_ = 0, problems_ = 0;
};

int run(Options options) {
  RandomProblems random(options.seed);
  for (int i = 0; i < options.random; ++i) options.problems.push_back(random.next());
  Steadiness steadiness(options);
  for (const std::string& problem : options.problems) {
    if (options.cost) {
      steadiness.cost(problem);
    } else if (options.estimate) {
      steadiness.estimate(problem);
    } else {
      steadiness.run(problem);
    }
    std::fflush(stdout);
  }
  steadiness.print();
  return 0;
}

}  // namespace
}  // namespace ulpfft::bench

int main(int argc, char** argv) {
  ulpfft::bench::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const double number = equals == std::string::npos ? 0 : std::atof(argument.c_str() + equals + 1);
    if (name == "--repeat") {
      options.repeat = std::max(1, static_cast<int>(number));
    } else if (name == "--best") {
      options.best_seconds = number;
    } else if (name == "--random") {
      options.random = static_cast<int>(number);
    } else if (name == "--seed") {
      options.seed = static_cast<unsigned>(number);
    } else if (name == "--rounds") {
      options.rounds = std::max(1, static_cast<int>(number));
    } else if (name == "--cost") {
      options.cost = true;
    } else if (name == "--estimate") {
      options.estimate = true;
    } else if (name.rfind("--", 0) == 0) {
      std::fprintf(stderr, "steady_choices [--cost | --estimate] [--repeat=N] [--best=SECONDS] [--random=COUNT] [--seed=S] [--rounds=N] [PROBLEM...]\n");
      return 2;
    } else {
      options.problems.push_back(argument);
    }
  }
  return ulpfft::bench::run(options);
}
