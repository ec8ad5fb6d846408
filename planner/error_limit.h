// The choice among timed recipes where the problem limits the error.
#ifndef ULPFFT_PLANNER_ERROR_LIMIT_H_
#define ULPFFT_PLANNER_ERROR_LIMIT_H_

#include <cstddef>
#include <vector>

#include "planner/planning.h"

namespace ulpfft {

// Index of the first candidate (they are sorted, best first) whose sampled error is within problem.max_error; sets the error of those it
// measured. Takes a fifth of the time limit, and a few measurements more before it refuses: those of the least predicted errors, and of the
// measured in other twiddle forms, which join the candidates. Throws PlanError (ULPFFT_UNSUPPORTED, "max_error") naming the least error
// there is, and what would give way to a smaller one.
std::size_t choose_within_limit(Planning& planning, const Problem& problem, std::vector<Candidate>& candidates);

// Sampled error of a recipe, on one thread: the bits do not depend on threads. On random data, or on the caller's array where the search
// has one to judge by.
double sampled_error(Planning& planning, const Problem& problem, const Candidate& candidate, double limit_seconds);

// Sampled error of a recipe that was given, not searched. Throws PlanError (ULPFFT_UNSUPPORTED, "max_error") where it is above
// problem.max_error.
double error_within_limit(Planning& planning, const Problem& problem, const Candidate& candidate);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_ERROR_LIMIT_H_
