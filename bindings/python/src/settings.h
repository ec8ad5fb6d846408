// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What calls without words of their own go by: the effort of planning, of the process, and the workers, of the thread.
#ifndef ULPFFT_BINDINGS_PYTHON_SRC_SETTINGS_H_
#define ULPFFT_BINDINGS_PYTHON_SRC_SETTINGS_H_

#include <nanobind/nanobind.h>

#include <string_view>

namespace ulpfft_python {

// ULPFFT_ESTIMATE until set otherwise.
int effort();
void set_effort(std::string_view name);
std::string_view effort_name();
// "estimate" ... "wisdom_only" as ULPFFT_...; another name raises ValueError.
int effort_of(std::string_view name);

// SciPy's rules for `workers`: None is the thread's default, negative numbers count from the processors, 0 is refused.
int workers_of(nanobind::handle workers);
int default_workers();
void set_default_workers(int workers);

}  // namespace ulpfft_python

#endif  // ULPFFT_BINDINGS_PYTHON_SRC_SETTINGS_H_
