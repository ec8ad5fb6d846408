// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Prints a line for each CUDA kernel: name, group 0 or not, recipe, threads, transforms of a block, bytes of shared memory and of tables.
#include <cstdio>

#include "codelets/cuda/launch.h"

int main() {
  for (const ulpfft::cuda::KernelInfo& kernel : ulpfft::cuda::kernels()) {
    std::printf("%s\t%d\t%s\t%d\t%d\t%zu\t%zu\n", kernel.name, kernel.smoke ? 1 : 0, kernel.recipe, kernel.threads, kernel.per_block,
                kernel.shared_bytes, kernel.table_bytes);
  }
  return 0;
}
