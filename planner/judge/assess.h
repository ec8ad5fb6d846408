// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The error of a plan, measured against a reference of at least twice its digits.
//
// Error      relative L2, ||y - Y|| / ||Y||, Y the exact transform of the values the input encodes (after decoding storage_in), y what
//            the plan stored in storage_out: rounding of the output included. Where only some outputs of a transform are compared,
//            ||Y|| is known from the input (the sum of squares is kept), so that outputs near zero do not make an error large.
// Reference  f32 arithmetic or output: the transform in f64 on the plan's own target. f64: the same recipe on ref in double-double up
//            to 2^16 points (f32: 2^20), or where the level is full. Both are compared with DirectSums, the definition itself, on some outputs of
//            the first transform; where they differ, or cannot be built, DirectSums is the reference.
// Data       complex normal, fixed seed, rms 1 where the formats suit that (error_data_rms); enough transforms for 2^14 outputs, spread over
//            the batch. Only these are filled; the others are zero.
// Outputs    a count that follows from the problem alone, so that a plan has one sampled error under any load: 2^14 and what completes a
//            transform where it has a whole reference; else by DirectSums, 2^26 products of them, at least 64 outputs. Beside their mean
//            stands its standard error, by runs of at most 256 outputs of one transform.
// Chains     the whole of them, with factors of magnitude 1 where they multiply, with a user's operation that changes nothing. The reference
//            is the wide transform there and back; long ones in f64 take their time in double-double.
// Memory     arrays as the plan takes them, and a dense transform or three.
// Threads    re-entrant; the plan is only executed. Everything runs in rounding to nearest.
#ifndef ULPFFT_PLANNER_JUDGE_ASSESS_H_
#define ULPFFT_PLANNER_JUDGE_ASSESS_H_

#include <cstdint>

#include "planner/plan/plan.h"

namespace ulpfft {

struct ErrorMeasurement {
  double relative_l2 = 0;
  double relative_largest = 0;  // largest |y - Y| over largest |Y|
  double standard_error = 0;    // of relative_l2, by chance alone
  std::int64_t outputs = 0;     // compared
  ErrorLevel level = ErrorLevel::kSampled;  // kFull: every output of the transforms looked at
};

// On random data. At level full, lengths which neither f64 nor double-double plans reach, and that are beyond 2^16, stay sampled.
// `references`: where reference plans come from; null: this build's codelets. `poll`: null, or asked outside executions. Throws
// std::bad_alloc, PlanError.
ErrorMeasurement measure_error(const ulpfft_plan& plan, ErrorLevel level, const CodeletTable* references = nullptr, Poll* poll = nullptr);

// The problem with so few of its transforms that measure_error() of a plan for it takes 64 MiB of arrays, or one transform: bits do not
// depend on a transform's place in the batch.
Problem error_slice(const Problem& problem);

// On the caller's array, which is only read, also by plans that work in place. Full looks at every transform of the batch. Refuses
// values that are not finite.
ErrorMeasurement assess(const ulpfft_plan& plan, const ArrayAddress& given, ErrorLevel level, Poll* poll = nullptr);
// The same of an array without scales; in_im is not looked at unless it is split.
inline ErrorMeasurement assess(const ulpfft_plan& plan, const void* in_re, const void* in_im, ErrorLevel level) {
  void* const re = const_cast<void*>(in_re);  // only read
  return assess(plan, ArrayAddress{{re, plan.split ? const_cast<void*>(in_im) : re}, {}, nullptr}, level);
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_JUDGE_ASSESS_H_
