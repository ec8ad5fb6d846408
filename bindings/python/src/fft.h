// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The functions below ulpfft.fft: arguments as SciPy has them, to a Call.
#ifndef ULPFFT_BINDINGS_PYTHON_SRC_FFT_H_
#define ULPFFT_BINDINGS_PYTHON_SRC_FFT_H_

#include <nanobind/nanobind.h>

namespace ulpfft_python {

void bind_fft(nanobind::module_& module);

}  // namespace ulpfft_python

#endif  // ULPFFT_BINDINGS_PYTHON_SRC_FFT_H_
