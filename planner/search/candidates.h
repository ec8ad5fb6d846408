// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The recipes a search looks at: proposals of the strategies for each dimension, and whole recipes put together from them.
#ifndef ULPFFT_PLANNER_SEARCH_CANDIDATES_H_
#define ULPFFT_PLANNER_SEARCH_CANDIDATES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "planner/search/planning.h"

namespace ulpfft {

// notebook/error_limits.md says what a problem fixes and what an error limit leaves to be chosen.

// Schemes that may compute the problem: the one it names; else, without an error limit, the one of its storage; else all schemes of this
// build that are not emulated.
std::vector<std::string> schemes_to_try(const Problem& problem);
// Narrow storages that may lie between the passes: the one the problem names; else, with an error limit, the storages that have the range
// of f32 and are the most accurate of their size.
std::vector<std::string> intermediates_to_try(const Problem& problem);

// Predicted errors are trusted within this factor. A search leaves out recipes whose predicted error is more than this many limits.
inline constexpr double kErrorTrust = 2;
inline bool may_keep_limit(const Problem& problem, const Candidate& candidate) {
  return problem.max_error == 0 || candidate.error <= kErrorTrust * problem.max_error;
}

// Dimensions longer than one, from the last to the first: the order build_plan executes.
std::vector<std::size_t> execution_order(const Problem& problem);

// Dimension `d` alone; every other dimension joins the batch. Only the dimension that is executed `first` reads the input array.
Problem line_of(const Problem& problem, std::size_t d, bool first);

// The proposals of the strategies for `line`, which has one dimension, in each scheme; cheapest predicted first. Error limits do not count
// here. It stops early when predictions are late and there is a candidate. `planes` says that other dimensions are transformed as well.
std::vector<Candidate> propose(Planning& planning, const Problem& line, const std::vector<std::string>& schemes, Breadth breadth,
                               bool planes);

// Bytes of the arrays of a problem that a transform reads and writes.
double array_bytes(const Problem& problem);
// Streaming may be worth it from this many bytes of arrays on. From where it is proposed, StreamsFrom says.
inline constexpr double kStreamsFrom = 1 << 20;

// Throws the error for a length without candidates. Where there were proposals, its message says why each was refused.
[[noreturn]] void refuse_length(const Planning& planning, const Problem& problem, std::size_t d);

// Whole recipes from the sorted candidates of each dimension, cheapest predicted first: the best node in every dimension, and the recipes
// that have one of up to `alternatives` next nodes in one dimension instead. Dimensions of length 1 have no candidates.
std::vector<Candidate> combine(Planning& planning, const Problem& problem, const std::vector<std::vector<Candidate>>& lines,
                               const std::vector<std::string>& schemes, std::size_t alternatives);

// Up to `count` recipes of the least predicted errors with varied twiddle forms, and the cheapest recipe in all its forms; least error
// first. The result follows from the problem and the codelets. It does not depend on the time left.
std::vector<Candidate> most_accurate(Planning& planning, const Problem& problem, std::size_t count);

// The recipe of a chain: the transform `alone`, the operation, and the transform back.
Recipe chained(const Recipe& alone, const std::string& operation);

// Sorts by predicted seconds, least first; stable.
void sort_by_prediction(std::vector<Candidate>& candidates);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_CANDIDATES_H_
