// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The extension module ulpfft._core.
#include <nanobind/nanobind.h>

#include "bindings/python/src/bindings.h"
#include "ulpfft/ulpfft.h"

NB_MODULE(_core, module) {
  nanobind::set_leak_warnings(false);  // plans that a program keeps until it ends, in a cache of its own, are not its fault
  module.attr("version") = ulpfft_version();
  ulpfft_python::bind_fft(module);
  ulpfft_python::bind_files(module);
  ulpfft_python::bind_pareto(module);
  ulpfft_python::bind_plan(module);
  ulpfft_python::bind_storage(module);
  ulpfft_python::bind_wisdom(module);
}
