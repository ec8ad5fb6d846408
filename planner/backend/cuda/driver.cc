// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cuda/driver.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <memory>

#include "wisdom/error.h"

namespace ulpfft::cuda {
namespace {

constexpr const char* kLibrary = "libcuda.so.1";

struct LoadedDriver {
  Driver table{};
  char reason[256] = "";
};

// Where entry points come from.
class EntryPoints {
 public:
  EntryPoints(void* library, SymbolOf symbol) : library_(library), symbol_(symbol) {
    get_ = reinterpret_cast<GetAddress*>(symbol(library, "cuGetProcAddress"));
  }

  // The declaration of `version`, whose symbol is the name and the suffix. Null where there is none.
  void* find(const char* name, const char* suffix, int version) const {
    void* address = nullptr;
    if (get_ != nullptr) return get_(name, &address, version, 0) == Result::kSuccess ? address : nullptr;
    char whole[64];
    std::snprintf(whole, sizeof whole, "%s%s", name, suffix);
    return symbol_(library_, whole);
  }

 private:
  using GetAddress = Result(const char* name, void** address, int version, std::uint64_t flags);  // that of CUDA 11.3
  void* library_;
  SymbolOf symbol_;
  GetAddress* get_;
};

// Returns null where memory is short.
LoadedDriver* load() {
  auto* const loaded = new (std::nothrow) LoadedDriver;
  if (loaded == nullptr) return nullptr;
  // The library stays loaded: it has threads of its own.
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::snprintf(loaded->reason, sizeof loaded->reason, "This machine has no NVIDIA driver: %s cannot be loaded.", kLibrary);
  } else if (find_entries(library, &dlsym, loaded->table, loaded->reason)) {
    loaded->table.images = kernel_images();
  }
  return loaded;
}

// Made on first use, without a lock, as in codelets/registry.cc.
struct DriverHolder {
  std::atomic<const LoadedDriver*> loaded{nullptr};
  ~DriverHolder() { delete loaded.load(); }
};
constinit DriverHolder driver_holder;
constinit std::atomic<DriverSource> driver_source{nullptr};

bool is_sticky(Result result) {
  switch (result) {
    case Result::kIllegalAddress: case Result::kLaunchTimeout: case Result::kAssert: case Result::kHardwareStackError:
    case Result::kLaunchFailed: return true;
    // Illegal instruction, misaligned address, invalid address space and program counter lie between.
    default: return result > Result::kHardwareStackError && result < Result::kLaunchFailed;
  }
}

// The cause of a failure, as a clause, with the status it has.
const char* cause_of(Result result, ulpfft_status& status) {
  status = ULPFFT_UNAVAILABLE;
  if (is_sticky(result)) {
    status = ULPFFT_INTERNAL;
    return "an earlier kernel of this context failed, and the context is of no use any more: make a new one, or start the program anew; "
           "ulpfft never resets a device";
  }
  switch (result) {
    case Result::kOutOfMemory: status = ULPFFT_NO_MEMORY; return "the device has not enough free memory";
    case Result::kNoDevice: return "this machine has no device that CUDA can use";
    case Result::kSystemDriverMismatch: return "the driver and its kernel module have different versions";
    case Result::kNotInitialized: case Result::kDeinitialized: return "the driver is shutting down";
    case Result::kContextIsDestroyed: case Result::kInvalidContext: return "the context of the plan was destroyed";
    case Result::kNoBinaryForGpu: return "this build has no kernels for the device";
    case Result::kInvalidImage: case Result::kInvalidPtx: case Result::kUnsupportedPtxVersion: case Result::kInvalidSource:
      return "the driver does not take this form of the kernels";
    case Result::kNotFound: return "this build was made without some kernel";
    case Result::kStreamCaptureUnsupported: case Result::kStreamCaptureInvalidated: case Result::kStreamCaptureImplicit:
      status = ULPFFT_INVALID_ARGUMENT;
      return "a stream is being captured, which forbids this";
    case Result::kInvalidValue: status = ULPFFT_INVALID_ARGUMENT; return "the driver refuses an argument";
    default: status = ULPFFT_INTERNAL; return "the driver reports an error";
  }
}

}  // namespace

bool find_entries(void* library, SymbolOf symbol, Driver& table, std::span<char> reason) noexcept {
  const EntryPoints entries(library, symbol);
  const char* missing = nullptr;
  const auto find = [&](auto& entry, const char* name, const char* suffix = "") {
    void* const address = entries.find(name, suffix, kLeastDriverVersion);
    entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(address);
    if (address == nullptr && missing == nullptr) missing = name;
  };
  find(table.init, "cuInit");
  find(table.driver_get_version, "cuDriverGetVersion");
  find(table.device_get_count, "cuDeviceGetCount");
  find(table.device_get, "cuDeviceGet");
  find(table.device_get_name, "cuDeviceGetName");
  find(table.device_get_attribute, "cuDeviceGetAttribute");
  find(table.primary_context_retain, "cuDevicePrimaryCtxRetain");
  find(table.primary_context_release, "cuDevicePrimaryCtxRelease", "_v2");
  find(table.context_get_current, "cuCtxGetCurrent");
  find(table.context_push, "cuCtxPushCurrent", "_v2");
  find(table.context_pop, "cuCtxPopCurrent", "_v2");
  find(table.context_get_device, "cuCtxGetDevice");
  constexpr int kFirstWithIds = 12000;
  table.context_get_id = reinterpret_cast<decltype(table.context_get_id)>(entries.find("cuCtxGetId", "", kFirstWithIds));
  find(table.module_load_data, "cuModuleLoadData");
  find(table.module_unload, "cuModuleUnload");
  find(table.module_get_function, "cuModuleGetFunction");
  find(table.function_set_attribute, "cuFuncSetAttribute");
  find(table.memory_allocate, "cuMemAlloc", "_v2");
  find(table.memory_free, "cuMemFree", "_v2");
  find(table.copy_to_device, "cuMemcpyHtoD", "_v2");
  find(table.copy_to_host, "cuMemcpyDtoH", "_v2");
  find(table.memory_set, "cuMemsetD8", "_v2");
  find(table.stream_synchronize, "cuStreamSynchronize");
  find(table.launch_kernel, "cuLaunchKernel");
  find(table.event_create, "cuEventCreate");
  find(table.event_record, "cuEventRecord");
  find(table.event_synchronize, "cuEventSynchronize");
  find(table.event_elapsed, "cuEventElapsedTime");
  find(table.event_destroy, "cuEventDestroy", "_v2");
  find(table.pointer_get_attributes, "cuPointerGetAttributes");
  find(table.get_error_name, "cuGetErrorName");
  if (missing == nullptr) return true;
  // By its name, which every library has.
  const auto get_version = reinterpret_cast<decltype(table.driver_get_version)>(symbol(library, "cuDriverGetVersion"));
  int version = 0;
  char serves[32] = "";
  if (get_version != nullptr && get_version(&version) == Result::kSuccess) {
    std::snprintf(serves, sizeof serves, "it serves CUDA %d.%d, ", version / 1000, version % 1000 / 10);
  }
  std::snprintf(reason.data(), reason.size(),
                "The NVIDIA driver of this machine is too old: %sit lacks %s(), and ulpfft needs CUDA %d.%d or later.", serves, missing,
                kLeastDriverVersion / 1000, kLeastDriverVersion % 1000 / 10);
  return false;
}

DriverOrReason loaded_driver() noexcept {
  const LoadedDriver* loaded = driver_holder.loaded.load(std::memory_order_acquire);
  if (loaded == nullptr) {
    const LoadedDriver* const made = load();
    if (made == nullptr) return {nullptr, "There is not enough memory to load the NVIDIA driver."};
    if (driver_holder.loaded.compare_exchange_strong(loaded, made, std::memory_order_acq_rel)) {
      loaded = made;
    } else {
      delete made;
    }
  }
  return *loaded->reason != '\0' ? DriverOrReason{nullptr, loaded->reason} : DriverOrReason{&loaded->table, ""};
}

void set_driver_source(DriverSource other) noexcept { driver_source.store(other, std::memory_order_release); }

DriverOrReason find_driver() noexcept {
  const DriverSource other = driver_source.load(std::memory_order_acquire);
  return other != nullptr ? other() : loaded_driver();
}

Failure failure_of(const Driver& driver, Result result, const char* doing) noexcept {
  Failure failure;
  const char* const cause = cause_of(result, failure.status);
  const char* name = nullptr;
  if (driver.get_error_name(result, &name) != Result::kSuccess || name == nullptr) name = "unknown error";
  std::snprintf(failure.sentence, sizeof failure.sentence, "CUDA failed while %s: %s (%s, %d).", doing, cause, name,
                static_cast<int>(result));
  return failure;
}

void require_success(const Driver& driver, Result result, const char* doing) {
  if (result == Result::kSuccess) return;
  const Failure failure = failure_of(driver, result, doing);
  throw PlanError(failure.status, "backend", failure.sentence);
}

}  // namespace ulpfft::cuda
