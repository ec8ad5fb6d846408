// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From a program to steps: the only stage with pointers. Tables are filled, each pass gets the function that runs it.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_LINK_H_
#define ULPFFT_PLANNER_BACKEND_CPU_LINK_H_

#include <cstdint>
#include <functional>

#include "planner/backend/cpu/compiled_plan.h"
#include "planner/program/program.h"
#include "planner/table/table_cache.h"

namespace ulpfft {

// Transforms m interleaved complex numbers by a node, forward and in place: how spectra of filters are made.
using NodeTransform = std::function<void(const Node& node, double* values, std::int64_t m)>;

// `codelets`: those that the program was expanded for. Tables that the cache has are shared. Throws what the poll of the cache throws, and
// std::bad_alloc.
CompiledPlan link(const Program& program, const CodeletTable& codelets, TableCache& cache, const NodeTransform& transform);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_LINK_H_
