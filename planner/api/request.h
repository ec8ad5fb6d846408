// What callers ask for, read from the structs of the C interface and completed.
#ifndef ULPFFT_PLANNER_API_REQUEST_H_
#define ULPFFT_PLANNER_API_REQUEST_H_

#include <string>

#include "codelets/contract/storage.h"
#include "planner/search.h"
#include "ulpfft/ulpfft.h"
#include "wisdom/problem.h"

namespace ulpfft {

Problem problem_from_c(const ulpfft_problem& in);

// Refuses names that are no storage of this build, those of its own references among them.
Storage require_format(const std::string& name, const char* field);

// Fills in what a struct or text left open and refuses what check() refuses, and formats and schemes this build does not have.
void complete(Problem& problem);

struct PlanRequest {
  SearchOptions search;  // costs and team are left to the context
  bool wisdom_only = false;
};
// Null: the defaults.
PlanRequest request_from_c(const ulpfft_plan_options* options);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_API_REQUEST_H_
