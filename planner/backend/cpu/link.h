// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From a program to steps: the only stage with pointers. Tables are filled, each pass gets the function that runs it.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_LINK_H_
#define ULPFFT_PLANNER_BACKEND_CPU_LINK_H_

#include "planner/backend/backend.h"
#include "planner/backend/cpu/compiled_plan.h"
#include "planner/program/program.h"
#include "planner/table/table_cache.h"

namespace ulpfft {

// `codelets`: those that the program was expanded for. Tables that the cache has are shared. Throws what the poll of the cache throws, and
// std::bad_alloc.
CompiledPlan link(const Program& program, const CodeletTable& codelets, TableCache& cache, const NodeTransform& transform);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_LINK_H_
