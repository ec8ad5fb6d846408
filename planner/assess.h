// The error of a plan, measured against a reference of at least twice its digits.
//
// Error      relative L2, ||y - Y|| / ||Y||, Y the exact transform of the values the input encodes (after decoding storage_in), y what
//            the plan stored in storage_out: rounding of the output included.
// Reference  f32 arithmetic: the transform in f64 on the plan's own backend. f64 arithmetic: the same recipe on ref in
//            double-double up to 2^14 points; above, outputs by direct double-double sums (sampled: at least 64; full: the double-double
//            run).
// Data       complex normal, rms 1, fixed seed; the mean over enough transforms for 2^14 outputs where time allows.
// Threads    re-entrant; the plan is only executed.
#ifndef ULPFFT_PLANNER_ASSESS_H_
#define ULPFFT_PLANNER_ASSESS_H_

#include <cstdint>

#include "planner/measure.h"
#include "planner/plan.h"

namespace ulpfft {

struct ErrorMeasurement {
  double relative_l2 = 0;
  double relative_largest = 0;  // largest |y - Y| over largest |Y|
  std::int64_t outputs = 0;     // compared
  ErrorLevel level = ErrorLevel::kSampled;
};

// On random data. Sampled stays within `limit_seconds` as far as one transform allows (fewer transforms, fewer outputs, never none).
// Throws std::bad_alloc, PlanError.
ErrorMeasurement measure_error(const ulpfft_plan& plan, ErrorLevel level, double limit_seconds, const Clock& clock = steady_clock());

// On the caller's array (split: re and im; interleaved: in_im unused), which is only read, also by plans that work in place.
ErrorMeasurement assess(const ulpfft_plan& plan, const void* in_re, const void* in_im, ErrorLevel level);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_ASSESS_H_
