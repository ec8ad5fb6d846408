// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Plans through the C interface, timed by turns in one process. Every failure ends the program with the last error.
#ifndef ULPFFT_TESTS_BENCH_PLANS_BY_TURNS_H_
#define ULPFFT_TESTS_BENCH_PLANS_BY_TURNS_H_

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/bench/timing.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::bench {

inline constexpr double kTurnSeconds = 400e-6;

[[noreturn]] inline void die(const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", what.c_str(), ulpfft_last_error());
  std::exit(1);
}

using Context = std::unique_ptr<ulpfft_context, decltype(&ulpfft_context_destroy)>;
using Plan = std::unique_ptr<ulpfft_plan, decltype(&ulpfft_plan_destroy)>;

// On one thread. target null: the best of this machine.
inline Context make_context(const char* target) {
  ulpfft_context_options options = ULPFFT_CONTEXT_OPTIONS_INIT;
  options.target = target;
  options.threads = 1;
  ulpfft_context* context = nullptr;
  if (ulpfft_context_create(&options, &context) != ULPFFT_OK) die("context");
  return {context, &ulpfft_context_destroy};
}

inline Plan make_plan(ulpfft_context* context, const std::string& problem, int effort, double limit_seconds = 0) {  // 0: the default
  ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
  options.effort = effort;
  options.time_limit_seconds = limit_seconds;
  ulpfft_plan* plan = nullptr;
  if (ulpfft_plan_parse_options(context, problem.c_str(), &options, &plan) != ULPFFT_OK) die(problem);
  return {plan, &ulpfft_plan_destroy};
}

inline Plan make_plan(ulpfft_context* context, const std::string& problem, const std::string& recipe) {
  ulpfft_plan* plan = nullptr;
  if (ulpfft_plan_from_recipe(context, problem.c_str(), recipe.c_str(), &plan) != ULPFFT_OK) die(problem + ' ' + recipe);
  return {plan, &ulpfft_plan_destroy};
}

inline std::string recipe_of(const ulpfft_plan* plan) {
  char* text = ulpfft_plan_recipe(plan);
  if (text == nullptr) die("recipe");
  std::string recipe = text;
  ulpfft_string_free(text);
  return recipe;
}

inline ulpfft_candidate candidate_of(const ulpfft_plan* plan, std::size_t index) {
  ulpfft_candidate candidate = ULPFFT_CANDIDATE_INIT;
  if (ulpfft_plan_candidate_get(plan, index, &candidate) != ULPFFT_OK) die("candidate");
  return candidate;
}

struct Arrays {
  void* in = nullptr;
  void* out = nullptr;
  explicit Arrays(const ulpfft_plan* plan) {
    ulpfft_memory memory = ULPFFT_MEMORY_INIT;
    if (ulpfft_plan_memory(plan, &memory) != ULPFFT_OK) die("memory");
    in = ulpfft_malloc(memory.in_bytes);
    out = ulpfft_malloc(memory.out_bytes);
    if (in == nullptr || out == nullptr) die("arrays");
    std::memset(in, 0, memory.in_bytes);
    std::memset(out, 0, memory.out_bytes);
  }
  ~Arrays() {
    ulpfft_free(in);
    ulpfft_free(out);
  }
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;
};

struct Timed {
  std::vector<double> ns;      // medians
  std::vector<double> ratio;   // over the first plan, median of the rounds
  std::vector<double> spread;  // of it
};

// Each plan runs once untimed before its batch, which brings its tables and workspace back.
inline Timed time_by_turns(const std::vector<const ulpfft_plan*>& plans, int rounds) {
  const Arrays arrays(plans[0]);
  const auto work = [&](const ulpfft_plan* plan) {
    if (ulpfft_execute(plan, arrays.in, arrays.out) != ULPFFT_OK) die("execute");
  };
  std::vector<std::int64_t> repeats;
  for (const ulpfft_plan* plan : plans) repeats.push_back(calibrate([&] { work(plan); }, kTurnSeconds));
  std::vector<std::vector<double>> ns(plans.size()), ratios(plans.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < plans.size(); ++k) {
      const std::size_t i = round % 2 == 0 ? k : plans.size() - 1 - k;
      work(plans[i]);
      ns[i].push_back(1e9 * seconds_of([&] { work(plans[i]); }, repeats[i]) / static_cast<double>(repeats[i]));
    }
    for (std::size_t i = 0; i < plans.size(); ++i) ratios[i].push_back(ns[i].back() / ns[0].back());
  }
  Timed timed;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    timed.ns.push_back(median(ns[i]));
    timed.ratio.push_back(median(ratios[i]));
    timed.spread.push_back(spread(ratios[i]));
  }
  return timed;
}

}  // namespace ulpfft::bench

#endif  // ULPFFT_TESTS_BENCH_PLANS_BY_TURNS_H_
