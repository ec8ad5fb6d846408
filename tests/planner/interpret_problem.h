// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a program computes of the numbers of a problem, in whatever storage these lie (interpret.h).
#ifndef ULPFFT_TESTS_PLANNER_INTERPRET_PROBLEM_H_
#define ULPFFT_TESTS_PLANNER_INTERPRET_PROBLEM_H_

#include <string>
#include <vector>

#include "planner/program/program.h"
#include "tests/planner/interpret_dft.h"
#include "wisdom/problem.h"

namespace ulpfft::test {

// Why a program is not interpreted, the first clause of a sentence; empty: it is.
std::string reason_not_interpreted(const Program& program, const Problem& problem);

// The elements of the output of those of the input: both in the order of the batch, then of the lengths. Reals have im = 0. Factors are
// those of a chain. Where both ends allow it, every transform has an exponent; an output whose exponents do not fit it is NaN.
std::vector<Complex> interpreted(const Program& program, const Problem& problem, const std::vector<Complex>& in,
                                 const std::vector<Complex>& factors);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_INTERPRET_PROBLEM_H_
