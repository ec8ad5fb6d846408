// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which way into a plan its program allows.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_ENTRY_POINT_H_
#define ULPFFT_PLANNER_BACKEND_CPU_ENTRY_POINT_H_

#include "planner/program/program.h"
#include "wisdom/problem.h"

namespace ulpfft {

// A pattern over the whole program: nothing else may happen beside the one pass, and the conversions of its ends.
EntryPoint find_entry_point(const Problem& problem, const Program& program);

// Of a plan that may begin with the codelet of its pass: whether that computes sines by cosines, for which CodeletInfo::direct of kReal wants
// any table.
bool is_direct_of_sines(const Pass& pass);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_ENTRY_POINT_H_
