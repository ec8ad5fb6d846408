// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bindings/python/src/bindings.h"
#include "bindings/python/src/error.h"
#include "bindings/python/src/memory.h"
#include "bindings/python/src/without_gil.h"
#include "ulpfft/ulpfft.h"

namespace nb = nanobind;

namespace ulpfft_python {
namespace {

nb::list formats() {
  nb::list all;
  for (std::size_t i = 0; i < ulpfft_format_count(); ++i) {
    ulpfft_format format = ULPFFT_FORMAT_INIT;
    check(ulpfft_format_get(i, &format));
    nb::dict row;
    row["name"] = format.name;
    row["source"] = format.source;
    row["kind"] = format.kind;
    row["bits"] = format.bits;
    row["compute"] = format.compute;
    row["is_signed"] = format.is_signed != 0;
    row["largest"] = format.largest;
    row["lowest"] = format.lowest;
    row["smallest_normal"] = format.smallest_normal;
    row["smallest_subnormal"] = format.smallest_subnormal;
    row["rms_error"] = format.rms_error;
    row["block_length"] = format.block_length;
    row["element"] = format.element;
    row["scale"] = format.scale;
    row["rule"] = format.rule;
    all.append(row);
  }
  return all;
}

// (rows, bytes of a row of codes, bytes of a row of scales); lengths count real numbers.
nb::tuple layout(const char* storage, const nb::list& lengths) {
  std::vector<std::int64_t> counts;
  for (nb::handle length : lengths) counts.push_back(nb::cast<std::int64_t>(length));
  ulpfft_layout known = ULPFFT_LAYOUT_INIT;
  check(ulpfft_format_layout(storage, static_cast<int>(counts.size()), counts.data(), &known));
  return nb::make_tuple(known.rows, known.row_bytes, known.scale_row_bytes);
}

ulpfft_conversion conversion(const char* storage, bool is_double, std::int64_t rows, std::int64_t reals) {
  ulpfft_conversion asked = ULPFFT_CONVERSION_INIT;
  asked.storage = storage;
  asked.real_type = is_double ? "f64" : "f32";
  asked.rows = rows;
  asked.reals = reals;
  return asked;
}

// Returns how many numbers saturated.
std::int64_t encode(const char* storage, bool is_double, std::int64_t rows, std::int64_t reals, nb::handle numbers,
                    nb::handle codes, nb::handle scales, int rounding, std::uint64_t seed) {
  ulpfft_conversion asked = conversion(storage, is_double, rows, reals);
  asked.rounding = rounding;
  asked.seed = seed;
  const Memory from(numbers, false), into(codes, true), with(scales, true);
  std::int64_t saturated = 0;
  ulpfft_status status = ULPFFT_OK;
  without_gil([&] { status = ulpfft_encode(nullptr, &asked, from.data(), into.data(), with.data(), &saturated); });
  check(status);
  return saturated;
}

void decode(const char* storage, bool is_double, std::int64_t rows, std::int64_t reals, nb::handle codes, nb::handle scales,
            nb::handle numbers) {
  const ulpfft_conversion asked = conversion(storage, is_double, rows, reals);
  const Memory from(codes, false), with(scales, false), into(numbers, true);
  ulpfft_status status = ULPFFT_OK;
  without_gil([&] { status = ulpfft_decode(nullptr, &asked, from.data(), with.data(), into.data()); });
  check(status);
}

}  // namespace

void bind_storage(nb::module_& module) {
  module.def("formats", &formats);
  module.def("layout", &layout);
  module.def("encode", &encode, nb::arg("storage"), nb::arg("is_double"), nb::arg("rows"), nb::arg("reals"), nb::arg("numbers"),
             nb::arg("codes"), nb::arg("scales").none(), nb::arg("rounding"), nb::arg("seed"));
  module.def("decode", &decode, nb::arg("storage"), nb::arg("is_double"), nb::arg("rows"), nb::arg("reals"), nb::arg("codes"),
             nb::arg("scales").none(), nb::arg("numbers"));
}

}  // namespace ulpfft_python
