// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The recipes a search looks at: proposals of the strategies for each dimension, and whole recipes put together from them.
#ifndef ULPFFT_PLANNER_SEARCH_CANDIDATES_H_
#define ULPFFT_PLANNER_SEARCH_CANDIDATES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "planner/search/planning.h"

namespace ulpfft {

// What a problem fixes, and what its error limit leaves to be chosen (docs/measured.md, Error limits).
// Schemes that may compute it: the one it names, without an error limit that of its storage, with one all this build has but emulated ones.
std::vector<std::string> schemes_to_try(const Problem& problem);
// Narrow storages that may lie between its passes: the one it names, with an error limit those that hold whatever f32 does and are the
// most accurate of their size.
std::vector<std::string> intermediates_to_try(const Problem& problem);

// A predicted error is trusted within this factor: recipes predicted beyond it times the limit are not looked at.
inline constexpr double kErrorTrust = 2;
inline bool may_keep_limit(const Problem& problem, const Candidate& candidate) {
  return problem.max_error == 0 || candidate.error <= kErrorTrust * problem.max_error;
}

// Dimensions longer than one, from the last to the first: the order build_plan executes.
std::vector<std::size_t> execution_order(const Problem& problem);

// Dimension `d` alone, everything else as batch. Only the first one executed reads the input array.
Problem line_of(const Problem& problem, std::size_t d, bool first);

// What the strategies propose for line `line` (of one dimension) in each scheme, cheapest predicted first; error limits are not looked at.
// Stops early when predictions are late and there is something. `planes`: other dimensions are transformed, too.
std::vector<Candidate> propose(Planning& planning, const Problem& line, const std::vector<std::string>& schemes, Breadth breadth, bool planes);

// Bytes of the arrays of a problem that a transform reads and writes.
double array_bytes(const Problem& problem);
// From so many on, streaming may be worth it.
inline constexpr double kStreamsFrom = 1 << 20;

// Says that a length has no candidates, and why where there were proposals.
[[noreturn]] void refuse_length(const Planning& planning, const Problem& problem, std::size_t d);

// Whole recipes from the candidates of each dimension, which are sorted: the best nodes everywhere, and those with up to `alternatives` next
// ones in one dimension each; cheapest predicted first. Dimensions of length 1 have no candidates.
std::vector<Candidate> combine(Planning& planning, const Problem& problem, const std::vector<std::vector<Candidate>>& lines,
                               const std::vector<std::string>& schemes, std::size_t alternatives);

// Up to `count` recipes of the least predicted errors, twiddle forms varied, and the cheapest in all its forms; least error first. They follow
// from problem and codelets, not from the time there is.
std::vector<Candidate> most_accurate(Planning& planning, const Problem& problem, std::size_t count);

// A recipe of a transform there and back around the operation of a chain.
Recipe chained(const Recipe& alone, const std::string& operation);

// Stable; cheapest predicted first.
void sort_by_prediction(std::vector<Candidate>& candidates);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_CANDIDATES_H_
