// The text form of a problem, the same in API, tool, wisdom and describe().
//
//   [c2c] LENGTHS[*BATCH] STORAGE[->STORAGE] [inverse] [centered] [scale=none|ortho|1/n|X] [max_error=X] [scheme=S]
//   [backend=B] [threads=T] [inplace] [split] [in_strides=S,...] [out_strides=S,...] [batch_strides=IN...,OUT...]
//   [intermediate=F]
//
// LENGTHS = INT{xINT}, BATCH = INT{xINT}; defaults are left out when printing, so equal problems print equal texts.
// batch_strides lists the in strides of all batch dimensions, then their out strides.
#ifndef ULPFFT_WISDOM_PROBLEM_TEXT_H_
#define ULPFFT_WISDOM_PROBLEM_TEXT_H_

#include <string>
#include <string_view>

#include "wisdom/problem.h"

namespace ulpfft {

// Throws PlanError (ULPFFT_INVALID_TEXT, with the byte range of the word at fault).
Problem parse_problem(std::string_view text);
std::string print_problem(const Problem& problem);

// The wisdom key: as print_problem, but without direction and scale value (design, invariant 2); placement stays.
std::string problem_key(const Problem& problem);

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_PROBLEM_TEXT_H_
