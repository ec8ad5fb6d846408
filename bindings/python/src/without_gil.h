// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Work that other threads of Python need not wait for.
#ifndef ULPFFT_BINDINGS_PYTHON_SRC_WITHOUT_GIL_H_
#define ULPFFT_BINDINGS_PYTHON_SRC_WITHOUT_GIL_H_

#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

namespace ulpfft_python {

// A daemon thread that comes back as the interpreter ends is ended by Python before 3.14, by unwinding its stack, which code that
// must not throw answers with abort(). It stays here instead, as it does in later Pythons, until the process has gone.
inline void take_gil(PyThreadState* state) {
  try {
    PyEval_RestoreThread(state);
  } catch (const abi::__forced_unwind&) {
    for (;;) pause();
  }
}

// `work` throws nothing.
template <typename Work>
void without_gil(const Work& work) {
  PyThreadState* const state = PyEval_SaveThread();
  work();
  take_gil(state);
}

}  // namespace ulpfft_python

#endif  // ULPFFT_BINDINGS_PYTHON_SRC_WITHOUT_GIL_H_
