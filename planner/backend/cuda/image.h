// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The compiled kernels of this build.
#ifndef ULPFFT_PLANNER_BACKEND_CUDA_IMAGE_H_
#define ULPFFT_PLANNER_BACKEND_CUDA_IMAGE_H_

namespace ulpfft::cuda {

// A fat binary that the driver loads; null where the build option cuda is off.
const void* kernel_image();

}  // namespace ulpfft::cuda

#endif  // ULPFFT_PLANNER_BACKEND_CUDA_IMAGE_H_
