// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Loops that do nothing but multiply and add, or copy, once per instruction set.
//
// machine_kernels.cc is compiled with contraction allowed, unlike the library: here the compiler is meant to fuse.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_MACHINE_KERNELS_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_MACHINE_KERNELS_H_

#include <cstddef>
#include <cstdint>

namespace ulpfft_tool::bench {

struct MachineKernels {
  const char* instructions;
  bool fused;
  std::size_t vector_bytes;
  // `rounds` times twelve independent vectors x = x a + b; the sum of all lanes, so that nothing is left out.
  float (*multiply_add_f32)(std::int64_t rounds);
  double (*multiply_add_f64)(std::int64_t rounds);
  // bytes: a multiple of kCopyStep; arrays aligned to 64. Null: no non-temporal stores.
  void (*copy)(const std::byte* from, std::byte* to, std::size_t bytes);
  void (*copy_streaming)(const std::byte* from, std::byte* to, std::size_t bytes);
};

inline constexpr std::size_t kCopyStep = 256;
inline constexpr int kChains = 12;  // two units of latency four need eight, and sixteen registers hold twelve and two factors

// The widest that runs here.
const MachineKernels& machine_kernels();

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_MACHINE_KERNELS_H_
