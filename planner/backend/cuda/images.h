// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The compiled kernels of this build, an image for each group of codelets/cuda/kernels.list.
#ifndef ULPFFT_PLANNER_BACKEND_CUDA_IMAGES_H_
#define ULPFFT_PLANNER_BACKEND_CUDA_IMAGES_H_

#include <span>

namespace ulpfft::cuda {

// A module of the driver, before it is loaded. The PTX has a header that drivers from CUDA 11.8 on take; they compile it for their device.
struct KernelImage {
  const void* binary = nullptr;  // for processors that the build names; null where it names none
  const void* ptx = nullptr;     // null where the build has none
  const char* names = "";        // of its kernels, with white space between them
};

// Empty unless the build option cuda is enabled.
std::span<const KernelImage> kernel_images();

}  // namespace ulpfft::cuda

#endif  // ULPFFT_PLANNER_BACKEND_CUDA_IMAGES_H_
