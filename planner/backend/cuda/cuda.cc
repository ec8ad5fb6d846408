// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cuda/cuda.h"

#include "planner/backend/cuda/device.h"
#include "planner/backend/cuda/executable.h"
#include "planner/backend/cuda/expand.h"
#include "planner/backend/cuda/kernels.h"
#include "planner/backend/cuda/model.h"

namespace ulpfft {

const Backend& cuda_backend() {
  static constexpr std::string_view kTables[] = {"cuda"};
  static constexpr Backend kCuda{
      .tables = kTables,
      .expand = &cuda::expand,
      .stages = {},
      .link = &cuda::link,
      .run = &cuda::run,
      .memory = {.allocate = &cuda::allocate_on_device,
                 .release = &cuda::release_on_device,
                 .from_host = &cuda::copy_from_host,
                 .to_host = &cuda::copy_to_host},
      .seconds = &cuda::seconds_on_device,
      .codelets = &cuda::codelets_of_kernels,
      .check = &cuda::check_problem,
      .predicted_seconds = &cuda::predicted_seconds,
      .absence = &cuda::absence,
      .machine = &cuda::machine_of_device,
      .describe = &cuda::describe_devices,
      .no_streams = true,
      .large_workspace = true,
      .longest_sweep = &cuda::longest_sweep,
  };
  return kCuda;
}

}  // namespace ulpfft
