// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A program that is linked: launches with their arguments, and what of them lies on a device.
//
// Device    Tables, modules and a workspace of the plan lie in the context that was current when the plan was made, else in the primary one
//           of device 0. Without a device there is a reason, and executions return it.
// Execute   A check of the context and of both addresses, and launches: no allocation, copy, synchronisation or lock. Where the caller asks
//           for the count of what saturates, the call takes a lock of the plan, waits for the transform and copies the count.
#ifndef ULPFFT_PLANNER_BACKEND_CUDA_EXECUTABLE_H_
#define ULPFFT_PLANNER_BACKEND_CUDA_EXECUTABLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "codelets/cuda/launch.h"
#include "planner/backend/backend.h"
#include "planner/backend/cuda/device.h"
#include "planner/backend/cuda/driver.h"
#include "planner/backend/cuda/modules.h"
#include "wisdom/fork.h"

namespace ulpfft::cuda {

// A launch whose addresses count from the arrays of an execution.
struct LinkedLaunch {
  const KernelInfo* kernel = nullptr;
  FunctionHandle function = nullptr;
  Args args;                       // without addresses of arrays and tables
  ArrayId in = ArrayId::kIn, out = ArrayId::kOut;
  std::int64_t in_offset = 0, out_offset = 0;  // bytes; of work arrays in the workspace
  std::size_t table = 0, twist = 0;            // offsets in the tables, as far as the kernel reads them
  unsigned grid[3] = {1, 1, 1};
};

// Memory of a plan in a context, and its share in modules, given back when the plan ends.
class OnDevice {
 public:
  explicit OnDevice(const CurrentContext& current)
      : driver(current.driver()), context(current.context()), device(current.device()), identity(identity_of(current)),
        modules_(driver, identity), process_(fork_generation()) {}
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  // Loads the kernels that launches name, copies tables, takes a workspace, and waits until the tables have arrived. Throws PlanError.
  void prepare(const std::vector<std::byte>& table_values, std::size_t workspace_bytes, std::vector<LinkedLaunch>& launches);

  const Driver& driver;
  const ContextHandle context;
  const DeviceNumber device;
  const ContextIdentity identity;
  DeviceAddress tables = 0;
  DeviceAddress workspace = 0;

 private:
  static ContextIdentity identity_of(const CurrentContext& current);

  Modules modules_;
  const unsigned process_;  // by fork_generation()
};

class CudaExecutable final : public Executable, public ContextOf<CudaExecutable> {
 public:
  CudaExecutable(const Backend& of, const ulpfft::Program& program);
  const PlanFacts& facts() const override { return facts_; }

  // Makes tables and takes what lies on the device, where there is one. Throws PlanError where that fails.
  void prepare();
  // Returns a ulpfft_status, and sets the last error unless it is ULPFFT_OK. `workspace` null: the plan's own. Counts are taken on the default
  // stream alone, null.
  int execute(StreamHandle stream, void* in, void* out, void* workspace, Counts* counts) const noexcept;

 private:
  int execute_in_context(StreamHandle stream, void* in, void* out, void* workspace, Counts* counts) const noexcept;
  int execute_here(StreamHandle stream, void* in, void* out, void* workspace, Counts* counts) const noexcept;
  int refuse_context(ContextHandle current) const noexcept;
  int check_address(const void* address, const char* field, std::uintptr_t alignment) const noexcept;
  int launch_all(StreamHandle stream, void* in, void* out, void* workspace, bool counts) const noexcept;
  int launch_counted(void* in, void* out, void* workspace, Counts& counts) const noexcept;  // on the default stream
  std::vector<std::byte> make_tables() const;
  DeviceAddress counter() const { return on_device_->tables + table_bytes_; }

  PlanFacts facts_;
  std::vector<LinkedLaunch> launches_;
  std::size_t table_bytes_ = 0;  // before the counter of saturated reals
  std::uintptr_t in_alignment_ = 1, out_alignment_ = 1;
  std::string absent_;
  std::unique_ptr<const OnDevice> on_device_;
  mutable std::mutex counting_;
};

std::unique_ptr<Executable> link(const ulpfft::Program& program, const CodeletTable& codelets, TableCache& cache,
                                 const NodeTransform& transform);
Entries run(Executable& executable, const PlanNeeds& needs);

}  // namespace ulpfft::cuda

#endif  // ULPFFT_PLANNER_BACKEND_CUDA_EXECUTABLE_H_
