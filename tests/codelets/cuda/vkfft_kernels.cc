// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The kernels that VkFFT makes for an H100, on a machine without a GPU: vkfft_kernels STORAGE N, with STORAGE f64, f32 or f16.
//
// VkFFT asks the driver for the attributes of a device, compiles its text with NVRTC, hands the PTX to the driver and launches. The driver
// here answers for an H100, writes each PTX to kernel_<i>.ptx in the current folder, and prints each launch in place of it:
// i, blocks, threads of a block, bytes of static shared memory unknown to the launch. No kernel runs, and no array is touched.
//
// vkfft_counts.py compiles and calls this program. No build does.
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

// Version 1.2.26 names the types of its Vulkan text for 16 bits in CUDA as well, where they do not exist. With these types that text
// compiles.
constexpr const char* kHalf = R"(
struct half {
  unsigned short code;
  half() = default;
  __device__ half(float x) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(code) : "f"(x)); }
  __device__ operator float() const {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(code));
    return x;
  }
};
struct __align__(4) f16vec2 {
  half x, y;
  f16vec2() = default;
  __device__ f16vec2(float2 v) : x(v.x), y(v.y) {}
  __device__ operator float2() const { return make_float2(x, y); }
};
)";
nvrtcResult create_with_half(nvrtcProgram* program, const char* text, const char* name, int headers, const char* const* texts,
                             const char* const* names) {
  return nvrtcCreateProgram(program, (kHalf + std::string(text)).c_str(), name, headers, texts, names);
}

}  // namespace

#define nvrtcCreateProgram create_with_half
#include <vkFFT.h>

namespace {

int modules = 0;
char constants[4096];  // where a kernel's constants would lie

int attribute_of_h100(CUdevice_attribute attribute) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: return 9;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: return 0;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE: return 32;
    case CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO: return 2;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: return 1024;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X: return 1024;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: return 1024;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: return 64;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: return 2147483647;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y: return 65535;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: return 65535;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: return 49152;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: return 232448;
    default: return 0;
  }
}

}  // namespace

extern "C" {
CUresult cuDeviceGet(CUdevice* device, int) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  *value = attribute_of_h100(attribute);
  return CUDA_SUCCESS;
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned, CUjit_option*, void**) {
  const std::string path = "kernel_" + std::to_string(modules++) + ".ptx";
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return CUDA_ERROR_FILE_NOT_FOUND;
  std::fputs(static_cast<const char*>(image), file);
  std::fclose(file);
  *module = reinterpret_cast<CUmodule>(static_cast<std::uintptr_t>(modules));
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char*) {
  *function = reinterpret_cast<CUfunction>(module);
  return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, std::size_t* bytes, CUmodule, const char*) {
  *address = reinterpret_cast<CUdeviceptr>(constants);
  if (bytes != nullptr) *bytes = sizeof constants;
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, std::size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                        unsigned block_z, unsigned shared, CUstream, void**, void**) {
  std::printf("launch %d %llu %u %u\n", static_cast<int>(reinterpret_cast<std::uintptr_t>(function)) - 1,
              1ULL * grid_x * grid_y * grid_z, block_x * block_y * block_z, shared);
  return CUDA_SUCCESS;
}
cudaError_t cudaMalloc(void** address, std::size_t bytes) {
  *address = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *address == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
cudaError_t cudaFree(void* address) {
  std::free(address);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t*) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
}

int main(int argc, char** argv) {
  const std::string storage = argc == 3 ? argv[1] : "";
  const long n = argc == 3 ? std::atol(argv[2]) : 0;
  if ((storage != "f64" && storage != "f32" && storage != "f16") || n < 2) {
    std::fputs("vkfft_kernels f64|f32|f16 N\n", stderr);
    return 2;
  }
  const long points = 1L << 24;
  CUdevice device = 0;
  std::uint64_t bytes = (storage == "f64" ? 16 : storage == "f32" ? 8 : 4) * static_cast<std::uint64_t>(points);
  void* buffer = reinterpret_cast<void*>(0x10000000);
  VkFFTConfiguration configuration = {};
  configuration.FFTdim = 1;
  configuration.size[0] = static_cast<std::uint64_t>(n);
  configuration.numberBatches = static_cast<std::uint64_t>(points / n);
  configuration.device = &device;
  configuration.makeForwardPlanOnly = 1;
  configuration.doublePrecision = storage == "f64";
  configuration.halfPrecision = storage == "f16";
  configuration.buffer = &buffer;
  configuration.bufferSize = &bytes;
  VkFFTApplication application = {};
  if (const int error = initializeVkFFT(&application, configuration); error != 0) {
    std::fprintf(stderr, "VkFFT makes no plan: its error %d\n", error);
    return 1;
  }
  std::printf("version %d\npoints %ld\n", VkFFTGetVersion(), points);
  VkFFTLaunchParams launch = {};
  launch.buffer = &buffer;
  return VkFFTAppend(&application, -1, &launch);
}
