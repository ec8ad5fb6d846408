// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a chain does to its spectrum between the transforms, as steps of a plan.
//
// Factors     of the points in the order of the spectrum; kFactors of the buffers begins there, and repeats over panels move it on.
// Transforms  the repeats around move kExponents on by one number a transform, whether there are exponents or not: a user's operation is
//             told which one it sees.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_CHAIN_STEP_H_
#define ULPFFT_PLANNER_BACKEND_CPU_CHAIN_STEP_H_

#include <cstdint>

#include "codelets/contract/step.h"
#include "planner/backend/backend.h"

namespace ulpfft {

// Of one execution.
struct ChainCall : ChainOperation {
  const void* first_factor = nullptr;    // where kFactors began; without factors any address
  const void* first_exponent = nullptr;  // where kExponents began
};

// The context of a step; the edges and axes[0] of the pass are the rows of a tile: interleaved, one position of the axis each.
struct ChainStep : ContextOf<ChainStep> {
  PassFn multiply = nullptr;           // of kPointwise
  std::int64_t complex_bytes = 8;
  std::int64_t index = 0;              // in the spectrum, of the first row, beyond where kFactors is
  std::int64_t row_step = 0;           // between rows
  std::int64_t transform = 0;          // of the first row, beyond where kExponents is
  bool rows_are_transforms = false;    // whole spectra, of one transform after another
};

void multiply_spectrum(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);
void apply_to_spectrum(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_CHAIN_STEP_H_
