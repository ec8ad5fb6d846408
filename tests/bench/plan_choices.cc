// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the planner chooses on this machine, problem by problem: the plans of two contexts or efforts, timed by turns in one process.
//
//   plan_choices [--suite=NAME]... [--wisdom=FILE] [--widths] [--rounds=N] [PROBLEM...]
//
// Without --widths: the time of the plan of effort estimate over that of effort measure, by the shipped costs and, with --wisdom, by the
// costs in FILE (`ulpfft wisdom calibrate FILE`). Equal recipes on the same codelets count as 1 and are not timed.
// With --widths: the time of AVX2's plan over that of the best plan of the wide vectors alone, and the time of what measure chooses over the
// least of both.
// Suites and the means of each: see kSuites. Units: nanoseconds of processor time, medians of the rounds.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/bench/plans_by_turns.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::bench {
namespace {

struct Suite {
  const char* name;
  const char* problems;  // with commas; "f" stands for f32 and f64
};
constexpr Suite kSuites[] = {
    {"powers", "8 f,16 f,32 f,64 f,128 f,256 f,512 f,1024 f,2048 f,4096 f,8192 f,16384 f,32768 f,65536 f,131072 f,262144 f,524288 f,1048576 f"},
    {"smooth", "12 f,60 f,100 f,180 f,360 f,500 f,972 f,1000 f,1080 f,2187 f,3000 f,5000 f,6561 f,10000 f,15625 f,44100 f,100000 f,1000000 f"},
    {"primes", "17 f,31 f,101 f,257 f,509 f,1009 f,4099 f,10007 f,65537 f"},
    {"batches", "16*1000 f,64*4096 f,100*1000 f,256*256 f,360*50 f,1000*200 f,1024*100 f,1024*4096 f,4096*64 f,65536*4 f"},
    {"planes", "16x16*100 f,100x120 f,128x128 f,256x256 f,360x480 f,512x512 f,1024x1024 f,64x64x64 f"},
    {"r2c", "r2c 16 f,r2c 60 f,r2c 64 f,r2c 105 f,r2c 256 f,r2c 1000 f,r2c 1024 f,r2c 2018 f,r2c 2187 f,r2c 4096 f,r2c 16384 f,r2c 44100 f,"
            "r2c 65536 f,r2c 262144 f,r2c 256x256 f,r2c 1024*100 f"},
    {"c2r", "c2r 16 f,c2r 60 f,c2r 64 f,c2r 105 f,c2r 256 f,c2r 1000 f,c2r 1024 f,c2r 2018 f,c2r 2187 f,c2r 4096 f,c2r 16384 f,c2r 44100 f,"
            "c2r 65536 f,c2r 262144 f,c2r 256x256 f,c2r 1024*100 f"},
    {"r2r", "r2r 64 f kinds=dct2,r2r 60 f kinds=dct2,r2r 512 f kinds=dct3,r2r 1000 f kinds=dct4,r2r 4096 f kinds=dct4,r2r 16384 f kinds=dct2,"
            "r2r 65536 f kinds=dst3,r2r 257 f kinds=dct1,r2r 128 f kinds=dht,r2r 8x8*1000 f kinds=dct2,,dct2,r2r 512x512 f kinds=dct2,,dct2"},
    {"narrow", "64 f16,256 f16,1000 f16,1024 f16,4096 f16,16384 f16,65536 f16,1048576 f16,1024*100 f16,256x256 f16,64 bf16,256 bf16,1000 bf16,"
               "1024 bf16,4096 bf16,16384 bf16,65536 bf16,1024*100 bf16,1024 i16->f32,4096 i16->f32,r2c 4096 f16,c2r 4096 f16"},
    {"widths", "24 f,60 f,64 f,128 f,180 f,256 f,360 f,400 f,500 f,512 f,972 f,1000 f,1024 f,1080 f,1500 f,2048 f,2187 f,3000 f,4096 f,5000 f,"
               "8192 f,16384 f,32768 f,65536 f,64*4096 f,360*50 f,1000*200 f,1024*100 f,1080*100 f,4096*64 f,1009 f,r2c 1000 f,r2c 1024 f"},
};

struct Options {
  std::vector<std::string> suites, problems;
  std::string wisdom;
  bool widths = false;
  int rounds = 21;
};

// "8 f,1x2 f kinds=a,,b" has two problems of two types each.
std::vector<std::string> problems_of(const std::string& list) {
  std::vector<std::string> problems(1);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] != ',') {
      problems.back() += list[i];
    } else if (i + 1 < list.size() && list[i + 1] == ',') {
      problems.back() += list[i++];
    } else {
      problems.emplace_back();
    }
  }
  std::vector<std::string> typed;
  for (const std::string& problem : problems) {
    const std::size_t at = (problem + ' ').find(" f ");
    if (at == std::string::npos) {
      typed.push_back(problem);
      continue;
    }
    for (const char* type : {"32", "64"}) typed.push_back(problem.substr(0, at + 2) + type + problem.substr(at + 2));
  }
  return typed;
}

bool is_narrower(const ulpfft_candidate& candidate) { return std::strcmp(candidate.kind, "avx2") == 0; }

// The best timed recipe of the context's own vectors; empty where there is none.
std::string best_wide(const ulpfft_plan* plan) {
  for (std::size_t i = 0; i < ulpfft_plan_candidate_count(plan); ++i) {
    const ulpfft_candidate candidate = candidate_of(plan, i);
    if (!is_narrower(candidate) && candidate.seconds > 0) return candidate.recipe;
  }
  return "";
}

struct Mean {
  double logs = 0, worst = 0;
  int count = 0;
  std::string where;
  void add(double ratio, const std::string& problem) {
    logs += std::log(ratio);
    ++count;
    if (ratio > worst) {
      worst = ratio;
      where = problem;
    }
  }
  void print(const char* suite, const char* what) const {
    if (count == 0) return;
    std::printf("%s, %s: geometric mean %.3f of %d, worst %.2f (%s)\n", suite, what, std::exp(logs / count), count, worst, where.c_str());
  }
};

class Choices {
 public:
  explicit Choices(const Options& options)
      : options_(options), measuring_(make_context(nullptr)), estimating_(make_context(nullptr)), calibrated_(make_context(nullptr)),
        narrow_(make_context("avx2")) {
    if (options.wisdom.empty()) return;
    ulpfft_import_report report = ULPFFT_IMPORT_REPORT_INIT;
    if (ulpfft_wisdom_import_file(calibrated_.get(), options.wisdom.c_str(), &report) != ULPFFT_OK) die(options.wisdom);
    if (ulpfft_is_calibrated(calibrated_.get()) == 0) die(options.wisdom + " has no costs of this machine");
  }

  void run(const char* suite, const std::vector<std::string>& problems) {
    std::printf("%s\n", suite);
    first_ = second_ = Mean();
    for (const std::string& problem : problems) {
      options_.widths ? widths(problem) : estimates(problem);
      std::fflush(stdout);
    }
    first_.print(suite, options_.widths ? "avx2 over wide" : "estimate over measure");
    second_.print(suite, options_.widths ? "chosen over best" : "calibrated estimate over measure");
  }

 private:
  void estimates(const std::string& problem) {
    const Plan measured = make_plan(measuring_.get(), problem, ULPFFT_MEASURE);
    const Plan estimated = make_plan(estimating_.get(), problem, ULPFFT_ESTIMATE);
    const Plan calibrated = make_plan(calibrated_.get(), problem, ULPFFT_ESTIMATE);
    const std::string best = recipe_of(measured.get());
    const bool narrower = is_narrower(candidate_of(measured.get(), 0));
    std::vector<const ulpfft_plan*> plans = {measured.get()};
    const auto timed_as = [&](const Plan& plan) -> std::size_t {
      if (!narrower && recipe_of(plan.get()) == best) return 0;
      plans.push_back(plan.get());
      return plans.size() - 1;
    };
    const std::size_t first = timed_as(estimated);
    const std::size_t second = options_.wisdom.empty() ? first
                               : recipe_of(calibrated.get()) == recipe_of(estimated.get()) ? first : timed_as(calibrated);
    const Timed timed = time_by_turns(plans, plans.size() > 1 ? options_.rounds : 3);
    std::printf("%-26s %10.1f  %.2f (%.2f)  %.2f (%.2f)  %s%s", problem.c_str(), timed.ns[0], timed.ratio[first], timed.spread[first],
                timed.ratio[second], timed.spread[second], best.c_str(), narrower ? " avx2" : "");
    if (first != 0) std::printf("  estimate %s", recipe_of(estimated.get()).c_str());
    if (second != first) std::printf("  calibrated %s", recipe_of(calibrated.get()).c_str());
    std::printf("\n");
    first_.add(timed.ratio[first], problem);
    if (!options_.wisdom.empty()) second_.add(timed.ratio[second], problem);
  }

  void widths(const std::string& problem) {
    const Plan measured = make_plan(measuring_.get(), problem, ULPFFT_MEASURE);
    const Plan narrow = make_plan(narrow_.get(), problem, ULPFFT_MEASURE);
    const bool narrower = is_narrower(candidate_of(measured.get(), 0));
    const std::string recipe = best_wide(measured.get());
    if (recipe.empty()) return;
    const Plan wide = make_plan(measuring_.get(), problem, recipe);
    const Timed timed = time_by_turns({wide.get(), narrow.get(), measured.get()}, options_.rounds);
    const double chosen = narrower ? timed.ratio[2] / std::min(1.0, timed.ratio[1]) : 1 / std::min(1.0, timed.ratio[1]);
    std::printf("%-26s %10.1f  %.2f (%.2f)  %.2f  %s  avx2 %s%s\n", problem.c_str(), timed.ns[0], timed.ratio[1], timed.spread[1], chosen,
                recipe.c_str(), recipe_of(narrow.get()).c_str(), narrower ? ", which is chosen" : "");
    first_.add(timed.ratio[1], problem);
    second_.add(chosen, problem);
  }

  const Options& options_;
  Context measuring_, estimating_, calibrated_, narrow_;
  Mean first_, second_;
};

int run(const Options& options) {
  Choices choices(options);
  for (const Suite& suite : kSuites) {
    const bool named = std::find(options.suites.begin(), options.suites.end(), suite.name) != options.suites.end();
    const bool all = options.suites.empty() && options.problems.empty() && (std::strcmp(suite.name, "widths") == 0) == options.widths;
    if (named || all) choices.run(suite.name, problems_of(suite.problems));
  }
  if (!options.problems.empty()) choices.run("given", options.problems);
  return 0;
}

}  // namespace
}  // namespace ulpfft::bench

int main(int argc, char** argv) {
  ulpfft::bench::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind("--suite=", 0) == 0) {
      options.suites.push_back(argument.substr(8));
    } else if (argument.rfind("--wisdom=", 0) == 0) {
      options.wisdom = argument.substr(9);
    } else if (argument.rfind("--rounds=", 0) == 0) {
      options.rounds = std::max(1, std::atoi(argument.c_str() + 9));
    } else if (argument == "--widths") {
      options.widths = true;
    } else if (argument.rfind("--", 0) == 0) {
      std::fprintf(stderr, "plan_choices [--suite=NAME]... [--wisdom=FILE] [--widths] [--rounds=N] [PROBLEM...]\n");
      return 2;
    } else {
      options.problems.push_back(argument);
    }
  }
  return ulpfft::bench::run(options);
}
