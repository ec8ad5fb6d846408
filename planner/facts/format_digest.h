// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Digests of the number formats of a plan. Wisdom of a format whose descriptor has changed, or of a split scheme whose arithmetic has, is
// not used by this build.
#ifndef ULPFFT_PLANNER_FACTS_FORMAT_DIGEST_H_
#define ULPFFT_PLANNER_FACTS_FORMAT_DIGEST_H_

#include <cstdint>

#include "codelets/contract/format_info.h"
#include "wisdom/problem.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// The digest of every field that a value of the format, or its rounding, depends on. Name and source do not count.
std::uint64_t digest_of(const FormatInfo& format);
// The digest of a block format with these elements and scales.
std::uint64_t digest_of(const BlockInfo& block, const FormatInfo& element, const FormatInfo& scale);

// The digest of all narrow formats of the arrays, of the storage between passes and of the arithmetic, and of how a split scheme computes;
// 0: there are none.
std::uint64_t formats_digest(const Problem& problem, const Recipe& recipe);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_FORMAT_DIGEST_H_
