// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Exponents of an output that passes encode: what finds them before anything is stored.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_LOOK_AHEAD_H_
#define ULPFFT_PLANNER_BACKEND_CPU_LOOK_AHEAD_H_

#include <vector>

#include "codelets/contract/step.h"

namespace ulpfft {

// Steps that only run where the caller wants exponents of the output: they find that of one transform.
struct LookAhead {
  std::vector<Step> steps;
  bool is_blocks = false;
};
// PassArgs::table is a LookAhead.
void look_ahead(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_LOOK_AHEAD_H_
