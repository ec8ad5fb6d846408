// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Prints a line for each CUDA kernel: name, group 0 or not, kind, threads, transforms of a block, bytes of shared memory and of tables,
// bits of a real at the input and at the output, length.
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
    std::printf("%s\t%d\t%s\t%d\t%d\t%zu\t%zu\t%d\t%d\t%d\n", kernel.name, kernel.smoke ? 1 : 0, kind_name(kernel.kind), kernel.threads,
                kernel.per_block, kernel.shared_bytes, kernel.table_bytes, bits(kernel.in), bits(kernel.out), kernel.n);
  }
  return 0;
}
