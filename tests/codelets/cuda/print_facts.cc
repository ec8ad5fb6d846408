// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Prints a line for each CUDA kernel: name, group 0 or not, recipe, threads, transforms of a block, bytes of shared memory and of tables,
// kind, bits of a real at the input and at the output, of arithmetic, length, passes, largest radix.
#include <algorithm>
#include <cstdio>

#include "codelets/cuda/launch.h"

namespace {

using namespace ulpfft::cuda;

const char* kind_name(KernelKind kind) {
  switch (kind) {
    case KernelKind::kRows: return "rows";
    case KernelKind::kColumns: return "columns";
    case KernelKind::kTwisted: return "twisted";
    case KernelKind::kTurned: return "turned";
    case KernelKind::kConvert: return "convert";
  }
  return "";
}

int bits(Storage storage) { return storage == Storage::kF64 ? 64 : storage == Storage::kF32 ? 32 : 16; }

}  // namespace

int main() {
  for (const KernelInfo& kernel : kernels()) {
    std::printf("%s\t%d\t%s\t%d\t%d\t%zu\t%zu\t%s\t%d\t%d\t%d\t%d\t%d\t%d\n", kernel.name, kernel.smoke ? 1 : 0, kernel.recipe,
                kernel.threads, kernel.per_block, kernel.shared_bytes, kernel.table_bytes, kind_name(kernel.kind), bits(kernel.in),
                bits(kernel.out), kernel.is_f64 ? 64 : 32, kernel.n, kernel.passes,
                *std::max_element(kernel.radix, kernel.radix + kMostPasses));
  }
  return 0;
}
