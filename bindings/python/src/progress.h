// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What long calls ask now and then: whether to go on. An exception of the caller's function, or a signal, ends them.
#ifndef ULPFFT_BINDINGS_PYTHON_SRC_PROGRESS_H_
#define ULPFFT_BINDINGS_PYTHON_SRC_PROGRESS_H_

#include <nanobind/nanobind.h>

#include <exception>

namespace ulpfft_python {

struct Progress {
  nanobind::handle report;  // a function of (fraction, text) whose true result cancels, or None: signals alone
  std::exception_ptr failure;

  // As options of the C interface have it, with this as `user`. Called without the GIL.
  static int call(void* user, double fraction, const char* what) {
    auto& self = *static_cast<Progress*>(user);
    const nanobind::gil_scoped_acquire held;
    try {
      if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
      return !self.report.is_none() && nanobind::cast<bool>(nanobind::bool_(self.report(fraction, what))) ? 1 : 0;
    } catch (...) {
      self.failure = std::current_exception();
      return 1;
    }
  }
};

}  // namespace ulpfft_python

#endif  // ULPFFT_BINDINGS_PYTHON_SRC_PROGRESS_H_
