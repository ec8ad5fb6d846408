// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The compiled kernels of this build: a fat binary for each group of codelets/cuda/kernels.list.
#ifndef ULPFFT_PLANNER_BACKEND_CUDA_IMAGES_H_
#define ULPFFT_PLANNER_BACKEND_CUDA_IMAGES_H_

#include <span>

namespace ulpfft::cuda {

// What the driver loads; empty unless the build option cuda is enabled.
std::span<const void* const> kernel_images();

}  // namespace ulpfft::cuda

#endif  // ULPFFT_PLANNER_BACKEND_CUDA_IMAGES_H_
