// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What one core of this machine can do at most: multiply-adds per second, and bytes copied per second at each memory level.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_MACHINE_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_MACHINE_H_

#include <cstddef>
#include <string>
#include <vector>

namespace ulpfft_tool::bench {

// Bytes read plus bytes written per second, of a copy between two arrays that take `bytes` together.
struct CopySpeed {
  std::string level;      // "L1", "L2", "L3", "DRAM"
  std::size_t capacity = 0;  // bytes of the level; 0: no bound
  std::size_t bytes = 0;
  double plain = 0;
  double streaming = 0;  // with non-temporal stores; 0: this instruction set has none
  double best() const { return plain > streaming ? plain : streaming; }
};

struct Machine {
  std::string processor;
  int cpus = 1;
  std::string instructions;  // the set that was measured, e.g. "AVX-512"
  bool fused = false;        // multiply and add in one instruction
  double flops_f32 = 0;      // per second; an FMA counts two
  double flops_f64 = 0;
  std::vector<CopySpeed> copies;

  // The level that arrays of `bytes` in all fit into; null where nothing was measured.
  const CopySpeed* level_of(double bytes) const;
};

// Takes about `seconds`, and memory's time to be there; measures on the calling thread. Levels beyond the first that holds
// `largest_bytes` are left out.
Machine measure_machine(double seconds, double largest_bytes);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_MACHINE_H_
