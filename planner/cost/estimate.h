// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Predicts seconds of a plan on one thread from its passes, by a table of what they cost at each memory level (cost_table.h).
//
// It ranks recipes, it does not promise times.
#ifndef ULPFFT_PLANNER_COST_ESTIMATE_H_
#define ULPFFT_PLANNER_COST_ESTIMATE_H_

#include "planner/cost/cost_table.h"
#include "planner/program/program.h"

namespace ulpfft {

// costs null: the shipped table.
double estimate_seconds(const Program& plan, const CodeletTable& codelets, const CostTable* costs = nullptr);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_COST_ESTIMATE_H_
