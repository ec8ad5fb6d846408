// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The target of a prescale, which is the largest magnitude of a transform afterwards, and the rms of its numbers.
#ifndef ULPFFT_PLANNER_FACTS_PRESCALE_TARGET_H_
#define ULPFFT_PLANNER_FACTS_PRESCALE_TARGET_H_

#include <string>
#include <vector>

#include "planner/convert/intermediate.h"
#include "planner/convert/side.h"
#include "planner/scheme/scheme.h"
#include "wisdom/problem.h"

namespace ulpfft {

// The target that the problem names; else a power of two. A transform grows by at most its length. If the formats have room for that, the
// power is so small that no sum exceeds their largest value. A format may lack the room, because normal data would then sink among its
// subnormal numbers or, in integers, below the step. Then the power is the least that keeps them above, and at most the one that leaves the
// largest value at eight times the rms of the results. It is 1 where no format is a limit. `element` is Scheme::element.
double prescale_target(const Problem& problem, const FormatInfo* element, const std::vector<Intermediate>& stages);

// Why the wide type that a scheme works on cannot hold data of the target that a problem names, with the targets that are possible; ""
// where it can. A target is too small where every number of the input would become 0, and too large where numbers of the result, whose rms is an
// eighth of the largest value or more, would overflow. The element of a rounded scheme saturates or becomes 0 sooner, which errors state.
std::string prescale_fault(const Problem& problem, const Scheme& scheme);

// The rms that the data of a stated error, complex normal numbers, have in the passes.
double rms_of_passes(const Problem& problem, const Sides& sides, const FormatInfo* element, const std::vector<Intermediate>& stages);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_PRESCALE_TARGET_H_
