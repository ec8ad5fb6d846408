// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// FFTW's own error, where its library is installed.
#ifndef ULPFFT_TOOLS_ULPFFT_ACCURACY_FFTW_ERROR_H_
#define ULPFFT_TOOLS_ULPFFT_ACCURACY_FFTW_ERROR_H_

#include <cstdint>

#include "tools/ulpfft/fftw.h"

namespace ulpfft_tool {

// Relative L2 of the forward transform of n points on complex normal data, a mean over about 2^14 outputs; planned with FFTW_ESTIMATE:
// the same plans on every machine. T: float or double, with the functions of that precision.
template <typename T>
double fftw_error(const FftwFunctions& functions, std::int64_t n);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_ACCURACY_FFTW_ERROR_H_
