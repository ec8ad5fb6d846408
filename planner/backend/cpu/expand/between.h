// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The transforms of a problem, group by group: the loops over its batch, the array that a group has in the workspace, and the conversions
// before and after its passes.
//
// A side in the type of the arithmetic is the array of the caller, and so is one that passes convert. Any other side is an array of the
// workspace, where a group of transforms is decoded before the passes or encoded after them. If both sides are, they are one array there:
// rows of real numbers begin where the rows of their spectrum begin. A chain has its spectrum in the same array.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_BETWEEN_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_BETWEEN_H_

#include <cstdint>
#include <functional>

#include "planner/backend/cpu/expand/ends.h"
#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/seen_arrays.h"

namespace ulpfft {

// Calls part(first, transforms) for groups of transforms of the innermost loop of the batch, and for those that are left, inside
// loops over the groups and over the rest of the batch.
void for_transforms(Scope& scope, const SettledEnds& ends, const std::function<void(std::int64_t first, std::int64_t transforms)>& part);

// Calls expand_passes(arrays) for each group, between its conversions. Where nothing is converted there is one of all transforms.
void expand_between(Scope& scope, const SettledEnds& ends, const std::function<void(SeenArrays&)>& expand_passes);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_BETWEEN_H_
