// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Plans of a recipe for a table of codelets, without a search.
#ifndef ULPFFT_TESTS_PLANNER_BUILT_PLAN_H_
#define ULPFFT_TESTS_PLANNER_BUILT_PLAN_H_

#include <memory>
#include <string>

#include "planner/lower/build_plan.h"
#include "planner/plan/plan.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {

inline std::unique_ptr<ulpfft_plan> plan_of(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets) {
  TableCache cache;
  return ulpfft::make_plan(problem, recipe, codelets, build_plan(problem, recipe, codelets, cache));
}
inline std::unique_ptr<ulpfft_plan> plan_of(const std::string& problem, const std::string& recipe, const CodeletTable& codelets) {
  return plan_of(parse_problem(problem), parse_recipe(recipe), codelets);
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_BUILT_PLAN_H_
