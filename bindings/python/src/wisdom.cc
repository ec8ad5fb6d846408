// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include <cstddef>

#include "bindings/python/src/bindings.h"
#include "bindings/python/src/error.h"
#include "bindings/python/src/without_gil.h"
#include "ulpfft/ulpfft.h"

namespace nb = nanobind;

namespace ulpfft_python {
namespace {

// Calls `read(report)`, and tells what became of the entries.
template <typename Read>
nb::dict reported(const Read& read) {
  ulpfft_import_report report = ULPFFT_IMPORT_REPORT_INIT;
  ulpfft_status status = ULPFFT_OK;
  without_gil([&] { status = read(&report); });
  check(status);
  nb::dict result;
  result["accepted"] = report.accepted;
  result["stale"] = report.stale;
  result["foreign"] = report.foreign;
  result["malformed"] = report.malformed;
  result["details"] = report.details == nullptr ? "" : report.details;
  ulpfft_string_free(report.details);
  return result;
}

nb::list entries() {
  nb::list all;
  for (std::size_t i = 0; i < ulpfft_wisdom_count(nullptr); ++i) {
    ulpfft_wisdom_entry entry = ULPFFT_WISDOM_ENTRY_INIT;
    check(ulpfft_wisdom_get(nullptr, i, &entry));
    nb::dict row;
    row["problem"] = entry.problem;
    row["machine"] = entry.machine;
    row["recipe"] = entry.recipe;
    row["seconds"] = entry.seconds;
    row["error"] = entry.error;
    row["effort"] = entry.effort;
    row["threads"] = entry.threads;
    row["usable"] = entry.usable != 0;
    all.append(row);
  }
  return all;
}

}  // namespace

void bind_wisdom(nb::module_& module) {
  module.def("wisdom_load", [](const char* path) {
    return reported([path](ulpfft_import_report* report) { return ulpfft_wisdom_import_file(nullptr, path, report); });
  });
  module.def("wisdom_import_default",
             [] { return reported([](ulpfft_import_report* report) { return ulpfft_wisdom_import_default(nullptr, report); }); });
  module.def("wisdom_save", [](const char* path) { check(ulpfft_wisdom_export_file(nullptr, path)); });
  module.def("wisdom_export_default", [] { check(ulpfft_wisdom_export_default(nullptr)); });
  module.def("wisdom_forget", [] { check(ulpfft_wisdom_forget(nullptr)); });
  module.def("wisdom_entries", &entries);
  module.def("wisdom_user_path", [] { return ulpfft_wisdom_user_path(); });
  module.def("machine", [] { return ulpfft_machine(nullptr); });
}

}  // namespace ulpfft_python
