// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The choice among timed recipes where the problem limits the error.
#ifndef ULPFFT_PLANNER_SEARCH_ERROR_LIMIT_H_
#define ULPFFT_PLANNER_SEARCH_ERROR_LIMIT_H_

#include <cstddef>
#include <vector>

#include "planner/judge/assess.h"
#include "planner/search/planning.h"

namespace ulpfft {

// A limit is kept by a sampled error whose mean and three standard errors are within it: measured again on other data, it is above the limit
// once in 700 times at the most.
struct Certificate {
  double error = 0;  // the mean
  double bound = 0;  // with three standard errors
};
Certificate certificate_of(const ErrorMeasurement& measured);

// Index of the first candidate (they are sorted, best first) that keeps problem.max_error; sets the error of those it measured. Where none
// does, and always where the limit is close to the least predicted error, the choice is among a few recipes that follow from the problem
// alone, those of the least predicted errors, whatever time the search had: they join the candidates. So a limit that one planning keeps is
// not refused by the next. Outside the time limit. Throws PlanError (ULPFFT_UNSUPPORTED, "max_error") naming the least error there is, and
// what would give way to a smaller one.
std::size_t choose_within_limit(Planning& planning, const Problem& problem, std::vector<Candidate>& candidates);

// Of a recipe, on one thread: the bits do not depend on threads. On random data, for as few transforms as it takes, or on the caller's array
// where the search has one to judge by.
Certificate certify(Planning& planning, const Problem& problem, const Candidate& candidate);

// Of a recipe that was given, not searched. Throws PlanError (ULPFFT_UNSUPPORTED, "max_error") where it does not keep problem.max_error.
Certificate certify_within_limit(Planning& planning, const Problem& problem, const Candidate& candidate);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_ERROR_LIMIT_H_
