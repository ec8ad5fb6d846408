// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Plans that execute r2c and c2r by their definition in double-double, so that what lies around an execution can be tested alone.
#ifndef ULPFFT_TESTS_PLANNER_EXACT_PLAN_H_
#define ULPFFT_TESTS_PLANNER_EXACT_PLAN_H_

#include <string>

#include "ulpfft/ulpfft.h"

namespace ulpfft::test {

// The caller owns it. Its outputs are the exact ones, each real rounded once to f32 or f64. `deviation`, if it is not null, is added to the
// real part of output 1 of the first transform; it must outlive the plan.
ulpfft_plan* exact_plan(const std::string& problem_text, const double* deviation = nullptr);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_EXACT_PLAN_H_
