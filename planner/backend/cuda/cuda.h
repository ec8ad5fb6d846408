// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// NVIDIA's devices as a backend.
#ifndef ULPFFT_PLANNER_BACKEND_CUDA_CUDA_H_
#define ULPFFT_PLANNER_BACKEND_CUDA_CUDA_H_

#include "planner/backend/backend.h"

namespace ulpfft {

const Backend& cuda_backend();

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CUDA_CUDA_H_
