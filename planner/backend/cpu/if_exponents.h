// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Exponents of an output that passes encode slice by slice: they are found before anything is stored.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_IF_EXPONENTS_H_
#define ULPFFT_PLANNER_BACKEND_CPU_IF_EXPONENTS_H_

#include <vector>

#include "codelets/contract/step.h"

namespace ulpfft {

// Runs where the caller wants exponents of the output, and finds that of one transform.
struct IfExponents : ContextOf<IfExponents> {
  std::vector<Step> steps;
};

// The context is an IfExponents, which runs where the caller wants exponents of the output: it finds that of one transform.
void run_if_exponents(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_IF_EXPONENTS_H_
