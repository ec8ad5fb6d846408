// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The error of a plan, measured against a reference of at least twice its digits.
//
// Error      relative L2, ||y - Y|| / ||Y||. Y is the exact transform of the values that the input encodes, after decoding storage_in. y is
//            the output as the plan stored it in storage_out, rounding included. Where only some outputs of a transform are compared, ||Y||
//            follows from the input, because the transform keeps the sum of squares; so outputs near zero do not make an error large.
// Reference  The reference of f32 arithmetic or output is the transform in f64 on the plan's own target. The
//            reference of f64 is the same recipe on ref in double-double. That of real numbers is a complex transform of the same lengths
//            by the cheapest recipe, whose data are made of the stored ones. Both serve at level full, else up to
//            2^20 and 2^16 points. They are compared with DirectSums, the definition itself, on some outputs
//            of the first transform; where they differ, or cannot be built, DirectSums is the reference.
// Data       complex normal, fixed seed, rms 1 where the formats suit that (error_data_rms). An input of real numbers is real normal, and
//            a spectrum of real numbers is symmetric, both with this rms. The transforms filled are spread over the batch and have 2^14
//            outputs together; the others are zero.
// Outputs    Stored ones, each compared once. A sum whose output is not stored is compared as its conjugate.
//            The count follows from the problem alone, so that a plan has one sampled error under any load. With a whole reference it is
//            2^14, rounded up to whole transforms. With DirectSums it is the outputs of 2^26 products, at least 64. The standard error of
//            their mean comes from runs of at most 256 outputs of one transform.
// Chains     are measured as a whole. Factors have magnitude 1; a user's operation changes nothing. The reference is the wide transform
//            there and back; in double-double a long one takes its time.
// Memory     arrays of the problem without the gaps of its strides, and one to three dense transforms.
// Threads    re-entrant; the plan is only executed. Everything runs in rounding to nearest.
#ifndef ULPFFT_PLANNER_JUDGE_ASSESS_H_
#define ULPFFT_PLANNER_JUDGE_ASSESS_H_

#include <cmath>
#include <cstdint>

#include "planner/plan/plan.h"

namespace ulpfft {

struct ErrorMeasurement {
  double relative_l2 = 0;
  double relative_largest = 0;  // largest |y - Y| over largest |Y|
  double standard_error = 0;    // of relative_l2, from chance alone
  std::int64_t outputs = 0;     // how many were compared
  ErrorLevel level = ErrorLevel::kSampled;  // kFull: every output of the transforms looked at
};

// Measures the error on random data. At level full, lengths beyond 2^16 that neither f64 nor double-double plans reach stay sampled.
// `references` has the codelets of reference plans; null: those of this build. `poll` is null, or asked all along; it may throw. Beside the
// plan at most `most_bytes` are taken: a whole reference that does not fit is none. Throws std::bad_alloc, PlanError (ULPFFT_NO_MEMORY,
// "max_memory" where the arrays do not fit).
ErrorMeasurement measure_error(const ulpfft_plan& plan, ErrorLevel level, const CodeletTable* references = nullptr, Poll* poll = nullptr,
                               double most_bytes = INFINITY);

// What measure_error() and assess() throw for want of memory, before there is a plan: `most_bytes` are left beside it. An own measurement
// (`on_given` false) keeps the inputs of transforms_to_measure(), one on the caller's array a single one.
void require_memory_to_measure(const Problem& problem, bool on_given, double most_bytes);

// How many transforms one execution of a measurement looks at.
std::int64_t transforms_to_measure(const Problem& problem);
// The problem without gaps and with at most so many transforms. It serves as well as the whole, because bits depend neither on strides nor
// on a transform's place in the batch.
Problem error_slice(const Problem& problem, std::int64_t transforms);

// Measures the error on the caller's array, which is only read, even if the plan works in place. Level full looks at every transform of the
// batch. Refuses values that are not finite.
ErrorMeasurement assess(const ulpfft_plan& plan, const ArrayAddress& given, ErrorLevel level, Poll* poll = nullptr,
                        double most_bytes = INFINITY);
// The same for an array without scales. in_im is only used if the input is split.
inline ErrorMeasurement assess(const ulpfft_plan& plan, const void* in_re, const void* in_im, ErrorLevel level) {
  void* const re = const_cast<void*>(in_re);  // only read
  return assess(plan, ArrayAddress{{re, plan.in_shape.split ? const_cast<void*>(in_im) : re}, {}, nullptr}, level);
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_JUDGE_ASSESS_H_
