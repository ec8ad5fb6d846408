// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Failures of the library as exceptions of Python: ulpfft.Error with status, field and position, or MemoryError.
#ifndef ULPFFT_BINDINGS_PYTHON_SRC_ERROR_H_
#define ULPFFT_BINDINGS_PYTHON_SRC_ERROR_H_

#include <nanobind/nanobind.h>

#include "ulpfft/ulpfft.h"

namespace ulpfft_python {

// Raises what the library's last error of this thread says. Needs the GIL.
[[noreturn]] void raise_last_error();

inline void check(ulpfft_status status) {
  if (status != ULPFFT_OK) raise_last_error();
}

// A text of the library as one of Python; the library's is freed.
nanobind::str take_text(char* text);

}  // namespace ulpfft_python

#endif  // ULPFFT_BINDINGS_PYTHON_SRC_ERROR_H_
