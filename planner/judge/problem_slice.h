// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A part of a problem that is small enough to be tried.
#ifndef ULPFFT_PLANNER_JUDGE_PROBLEM_SLICE_H_
#define ULPFFT_PLANNER_JUDGE_PROBLEM_SLICE_H_

#include <cstdint>

#include "wisdom/problem.h"

namespace ulpfft {

// Makes `slice`, the problem with fewer transforms and at most `largest` bytes of arrays, and `share`, its part of the whole. False when
// one transform has more bytes.
bool timing_slice(const Problem& problem, std::int64_t largest, Problem& slice, double& share);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_JUDGE_PROBLEM_SLICE_H_
