// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The fold stage: loops around a single pass become loops of the pass itself, the innermost of them first.
//
//   in registers, on scalar lanes and of lines   the two axes, and the lanes where there are two loops and more: these are transforms
//   in a tile                                    the outer axis
//   columns, and line passes                     the two axes, behind those the pass has already
//   others                                       none: their axes and lanes are parts of one transform
//
// Neighbouring loops that step evenly are one. A loop stays where it moves an array that the pass does not name, where its iterations are
// numbered or depend on each other, and where it was cut into panels (Loop::panels).
#ifndef ULPFFT_PLANNER_BACKEND_CPU_FOLD_H_
#define ULPFFT_PLANNER_BACKEND_CPU_FOLD_H_

#include "planner/program/program.h"

namespace ulpfft {

void fold(Program& program);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_FOLD_H_
