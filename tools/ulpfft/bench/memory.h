// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bytes of std::aligned_alloc that free themselves.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_MEMORY_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_MEMORY_H_

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace ulpfft_tool::bench {

struct Free {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<std::byte, Free>;

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_MEMORY_H_
