// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Narrow arrays whose neighbours are numbers of different transforms (columns of a matrix): a group of transforms lies in the workspace as
// in the array, so that conversions take whole rows and passes have transforms in their lanes. 256*64 f16 98 -> 7 us, 4096*64 1640 -> 241
// us.
#ifndef ULPFFT_PLANNER_CONVERT_STORED_COLUMNS_H_
#define ULPFFT_PLANNER_CONVERT_STORED_COLUMNS_H_

#include <cstdint>

#include "planner/convert/side.h"
#include "wisdom/problem.h"

namespace ulpfft {

// Most transforms of such a group, of complex numbers of these bytes; 0: the problem's arrays do not lie so, they hold real numbers, or its
// transforms are too long.
std::int64_t transforms_across(const Problem& problem, const Sides& sides, std::int64_t element);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_STORED_COLUMNS_H_
