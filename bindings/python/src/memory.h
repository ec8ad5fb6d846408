// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The bytes of an object with the buffer protocol, whose shape and strides were checked in Python. None is no memory.
#ifndef ULPFFT_BINDINGS_PYTHON_SRC_MEMORY_H_
#define ULPFFT_BINDINGS_PYTHON_SRC_MEMORY_H_

#include <nanobind/nanobind.h>

namespace ulpfft_python {

// Made and ended with the GIL. The first element's address: arrays with negative strides have bytes before it.
class Memory {
 public:
  Memory(nanobind::handle object, bool writable) {
    if (object.is_none()) return;
    if (PyObject_GetBuffer(object.ptr(), &view_, writable ? PyBUF_STRIDED : PyBUF_STRIDED_RO) != 0)
      throw nanobind::python_error();
    held_ = true;
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (held_) PyBuffer_Release(&view_);
  }

  void* data() const { return held_ ? view_.buf : nullptr; }

 private:
  Py_buffer view_{};
  bool held_ = false;
};

}  // namespace ulpfft_python

#endif  // ULPFFT_BINDINGS_PYTHON_SRC_MEMORY_H_
