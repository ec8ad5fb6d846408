// Predicts seconds of a plan from its passes: throughput of the butterflies, memory level, calls.
//
// A model of one core with two FMA and two add pipes of 256 bits, 32 KB L1 and 1 MB L2 (design 7); it ranks recipes, it does not
// promise times. A measured table per machine replaces its constants later.
#ifndef ULPFFT_PLANNER_ESTIMATE_H_
#define ULPFFT_PLANNER_ESTIMATE_H_

#include "planner/build_plan.h"
#include "planner/cost_table.h"

namespace ulpfft {

// costs null: the shipped table.
double estimate_seconds(const CompiledPlan& plan, const CodeletTable& codelets, const CostTable* costs = nullptr);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_ESTIMATE_H_
