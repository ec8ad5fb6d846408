// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How long a program takes, by bytes and launches. It orders recipes and is no claim about a device.
#ifndef ULPFFT_PLANNER_BACKEND_CUDA_MODEL_H_
#define ULPFFT_PLANNER_BACKEND_CUDA_MODEL_H_

#include "planner/program/program.h"

namespace ulpfft::cuda {

double predicted_seconds(const ulpfft::Program& program);

}  // namespace ulpfft::cuda

#endif  // ULPFFT_PLANNER_BACKEND_CUDA_MODEL_H_
