// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The cost of a codelet that was never measured, from its operation counts.
//
// The model is one core of 3.5 GHz with two pipes for multiplies and two for adds, 256 bits each.
// It ranks codelets of one target; it does not promise times.
#ifndef ULPFFT_PLANNER_COST_COST_MODEL_H_
#define ULPFFT_PLANNER_COST_COST_MODEL_H_

#include "planner/cost/cost_table.h"

namespace ulpfft {

// Nanoseconds of a line of kReal among lines whose neighbours are adjacent reals at both ends, where nothing is transposed.
double modelled_columns_of_reals(const CodeletInfo& codelet, const CodeletTable& codelets);
CodeletCost modelled_cost(const CodeletInfo& codelet, const CodeletTable& codelets);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_COST_COST_MODEL_H_
