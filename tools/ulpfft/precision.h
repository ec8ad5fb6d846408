// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The precision modes of trnfft, as names of schemes: --precision, and precision= in a problem.
#ifndef ULPFFT_TOOLS_ULPFFT_PRECISION_H_
#define ULPFFT_TOOLS_ULPFFT_PRECISION_H_

#include <string>
#include <vector>

#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {

// "split:bf16x2" of "ozaki". Throws UsageError where there is no such mode.
std::string scheme_of_precision(const std::string& mode);

// A problem with scheme= for its word precision=.
std::string with_schemes(const std::string& problem);

// Adds the scheme of a mode to each problem, unless the mode is "". Throws UsageError where a problem names a scheme.
void name_schemes(const std::string& mode, std::vector<std::string>& problems);

// Which scheme the mode is, and the error of the plan, measured on random data; a warning where a better scheme costs the same.
std::string precision_text(const std::string& mode, const ulpfft::Plan& plan);
// The warning alone; "" where there is none.
std::string precision_warning(const std::string& mode);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_PRECISION_H_
