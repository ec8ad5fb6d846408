// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The twin of a kernel: the same text, compiled by the host compiler, run block by block.
#ifndef ULPFFT_CODELETS_CUDA_TWINS_H_
#define ULPFFT_CODELETS_CUDA_TWINS_H_

#include <span>
#include <string_view>

#include "codelets/cuda/steps.h"

namespace ulpfft::cuda {

struct Twin {
  const char* name;  // KernelInfo::name
  void (*run)(const Args& args, Grid grid, host::Order order);
};

// Of one group of kernels.list.
template <int kGroup>
std::span<const Twin> twins_of_group();

// Null where there is none.
const Twin* find_twin(std::string_view name);

}  // namespace ulpfft::cuda

#endif  // ULPFFT_CODELETS_CUDA_TWINS_H_
