// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/python/src/error.h"

#include <cstddef>

namespace nb = nanobind;

namespace ulpfft_python {

void raise_last_error() {
  ulpfft_error error = ULPFFT_ERROR_INIT;
  ulpfft_last_error_get(&error);
  const nb::object made =
      nb::module_::import_("ulpfft._errors")
          .attr("make_error")(ulpfft_status_name(error.status), error.message, error.field, error.text_begin, error.text_end);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  throw nb::python_error();
}

nb::str take_text(char* text) {
  if (text == nullptr) raise_last_error();
  nb::str result(text);
  ulpfft_string_free(text);
  return result;
}

}  // namespace ulpfft_python
