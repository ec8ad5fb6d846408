// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A line between real numbers in long double: as one complex transform of the extension that its formula stands for.
#ifndef ULPFFT_TOOLS_ULPFFT_R2R_SUMS_H_
#define ULPFFT_TOOLS_ULPFFT_R2R_SUMS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/ulpfft/long_sums.h"

namespace ulpfft_tool {

// ULPFFT_R2HC, ... by a name that a problem's text takes, e.g. "dct2" or "redft10"; the numbers are those of FFTW.
std::optional<int> r2r_kind(std::string_view name);

// Points of the extension of a line of n reals.
std::int64_t extended_length(int kind, std::int64_t n);

// The period of a line as its formula continues it: N of scale=1/n and scale=ortho.
std::int64_t logical_length(int kind, std::int64_t n);

// Unscaled; `sums` are of extended_length(kind, n) points. im parts of the line are not read. `weighted`: with the weights of ends by which
// scale=ortho differs from a factor.
std::vector<LongSums::Complex> r2r_line(int kind, const LongSums& sums, const std::vector<LongSums::Complex>& line, bool weighted = false);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_R2R_SUMS_H_
