// A plan for a problem: from wisdom, or by searching and remembering.
#ifndef ULPFFT_PLANNER_API_CREATE_H_
#define ULPFFT_PLANNER_API_CREATE_H_

#include <memory>

#include "planner/api/context.h"
#include "planner/api/request.h"
#include "planner/plan.h"

namespace ulpfft {

// Completes the problem first. Throws PlanError.
std::unique_ptr<ulpfft_plan> create_plan(ulpfft_context& context, Problem problem, const PlanRequest& request);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_API_CREATE_H_
