// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Compiled once for each group: -DULPFFT_CUDA_WANTED=<group>. A kernel's symbol is its name.
#define ULPFFT_KERNEL(name, bodies, ...)
#include "codelets/cuda/each_kernel.h"
#undef ULPFFT_KERNEL

namespace ulpfft::cuda {

#define ULPFFT_KERNEL(name, bodies, ...)                                                                   \
  extern "C" __global__ void __launch_bounds__((__VA_ARGS__::kThreads), (__VA_ARGS__::kBlocksPerSm))       \
      name(const __grid_constant__ Args args) {                                                            \
    run_block<__VA_ARGS__>(args);                                                                          \
  }
#include "codelets/cuda/each_kernel.h"
#undef ULPFFT_KERNEL

}  // namespace ulpfft::cuda
