// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From a recipe to a program: Backend::expand.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_EXPAND_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_EXPAND_H_

#include "planner/backend/backend.h"

namespace ulpfft {

// The problem has passed check(). In the result work arrays are not placed yet, and nothing is shared among threads. Machine::threads says
// how many groups of transforms are worth making.
Program expand(const Lowering& given);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_EXPAND_H_
