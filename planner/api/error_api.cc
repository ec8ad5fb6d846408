// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Measured errors through the C interface.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "planner/api/guard.h"
#include "planner/api/request.h"
#include "planner/judge/assess.h"

using namespace ulpfft;

namespace {

ErrorLevel checked_level(int level) {
  if (level == ULPFFT_ERROR_SAMPLED) return ErrorLevel::kSampled;
  if (level == ULPFFT_ERROR_FULL) return ErrorLevel::kFull;
  throw PlanError(ULPFFT_INVALID_ARGUMENT, "level",
                  "level is " + std::to_string(level) + ", expected ULPFFT_ERROR_SAMPLED (1) or ULPFFT_ERROR_FULL (2).");
}

void check_report(const ulpfft_plan* plan, const ulpfft_error_report* report) {
  require_pointer(plan, "plan");
  require_pointer(report, "report");
  require_size(*report, "report.size");
}

void fill(const ErrorMeasurement& from, ulpfft_error_report& report) {
  report.relative_l2 = from.relative_l2;
  report.relative_largest = from.relative_largest;
  report.outputs = from.outputs;
  report.level = static_cast<int>(from.level);
}
static_assert(static_cast<int>(ErrorLevel::kSampled) == ULPFFT_ERROR_SAMPLED && static_cast<int>(ErrorLevel::kFull) == ULPFFT_ERROR_FULL);

}  // namespace

extern "C" {

ulpfft_status ulpfft_plan_measure_error(const ulpfft_plan* plan, int level, ulpfft_error_report* report) {
  return guard([&] {
    check_report(plan, report);
    fill(measure_error(*plan, checked_level(level)), *report);
  });
}

ulpfft_status ulpfft_plan_assess(const ulpfft_plan* plan, const ulpfft_array* in, int level, ulpfft_error_report* report) {
  return guard([&] {
    check_report(plan, report);
    require_pointer(in, "in");
    fill(assess(*plan, input_address(plan->problem, *in, "in"), checked_level(level)), *report);
  });
}

}  // extern "C"
