// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The list of backends: a row for each folder.
#include "planner/backend/backend.h"
#include "planner/backend/cpu/cpu.h"
#include "planner/backend/cuda/cuda.h"

namespace ulpfft {

std::span<const Backend* const> backends() {
  static const Backend* const kBackends[] = {&cpu_backend(), &cuda_backend()};
  return kBackends;
}

}  // namespace ulpfft
