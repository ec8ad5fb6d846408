// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Numbers that narrow storage between passes turns into zeros.
//
// Cost    0.1 ns per real, in blocks 0.3 (SSE2, Zen 5), of tiles in L1, where the caller asks for the count. Vector widths do not change
//         it.
#ifndef ULPFFT_PLANNER_CONVERT_UNDERFLOW_H_
#define ULPFFT_PLANNER_CONVERT_UNDERFLOW_H_

#include <cstdint>

#include "codelets/contract/conversion.h"
#include "codelets/contract/step.h"
#include "planner/convert/codec.h"

namespace ulpfft {

// The largest magnitude that an element rounds to 0, to nearest; negative where nothing but 0 does, or the element has no 0.
double largest_to_zero(const FormatInfo& element);

// How many of the reals that were just encoded (adjacent ones, to nearest) are not 0 and became 0. `to_zero`: largest_to_zero() of the
// element. Scales of blocks are read back, so that it is their rule that counts.
std::int64_t count_underflowed(const ConversionArgs& encoded, bool is_f64, double to_zero);
// Adds that to what the execution counts, if it does.
void add_underflowed(const ConversionArgs& encoded, const Codec& codec, Narrow& narrow);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_UNDERFLOW_H_
