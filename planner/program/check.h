// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The verifier of programs: runs one without numbers and looks at every real that it touches.
//
// Always, tables and row lists that passes name exist; a work array is used between its Take and the Release, or the end of the loop, that
// ends it; once placed, work arrays that live at the same time do not overlap and fit the workspace. Up to kMostChecked reals touched and
// held, real by real:
//   bounds      what codelets touch lies inside the work array, lanes beyond the columns included (butterflies.h). A narrow work array has
//               the places of reals that its codes are.
//   written     what is read from a work array, or from the output, was written before, by way of the same array where the output may
//               serve as a work array or is the input
//   disjoint    iterations of a parallel loop, and positions of a parallel pass, touch nothing that another one writes, but for arrays
//               taken inside
//   footprint   with the problem given: reads of the input and writes of the output address its elements, and all of the output is
//               written: reals, or codes and scales from the store stage on
//
// Not decided   places inside tiles; exponents and factors; codes of more than 2^16 elements, and in place of two storages; positions of
//               staged lines and MxProducts, which are looked at together; what is fetched, and the values of tables
#ifndef ULPFFT_PLANNER_PROGRAM_CHECK_H_
#define ULPFFT_PLANNER_PROGRAM_CHECK_H_

#include <cstdint>
#include <string>

#include "planner/program/program.h"
#include "wisdom/problem.h"

namespace ulpfft {

inline constexpr std::int64_t kMostChecked = std::int64_t{1} << 24;

// The first fault as a sentence; empty: none is found. After any stage. `problem`: null, or what the program was made for.
std::string check_program(const Program& program, const Problem* problem = nullptr);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_CHECK_H_
