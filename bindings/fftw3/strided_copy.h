// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Numbers between a strided array and a dense one.
#ifndef ULPFFT_BINDINGS_FFTW3_STRIDED_COPY_H_
#define ULPFFT_BINDINGS_FFTW3_STRIDED_COPY_H_

#include <cstdint>
#include <vector>

namespace ulpfft::fftw3 {

// One loop over elements; strides in bytes.
struct CopyLoop {
  std::int64_t n = 1, from_stride = 0, to_stride = 0;
};

// Copies `bytes` (4 or 8) of every element, in any order. Addresses need no alignment. The arrays must not overlap.
void copy_strided(std::vector<CopyLoop> loops, std::int64_t bytes, const void* from, void* to);

}  // namespace ulpfft::fftw3

#endif  // ULPFFT_BINDINGS_FFTW3_STRIDED_COPY_H_
