// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cuda/images.h"

#ifdef ULPFFT_CUDA_IMAGES
// images.S
extern "C" const ulpfft::cuda::KernelImage ulpfft_cuda_images[ULPFFT_CUDA_IMAGES];
#endif

namespace ulpfft::cuda {

std::span<const KernelImage> kernel_images() {
#ifdef ULPFFT_CUDA_IMAGES
  return ulpfft_cuda_images;
#else
  return {};
#endif
}

}  // namespace ulpfft::cuda
