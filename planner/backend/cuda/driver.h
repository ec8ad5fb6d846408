// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The entry points of NVIDIA's driver that plans use, as a table. The driver is loaded while a program runs and never linked, and nothing
// of CUDA is needed to build: the declarations are our own.
//
// Handles   What the driver calls CUcontext, CUmodule, CUfunction, CUstream and CUevent are pointers. A cudaStream_t is a CUstream.
// Tests     Another table may stand in its place: set_driver_source().
// Devices   No function here resets a device.
#ifndef ULPFFT_PLANNER_BACKEND_CUDA_DRIVER_H_
#define ULPFFT_PLANNER_BACKEND_CUDA_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "planner/backend/cuda/images.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::cuda {

// CUresult. The names are those of cuda.h without CUDA_ERROR_.
enum class Result : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kDeinitialized = 4,
  kNoDevice = 100,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinaryForGpu = 209,
  kInvalidPtx = 218,
  kUnsupportedPtxVersion = 222,
  kInvalidSource = 300,
  kNotFound = 500,
  kIllegalAddress = 700,
  kLaunchTimeout = 702,
  kContextIsDestroyed = 709,
  kAssert = 710,
  kHardwareStackError = 714,
  kLaunchFailed = 719,
  kSystemDriverMismatch = 803,
  kStreamCaptureUnsupported = 900,
  kStreamCaptureInvalidated = 901,
  kStreamCaptureImplicit = 906,
};

using DeviceNumber = int;
using DeviceAddress = std::uint64_t;
using ContextHandle = void*;
using ModuleHandle = void*;
using FunctionHandle = void*;
using StreamHandle = void*;
using EventHandle = void*;

// Attributes of devices, functions and pointers, by their numbers in cuda.h.
inline constexpr int kRegistersOfBlock = 12, kProcessorCount = 16, kCacheBytes = 38, kComputeCapabilityMajor = 75,
                     kComputeCapabilityMinor = 76, kSharedBytesOfBlock = 97;
inline constexpr int kMaxDynamicSharedBytes = 8;
inline constexpr int kMemoryType = 2, kIsManaged = 8, kPointerDevice = 9;

// The least driver: CUDA 11.8, the first that takes the PTX of the images.
inline constexpr int kLeastDriverVersion = 11080;

struct Driver {
  Result (*init)(unsigned flags);
  Result (*driver_get_version)(int* version);
  Result (*device_get_count)(int* count);
  Result (*device_get)(DeviceNumber* device, int ordinal);
  Result (*device_get_name)(char* name, int size, DeviceNumber device);
  Result (*device_get_attribute)(int* value, int attribute, DeviceNumber device);
  Result (*primary_context_retain)(ContextHandle* context, DeviceNumber device);
  Result (*primary_context_release)(DeviceNumber device);
  Result (*context_get_current)(ContextHandle* context);
  Result (*context_push)(ContextHandle context);
  Result (*context_pop)(ContextHandle* context);
  Result (*context_get_device)(DeviceNumber* device);
  Result (*context_get_id)(ContextHandle context, unsigned long long* id);  // null before CUDA 12
  Result (*module_load_data)(ModuleHandle* module, const void* image);
  Result (*module_unload)(ModuleHandle module);
  Result (*module_get_function)(FunctionHandle* function, ModuleHandle module, const char* name);
  Result (*function_set_attribute)(FunctionHandle function, int attribute, int value);
  Result (*memory_allocate)(DeviceAddress* address, std::size_t bytes);
  Result (*memory_free)(DeviceAddress address);
  Result (*copy_to_device)(DeviceAddress to, const void* from, std::size_t bytes);
  Result (*copy_to_host)(void* to, DeviceAddress from, std::size_t bytes);
  Result (*memory_set)(DeviceAddress to, unsigned char value, std::size_t bytes);
  Result (*stream_synchronize)(StreamHandle stream);
  Result (*launch_kernel)(FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                          unsigned block_z, unsigned shared_bytes, StreamHandle stream, void** parameters, void** extra);
  Result (*event_create)(EventHandle* event, unsigned flags);
  Result (*event_record)(EventHandle event, StreamHandle stream);
  Result (*event_synchronize)(EventHandle event);
  Result (*event_elapsed)(float* milliseconds, EventHandle begin, EventHandle end);
  Result (*event_destroy)(EventHandle event);
  Result (*pointer_get_attributes)(unsigned count, int* attributes, void** values, DeviceAddress address);
  Result (*get_error_name)(Result result, const char** name);

  std::span<const KernelImage> images;  // what module_load_data takes: the kernels of this build, some in each; may be empty
};

// The table, or why there is none, as a sentence.
struct DriverOrReason {
  const Driver* driver = nullptr;
  const char* reason = "";
};

// Fills a table with the entry points of a library: those of kLeastDriverVersion that cuGetProcAddress() gives where the library has it
// (from CUDA 11.3 on), else by their names. `symbol` is dlsym(). Returns false where one is missing, and writes a sentence.
using SymbolOf = void* (*)(void* library, const char* name);
bool find_entries(void* library, SymbolOf symbol, Driver& table, std::span<char> reason) noexcept;

// The driver of this machine, loaded on first use and then kept; its table does not change.
DriverOrReason loaded_driver() noexcept;

// What find_driver() asks: loaded_driver(), or the function that a test sets. No plan may exist then, and null sets it back.
using DriverSource = DriverOrReason (*)();
void set_driver_source(DriverSource source) noexcept;
DriverOrReason find_driver() noexcept;

// A call of the driver that failed, as a status and a sentence.
struct Failure {
  ulpfft_status status = ULPFFT_INTERNAL;
  char sentence[512] = "";
};
// `doing` ends the sentence: "allocating memory of the device". Allocates nothing.
Failure failure_of(const Driver& driver, Result result, const char* doing) noexcept;
// Throws PlanError unless the call succeeded.
void require_success(const Driver& driver, Result result, const char* doing);

}  // namespace ulpfft::cuda

#endif  // ULPFFT_PLANNER_BACKEND_CUDA_DRIVER_H_
