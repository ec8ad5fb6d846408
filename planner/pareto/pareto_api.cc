// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Time against error through the C interface.
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>

#include "planner/api/context.h"
#include "planner/api/guard.h"
#include "planner/api/request.h"
#include "planner/pareto/rows.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"

using namespace ulpfft;

namespace {

ParetoSettings settings_from_c(const ulpfft_pareto_options* given) {
  ParetoSettings settings;
  if (given == nullptr) return settings;
  const ulpfft_pareto_options options = read_sized(*given, "options.size");
  if (!std::isfinite(options.time_limit_seconds) || options.time_limit_seconds < 0) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "time_limit_seconds", "time_limit_seconds must be finite and not negative.");
  }
  if (options.time_limit_seconds > 0) settings.seconds = options.time_limit_seconds;
  if (options.storage_count > 0) require_pointer(options.storages, "storages");
  for (std::size_t i = 0; i < options.storage_count; ++i) {
    const std::string field = "storages[" + std::to_string(i) + "]";
    require_pointer(options.storages[i], field.c_str());
    settings.storages.emplace_back(options.storages[i]);
    if (require_format(settings.storages.back(), field.c_str()).element->has_zero) continue;
    throw PlanError(ULPFFT_UNSUPPORTED, field, "'" + settings.storages.back() + "' is a format of scales, not of numbers.");
  }
  settings.choices = options.choices != 0;
  settings.judge = options.judge;
  if (options.progress != nullptr) {
    settings.progress = [progress = options.progress, user = options.progress_user](double fraction, const std::string& what) {
      return progress(user, fraction, what.c_str()) == 0;
    };
  }
  return settings;
}

// The element of a list, for a struct of the caller that was checked.
template <typename T, typename List>
const auto& checked_element(const List& list, std::size_t index, T* to, const char* field) {
  require_pointer(to, field);
  require_size(*to, "size");
  if (index < list.size()) return list[index];
  throw PlanError(ULPFFT_INVALID_ARGUMENT, "index",
                  "index is " + std::to_string(index) + "; there are " + std::to_string(list.size()) + ".");
}

}  // namespace

extern "C" {

ulpfft_status ulpfft_pareto_measure(ulpfft_context* context, const char* problem_text, const ulpfft_pareto_options* options,
                                    ulpfft_pareto** pareto) {
  return guard([&] {
    require_pointer(pareto, "pareto");
    *pareto = nullptr;
    require_pointer(problem_text, "problem_text");
    const ParetoSettings settings = settings_from_c(options);
    *pareto = with_text_range(problem_text, [&] {
      return std::make_unique<ulpfft_pareto>(measure_pareto(context_of(context), parse_problem(problem_text), settings))
          .release();
    });
  });
}

ulpfft_status ulpfft_pareto_get(const ulpfft_pareto* pareto, ulpfft_pareto_facts* facts) {
  return guard([&] {
    require_pointer(pareto, "pareto");
    require_pointer(facts, "facts");
    require_size(*facts, "facts.size");
    *facts = {facts->size,     pareto->problem.c_str(), pareto->machine.c_str(), pareto->family.c_str(), pareto->max_error,
              pareto->seconds, pareto->points,          pareto->transforms,      pareto->rows.size(),    pareto->choices.size()};
  });
}

ulpfft_status ulpfft_pareto_row_get(const ulpfft_pareto* pareto, size_t index, ulpfft_pareto_row* row) {
  return guard([&] {
    require_pointer(pareto, "pareto");
    const ParetoRow& from = checked_element(pareto->rows, index, row, "row");
    const Problem& problem = from.problem;
    row->problem = from.problem_text.c_str();
    row->recipe = from.recipe.c_str();
    row->scheme = problem.scheme.c_str();
    row->storage_in = problem.storage_in.c_str();
    row->storage_out = problem.storage_out.c_str();
    row->between = problem.intermediate.c_str();
    row->reason = from.reason.c_str();
    row->out_of_time = from.out_of_time ? 1 : 0;
    row->own = from.own ? 1 : 0;
    row->emulated = from.emulated ? 1 : 0;
    row->front = from.front ? 1 : 0;
    row->own_front = from.own_front ? 1 : 0;
    row->transforms = from.transforms;
    row->seconds = from.seconds;
    row->spread = from.spread;
    row->bytes_per_point = from.bytes;
    row->predicted_error = from.predicted;
    row->error = from.error;
  });
}

ulpfft_status ulpfft_pareto_choice_get(const ulpfft_pareto* pareto, size_t index, ulpfft_pareto_choice* choice) {
  return guard([&] {
    require_pointer(pareto, "pareto");
    const ParetoChoice& from = checked_element(pareto->choices, index, choice, "choice");
    choice->max_error = from.limit;
    choice->recipe = from.recipe.c_str();
    choice->refusal = from.refusal.c_str();
    choice->out_of_time = from.out_of_time ? 1 : 0;
    choice->error = from.error;
    choice->fastest = from.fastest.c_str();
    choice->over_fastest = from.over_fastest;
  });
}

void ulpfft_pareto_destroy(ulpfft_pareto* pareto) { delete pareto; }

}  // extern "C"
