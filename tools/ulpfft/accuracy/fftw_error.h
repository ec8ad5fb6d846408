// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// FFTW's own error, where its library is installed.
#ifndef ULPFFT_TOOLS_ULPFFT_ACCURACY_FFTW_ERROR_H_
#define ULPFFT_TOOLS_ULPFFT_ACCURACY_FFTW_ERROR_H_

#include <cstdint>
#include <string_view>

#include "tools/ulpfft/fftw.h"

namespace ulpfft_tool {

// Relative L2 of the forward transform of n points on complex normal data, a mean over about 2^14 outputs; planned with FFTW_ESTIMATE:
// the same plans on every machine. The input of r2c is real, that of c2r the spectrum of real numbers. 0: the library is not there, or has
// no such transform; or exact outputs would take long, as for long lines of r2r. T: float or double, with the functions of that precision.
// `kind`: "c2c", "r2c", "c2r", or a kind of r2r, "dct2".
template <typename T>
double fftw_error(const FftwFunctions& functions, std::string_view kind, std::int64_t n);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_ACCURACY_FFTW_ERROR_H_
