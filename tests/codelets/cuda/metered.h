// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A full block of a kernel under the meter, on dense aligned arrays.
#ifndef ULPFFT_TESTS_CODELETS_CUDA_METERED_H_
#define ULPFFT_TESTS_CODELETS_CUDA_METERED_H_

#include "tests/codelets/cuda/launch_case.h"
#include "tests/codelets/cuda/meter.h"

namespace ulpfft::cuda::test {

struct Metered {
  std::string difference;  // from ref
  std::int64_t races = 0, barriers = 0, divergent_warps = 0;
  double shared_reads = 1, shared_writes = 1;   // wavefronts / ideal
  double global_reads = 1, global_writes = 1;   // sectors / ideal
};

// `offset`: complex numbers between an aligned address and the arrays.
Metered run_metered(const KernelInfo& kernel, Run run, std::int64_t offset = 0);

}  // namespace ulpfft::cuda::test

#endif  // ULPFFT_TESTS_CODELETS_CUDA_METERED_H_
