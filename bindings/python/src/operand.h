// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A NumPy array as its memory: through the buffer protocol, so that no header of NumPy is needed.
#ifndef ULPFFT_BINDINGS_PYTHON_SRC_OPERAND_H_
#define ULPFFT_BINDINGS_PYTHON_SRC_OPERAND_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>

namespace ulpfft_python {

// What a transform takes as it is. kOther: everything else, which ulpfft._arrays turns into one of these or refuses.
enum class Element : std::uint8_t { kF16, kF32, kF64, kComplex64, kComplex128, kOther };

constexpr bool is_complex(Element element) { return element == Element::kComplex64 || element == Element::kComplex128; }
constexpr bool is_double(Element element) { return element == Element::kF64 || element == Element::kComplex128; }
// Bytes of a real number, which is what data are aligned to.
constexpr std::int64_t real_bytes(Element element) { return element == Element::kF16 ? 2 : is_double(element) ? 8 : 4; }
constexpr std::int64_t element_bytes(Element element) { return real_bytes(element) * (is_complex(element) ? 2 : 1); }

// The object is kept, and its memory held, as long as this lives. Made and ended with the GIL.
class Operand {
 public:
  Operand() = default;
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;
  ~Operand() { release(); }

  // False where the object is no ndarray whose numbers and strides a plan takes as they are.
  bool read(nanobind::handle object);
  // Opens an ndarray that was made here, to be written.
  void open_new(nanobind::object object);
  void release();

  nanobind::object object() const { return object_; }
  char* data() const { return static_cast<char*>(view_.buf); }
  Element element() const { return element_; }
  int rank() const { return view_.ndim; }
  std::int64_t length(int axis) const { return view_.shape[axis]; }
  // In elements.
  std::int64_t stride(int axis) const { return view_.strides[axis] / element_bytes(element_); }
  bool writable() const;
  bool is_dense() const;

 private:
  nanobind::object object_;
  Py_buffer view_{};
  Element element_ = Element::kOther;
  bool held_ = false;
};

// numpy.empty(shape, dtype).
nanobind::object new_array(std::span<const std::int64_t> shape, Element element);

// A function of ulpfft._arrays, where what is seldom needed is done by NumPy.
nanobind::object helper(const char* name);

// Once, as the extension is imported: an import in a thread's first call would let other threads wait for it with the GIL that it
// needs.
void import_numpy();

}  // namespace ulpfft_python

#endif  // ULPFFT_BINDINGS_PYTHON_SRC_OPERAND_H_
