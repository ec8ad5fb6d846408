// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The choice among timed recipes where the problem limits the error.
#ifndef ULPFFT_PLANNER_SEARCH_ERROR_LIMIT_H_
#define ULPFFT_PLANNER_SEARCH_ERROR_LIMIT_H_

#include <cstddef>
#include <vector>

#include "planner/judge/assess.h"
#include "planner/search/planning.h"

namespace ulpfft {

// A sampled error keeps a limit if its mean plus three standard errors is within the limit. Measured again on other data, such an error is
// above the limit at most once in 700 times.
struct Certificate {
  double error = 0;  // the mean
  double bound = 0;  // with three standard errors
};
Certificate certificate_of(const ErrorMeasurement& measured);

// Index of the first candidate that keeps problem.max_error; candidates are sorted, best first. Sets the error of each candidate it
// measures. Where no candidate keeps the limit, and always where the limit is close to the least predicted error, the choice is among a few
// recipes of the least predicted errors. These follow from the problem alone, whatever time the search had, and join the candidates. So a
// limit that one planning keeps is not refused by the next. The measurements do not count against the time limit. Throws PlanError
// (ULPFFT_UNSUPPORTED, "max_error") whose message names the least error that was found and the choices that would allow a smaller one.
std::size_t choose_within_limit(Planning& planning, const Problem& problem, std::vector<Candidate>& candidates);

// The certificate of a recipe, measured on one thread because the bits do not depend on threads. The data are the caller's array where the
// search has one to judge by, else random numbers of as few transforms as are needed.
Certificate certify(Planning& planning, const Problem& problem, const Candidate& candidate);

// The certificate of a recipe that was given, not searched. Throws PlanError (ULPFFT_UNSUPPORTED,
// "max_error") if the recipe does not keep problem.max_error.
Certificate certify_within_limit(Planning& planning, const Problem& problem, const Candidate& candidate);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_ERROR_LIMIT_H_
