// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The extension module ulpfft._core.
#include <nanobind/nanobind.h>

#include "bindings/python/src/bindings.h"
#include "ulpfft/ulpfft.h"

NB_MODULE(_core, module) {
  module.attr("version") = ulpfft_version();
  ulpfft_python::bind_fft(module);
  ulpfft_python::bind_files(module);
  ulpfft_python::bind_pareto(module);
  ulpfft_python::bind_plan(module);
  ulpfft_python::bind_storage(module);
  ulpfft_python::bind_wisdom(module);
}
