// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The text of a program: arrays, tables and row lists by their meaning, then the passes in their loops, one on a line.
//
//   w0   256 reals
//   t0   twiddles(128, 16)  t8, vectors of 16 in lane order
//   r0   digits(16 8)  columns 0..7 in vectors of 16 in lane order, else row 8
//   take w0
//   n16 first  in[16 p + 2 l] -> w0[32 row + p | blocks 16, lane order]        p<16 l<8        rows r0
//   t8 later   w0[32 p + 2 l | blocks 16, lane order] -> out[32 p + 2 l]       p<8 l<16        table t0
//   release w0
//
// A view names the real at which re of point p, lane l, positions a and b of the axes lies, and im where that is not the next
// one. Of planar views l counts as step.h says: lanes of one vector are adjacent. Nothing in the text depends on an address.
#ifndef ULPFFT_PLANNER_PROGRAM_PRINT_H_
#define ULPFFT_PLANNER_PROGRAM_PRINT_H_

#include <string>

#include "planner/program/program.h"

namespace ulpfft {

// Several lines for people. Slots, offsets and private memory are there once the place stage has set them, shared loops once the
// share stage has.
std::string print_program(const Program& program);

// "in", "w0", ...: how texts and faults name an array.
std::string name_of(ArrayId id);

// "n16 first", "t8:ds later", "twist", "gather", ...: a codelet in its loop shape.
std::string name_of(const CodeletInfo& codelet);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_PRINT_H_
