// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Compiled once for each group: -DULPFFT_CUDA_WANTED=<group>.
#include "codelets/cuda/twins.h"

#define ULPFFT_KERNEL(name, bodies, ...)
#include "codelets/cuda/each_kernel.h"
#undef ULPFFT_KERNEL

namespace ulpfft::cuda {
namespace {

constexpr Twin kTwins[] = {
#define ULPFFT_KERNEL(name, bodies, ...) {#name, &run_on_host<__VA_ARGS__>},
#include "codelets/cuda/each_kernel.h"
#undef ULPFFT_KERNEL
};

}  // namespace

template <>
std::span<const Twin> twins_of_group<ULPFFT_CUDA_WANTED>() {
  return kTwins;
}

}  // namespace ulpfft::cuda
