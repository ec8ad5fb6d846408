// Measured errors through the C interface.
#include <algorithm>
#include <cstddef>
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

void require_array(const ulpfft_plan& plan, const void* data, const char* field) {
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
    require_size(in->size, offsetof(ulpfft_array, saturated), "in.size");
    const int parts = plan->split ? 2 : 1;
    const bool has_scales = plan->in_shape.storage.scale != nullptr;
    for (int part = 0; part < 2; ++part) {
      const std::string index = "[" + std::to_string(part) + "]";
      if (part < parts) require_array(*plan, in->data[part], ("in.data" + index).c_str());
      if (part < parts && has_scales) {
        require_pointer(in->scales[part], ("in.scales" + index).c_str());
      } else if (in->scales[part] != nullptr) {
        throw PlanError(ULPFFT_INVALID_ARGUMENT, "in.scales", "There are no scales in " + plan->problem.storage_in + " of this layout: leave them null.");
      }
    }
    if (in->exponents != nullptr) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "in.exponents", "A relative error does not depend on exponents: leave them null.");
    }
    const int second = parts - 1;
    fill(assess(*plan, {{in->data[0], in->data[second]}, {in->scales[0], in->scales[second]}, nullptr}, checked_level(level)), *report);
  });
}

}  // extern "C"
