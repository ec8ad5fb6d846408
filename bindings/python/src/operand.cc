// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/python/src/operand.h"

#include <string_view>
#include <utility>

namespace nb = nanobind;

namespace ulpfft_python {
namespace {

// Objects of NumPy that every call needs; they live as long as the process.
struct NumPy {
  nb::object array_type, empty, types[5];
};

const NumPy& numpy() {
  static const NumPy* const known = [] {
    const nb::module_ module = nb::module_::import_("numpy");
    auto* made = new NumPy{module.attr("ndarray"), module.attr("empty"), {}};
    constexpr const char* kNames[] = {"float16", "float32", "float64", "complex64", "complex128"};
    for (int i = 0; i < 5; ++i) made->types[i] = module.attr("dtype")(kNames[i]);
    return made;
  }();
  return *known;
}

// `format` has letters of Python's struct module. Numbers in another byte order, or unaligned, have a prefix and are kOther.
Element element_of(std::string_view format) {
  if (format == "d") return Element::kF64;
  if (format == "Zd") return Element::kComplex128;
  if (format == "f") return Element::kF32;
  if (format == "Zf") return Element::kComplex64;
  if (format == "e") return Element::kF16;
  return Element::kOther;
}

}  // namespace

bool Operand::read(nb::handle object) {
  release();
  if (reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())) != numpy().array_type.ptr()) return false;
  if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0) {
    PyErr_Clear();  // a dtype without a letter, which the helper names or converts
    return false;
  }
  held_ = true;
  object_ = nb::borrow(object);
  element_ = element_of(view_.format);
  if (element_ == Element::kOther) return false;
  if (reinterpret_cast<std::uintptr_t>(view_.buf) % static_cast<std::uintptr_t>(real_bytes(element_)) != 0) return false;
  for (int axis = 0; axis < view_.ndim; ++axis) {
    if (view_.strides[axis] % element_bytes(element_) != 0) return false;
  }
  return true;
}

void Operand::open_new(nb::object object) {
  release();
  object_ = std::move(object);
  if (PyObject_GetBuffer(object_.ptr(), &view_, PyBUF_STRIDED | PyBUF_FORMAT) != 0) throw nb::python_error();
  held_ = true;
  element_ = element_of(view_.format);
}

void Operand::release() {
  if (held_) PyBuffer_Release(&view_);
  held_ = false;
  object_.reset();
}

bool Operand::writable() const { return view_.readonly == 0; }

bool Operand::is_dense() const {
  std::int64_t expected = 1;
  for (int axis = rank() - 1; axis >= 0; --axis) {
    if (length(axis) != 1 && stride(axis) != expected) return false;
    expected *= length(axis);
  }
  return true;
}

nb::object new_array(std::span<const std::int64_t> shape, Element element) {
  const nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
  if (!tuple.is_valid()) throw nb::python_error();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    PyObject* const length = PyLong_FromLongLong(shape[i]);
    if (length == nullptr || PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), length) != 0) throw nb::python_error();
  }
  return numpy().empty(tuple, numpy().types[static_cast<int>(element)]);
}

nb::object helper(const char* name) {
  static const nb::object* const module = new nb::object(nb::module_::import_("ulpfft._arrays"));
  return module->attr(name);
}

void import_numpy() {
  numpy();
  helper("as_numbers");
}

}  // namespace ulpfft_python
