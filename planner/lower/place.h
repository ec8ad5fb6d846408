// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Work arrays get a slot, which loops can move on alone, and an offset in the workspace.
#ifndef ULPFFT_PLANNER_LOWER_PLACE_H_
#define ULPFFT_PLANNER_LOWER_PLACE_H_

#include "planner/program/program.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// Sets Program::arrays and workspace_bytes, and of parallel loops which memory an iteration must have for itself. Throws PlanError, naming
// the recipe, where more arrays live at once than there are slots, or more bytes than kMostWorkspace.
void place(Program& program, const Recipe& recipe);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_LOWER_PLACE_H_
