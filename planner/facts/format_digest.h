// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the number formats of a plan mean, as a number: wisdom of a format whose descriptor has changed is not for this build.
#ifndef ULPFFT_PLANNER_FACTS_FORMAT_DIGEST_H_
#define ULPFFT_PLANNER_FACTS_FORMAT_DIGEST_H_

#include <cstdint>

#include "codelets/contract/format_info.h"
#include "wisdom/problem.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// Of every field that a value of the format, or its rounding, depends on; not of its name and source.
std::uint64_t digest_of(const FormatInfo& format);
// Of a block of it.
std::uint64_t digest_of(const BlockInfo& block, const FormatInfo& element, const FormatInfo& scale);

// Of all narrow formats of the arrays, of what lies between passes, and of the arithmetic; 0: there are none.
std::uint64_t formats_digest(const Problem& problem, const Recipe& recipe);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_FORMAT_DIGEST_H_
