// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include <cstdint>
#include <string>

#include "bindings/python/src/bindings.h"
#include "bindings/python/src/operand.h"
#include "bindings/python/src/plan_cache.h"
#include "bindings/python/src/settings.h"
#include "bindings/python/src/transform.h"

namespace nb = nanobind;

namespace ulpfft_python {
namespace {

// The axis from 0 on, or numpy.exceptions.AxisError, which is an IndexError and a ValueError.
int axis_of(std::int64_t axis, int rank) {
  const std::int64_t from_start = axis < 0 ? axis + rank : axis;
  if (from_start < 0 || from_start >= rank) {
    const nb::object type = nb::module_::import_("numpy").attr("exceptions").attr("AxisError");
    const nb::object made = type(axis, rank);
    PyErr_SetObject(type.ptr(), made.ptr());
    throw nb::python_error();
  }
  return static_cast<int>(from_start);
}

// 0 backward, 1 ortho, 2 forward; counted from the other side for the other direction.
int norm_of(nb::handle norm, bool forward) {
  int place = 3;
  if (norm.is_none()) {
    place = 0;
  } else if (PyUnicode_Check(norm.ptr())) {
    if (PyUnicode_CompareWithASCIIString(norm.ptr(), "backward") == 0) place = 0;
    if (PyUnicode_CompareWithASCIIString(norm.ptr(), "ortho") == 0) place = 1;
    if (PyUnicode_CompareWithASCIIString(norm.ptr(), "forward") == 0) place = 2;
  }
  if (place == 3) {
    const std::string sentence =
        std::string("Invalid norm value ") + nb::repr(norm).c_str() + ", should be \"backward\", \"ortho\" or \"forward\"";
    throw nb::value_error(sentence.c_str());
  }
  return forward ? place : 2 - place;
}

[[noreturn]] void refuse_length(std::int64_t n) {
  throw nb::value_error(("invalid number of data points (" + std::to_string(n) + ") specified").c_str());
}

std::int64_t index_of(nb::handle number) {
  const nb::object index = nb::steal(PyNumber_Index(number.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  const std::int64_t value = PyLong_AsLongLong(index.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return value;
}

bool is_true(nb::handle object) {
  const int truth = PyObject_IsTrue(object.ptr());
  if (truth < 0) throw nb::python_error();
  return truth == 1;
}

// `way` is 2 * family + forward.
Call call_of(int way) {
  Call call;
  call.family = static_cast<Family>(way / 2);
  call.forward = way % 2 == 1;
  return call;
}

void set_r2r(Call& call, nb::handle type_number, nb::handle orthogonalize) {
  const std::int64_t type = index_of(type_number);
  if (type < 1 || type > 4) throw nb::value_error(call.family == Family::kCosine ? "invalid DCT type" : "invalid DST type");
  call.type = static_cast<int>(type);
  if (!orthogonalize.is_none()) call.orthogonalize = is_true(orthogonalize) ? 1 : 0;
}

nb::object along_axis(nb::handle x, nb::handle n, nb::handle axis, nb::handle norm, nb::handle overwrite, nb::handle workers,
                      Call& call) {
  Operand in;
  read_numbers(x, in);
  if (call.family == Family::kHalf && is_complex(in.element())) throw nb::type_error("x must be a real sequence");
  call.norm = norm_of(norm, call.forward);
  call.workers = workers_of(workers);
  call.overwrite = is_true(overwrite);
  call.axis_count = 1;
  call.axes[0] = axis_of(index_of(axis), in.rank());
  const std::int64_t has = in.length(call.axes[0]);
  call.lengths[0] = !n.is_none() ? index_of(n) : call.family == Family::kReal ? 2 * (has - 1) : has;
  if (call.family == Family::kReal && !n.is_none() && call.lengths[0] == 0) call.lengths[0] = 1;  // as SciPy has it
  if (call.lengths[0] < 1) refuse_length(call.lengths[0]);
  return transform(in, call);
}

nb::object fft_1d(nb::handle x, nb::handle n, nb::handle axis, nb::handle norm, nb::handle overwrite, nb::handle workers,
                  int way) {
  Call call = call_of(way);
  return along_axis(x, n, axis, norm, overwrite, workers, call);
}

nb::object r2r_1d(nb::handle x, nb::handle type, nb::handle n, nb::handle axis, nb::handle norm, nb::handle overwrite,
                  nb::handle workers, nb::handle orthogonalize, int way) {
  Call call = call_of(way);
  set_r2r(call, type, orthogonalize);
  return along_axis(x, n, axis, norm, overwrite, workers, call);
}

// Axes and lengths are checked by the caller: as many of either, at most kMostDimensions, lengths of 1 and more.
nb::object along_axes(nb::handle x, const nb::list& axes, const nb::list& lengths, nb::handle norm, nb::handle overwrite,
                      nb::handle workers, nb::handle type, nb::handle orthogonalize, int way) {
  Call call = call_of(way);
  if (!type.is_none()) set_r2r(call, type, orthogonalize);
  Operand in;
  read_numbers(x, in);
  call.norm = norm_of(norm, call.forward);
  call.workers = workers_of(workers);
  call.overwrite = is_true(overwrite);
  call.axis_count = static_cast<int>(nb::len(axes));
  if (nb::len(axes) != nb::len(lengths) || call.axis_count > kMostDimensions)
    throw nb::value_error("along_axes: not so many axes");
  for (int i = 0; i < call.axis_count; ++i) {
    const auto place = static_cast<std::size_t>(i);
    call.axes[place] = axis_of(index_of(axes[place]), in.rank());
    call.lengths[place] = index_of(lengths[place]);
    if (call.lengths[place] < 1) refuse_length(call.lengths[place]);
  }
  return transform(in, call);
}

nb::dict info() {
  const CacheInfo known = cache_info();
  nb::dict result;
  result["plans"] = known.plans;
  result["bytes"] = known.bytes;
  result["hits"] = known.hits;
  result["misses"] = known.misses;
  result["most_plans"] = known.most_plans;
  result["most_bytes"] = known.most_bytes;
  return result;
}

}  // namespace

void bind_fft(nb::module_& module) {
  import_numpy();
  module.def("fft_1d", &fft_1d, nb::arg("x").none(), nb::arg("n").none(), nb::arg("axis"), nb::arg("norm").none(),
             nb::arg("overwrite_x").none(), nb::arg("workers").none(), nb::arg("way"));
  module.def("r2r_1d", &r2r_1d, nb::arg("x").none(), nb::arg("type"), nb::arg("n").none(), nb::arg("axis"),
             nb::arg("norm").none(), nb::arg("overwrite_x").none(), nb::arg("workers").none(), nb::arg("orthogonalize").none(),
             nb::arg("way"));
  module.def("along_axes", &along_axes, nb::arg("x").none(), nb::arg("axes"), nb::arg("lengths"), nb::arg("norm").none(),
             nb::arg("overwrite_x").none(), nb::arg("workers").none(), nb::arg("type").none(), nb::arg("orthogonalize").none(),
             nb::arg("way"));
  module.def("set_effort", [](const char* name) { set_effort(name); });
  module.def("get_effort", [] { return nb::str(effort_name().data()); });
  module.def(
      "workers_of", [](nb::handle workers) { return workers_of(workers); }, nb::arg("workers").none());
  module.def("set_default_workers", &set_default_workers);
  module.def("cache_info", &info);
  module.def("limit_cache", &limit_cache);
  module.def("clear_cache", &clear_cache);
}

}  // namespace ulpfft_python
