// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Prints a line for each CUDA kernel: name, group 0 or not, points and threads of a block, bytes of shared memory, bytes that a point has
// at both ends, the operations in the text of one thread as the generator counts them: type, adds, multiplies, fused ones, and how many
// multiplies and fused ones a forward transform without a scale leaves out. A conversion has none.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "codelets/contract/codelet.h"
#include "codelets/cuda/launch.h"
#include "body_facts.h"
#include "cuda_list.h"

namespace ulpfft::cuda {
namespace {

const OpCounts& operations_of(const std::string& body) {
#define ULPFFT_FIND(Body, facts_of_body) \
  if (body == facts::facts_of_body.name) return facts::facts_of_body.ops;
  ULPFFT_CUDA_BODIES(ULPFFT_FIND)
#undef ULPFFT_FIND
  std::fprintf(stderr, "no kernel can have the body %s\n", body.c_str());
  std::exit(1);
}

int real_bytes(Storage storage) { return storage == Storage::kF64 ? 8 : storage == Storage::kF32 ? 4 : 2; }

int butterflies(const KernelInfo& kernel, int pass) {
  const int threads = kernel.threads / kernel.per_block;
  return (kernel.n / kernel.radix[pass] + threads - 1) / threads;
}

int scale_of_thread(const KernelInfo& kernel) { return 2 * butterflies(kernel, 0) * kernel.radix[0]; }
// kTwisted: two products of complex numbers for each output, 4 multiplies and 4 fused ones.
int twist_of_thread(const KernelInfo& kernel) {
  const int last = kernel.passes - 1;
  return kernel.kind == KernelKind::kTwisted ? 4 * butterflies(kernel, last) * kernel.radix[last] : 0;
}

// Whether threads take different ways: not all have every butterfly.
bool has_parts(const KernelInfo& kernel) {
  for (int pass = 0; pass < kernel.passes; ++pass) {
    if (kernel.n / kernel.radix[pass] % (kernel.threads / kernel.per_block) != 0) return true;
  }
  return false;
}

OpCounts operations_of_thread(const KernelInfo& kernel) {
  OpCounts sum;
  if (kernel.kind == KernelKind::kConvert) return sum;
  for (int pass = 0; pass < kernel.passes; ++pass) {
    const std::string name = (pass == 0 ? "n" : "t") + std::to_string(kernel.radix[pass]);
    const std::string_view suffix = twiddle_suffix(kernel.form[pass]);
    const OpCounts& one = operations_of(suffix.empty() ? name : name + "_" + std::string(suffix));
    sum.add += butterflies(kernel, pass) * one.add;
    sum.mul += butterflies(kernel, pass) * one.mul;
    sum.fma += butterflies(kernel, pass) * one.fma;
  }
  sum.mul += scale_of_thread(kernel);
  sum.mul += 2 * twist_of_thread(kernel);  // in the text of either direction
  sum.fma += 2 * twist_of_thread(kernel);
  return sum;
}

}  // namespace
}  // namespace ulpfft::cuda

int main() {
  using namespace ulpfft::cuda;
  for (const KernelInfo& kernel : kernels()) {
    const ulpfft::OpCounts ops = operations_of_thread(kernel);
    const bool converts = kernel.kind == KernelKind::kConvert;
    std::printf("%s\t%d\t%d\t%d\t%zu\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\n", kernel.name, kernel.smoke ? 1 : 0,
                converts ? kernel.per_block / 2 : kernel.n * kernel.per_block, kernel.threads, kernel.shared_bytes,
                2 * (real_bytes(kernel.in) + real_bytes(kernel.out)), converts ? "none" : kernel.is_f64 ? "f64" : "f32",
                !converts && has_parts(kernel) ? 1 : 0, ops.add, ops.mul,
                ops.fma, converts ? 0 : scale_of_thread(kernel) + twist_of_thread(kernel), converts ? 0 : twist_of_thread(kernel));
  }
  return 0;
}
