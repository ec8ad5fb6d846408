// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Factors of a spectrum, read from a file for `ulpfft transform --multiply`.
#ifndef ULPFFT_TOOLS_ULPFFT_FACTORS_H_
#define ULPFFT_TOOLS_ULPFFT_FACTORS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/ulpfft/array_file.h"

namespace ulpfft_tool {

// One factor per point of a transform, as the plan wants them: row-major over `lengths` (of the transformed `axes` those longer than 1), in f32 or
// f64. The file has the shape of the transformed axes in their order, or that of the whole array with length 1 along all others.
// Throws Failure naming both shapes, and where a factor is not finite.
Numbers read_factors(const std::string& path, const std::vector<std::int64_t>& shape, const std::vector<std::size_t>& axes,
                     const std::vector<std::size_t>& lengths, bool as_double);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_FACTORS_H_
