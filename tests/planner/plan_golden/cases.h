// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The cases of the golden of the planner: what is planned, by which recipe, for which target.
//
// They follow from rules and seeds, not from what codelets a target has or a search proposes: a new codelet changes what is
// chosen, not what is asked. Targets take turns. A name says all there is to know of a case, but for those of the random family,
// which their number stands for.
#ifndef ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_CASES_H_
#define ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_CASES_H_

#include <string>
#include <vector>

#include "wisdom/problem.h"

namespace ulpfft::test {

struct GoldenCase {
  std::string name;
  Problem problem;
  std::string recipe;          // empty: what an estimate chooses
  bool deterministic = false;  // the choice that is the same on every machine
  bool in_exponents = false;   // the execution has them
  bool out_exponents = false;
  std::string target;
};

struct GoldenFamily {
  const char* name;  // of its file
  std::vector<GoldenCase> (*cases)();
};

const std::vector<GoldenFamily>& golden_families();

// A recipe for lines of n, in f32 or f64: any decomposition, forms, groups, streaming. By the seed alone.
std::string forced_recipe(const std::string& scheme, std::int64_t n, std::uint64_t seed);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_CASES_H_
