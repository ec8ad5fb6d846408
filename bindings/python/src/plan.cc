// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "bindings/python/src/bindings.h"
#include "bindings/python/src/error.h"
#include "bindings/python/src/memory.h"
#include "bindings/python/src/progress.h"
#include "bindings/python/src/settings.h"
#include "bindings/python/src/without_gil.h"
#include "ulpfft/ulpfft.h"

namespace nb = nanobind;

namespace ulpfft_python {
namespace {

// An array of the C interface out of (data, data, scales, scales, exponents), each an object with memory or None.
class Array {
 public:
  Array(const nb::tuple& parts, bool writable)
      : data_{{parts[0], writable}, {parts[1], writable}},
        scales_{{parts[2], writable}, {parts[3], writable}},
        exponents_(parts[4], writable) {
    for (int i = 0; i < 2; ++i) {
      array.data[i] = data_[i].data();
      array.scales[i] = scales_[i].data();
    }
    array.exponents = static_cast<std::int32_t*>(exponents_.data());
  }

  ulpfft_array array = ULPFFT_ARRAY_INIT;

 private:
  Memory data_[2], scales_[2], exponents_;
};

// A Python function on the tiles of a spectrum, called from any thread. Its first exception ends the calls of an execution, which
// raises it.
struct Apply {
  nb::handle function;
  std::int64_t real_bytes;  // of the plan's arithmetic
  std::exception_ptr failure;

  static void call(void* user, const ulpfft_tile* tile) {
    auto& self = *static_cast<Apply*>(user);
    const nb::gil_scoped_acquire held;
    if (self.failure) return;
    try {
      const std::int64_t numbers = (tile->rows - 1) * tile->row_stride + tile->columns;
      const auto bytes = static_cast<Py_ssize_t>(2 * self.real_bytes * numbers);
      const nb::object memory = nb::steal(PyMemoryView_FromMemory(static_cast<char*>(tile->values), bytes, PyBUF_WRITE));
      if (!memory.is_valid()) throw nb::python_error();
      self.function(memory, tile->rows, tile->columns, tile->row_stride, tile->transform, tile->index, tile->row_step);
    } catch (...) {
      self.failure = std::current_exception();
    }
  }
};

class Plan {
 public:
  Plan(const std::string& text, const char* effort, double seconds, bool deterministic, bool sampled, std::uint64_t max_memory,
       nb::handle judge, nb::handle report) {
    ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
    options.effort = effort_of(effort);
    options.time_limit_seconds = seconds;
    options.flags = deterministic ? ULPFFT_DETERMINISTIC : 0;
    options.error_level = sampled ? ULPFFT_ERROR_SAMPLED : ULPFFT_ERROR_PREDICTED;
    options.max_memory = max_memory;
    Progress progress{report, nullptr};
    options.progress = &Progress::call;
    options.progress_user = &progress;
    std::unique_ptr<Array> judged;
    if (!judge.is_none()) {
      judged = std::make_unique<Array>(nb::cast<nb::tuple>(judge), false);
      options.judge = &judged->array;
    }
    ulpfft_plan* made = nullptr;
    ulpfft_status status = ULPFFT_OK;
    without_gil([&] { status = ulpfft_plan_parse_options(nullptr, text.c_str(), &options, &made); });
    if (progress.failure) {
      ulpfft_plan_destroy(made);
      std::rethrow_exception(progress.failure);
    }
    check(status);
    plan_.reset(made);
  }

  Plan(const std::string& text, const std::string& recipe) {
    ulpfft_plan* made = nullptr;
    check(ulpfft_plan_from_recipe(nullptr, text.c_str(), recipe.c_str(), &made));
    plan_.reset(made);
  }

  // `spectrum` is what a chain takes: factors, or with `real_bytes` a function of a tile. Returns how many numbers saturated.
  std::int64_t execute(const nb::tuple& in, const nb::tuple& out, nb::handle spectrum, std::int64_t real_bytes) const {
    const Array from(in, false), into(out, true);
    const Memory factors(real_bytes == 0 ? spectrum : nb::handle(Py_None), false);
    Apply apply{spectrum, real_bytes, nullptr};
    std::int64_t saturated = 0;
    ulpfft_array result = into.array;
    result.saturated = &saturated;
    ulpfft_operation operation = ULPFFT_OPERATION_INIT;
    operation.factors = factors.data();
    operation.apply = real_bytes == 0 ? nullptr : &Apply::call;
    operation.user = &apply;
    ulpfft_status status = ULPFFT_OK;
    without_gil([&] {
      status = spectrum.is_none() ? ulpfft_execute_arrays(plan_.get(), &from.array, &result, nullptr)
                                  : ulpfft_execute_chain(plan_.get(), &from.array, &result, &operation, nullptr);
    });
    if (apply.failure) std::rethrow_exception(apply.failure);
    check(status);
    return saturated;
  }

  // (relative L2, relative largest, outputs compared) of normal data, or of the caller's.
  nb::tuple assess(nb::handle in, bool all) const {
    const int level = all ? ULPFFT_ERROR_FULL : ULPFFT_ERROR_SAMPLED;
    ulpfft_error_report report = ULPFFT_ERROR_REPORT_INIT;
    ulpfft_status status = ULPFFT_OK;
    std::unique_ptr<Array> given;
    if (!in.is_none()) given = std::make_unique<Array>(nb::cast<nb::tuple>(in), false);
    without_gil([&] {
      status = given ? ulpfft_plan_assess(plan_.get(), &given->array, level, &report)
                     : ulpfft_plan_measure_error(plan_.get(), level, &report);
    });
    check(status);
    return nb::make_tuple(report.relative_l2, report.relative_largest, report.outputs);
  }

  nb::list candidates() const {
    nb::list all;
    for (std::size_t i = 0; i < ulpfft_plan_candidate_count(plan_.get()); ++i) {
      ulpfft_candidate candidate = ULPFFT_CANDIDATE_INIT;
      check(ulpfft_plan_candidate_get(plan_.get(), i, &candidate));
      nb::dict row;
      row["recipe"] = candidate.recipe;
      row["seconds"] = candidate.seconds;
      row["spread"] = candidate.spread;
      row["predicted_seconds"] = candidate.predicted_seconds;
      row["kind"] = candidate.kind;
      row["threads"] = candidate.threads;
      row["error"] = candidate.error;
      all.append(row);
    }
    return all;
  }

  std::uint64_t hash() const {
    std::uint64_t value = 0;
    check(ulpfft_plan_hash(plan_.get(), &value));
    return value;
  }

  nb::str problem() const { return take_text(ulpfft_plan_problem(plan_.get())); }
  nb::str recipe() const { return take_text(ulpfft_plan_recipe(plan_.get())); }
  nb::str describe() const { return take_text(ulpfft_plan_describe(plan_.get())); }
  nb::str explain() const { return take_text(ulpfft_plan_explain(plan_.get())); }
  double error() const { return ulpfft_plan_error(plan_.get()); }
  bool error_is_measured() const { return ulpfft_plan_error_level(plan_.get()) != ULPFFT_ERROR_PREDICTED; }
  double seconds() const { return ulpfft_plan_seconds(plan_.get()); }
  std::size_t workspace_bytes() const { return ulpfft_plan_workspace_bytes(plan_.get()); }
  int threads() const { return ulpfft_plan_threads(plan_.get()); }
  bool from_wisdom() const { return ulpfft_plan_from_wisdom(plan_.get()) != 0; }
  double planning_seconds() const { return ulpfft_plan_planning_seconds(plan_.get()); }

 private:
  struct Destroy {
    void operator()(ulpfft_plan* plan) const { ulpfft_plan_destroy(plan); }
  };
  std::unique_ptr<ulpfft_plan, Destroy> plan_;
};

}  // namespace

void bind_plan(nb::module_& module) {
  nb::class_<Plan>(module, "Plan")
      .def(
          "__init__",
          [](Plan* self, const char* text, const char* effort, double seconds, bool deterministic, bool sampled,
             std::uint64_t max_memory, nb::handle judge,
             nb::handle report) { new (self) Plan(text, effort, seconds, deterministic, sampled, max_memory, judge, report); },
          nb::arg("text"), nb::arg("effort"), nb::arg("seconds"), nb::arg("deterministic"), nb::arg("sampled"),
          nb::arg("max_memory"), nb::arg("judge").none(), nb::arg("report").none())
      .def("__init__", [](Plan* self, const char* text, const char* recipe) { new (self) Plan(text, recipe); })
      .def("execute", &Plan::execute, nb::arg("in"), nb::arg("out"), nb::arg("spectrum").none(),
           nb::arg("real_bytes"))
      .def("assess", &Plan::assess, nb::arg("in").none(), nb::arg("all"))
      .def("candidates", &Plan::candidates)
      .def("hash", &Plan::hash)
      .def("describe", &Plan::describe)
      .def("explain", &Plan::explain)
      .def_prop_ro("problem", &Plan::problem)
      .def_prop_ro("recipe", &Plan::recipe)
      .def_prop_ro("error", &Plan::error)
      .def_prop_ro("error_is_measured", &Plan::error_is_measured)
      .def_prop_ro("seconds", &Plan::seconds)
      .def_prop_ro("workspace_bytes", &Plan::workspace_bytes)
      .def_prop_ro("threads", &Plan::threads)
      .def_prop_ro("from_wisdom", &Plan::from_wisdom)
      .def_prop_ro("planning_seconds", &Plan::planning_seconds);
}

}  // namespace ulpfft_python
