// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the largest magnitude of a prescaled transform becomes, and what that makes of the numbers that errors are stated for.
#ifndef ULPFFT_PLANNER_FACTS_PRESCALE_TARGET_H_
#define ULPFFT_PLANNER_FACTS_PRESCALE_TARGET_H_

#include <optional>
#include <vector>

#include "planner/convert/intermediate.h"
#include "planner/scheme/rounded_scheme.h"
#include "wisdom/problem.h"

namespace ulpfft {

// Whether a side of the problem is read or written through the workspace, whatever its storage.
bool through_workspace(const Problem& problem, bool output);

// A power of two, or what the problem says. Where the formats have room for it, no sum can go beyond their largest value: a transform grows
// by at most its length. Where that would sink normal data among their subnormal numbers (or, integers, in the step), as near to it as
// keeps them above, and at most what leaves the largest value at eight times the rms of the results. 1 where no format limits.
double prescale_target(const Problem& problem, const std::optional<RoundedScheme>& rounded, const std::vector<Intermediate>& stages);

// rms of the complex normal numbers of an error as the passes see them.
double rms_of_passes(const Problem& problem, const std::optional<RoundedScheme>& rounded, const std::vector<Intermediate>& stages);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_PRESCALE_TARGET_H_
