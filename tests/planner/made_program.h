// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Programs of tests, from texts.
#ifndef ULPFFT_TESTS_PLANNER_MADE_PROGRAM_H_
#define ULPFFT_TESTS_PLANNER_MADE_PROGRAM_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "codelets/registry.h"
#include "planner/lower/pipeline.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {

inline const CodeletTable* find_table(std::string_view target) {
  for (const RegisteredTarget& one : registered_targets()) {
    if (target == one.table.target && !one.table.codelets.empty()) return &one.table;
  }
  return nullptr;
}

struct Asked {
  std::string name;
  Problem problem;
  Recipe recipe;
  const CodeletTable* codelets;
};

inline Asked asked(const std::string& problem, const std::string& recipe, const std::string& target) {
  return {problem + " by " + recipe + " @" + target, parse_problem(problem), parse_recipe(recipe), find_table(target)};
}

inline Program made(const Asked& one, const StageVisitor& visit = {}) {
  TableCache cache;
  cache.for_digests = true;  // predicted errors are not looked at here
  return make_program(one.problem, one.recipe, {*one.codelets, one.problem.threads}, cache, visit);
}

inline Program made_after(const Asked& one, std::string_view stage) {
  Program program;
  made(one, [&](const Stage& now, const Program& so_far) {
    if (stage == now.name) program = so_far;
  });
  return program;
}

// Calls visit for every pass of the program.
inline void each_pass(std::vector<Item>& body, const std::function<void(Pass&)>& visit) {
  for (Item& item : body) {
    if (item.pass() != nullptr) visit(*item.pass());
    if (item.loop() != nullptr) each_pass(item.loop()->body, visit);
  }
}

// Whether a stage may change passes: the last one adds facts alone.
inline bool changes_body(const Stage& stage) {
  return std::string_view(stage.name) != "facts";
}

inline std::size_t loops_in(const std::vector<Item>& body) {
  std::size_t loops = 0;
  for (const Item& item : body) {
    if (item.loop() != nullptr) loops += 1 + loops_in(item.loop()->body);
  }
  return loops;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_MADE_PROGRAM_H_
