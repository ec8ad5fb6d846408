// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/python/src/settings.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "ulpfft/ulpfft.h"

namespace nb = nanobind;

namespace ulpfft_python {
namespace {

constexpr std::string_view kEfforts[] = {"", "estimate", "measure", "patient", "exhaustive", "wisdom_only"};
constexpr int kMostWorkers = 256;  // of a plan

std::atomic<int> chosen_effort{ULPFFT_ESTIMATE};
thread_local int thread_workers = 1;

}  // namespace

int effort() { return chosen_effort.load(std::memory_order_relaxed); }

void set_effort(std::string_view name) { chosen_effort.store(effort_of(name), std::memory_order_relaxed); }

std::string_view effort_name() { return kEfforts[effort()]; }

int effort_of(std::string_view name) {
  for (int i = ULPFFT_ESTIMATE; i <= ULPFFT_WISDOM_ONLY; ++i) {
    if (name == kEfforts[i]) return i;
  }
  throw nb::value_error(
      ("effort is '" + std::string(name) + "'. Possible are 'estimate', 'measure', 'patient', 'exhaustive' and 'wisdom_only'.")
          .c_str());
}

int workers_of(nb::handle workers) {
  if (workers.is_none()) return thread_workers;
  const long asked = PyLong_AsLong(workers.ptr());
  if (asked == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  if (asked == 0) throw nb::value_error("workers must not be zero");
  if (asked > 0) return static_cast<int>(std::min<long>(asked, kMostWorkers));
  const long processors = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
  if (asked < -processors) {
    throw nb::value_error(
        ("workers value out of range; got " + std::to_string(asked) + ", must not be less than " + std::to_string(-processors))
            .c_str());
  }
  return static_cast<int>(std::min<long>(asked + 1 + processors, kMostWorkers));
}

int default_workers() { return thread_workers; }

void set_default_workers(int workers) { thread_workers = workers; }

}  // namespace ulpfft_python
