// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The scheme that computes a problem, and the type that holds its numbers.
#ifndef ULPFFT_PLANNER_SCHEME_SCHEME_OF_H_
#define ULPFFT_PLANNER_SCHEME_SCHEME_OF_H_

#include <string>

#include "codelets/contract/codelet.h"
#include "wisdom/problem.h"

namespace ulpfft {

// The scheme that a problem names; else f32 or f64, the wider of its wide storages. Where both storages are narrow it is f32 if f32 holds
// their values, else f64.
const std::string& scheme_of(const Problem& problem);
// Scheme::compute of the scheme of that name.
ComputeType compute_type_of_scheme(const std::string& scheme);
std::string scheme_of_compute(ComputeType compute);
// The wide storage that passes of a scheme work on: "f32", "f64" (or "dd").
std::string working_storage(const std::string& scheme);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SCHEME_SCHEME_OF_H_
