// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The store stage: what happens where a pass reads or writes a narrow array.
//
//   in the pass   a codelet of the target converts
//   staged        the pass runs slice by slice, by way of a tile
//   apart         passes of their own convert a group of transforms, which then lie in the workspace. This is in the program before: it
//                 says which transforms are together (backend/cpu/expand/ends.h)
#ifndef ULPFFT_PLANNER_LOWER_STORE_H_
#define ULPFFT_PLANNER_LOWER_STORE_H_

#include "codelets/contract/codelet.h"
#include "planner/program/program.h"

namespace ulpfft {

void store(Program& program, const CodeletTable& codelets);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_LOWER_STORE_H_
