// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "stream/plan.h"

#include <string>

#include "wisdom/error.h"

namespace ulpfft {
namespace {

ulpfft_problem problem_of(const StreamRequest& request, const LineTransform& transform) {
  ulpfft_problem problem = ULPFFT_PROBLEM_INIT;
  problem.kind = transform.kind;
  problem.rank = 1;
  problem.lengths = &transform.length;
  const char* const type = request.f64 ? "f64" : "f32";
  problem.scheme = type;
  problem.storage_in = transform.in.empty() ? type : transform.in.c_str();
  problem.storage_out = transform.out.empty() ? type : transform.out.c_str();
  problem.output = transform.power ? ULPFFT_OUTPUT_POWER : ULPFFT_OUTPUT_SPECTRUM;
  if (!transform.window.empty()) {
    problem.window_factors = transform.window.data();
    problem.window_count = transform.length;
  }
  if (transform.scale != 1) {
    problem.scale_kind = ULPFFT_SCALE_VALUE;
    problem.scale_value = transform.scale;
  }
  problem.layout = transform.layout;
  problem.direction = transform.direction;
  problem.threads = request.options.threads;
  return problem;
}

ulpfft_plan* make_line_plan(const StreamRequest& request, const LineTransform& transform, const ulpfft_plan_options& options) {
  const ulpfft_problem problem = problem_of(request, transform);
  ulpfft_plan* plan = nullptr;
  try {
    check_call(ulpfft_plan_create(request.context, &problem, &options, &plan));
  } catch (const PlanError& error) {
    const std::string field = error.field == "storage_in" ? "samples" : error.field == "storage_out" ? "items" : error.field;
    throw PlanError(error.status, field, error.message);
  }
  return plan;
}

}  // namespace

void check_call(ulpfft_status status) {
  if (status == ULPFFT_OK) return;
  ulpfft_error error = ULPFFT_ERROR_INIT;
  ulpfft_last_error_get(&error);
  throw PlanError(status, error.field, error.message, error.text_begin, error.text_end);
}

StreamPlan::StreamPlan(const StreamRequest& request, const LineTransform& transform)
    : plan_(make_line_plan(request, transform, request.plan_options)) {}

void StreamPlan::execute(const void* in_re, const void* in_im, void* out_re, void* out_im) const {
  const ulpfft_const_array from = {sizeof from, {in_re, in_im}, {nullptr, nullptr}, nullptr};
  const ulpfft_array in = ulpfft_input(&from);
  ulpfft_array out = ULPFFT_ARRAY_INIT;
  out.data[0] = out_re;
  out.data[1] = out_im;
  check_call(ulpfft_execute_arrays(plan_.get(), &in, &out, nullptr));
}

void StreamPlan::execute_row(const void* in, void* out, void* scales) const {
  const ulpfft_const_array from = {sizeof from, {in, nullptr}, {nullptr, nullptr}, nullptr};
  const ulpfft_array input = ulpfft_input(&from);
  ulpfft_array output = ULPFFT_ARRAY_INIT;
  output.data[0] = out;
  output.scales[0] = scales;
  check_call(ulpfft_execute_arrays(plan_.get(), &input, &output, nullptr));
}

std::uint64_t StreamPlan::bytes() const {
  ulpfft_memory memory = ULPFFT_MEMORY_INIT;
  check_call(ulpfft_plan_memory(plan_.get(), &memory));
  return memory.table_bytes + memory.workspace_bytes;
}

TransformEstimate estimate_transform(const StreamRequest& request, const LineTransform& transform) {
  ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
  options.effort = ULPFFT_ESTIMATE;
  options.flags = ULPFFT_DETERMINISTIC & request.plan_options.flags;
  options.max_memory = request.plan_options.max_memory;
  const std::unique_ptr<ulpfft_plan, void (*)(ulpfft_plan*)> plan(make_line_plan(request, transform, options), &ulpfft_plan_destroy);
  ulpfft_candidate best = ULPFFT_CANDIDATE_INIT;
  if (ulpfft_plan_candidate_count(plan.get()) > 0) check_call(ulpfft_plan_candidate_get(plan.get(), 0, &best));
  ulpfft_memory memory = ULPFFT_MEMORY_INIT;
  check_call(ulpfft_plan_memory(plan.get(), &memory));
  // A plan from wisdom was measured.
  const double measured = ulpfft_plan_seconds(plan.get());
  return {measured > 0 ? measured : best.predicted_seconds, ulpfft_plan_error(plan.get()), memory.table_bytes + memory.workspace_bytes};
}

void require_memory(const StreamRequest& request, std::uint64_t bytes) {
  ulpfft_memory memory = ULPFFT_MEMORY_INIT;
  check_call(ulpfft_predict_memory_text(request.context, "2 f32", &memory));
  if (bytes <= memory.process_bytes) return;
  throw PlanError(ULPFFT_NO_MEMORY, "",
                  "The stream takes " + std::to_string(bytes) + " bytes, but this process may use " + std::to_string(memory.process_bytes) +
                      ": make it smaller, or push less at a time (most_pushed).");
}

}  // namespace ulpfft
