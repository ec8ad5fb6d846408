// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From a recipe to a program, in stages. Each takes the program as the one before left it.
#ifndef ULPFFT_PLANNER_LOWER_PIPELINE_H_
#define ULPFFT_PLANNER_LOWER_PIPELINE_H_

#include <functional>
#include <span>

#include "codelets/contract/codelet.h"
#include "planner/program/program.h"
#include "planner/table/table_cache.h"
#include "wisdom/problem.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// What every stage may ask. The recipe has no idle forms.
struct Lowering {
  const Problem& problem;
  const Recipe& recipe;
  const CodeletTable& codelets;
  TableCache& cache;
  int threads;
};

struct Stage {
  const char* name;
  void (*apply)(const Lowering& given, Program& program);
};

// In their order; the first one makes the program.
std::span<const Stage> stages();

// Is called after each stage.
using StageVisitor = std::function<void(const Stage& stage, const Program& program)>;

// `problem` has passed check(). `threads`: how many the loops are cut for; 1 in the result when nothing can be shared. Enough for
// counts and estimates: no table is made. `visit` sees the stages of this program, not those of Program::with_exponents.
Program make_program(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache, int threads = 1,
                     const StageVisitor& visit = {});

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_LOWER_PIPELINE_H_
