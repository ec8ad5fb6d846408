// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The short forms of the C interface: a plan by its lengths and a few words, and memory for its arrays.
#include <cstdint>
#include <initializer_list>
#include <string>

#include "planner/api/context.h"
#include "planner/api/create.h"
#include "planner/api/guard.h"
#include "planner/api/request.h"
#include "planner/system/buffer.h"
#include "wisdom/problem_text.h"

using namespace ulpfft;

namespace {

// Moves the range of an error into the caller's `words`, before which the problem's text has
// `before` bytes more. An error about those bytes gets no range.
void move_range(PlanError& error, std::size_t before) {
  if (error.text_begin >= before) {
    error.text_begin -= before;
    error.text_end -= before;
  } else {
    error.text_begin = error.text_end = 0;
  }
}

std::string lengths_text(std::initializer_list<std::int64_t> lengths) {
  std::string text;
  for (const std::int64_t& length : lengths) {
    if (length < 1) {
      const std::string field = lengths.size() == 1 ? "n" : "n" + std::to_string(&length - lengths.begin());
      throw PlanError(ULPFFT_INVALID_ARGUMENT, field, field + " is " + std::to_string(length) + "; a length is 1 or more.");
    }
    text += (text.empty() ? "" : "x") + std::to_string(length);
  }
  return text + " ";
}

ulpfft_plan* plan_of(std::initializer_list<std::int64_t> lengths, const char* storage, int direction, int effort) {
  ulpfft_plan* plan = nullptr;
  guard([&] {
    const std::string head = lengths_text(lengths);
    const Direction wanted = direction_from_c(direction);
    ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
    options.effort = effort;
    const PlanRequest request = request_from_c(&options);
    const std::string text = head + (storage == nullptr ? "f32" : storage);
    try {
      Problem problem = parse_problem(text);
      if (problem.direction != Direction::kForward) {
        throw PlanError(ULPFFT_INVALID_ARGUMENT, "storage",
                        "storage says inverse, but direction is an argument of its own: pass ULPFFT_BACKWARD.");
      }
      problem.direction = wanted;
      plan = with_text_range(text, [&] { return create_plan(context_of(nullptr), std::move(problem), request); }).release();
    } catch (PlanError& error) {
      move_range(error, head.size());
      throw;
    }
  });
  return plan;
}

}  // namespace

extern "C" {

ulpfft_plan* ulpfft_plan_1d(int64_t n, const char* storage, int direction, int effort) { return plan_of({n}, storage, direction, effort); }
ulpfft_plan* ulpfft_plan_2d(int64_t n0, int64_t n1, const char* storage, int direction, int effort) {
  return plan_of({n0, n1}, storage, direction, effort);
}
ulpfft_plan* ulpfft_plan_3d(int64_t n0, int64_t n1, int64_t n2, const char* storage, int direction, int effort) {
  return plan_of({n0, n1, n2}, storage, direction, effort);
}

void* ulpfft_malloc(size_t bytes) {
  static_assert(kBufferAlignment == 64, "ulpfft.h says so");
  void* memory = bytes <= PTRDIFF_MAX - kBufferAlignment ? allocate_aligned(bytes) : nullptr;
  if (memory == nullptr) {
    guard([&] { throw PlanError(ULPFFT_NO_MEMORY, "bytes", "There is no memory of " + std::to_string(bytes) + " bytes."); });
  }
  return memory;
}

void ulpfft_free(void* memory) { free_aligned(memory); }

}  // extern "C"
