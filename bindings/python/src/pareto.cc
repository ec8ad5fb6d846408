// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include <nanobind/stl/string.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "bindings/python/src/bindings.h"
#include "bindings/python/src/error.h"
#include "bindings/python/src/progress.h"
#include "bindings/python/src/without_gil.h"
#include "ulpfft/ulpfft.h"

namespace nb = nanobind;

namespace ulpfft_python {
namespace {

nb::dict row_of(const ulpfft_pareto* pareto, std::size_t index) {
  ulpfft_pareto_row row = ULPFFT_PARETO_ROW_INIT;
  check(ulpfft_pareto_row_get(pareto, index, &row));
  nb::dict known;
  known["problem"] = row.problem;
  known["recipe"] = row.recipe;
  known["scheme"] = row.scheme;
  known["storage_in"] = row.storage_in;
  known["storage_out"] = row.storage_out;
  known["between"] = row.between;
  known["reason"] = row.reason;
  known["own"] = row.own != 0;
  known["emulated"] = row.emulated != 0;
  known["front"] = row.front != 0;
  known["seconds"] = row.seconds;
  known["spread"] = row.spread;
  known["bytes_per_point"] = row.bytes_per_point;
  known["predicted_error"] = row.predicted_error;
  known["error"] = row.error;
  return known;
}

// (problem, machine, rows).
nb::tuple measure(const std::string& problem, double seconds, const nb::list& storages, nb::handle report) {
  std::vector<std::string> names;
  for (nb::handle name : storages) names.push_back(nb::cast<std::string>(name));
  std::vector<const char*> pointers;
  for (const std::string& name : names) pointers.push_back(name.c_str());
  Progress progress{report, nullptr};
  ulpfft_pareto_options options = ULPFFT_PARETO_OPTIONS_INIT;
  options.time_limit_seconds = seconds;
  options.storages = pointers.empty() ? nullptr : pointers.data();
  options.storage_count = pointers.size();
  options.progress = &Progress::call;
  options.progress_user = &progress;
  ulpfft_pareto* made = nullptr;
  ulpfft_status status = ULPFFT_OK;
  without_gil([&] { status = ulpfft_pareto_measure(nullptr, problem.c_str(), &options, &made); });
  const std::unique_ptr<ulpfft_pareto, decltype(&ulpfft_pareto_destroy)> pareto(made, &ulpfft_pareto_destroy);
  if (progress.failure) std::rethrow_exception(progress.failure);
  check(status);
  ulpfft_pareto_facts facts = ULPFFT_PARETO_FACTS_INIT;
  check(ulpfft_pareto_get(pareto.get(), &facts));
  nb::list rows;
  for (std::size_t i = 0; i < facts.rows; ++i) rows.append(row_of(pareto.get(), i));
  return nb::make_tuple(facts.problem, facts.machine, rows);
}

}  // namespace

void bind_pareto(nb::module_& module) {
  module.def("pareto", &measure, nb::arg("problem"), nb::arg("seconds"), nb::arg("storages"), nb::arg("report").none());
}

}  // namespace ulpfft_python
