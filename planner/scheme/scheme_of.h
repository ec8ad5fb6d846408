// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which scheme computes a problem, and what its numbers are kept in.
#ifndef ULPFFT_PLANNER_SCHEME_SCHEME_OF_H_
#define ULPFFT_PLANNER_SCHEME_SCHEME_OF_H_

#include <string>

#include "codelets/contract/codelet.h"
#include "wisdom/problem.h"

namespace ulpfft {

// What a problem is computed in: its scheme, or that of its storage; f32 where that is narrow.
const std::string& scheme_of(const Problem& problem);
// "f32" and mx schemes -> kF32, "f64" -> kF64, rounded schemes by what their numbers are kept in; throws PlanError for others.
ComputeType compute_type_of_scheme(const std::string& scheme);
std::string scheme_of_compute(ComputeType compute);
// The wide storage that passes of a scheme work on: "f32", "f64" (or "dd").
std::string working_storage(const std::string& scheme);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SCHEME_SCHEME_OF_H_
