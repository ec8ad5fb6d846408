// Measured errors through the C interface.
#include <algorithm>
#include <cstdint>

#include "planner/api/guard.h"
#include "planner/assess.h"

using namespace ulpfft;

namespace {

constexpr double kSampledSeconds = 1.0;

ErrorLevel checked_level(int level) {
  if (level == ULPFFT_ERROR_SAMPLED) return ErrorLevel::kSampled;
  if (level == ULPFFT_ERROR_FULL) return ErrorLevel::kFull;
  throw PlanError(ULPFFT_INVALID_ARGUMENT, "level",
                  "level is " + std::to_string(level) + ", expected ULPFFT_ERROR_SAMPLED (1) or ULPFFT_ERROR_FULL (2).");
}

void check_report(const ulpfft_plan* plan, const ulpfft_error_report* report) {
  require_pointer(plan, "plan");
  require_pointer(report, "report");
  require_size(report->size, sizeof(ulpfft_error_report), "report.size");
}

void fill(const ErrorMeasurement& from, ulpfft_error_report& report) {
  report.relative_l2 = from.relative_l2;
  report.relative_largest = from.relative_largest;
  report.outputs = from.outputs;
  report.level = static_cast<int>(from.level);
}
static_assert(static_cast<int>(ErrorLevel::kSampled) == ULPFFT_ERROR_SAMPLED && static_cast<int>(ErrorLevel::kFull) == ULPFFT_ERROR_FULL);

void require_alignment(const ulpfft_plan& plan, const void* data, const char* field) {
  require_pointer(data, field);
  if ((reinterpret_cast<std::uintptr_t>(data) & plan.in_alignment_mask) != 0) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, field, std::string(field) + " is not aligned to an element of " + plan.problem.storage_in + ".");
  }
}

}  // namespace

extern "C" {

ulpfft_status ulpfft_plan_measure_error(const ulpfft_plan* plan, int level, ulpfft_error_report* report) {
  return guard([&] {
    check_report(plan, report);
    fill(measure_error(*plan, checked_level(level), kSampledSeconds), *report);
  });
}

ulpfft_status ulpfft_plan_assess(const ulpfft_plan* plan, const ulpfft_array* in, int level, ulpfft_error_report* report) {
  return guard([&] {
    check_report(plan, report);
    require_pointer(in, "in");
    require_size(in->size, sizeof(ulpfft_array), "in.size");
    for (const void* scales : in->scales) {
      if (scales != nullptr) throw PlanError(ULPFFT_INVALID_ARGUMENT, "in.scales", "scales are reserved for block formats: leave them null.");
    }
    if (in->exponents != nullptr) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "in.exponents", "exponents are reserved for narrow formats: leave them null.");
    }
    require_alignment(*plan, in->data[0], "in.data[0]");
    if (plan->split) require_alignment(*plan, in->data[1], "in.data[1]");
    fill(assess(*plan, in->data[0], in->data[1], checked_level(level)), *report);
  });
}

}  // extern "C"
