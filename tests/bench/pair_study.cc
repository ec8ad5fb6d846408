// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What each pair of bodies in registers gains, and its text: what genfft/register_pairs.cc spends its text by.
//
//   nm -CS libulpfft_codelets.a | pair_study [--target=avx2] [--rounds=N] [LENGTH...]
//
// For every pair of the library: the time of its recipe, of the fastest recipe of that length without it among those that planning timed,
// their ratio, the bytes that the pair has of its own on this target, and the gain per KB: log2 of the ratio. Shared loops of bodies follow.
// Units: nanoseconds of processor time, medians of the rounds.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tests/bench/timing.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::bench {
namespace {

struct Options {
  std::string target = "avx3";
  int rounds = 15;
  std::set<int> lengths;
};

struct Sizes {
  std::map<std::tuple<int, int, std::string>, long> pairs;  // of both bodies and the type: bytes
  std::map<std::string, long> shared;                       // of loops that pairs share
};

// From `nm -CS`: address, size, letter, name.
Sizes read_sizes(std::istream& lines, const std::string& target) {
  const std::string space = target == "avx3" ? "N_AVX3" : target == "avx2" ? "N_AVX2" : "N_NEON";
  const std::regex pair("^\\S+ (\\S+) \\S .*packed_direct<(float|double), .*" + space + "::PackedN(\\d+), .*PackedT(\\d+)\\b.*");
  const std::regex loop("^\\S+ (\\S+) \\S .*" + space + "::packed_(of_any|indices_of_any|rows_of_any)<(float|double), (?:(\\d+), )?.*Packed([NT]\\d+)>.*");
  Sizes sizes;
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_match(line, found, pair)) {
      sizes.pairs[{std::stoi(found[3]), std::stoi(found[4]), found[2] == "float" ? "f32" : "f64"}] = std::stol(found[1], nullptr, 16);
    } else if (std::regex_match(line, found, loop)) {
      sizes.shared[found[5].str() + (found[4].matched ? " x " + found[4].str() : " of rows") + (found[3] == "float" ? " f32" : " f64")] = std::stol(found[1], nullptr, 16);
    }
  }
  return sizes;
}

using Plan = std::unique_ptr<ulpfft_plan, decltype(&ulpfft_plan_destroy)>;

[[noreturn]] void die(const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", what.c_str(), ulpfft_last_error());
  std::exit(1);
}

Plan plan_of(ulpfft_context* context, const std::string& problem, const std::string& recipe) {
  ulpfft_plan* plan = nullptr;
  if (ulpfft_plan_from_recipe(context, problem.c_str(), recipe.c_str(), &plan) != ULPFFT_OK) die(problem + ' ' + recipe);
  return {plan, &ulpfft_plan_destroy};
}

// The fastest timed recipe that is not `pair`; empty where there is none.
std::string best_without(ulpfft_context* context, const std::string& problem, const std::string& pair) {
  ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
  options.effort = ULPFFT_PATIENT;
  ulpfft_plan* made = nullptr;
  if (ulpfft_plan_parse_options(context, problem.c_str(), &options, &made) != ULPFFT_OK) die(problem);
  const Plan plan(made, &ulpfft_plan_destroy);
  std::string best;
  double least = 0;
  for (std::size_t i = 0; i < ulpfft_plan_candidate_count(made); ++i) {
    ulpfft_candidate candidate = ULPFFT_CANDIDATE_INIT;
    if (ulpfft_plan_candidate_get(made, i, &candidate) != ULPFFT_OK || candidate.seconds <= 0 || candidate.recipe == pair) continue;
    if (!best.empty() && candidate.seconds >= least) continue;
    best = candidate.recipe;
    least = candidate.seconds;
  }
  return best;
}

void study(ulpfft_context* context, const Options& options, const Sizes& sizes) {
  std::vector<double> in(4096, 0.5), out(4096);
  std::printf("%-10s %-10s %9s %9s %6s %7s %8s  recipe without it\n", "length", "pair", "ns", "without", "gain", "bytes", "per KB");
  for (const auto& [pair, bytes] : sizes.pairs) {
    const auto& [r1, r2, type] = pair;
    if (!options.lengths.empty() && !options.lengths.contains(r1 * r2)) continue;
    const std::string problem = std::to_string(r1 * r2) + ' ' + type;
    const std::string recipe = type + ":dit(" + std::to_string(r1) + ' ' + std::to_string(r2) + ')';
    const std::string other = best_without(context, problem, recipe);
    if (other.empty()) continue;
    const Plan with = plan_of(context, problem, recipe), without = plan_of(context, problem, other);
    const auto run = [&](const Plan& plan) { ulpfft_execute(plan.get(), in.data(), out.data()); };
    const Comparison times = alternate([&] { run(with); }, [&] { run(without); }, options.rounds, 50e-6);
    std::printf("%-10s %2d x %-5d %9.1f %9.1f %6.2f %7ld %8.3f  %s\n", problem.c_str(), r1, r2, 1e9 * times.first_seconds,
                1e9 * times.second_seconds, times.ratio, bytes, std::log2(times.ratio) * 1024 / static_cast<double>(bytes), other.c_str());
    std::fflush(stdout);
  }
  for (const auto& [name, bytes] : sizes.shared) std::printf("shared loop %-16s %6ld bytes\n", name.c_str(), bytes);
}

}  // namespace
}  // namespace ulpfft::bench

int main(int argc, char** argv) {
  ulpfft::bench::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("--target=")) options.target = argument.substr(9);
    else if (argument.starts_with("--rounds=")) options.rounds = std::max(1, std::atoi(argument.c_str() + 9));
    else options.lengths.insert(std::atoi(argument.c_str()));
  }
  const ulpfft::bench::Sizes sizes = ulpfft::bench::read_sizes(std::cin, options.target);
  ulpfft_context_options made = ULPFFT_CONTEXT_OPTIONS_INIT;
  made.target = options.target.c_str();
  made.threads = 1;
  ulpfft_context* context = nullptr;
  if (ulpfft_context_create(&made, &context) != ULPFFT_OK) ulpfft::bench::die("context");
  ulpfft::bench::study(context, options, sizes);
  ulpfft_context_destroy(context);
  return 0;
}
