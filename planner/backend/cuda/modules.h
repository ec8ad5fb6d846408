// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The kernels that the plans of a context use. Each image is loaded once for all of them, and stays as long as the context: where it has a
// number, the next plan finds the image; before CUDA 12 an image is unloaded after its last plan.
//
// Load      The binary of an image first. Where the driver finds nothing in it for its device, its PTX, which older drivers take.
// Threads   All functions take one lock of the process. Executions call none of them.
#ifndef ULPFFT_PLANNER_BACKEND_CUDA_MODULES_H_
#define ULPFFT_PLANNER_BACKEND_CUDA_MODULES_H_

#include <cstdint>
#include <vector>

#include "planner/backend/cuda/driver.h"

namespace ulpfft::cuda {

struct LoadedImage;

// Contexts that follow one another may have the same handle, and never the same number. The number is 0 before CUDA 12.
struct ContextIdentity {
  ContextHandle handle = nullptr;
  std::uint64_t number = 0;
  bool operator==(const ContextIdentity&) const = default;
};
Result identify(const Driver& driver, ContextHandle context, ContextIdentity& identity) noexcept;

// What one plan uses.
class Modules {
 public:
  Modules(const Driver& driver, const ContextIdentity& context) : driver_(driver), context_(context) {}
  Modules(const Modules&) = delete;
  Modules& operator=(const Modules&) = delete;
  // Leaves nothing loaded only after release().
  ~Modules() = default;

  // The context is current. Throws PlanError.
  FunctionHandle find(const char* kernel);
  // Gives everything back once; what a later plan of the context may use stays loaded. The context is current, or was destroyed and took its modules along.
  void release(bool is_destroyed) noexcept;

 private:
  const Driver& driver_;
  const ContextIdentity context_;
  std::vector<LoadedImage*> used_;
};

// Forgets all images, which are those of a driver that goes. No plan may exist.
void forget_modules() noexcept;

}  // namespace ulpfft::cuda

#endif  // ULPFFT_PLANNER_BACKEND_CUDA_MODULES_H_
