// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// FFTW's planner flags that mean something here; all others are accepted.
#ifndef ULPFFT_BINDINGS_FFTW3_FLAGS_H_
#define ULPFFT_BINDINGS_FFTW3_FLAGS_H_

namespace ulpfft::fftw3 {

constexpr unsigned kDestroyInput = 1U << 0;
constexpr unsigned kExhaustive = 1U << 3;
constexpr unsigned kPreserveInput = 1U << 4;
constexpr unsigned kPatient = 1U << 5;
constexpr unsigned kEstimate = 1U << 6;
constexpr unsigned kWisdomOnly = 1U << 21;

}  // namespace ulpfft::fftw3

#endif  // ULPFFT_BINDINGS_FFTW3_FLAGS_H_
