// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// libcuda.so.1 without a device: the entry points that a check loads by name, over the driver of the tests. With it the very program that
// will meet a device is rehearsed. Of its images the form is looked at; the twins of the kernels run. With
// $ULPFFT_FAKE_DRIVER_TAKES_PTX_ONLY it refuses binaries, as drivers may do that are older than nvcc.
#include <dlfcn.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "codelets/cuda/launch.h"
#include "planner/backend/cuda/driver.h"
#include "tests/support/fake_driver.h"

namespace {

using ulpfft::cuda::DeviceAddress;
using ulpfft::cuda::Driver;
using ulpfft::cuda::Result;

struct Library {
  ulpfft::test::FakeDriver fake{{.images = 1}};  // it stands for every image of the program
  const Driver& table = *ulpfft::cuda::find_driver().driver;
  std::mutex mutex;
  std::map<DeviceAddress, std::size_t> memory;
};

Library& library() {
  static auto* const made = new Library;  // as a driver, it is there until the process ends
  return *made;
}

// Whether the transforms of a launch lie in the allocation that they begin in. A device finds out by its pages.
bool lies_within(const ulpfft::cuda::End& end, std::int64_t count) {
  Library& of = library();
  const std::lock_guard lock(of.mutex);
  const auto at = reinterpret_cast<DeviceAddress>(end.data);
  auto next = of.memory.upper_bound(at);
  if (next == of.memory.begin()) return false;
  --next;
  constexpr std::int64_t kLeastBytes = 2;
  const std::int64_t span = (count - 1) * (end.x_stride < 0 ? -end.x_stride : end.x_stride) * kLeastBytes;
  return at + static_cast<DeviceAddress>(span) < next->first + next->second;
}

}  // namespace

#define ULPFFT_FORWARD(name, entry, parameters, arguments) \
  Result name parameters { return library().table.entry arguments; }

extern "C" {

ULPFFT_FORWARD(cuInit, init, (unsigned flags), (flags))
ULPFFT_FORWARD(cuDriverGetVersion, driver_get_version, (int* version), (version))
ULPFFT_FORWARD(cuDeviceGetCount, device_get_count, (int* count), (count))
ULPFFT_FORWARD(cuDeviceGet, device_get, (int* device, int ordinal), (device, ordinal))
ULPFFT_FORWARD(cuDeviceGetName, device_get_name, (char* name, int size, int device), (name, size, device))
ULPFFT_FORWARD(cuDeviceGetAttribute, device_get_attribute, (int* value, int attribute, int device), (value, attribute, device))
ULPFFT_FORWARD(cuDevicePrimaryCtxRetain, primary_context_retain, (void** context, int device), (context, device))
ULPFFT_FORWARD(cuDevicePrimaryCtxRelease_v2, primary_context_release, (int device), (device))
ULPFFT_FORWARD(cuCtxGetCurrent, context_get_current, (void** context), (context))
ULPFFT_FORWARD(cuCtxPushCurrent_v2, context_push, (void* context), (context))
ULPFFT_FORWARD(cuCtxPopCurrent_v2, context_pop, (void** context), (context))
ULPFFT_FORWARD(cuCtxGetDevice, context_get_device, (int* device), (device))
ULPFFT_FORWARD(cuCtxGetId, context_get_id, (void* context, unsigned long long* number), (context, number))
ULPFFT_FORWARD(cuModuleUnload, module_unload, (void* module), (module))
ULPFFT_FORWARD(cuModuleGetFunction, module_get_function, (void** function, void* module, const char* name), (function, module, name))
ULPFFT_FORWARD(cuFuncSetAttribute, function_set_attribute, (void* function, int attribute, int value), (function, attribute, value))
ULPFFT_FORWARD(cuMemcpyHtoD_v2, copy_to_device, (DeviceAddress to, const void* from, std::size_t bytes), (to, from, bytes))
ULPFFT_FORWARD(cuMemcpyDtoH_v2, copy_to_host, (void* to, DeviceAddress from, std::size_t bytes), (to, from, bytes))
ULPFFT_FORWARD(cuMemsetD8_v2, memory_set, (DeviceAddress to, unsigned char value, std::size_t bytes), (to, value, bytes))
ULPFFT_FORWARD(cuStreamSynchronize, stream_synchronize, (void* stream), (stream))
ULPFFT_FORWARD(cuEventCreate, event_create, (void** event, unsigned flags), (event, flags))
ULPFFT_FORWARD(cuEventRecord, event_record, (void* event, void* stream), (event, stream))
ULPFFT_FORWARD(cuEventSynchronize, event_synchronize, (void* event), (event))
ULPFFT_FORWARD(cuEventElapsedTime, event_elapsed, (float* milliseconds, void* begin, void* end), (milliseconds, begin, end))
ULPFFT_FORWARD(cuEventDestroy_v2, event_destroy, (void* event), (event))
ULPFFT_FORWARD(cuPointerGetAttributes, pointer_get_attributes, (unsigned count, int* which, void** values, DeviceAddress address),
               (count, which, values, address))
ULPFFT_FORWARD(cuGetErrorName, get_error_name, (Result result, const char** name), (result, name))

// PTX is a text, whose first line is a comment or says its version.
Result cuModuleLoadData(void** module, const void* image) {
  const char first = *static_cast<const char*>(image);
  if (std::getenv("ULPFFT_FAKE_DRIVER_TAKES_PTX_ONLY") != nullptr && first != '/' && first != '.' && first != '\n') {
    return Result::kInvalidImage;
  }
  return library().table.module_load_data(module, library().table.images[0].binary);
}
Result cuMemAlloc_v2(DeviceAddress* address, std::size_t bytes) {
  const Result result = library().table.memory_allocate(address, bytes);
  const std::lock_guard lock(library().mutex);
  if (result == Result::kSuccess) library().memory[*address] = bytes;
  return result;
}
Result cuMemFree_v2(DeviceAddress address) {
  const std::lock_guard lock(library().mutex);
  library().memory.erase(address);
  return library().table.memory_free(address);
}
Result cuMemcpyDtoDAsync_v2(DeviceAddress to, DeviceAddress from, std::size_t bytes, void*) {
  return library().table.copy_to_host(reinterpret_cast<void*>(to), from, bytes);
}
Result cuLaunchKernel(void* function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned threads_y, unsigned threads_z,
                      unsigned shared, void* stream, void** parameters, void** extra) {
  const auto& args = *static_cast<const ulpfft::cuda::Args*>(parameters[0]);
  constexpr int kIllegalAddress = 700;
  if (!lies_within(args.in, args.count)) library().fake.fail_at(1, kIllegalAddress);
  return library().table.launch_kernel(function, x, y, z, threads, threads_y, threads_z, shared, stream, parameters, extra);
}

// Of two versions the later one.
Result cuGetProcAddress(const char* name, void** address, int, std::uint64_t) {
  static void* const self = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  *address = dlsym(self, (std::string(name) + "_v2").c_str());
  if (*address == nullptr) *address = dlsym(self, name);
  return *address != nullptr ? Result::kSuccess : Result::kNotFound;
}

Result cuStreamCreate(void** stream, unsigned) {
  *stream = library().fake.make_stream();
  return Result::kSuccess;
}
Result cuStreamDestroy_v2(void*) { return Result::kSuccess; }
Result cuStreamBeginCapture_v2(void* stream, int) {
  library().fake.begin_capture(stream);
  return Result::kSuccess;
}
Result cuStreamEndCapture(void*, void** graph) {
  library().fake.end_capture();
  *graph = &library();
  return Result::kSuccess;
}
Result cuGraphInstantiateWithFlags(void** ready, void* graph, unsigned long long) {
  *ready = graph;
  return Result::kSuccess;
}
Result cuGraphLaunch(void*, void*) {
  library().fake.replay();
  return Result::kSuccess;
}
Result cuGraphExecDestroy(void*) { return Result::kSuccess; }
Result cuGraphDestroy(void*) { return Result::kSuccess; }

}  // extern "C"

#undef ULPFFT_FORWARD
