// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The device that this thread works on: that of its current context, else device 0 by its primary context.
//
// Context   The primary context is retained on first use and kept, as CUDA's own runtime does. A current context belongs to the caller.
// Threads   All functions may be called on several threads at once.
#ifndef ULPFFT_PLANNER_BACKEND_CUDA_DEVICE_H_
#define ULPFFT_PLANNER_BACKEND_CUDA_DEVICE_H_

#include <cstddef>
#include <functional>
#include <string>

#include "planner/backend/cuda/driver.h"
#include "planner/system/clock.h"
#include "planner/system/poll.h"

namespace ulpfft::cuda {

// Why no plan can be executed here, as a sentence; empty where they can.
std::string absence();

// The device in wisdom, with the version of CUDA that its driver serves: "nvidia.h200.12040". Throws PlanError.
std::string machine_of_device();

// Several lines for people: driver, devices, kernels.
std::string describe_devices();

// What the kernels depend on. The values here are those of an H100.
struct DeviceLimits {
  int capability = 90;                // 10 times its major number, and its minor one: sm_90
  std::size_t shared_bytes = 232448;  // of a block
  int registers = 65536;              // of a block
  int processors = 132;
  std::size_t cache_bytes = std::size_t{50} << 20;  // of the second level
};
// The least capability: that of the PTX of the kernels.
inline constexpr int kLeastCapability = 80;

// Those of the device that this thread works on, else of an H100.
DeviceLimits limits_of_device();

// Makes a context current as long as it lives, where the thread has none. Throws PlanError.
class CurrentContext {
 public:
  CurrentContext();
  ~CurrentContext();
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

  const Driver& driver() const { return *driver_; }
  ContextHandle context() const { return context_; }
  DeviceNumber device() const { return device_; }

 private:
  const Driver* driver_ = nullptr;
  ContextHandle context_ = nullptr;
  DeviceNumber device_ = 0;
  bool pushed_ = false;
};

// Backend::memory.
void* allocate_on_device(std::size_t bytes, Poll* poll);
void release_on_device(void* memory) noexcept;
void copy_from_host(void* to, const void* host, std::size_t bytes);
void copy_to_host(void* host, const void* from, std::size_t bytes);

// Backend::seconds: between two events around the batch.
double seconds_on_device(const Clock& clock, const std::function<void()>& batch);

// Releases the primary context that was kept, and forgets what devices have and what is loaded. A test calls it before it changes the driver.
void forget_primary_context() noexcept;

}  // namespace ulpfft::cuda

#endif  // ULPFFT_PLANNER_BACKEND_CUDA_DEVICE_H_
