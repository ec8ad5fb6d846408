// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Dense copies of the arrays of one execution.
//
// Dense arrays are row-major: loops outside, then dims. Complex numbers are interleaved, or with `split` all re lie before all im.
#ifndef ULPFFT_BINDINGS_FFTW3_COPIED_H_
#define ULPFFT_BINDINGS_FFTW3_COPIED_H_

#include <cstdint>

#include "bindings/fftw3/problem.h"

namespace ulpfft::fftw3 {

// Real numbers of a number of that side.
std::int64_t width(const Problem& problem, bool out);
// kTooLarge beyond 64 bits.
std::int64_t dense_bytes(const Problem& problem, bool out);

// Parts are re and im of a side. Gathers the input, or what is in the output array.
void gather(const Problem& problem, bool out, bool split, const void* const parts[2], void* dense);
void scatter(const Problem& problem, bool split, const void* dense, void* const parts[2]);

}  // namespace ulpfft::fftw3

#endif  // ULPFFT_BINDINGS_FFTW3_COPIED_H_
