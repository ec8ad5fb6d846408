// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A part of a problem that is small enough to be tried.
//
// Recipes of a large batch are compared on a slice of it: a few of its transforms, which take a few milliseconds. Consecutive executions
// transform different parts of arrays that are as large as memory allows, up to the whole. So an execution finds its data where an
// execution of the whole would find them: past the caches if the arrays are.
#ifndef ULPFFT_PLANNER_JUDGE_PROBLEM_SLICE_H_
#define ULPFFT_PLANNER_JUDGE_PROBLEM_SLICE_H_

#include <cstdint>
#include <vector>

#include "planner/convert/side.h"
#include "wisdom/problem.h"

namespace ulpfft {

// Where a slice lies in the arrays: strides of outer dimensions (Side::outer_bytes) from their beginning.
struct SlicePlace {
  std::int64_t in = 0;
  std::int64_t out = 0;
};

struct TimingSlice {
  // The whole problem. One execution transforms all of it.
  explicit TimingSlice(const Problem& whole) : arrays(whole), problem(whole) {}

  Problem arrays;   // what the arrays hold
  Problem problem;  // what one execution transforms
  double share = 1; // of the transforms of the whole problem that one execution computes
  std::vector<SlicePlace> places{1};  // at least one; addresses are multiples of 64 bytes from the first
};

// Makes `slice` with arrays of fewer transforms and at most `largest` bytes. False when one transform has more bytes.
// An execution transforms at most `points` complex numbers if it can do so with a whole number of transforms, at least kLeastSliced.
bool timing_slice(const Problem& problem, std::int64_t largest, std::int64_t points, TimingSlice& slice);
inline constexpr std::int64_t kLeastSliced = 4;

// The address of an array whose first transform is that of the slice. `shape` is that of the arrays.
ArrayAddress at_place(const ArrayAddress& arrays, const Side& shape, std::int64_t strides);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_JUDGE_PROBLEM_SLICE_H_
