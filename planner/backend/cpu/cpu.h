// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The processor that plans: lanes of vectors, steps with function pointers, threads of the process.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_CPU_H_
#define ULPFFT_PLANNER_BACKEND_CPU_CPU_H_

#include "planner/backend/backend.h"

namespace ulpfft {

const Backend& cpu_backend();

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_CPU_H_
