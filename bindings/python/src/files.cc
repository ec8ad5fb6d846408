// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include <cstdint>
#include <memory>
#include <vector>

#include "bindings/python/src/bindings.h"
#include "bindings/python/src/error.h"
#include "bindings/python/src/memory.h"
#include "bindings/python/src/without_gil.h"
#include "ulpfft/ulpfft.h"

namespace nb = nanobind;

namespace ulpfft_python {
namespace {

std::vector<std::int64_t> lengths_of(const nb::tuple& shape) {
  std::vector<std::int64_t> lengths;
  for (nb::handle length : shape) lengths.push_back(nb::cast<std::int64_t>(length));
  return lengths;
}

nb::tuple tuple_of(const std::int64_t* lengths, int rank) {
  nb::list list;
  for (int i = 0; i < rank; ++i) list.append(lengths[i]);
  return nb::tuple(list);
}

class ArrayFile {
 public:
  explicit ArrayFile(const char* path) {
    ulpfft_array_file* opened = nullptr;
    check(ulpfft_array_file_open(path, &opened));
    file_.reset(opened);
  }

  nb::dict facts() const {
    ulpfft_stored_array array = ULPFFT_STORED_ARRAY_INIT;
    check(ulpfft_array_file_get(file_.get(), &array));
    nb::dict known;
    known["storage"] = array.storage;
    known["is_complex"] = array.is_complex != 0;
    known["shape"] = tuple_of(array.shape, array.rank);
    known["axis"] = array.axis;
    known["code_bytes"] = array.code_bytes;
    known["scale_bytes"] = array.scale_bytes;
    if (array.exponent_shape != nullptr) known["exponent_shape"] = tuple_of(array.exponent_shape, array.rank);
    return known;
  }

  void read(int part, std::int64_t bytes, nb::handle into) const {
    const Memory memory(into, true);
    ulpfft_status status = ULPFFT_OK;
    without_gil([&] { status = ulpfft_array_file_read(file_.get(), part, 0, bytes, memory.data()); });
    check(status);
  }

 private:
  struct Close {
    void operator()(ulpfft_array_file* file) const { ulpfft_array_file_close(file); }
  };
  std::unique_ptr<ulpfft_array_file, Close> file_;
};

void write(const char* path, const char* storage, bool is_complex, const nb::tuple& shape, int axis, nb::handle codes,
           nb::handle scales, nb::handle exponents, const nb::tuple& exponent_shape) {
  const std::vector<std::int64_t> lengths = lengths_of(shape), shared = lengths_of(exponent_shape);
  const Memory code_memory(codes, false), scale_memory(scales, false), exponent_memory(exponents, false);
  ulpfft_stored_array array = ULPFFT_STORED_ARRAY_INIT;
  array.storage = storage;
  array.is_complex = is_complex ? 1 : 0;
  array.rank = static_cast<int>(lengths.size());
  array.shape = lengths.data();
  array.axis = axis;
  array.codes = code_memory.data();
  array.scales = scale_memory.data();
  array.exponents = static_cast<const std::int32_t*>(exponent_memory.data());
  array.exponent_shape = array.exponents == nullptr ? nullptr : shared.data();
  ulpfft_status status = ULPFFT_OK;
  without_gil([&] { status = ulpfft_array_file_write(path, &array); });
  check(status);
}

}  // namespace

void bind_files(nb::module_& module) {
  nb::class_<ArrayFile>(module, "ArrayFile")
      .def(nb::init<const char*>())
      .def("facts", &ArrayFile::facts)
      .def("read", &ArrayFile::read);
  module.def("write_array", &write, nb::arg("path"), nb::arg("storage"), nb::arg("is_complex"), nb::arg("shape"), nb::arg("axis"),
             nb::arg("codes"), nb::arg("scales").none(), nb::arg("exponents").none(), nb::arg("exponent_shape"));
}

}  // namespace ulpfft_python
