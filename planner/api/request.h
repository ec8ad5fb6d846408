// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What callers ask for, read from the structs of the C interface and completed.
#ifndef ULPFFT_PLANNER_API_REQUEST_H_
#define ULPFFT_PLANNER_API_REQUEST_H_

#include <string>
#include <string_view>

#include "codelets/contract/storage.h"
#include "planner/search/search.h"
#include "ulpfft/ulpfft.h"
#include "wisdom/error.h"
#include "wisdom/problem.h"
#include "wisdom/problem_text.h"

namespace ulpfft {

// Any size that was published is read, and nothing beyond it.
Problem problem_from_c(const ulpfft_problem& in);

Direction direction_from_c(int direction);

// Runs `body`; its errors about a field of a problem that came as text point at the words of that field.
template <typename Body>
auto with_text_range(std::string_view text, const Body& body) {
  try {
    return body();
  } catch (PlanError& error) {
    if (error.text_begin == error.text_end) {
      const auto [begin, end] = field_range(text, error.field);
      error.text_begin = begin;
      error.text_end = end;
    }
    throw;
  }
}

// Refuses names that are no storage of this build, those of its own references among them.
Storage require_format(const std::string& name, const char* field);

// Fills in what a struct or text left open and refuses what check() refuses, and formats and schemes this build does not have.
void complete(Problem& problem);

// Of an input array that is only read, for errors, which do not depend on exponents; refuses what the problem's storage and layout do not
// have, by `field` and the member's name.
ArrayAddress input_address(const Problem& problem, const ulpfft_array& in, const std::string& field);

struct PlanRequest {
  SearchOptions search;  // costs, team, memory and judge are left to create_plan
  double max_memory = 0;  // bytes; 0: no limit but the context's
  bool wisdom_only = false;
  const ulpfft_array* judge = nullptr;
};
// Null: the defaults.
PlanRequest request_from_c(const ulpfft_plan_options* options);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_API_REQUEST_H_
