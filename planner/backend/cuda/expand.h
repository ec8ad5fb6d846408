// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From a recipe to launches of kernels.
//
// n, dit, cols   One launch: rows where both ends are dense, else columns. A kernel names the recipe whose bits it gives, so that a node
//                has a kernel or is refused.
// four           Two launches with a matrix in the workspace between them.
// Storage        The first sweep reads the array as it is stored where there is such a kernel, and the last one writes it so. Otherwise
//                numbers are converted before or after, by way of the workspace. Between sweeps lie reals of the arithmetic.
#ifndef ULPFFT_PLANNER_BACKEND_CUDA_EXPAND_H_
#define ULPFFT_PLANNER_BACKEND_CUDA_EXPAND_H_

#include <cstdint>

#include "planner/backend/backend.h"

namespace ulpfft::cuda {

// Throws PlanError for a problem that no recipe of this backend computes.
void check_problem(const Problem& problem);

ulpfft::Program expand(const Lowering& given);

// The most blocks along the second and third axis of a launch. What lies beyond, and a fourth loop, is a launch of its own.
inline constexpr std::int64_t kMostOuterBlocks = 65535;
std::int64_t launches_of(const Launch& launch);

}  // namespace ulpfft::cuda

#endif  // ULPFFT_PLANNER_BACKEND_CUDA_EXPAND_H_
