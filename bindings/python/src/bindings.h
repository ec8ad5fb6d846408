// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The parts of the extension module, each put in by one function.
#ifndef ULPFFT_BINDINGS_PYTHON_SRC_BINDINGS_H_
#define ULPFFT_BINDINGS_PYTHON_SRC_BINDINGS_H_

#include <nanobind/nanobind.h>

namespace ulpfft_python {

void bind_fft(nanobind::module_& module);      // fft.cc: what is below ulpfft.fft
void bind_files(nanobind::module_& module);    // files.cc: narrow arrays in files
void bind_pareto(nanobind::module_& module);   // pareto.cc
void bind_plan(nanobind::module_& module);     // plan.cc: a plan of a problem text
void bind_storage(nanobind::module_& module);  // storage.cc: formats, codes of numbers and back
void bind_wisdom(nanobind::module_& module);   // wisdom.cc

}  // namespace ulpfft_python

#endif  // ULPFFT_BINDINGS_PYTHON_SRC_BINDINGS_H_
