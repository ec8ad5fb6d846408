// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The kernels as the planner sees them: found by what they compute, and as codelets for strategies, predicted errors and digests.
#ifndef ULPFFT_PLANNER_BACKEND_CUDA_KERNELS_H_
#define ULPFFT_PLANNER_BACKEND_CUDA_KERNELS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/contract/codelet.h"
#include "codelets/cuda/launch.h"
#include "planner/backend/cuda/device.h"
#include "wisdom/recipe.h"

namespace ulpfft::cuda {

// Nothing for formats that kernels do not know.
std::optional<Storage> storage_named(const std::string& name);
const char* name_of(Storage storage);
std::int64_t real_bytes(Storage storage);

// Shared memory that every device has for a block, and that a kernel need not be allowed first.
inline constexpr std::size_t kSharedWithoutAsking = 48 << 10;

// Whether a block of the kernel runs on the device.
bool fits(const KernelInfo& kernel, const DeviceLimits& device);

// Points of the longest kernel of a sweep of four over reals of either arithmetic that fits the device of this thread.
std::int64_t longest_sweep();

// A transform as kernels have it: the radices of a node n, or of a dit.
struct KernelWanted {
  KernelKind kind = KernelKind::kRows;
  Storage in = Storage::kF32;
  Storage out = Storage::kF32;
  bool is_f64 = false;  // the arithmetic
  bool backward = false;
  const std::vector<PassSpec>& passes;
};
// The first behind `after`, where that is given. Null where there is none.
const KernelInfo* find_kernel(const KernelWanted& wanted, const KernelInfo* after = nullptr);
const KernelInfo* find_conversion(Storage in, Storage out);
const KernelInfo* find_kernel(const char* name);

// Bodies of kernels as codelets of backend "cuda". They have no functions: a plan takes kernels.
const CodeletTable& codelets_of_kernels();

}  // namespace ulpfft::cuda

#endif  // ULPFFT_PLANNER_BACKEND_CUDA_KERNELS_H_
