// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Executes kernels that ptx_to_c.py translated from PTX, block by block, and checks every access.
//
// Threads   of a block run in scattered order from barrier to barrier.
// Shared    memory begins as NaN. A word that two threads access between two barriers, one of them writing, is a race.
// Global    accesses lie in the memory of a launch, and begin at multiples of their size.
#ifndef ULPFFT_TESTS_SUPPORT_PTX_RUN_H_
#define ULPFFT_TESTS_SUPPORT_PTX_RUN_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "codelets/cuda/launch.h"
#include "codelets/cuda/steps.h"
#include "tests/support/ptx_machine.h"

namespace ulpfft::cuda::test {

// Global memory of a launch.
struct Region {
  const void* begin = nullptr;
  std::size_t bytes = 0;
  bool writable = false;
};

struct PtxFaults {
  std::uint64_t races = 0, outside = 0, misaligned = 0, divergent = 0;
  bool any() const { return (races | outside | misaligned | divergent) != 0; }
  std::string text() const;
};

// A kernel of the libraries that $ULPFFT_PTX_KERNELS names, with colons between them; null where none has it. Throws std::runtime_error
// where a library cannot be loaded.
const PtxKernel* shipped_kernel(const std::string& name);

PtxFaults run_ptx(const PtxKernel& kernel, const KernelInfo& info, const Args& args, Grid grid, std::span<const Region> memory);

}  // namespace ulpfft::cuda::test

#endif  // ULPFFT_TESTS_SUPPORT_PTX_RUN_H_
