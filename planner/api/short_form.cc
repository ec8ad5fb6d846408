// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/api/short_form.h"

#include <cctype>
#include <cstddef>
#include <memory>
#include <utility>

#include "planner/api/create.h"
#include "planner/api/guard.h"
#include "planner/api/request.h"
#include "wisdom/error.h"
#include "wisdom/problem_fields.h"
#include "wisdom/problem_text.h"

namespace ulpfft {
namespace {

// The problem's text before the caller's words.
std::string head_of(const ShortForm& form) {
  std::string text = form.kind == Kind::kC2C ? "" : std::string(name_of(form.kind)) + " ";
  for (std::size_t i = 0; i < form.lengths.size(); ++i) {
    const std::int64_t length = form.lengths[i];
    const std::string field = "lengths[" + std::to_string(i) + "]";
    if (length < 1) throw PlanError(ULPFFT_INVALID_ARGUMENT, field, field + " is " + std::to_string(length) + "; a length is 1 or more.");
    text += (i == 0 ? "" : "x") + std::to_string(length);
  }
  if (form.batch < 1) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "batch", "batch is " + std::to_string(form.batch) + "; there are 1 or more transforms.");
  }
  return text + (form.batch == 1 ? "" : "*" + std::to_string(form.batch)) + " ";
}

// Moves the range of an error into the caller's words, before which the problem's text has `before` bytes more. An error about those bytes
// gets no range.
void move_range(PlanError& error, std::size_t before) {
  if (error.text_begin >= before) {
    error.text_begin -= before;
    error.text_end -= before;
  } else {
    error.text_begin = error.text_end = 0;
  }
}

// Names of more than one word, "lengths", mean something else in a sentence than in a field.
void rename(PlanError& error, const std::vector<ShortForm::Renamed>& names) {
  for (const ShortForm::Renamed& name : names) {
    for (std::size_t at = 0; !name.phrase.empty() && (at = error.message.find(name.field, at)) != std::string::npos;) {
      error.message.replace(at, name.field.size(), name.phrase);
      at += name.phrase.size();
    }
    if (error.field == name.field) error.field = name.argument;
  }
  if (error.message.starts_with("the ")) error.message[0] = 'T';
}

std::unique_ptr<ulpfft_plan> create(const ShortForm& form) {
  const std::string head = head_of(form);
  ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
  options.effort = form.effort;
  const PlanRequest request = request_from_c(&options);
  const std::string text = head + (form.storage == nullptr ? "f32" : form.storage);
  try {
    Problem problem = parse_problem(text);
    if (form.settle) form.settle(problem, text);
    return with_text_range(text, [&] { return create_plan(context_of(nullptr), std::move(problem), request); });
  } catch (PlanError& error) {
    move_range(error, head.size());
    throw;
  }
}

}  // namespace

void refuse_words(std::string_view text, std::string_view field, const std::string& sentence) {
  const TextRange range = field_range(text, field);
  throw PlanError(ULPFFT_INVALID_ARGUMENT, "storage", sentence, range.begin, range.end);
}

void set_direction(Problem& problem, std::string_view text, int direction) {
  const Direction wanted = direction_from_c(direction);
  if (problem.direction != Direction::kForward) {
    refuse_words(text, "direction", "storage says inverse, but direction is an argument of its own: pass ULPFFT_BACKWARD.");
  }
  problem.direction = wanted;
}

void set_kinds(Problem& problem, std::string_view text, const int* kinds) {
  if (!problem.kinds.empty()) {
    refuse_words(text, "kinds", "storage names kinds, but they are arguments of their own: leave the word out.");
  }
  for (std::size_t d = 0; d < problem.dims.size(); ++d) problem.kinds.push_back(r2r_kind_from_c(kinds[d], d));
}

ulpfft_plan* plan_of(const std::function<ShortForm()>& make_form) {
  ulpfft_plan* plan = nullptr;
  guard([&] {
    const ShortForm form = make_form();
    try {
      plan = create(form).release();
    } catch (PlanError& error) {
      rename(error, form.names);
      throw;
    }
  });
  return plan;
}

}  // namespace ulpfft
