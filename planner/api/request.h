// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Requests of callers, read from the structs of the C interface and completed.
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

// Reads a struct of any published size, and nothing beyond that size.
Problem problem_from_c(const ulpfft_problem& in);

// Runs `body`. If it throws an error about a field of a problem that came as text, the error then points at the words of that field.
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

// Refuses names that are no storage of this build. The storage of references ("dd") is refused like an unknown name.
Storage require_format(const std::string& name, const char* field);

// Fills in the fields that a struct or text left open. Refuses problems that check() refuses, and
// formats and schemes that this build does not have.
void complete(Problem& problem, bool is_judged = false);

// The address of an input array that is only read to measure errors, which do not depend on exponents. Refuses members that the problem's
// storage and layout do not have; the error names `field` and the member.
ArrayAddress input_address(const Problem& problem, const ulpfft_array& in, const std::string& field);

struct PlanRequest {
  SearchOptions search;  // create_plan fills in costs, team, memory and judge
  double max_memory = 0;  // bytes; 0: only the context's limit holds
  bool wisdom_only = false;
  const ulpfft_array* judge = nullptr;
};
// Null: the defaults.
PlanRequest request_from_c(const ulpfft_plan_options* options);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_API_REQUEST_H_
