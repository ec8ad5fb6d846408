// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Executions: checks, and launches.
#include <cassert>
#include <cstdio>

#include "planner/backend/cuda/executable.h"
#include "planner/system/last_error.h"

namespace ulpfft::cuda {
namespace {

int refuse(const Driver& driver, Result result, const char* doing) noexcept {
  const Failure failure = failure_of(driver, result, doing);
  return set_last_error(failure.status, "backend", failure.sentence);
}

char* moved(void* base, std::int64_t bytes) { return static_cast<char*>(base) + bytes; }

}  // namespace

int CudaExecutable::execute(StreamHandle stream, void* in, void* out, void* workspace, Counts* counts) const noexcept {
  if (on_device_ == nullptr) return set_last_error(ULPFFT_UNAVAILABLE, "backend", absent_.c_str());
  const Driver& driver = on_device_->driver;
  ContextHandle current = nullptr;
  if (const Result result = driver.context_get_current(&current); result != Result::kSuccess) {
    return refuse(driver, result, "asking for the current context");
  }
  if (current == on_device_->context) return execute_in_context(stream, in, out, workspace, counts);
  if (current != nullptr) return refuse_context(current);
  if (const Result result = driver.context_push(on_device_->context); result != Result::kSuccess) {
    return refuse(driver, result, "making the context of the plan current");
  }
  const int status = execute_in_context(stream, in, out, workspace, counts);
  driver.context_pop(&current);
  return status;
}

// Another context may have the handle of the plan's, which was destroyed.
int CudaExecutable::execute_in_context(StreamHandle stream, void* in, void* out, void* workspace, Counts* counts) const noexcept {
  const Driver& driver = on_device_->driver;
  ContextIdentity found;
  if (const Result result = identify(driver, on_device_->context, found); result != Result::kSuccess) {
    return refuse(driver, result, "asking for the number of a context");
  }
  if (found != on_device_->identity) return refuse(driver, Result::kContextIsDestroyed, "executing the plan");
  return execute_here(stream, in, out, workspace, counts);
}

int CudaExecutable::refuse_context(ContextHandle) const noexcept {
  DeviceNumber device = -1;
  on_device_->driver.context_get_device(&device);
  char sentence[256];
  if (device != on_device_->device) {
    std::snprintf(sentence, sizeof sentence,
                  "The plan was made for device %d, but the current context is of device %d: make a context of device %d current, or plan "
                  "again.",
                  on_device_->device, device, on_device_->device);
  } else {
    std::snprintf(sentence, sizeof sentence, "The plan was made in another context of device %d than the current one.", device);
  }
  return set_last_error(ULPFFT_INVALID_ARGUMENT, "backend", sentence);
}

int CudaExecutable::check_address(const void* address, const char* field, std::uintptr_t alignment) const noexcept {
  if (reinterpret_cast<std::uintptr_t>(address) % alignment != 0) {
    char sentence[128];
    std::snprintf(sentence, sizeof sentence, "CUDA reads and writes whole complex numbers: the address is not aligned to %d bytes.",
                  static_cast<int>(alignment));
    return set_last_error(ULPFFT_INVALID_ARGUMENT, field, sentence);
  }
  constexpr unsigned kUnknown = 0, kOnDevice = 2;
  unsigned type = kUnknown, managed = 0;
  DeviceNumber device = -1;
  int attributes[] = {kMemoryType, kIsManaged, kPointerDevice};
  void* values[] = {&type, &managed, &device};
  const Driver& driver = on_device_->driver;
  const Result result = driver.pointer_get_attributes(3, attributes, values, reinterpret_cast<DeviceAddress>(address));
  if (result != Result::kSuccess) return refuse(driver, result, "asking where an address lies");
  if (type == kUnknown) {
    return set_last_error(ULPFFT_INVALID_ARGUMENT, field,
                          "The address is memory of the host, which a plan for CUDA cannot read: pass memory of the device, or call "
                          "ulpfft_execute_on_host().");
  }
  if (type == kOnDevice && managed == 0 && device != on_device_->device) {
    char sentence[128];
    std::snprintf(sentence, sizeof sentence, "The address is memory of device %d, the plan is for device %d.", device, on_device_->device);
    return set_last_error(ULPFFT_INVALID_ARGUMENT, field, sentence);
  }
  return ULPFFT_OK;
}

int CudaExecutable::execute_here(StreamHandle stream, void* in, void* out, void* workspace, Counts* counts) const noexcept {
  constexpr std::uintptr_t kWorkspaceAlignment = 64;
  if (const int status = check_address(in, "in", in_alignment_); status != ULPFFT_OK) return status;
  if (out != in) {
    if (const int status = check_address(out, "out", out_alignment_); status != ULPFFT_OK) return status;
  }
  if (workspace != nullptr) {
    if (const int status = check_address(workspace, "workspace", kWorkspaceAlignment); status != ULPFFT_OK) return status;
  } else {
    workspace = reinterpret_cast<void*>(on_device_->workspace);
  }
  if (counts != nullptr) {
    assert(stream == nullptr);  // counts are read on the default stream
    return launch_counted(in, out, workspace, *counts);
  }
  return launch_all(stream, in, out, workspace, false);
}

int CudaExecutable::launch_all(StreamHandle stream, void* in, void* out, void* workspace, bool counts) const noexcept {
  const Driver& driver = on_device_->driver;
  const auto address = [&](ArrayId array, std::int64_t offset) {
    return moved(array == ArrayId::kIn ? in : array == ArrayId::kOut ? out : workspace, offset);
  };
  for (const LinkedLaunch& launch : launches_) {
    Args args = launch.args;
    args.in.data = address(launch.in, launch.in_offset);
    args.out.data = address(launch.out, launch.out_offset);
    args.table = reinterpret_cast<const void*>(on_device_->tables + launch.table);
    args.twist = args.twist_columns != 0 ? reinterpret_cast<const void*>(on_device_->tables + launch.twist) : nullptr;
    args.saturated = counts ? reinterpret_cast<unsigned long long*>(counter()) : nullptr;
    void* parameters[] = {&args};
    const KernelInfo& kernel = *launch.kernel;
    const Result result =
        driver.launch_kernel(launch.function, launch.grid[0], launch.grid[1], launch.grid[2], static_cast<unsigned>(kernel.threads), 1, 1,
                             static_cast<unsigned>(kernel.shared_bytes), stream, parameters, nullptr);
    if (result != Result::kSuccess) return refuse(driver, result, "launching a kernel");
  }
  return ULPFFT_OK;
}

int CudaExecutable::launch_counted(void* in, void* out, void* workspace, Counts& counts) const noexcept {
  const std::lock_guard lock(counting_);  // there is one counter
  const Driver& driver = on_device_->driver;
  unsigned long long saturated = 0;
  Result result = driver.memory_set(counter(), 0, sizeof saturated);
  if (result != Result::kSuccess) return refuse(driver, result, "clearing the counter of saturated numbers");
  if (const int status = launch_all(nullptr, in, out, workspace, true); status != ULPFFT_OK) return status;
  result = driver.copy_to_host(&saturated, counter(), sizeof saturated);
  if (result != Result::kSuccess) return refuse(driver, result, "reading the counter of saturated numbers");
  counts = {static_cast<std::int64_t>(saturated), 0};
  return ULPFFT_OK;
}

namespace {

int run_call(const DirectCall& call, void* in, void*, void* out, void*, void* workspace) {
  return context_of<CudaExecutable>(call).execute(nullptr, in, out, workspace, nullptr);
}

int run_arrays_of(const Executable& executable, const ArrayAddress& in, const ArrayAddress& out, void* workspace, Counts* counts,
                  const ChainOperation*) {
  if (in.exponents != nullptr || out.exponents != nullptr) {
    return set_last_error(ULPFFT_UNSUPPORTED, "exponents", "Exponents are not built for CUDA: leave them null.");
  }
  Counts* const wanted = counts != nullptr && counts->saturated >= 0 ? counts : nullptr;
  return static_cast<const CudaExecutable&>(executable).execute(nullptr, in.data[0], out.data[0], workspace, wanted);
}

int run_on_stream(const Executable& executable, void* stream, void* in, void* out, void* workspace) {
  return static_cast<const CudaExecutable&>(executable).execute(stream, in, out, workspace, nullptr);
}

}  // namespace

Entries run(Executable& executable, const PlanNeeds&) {
  auto& plan = static_cast<CudaExecutable&>(executable);
  plan.prepare();
  return {.call = {.run = &run_call, .context = &plan}, .arrays = &run_arrays_of, .counts = false, .on_stream = &run_on_stream};
}

}  // namespace ulpfft::cuda
