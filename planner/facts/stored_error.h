// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Errors of narrow storage: the error that storing the output adds, and the data for which it is stated.
#ifndef ULPFFT_PLANNER_FACTS_STORED_ERROR_H_
#define ULPFFT_PLANNER_FACTS_STORED_ERROR_H_

#include <map>
#include <numbers>
#include <string>

#include "planner/convert/intermediate.h"
#include "planner/convert/side.h"
#include "wisdom/problem.h"

namespace ulpfft {

// A complex number of this rms has parts of rms 1.
inline constexpr double kParts = std::numbers::sqrt2;

// The rms of the normal numbers that the error of a problem refers to, real ones of r2c and else complex ones. It is 1 unless an element
// format of a storage, or of a rounded scheme that the problem names, has another range. Then it is less, so that neither end saturates.
// For integers, whose step does not follow the data, it is the rms that makes the most of the step. With a prescale any data fit the range
// of a scheme. `sides` are those of the problem, here and below.
double error_data_rms(const Problem& problem, const Sides& sides);
// The rms of the values that such an input encodes.
double encoded_rms(const Problem& problem, const Sides& sides);

// The rms of a window, by few of its factors; 1 without one. `blocks` remembers it.
double window_rms(const Problem& problem, std::map<std::string, double>& blocks);

// The relative L2 error of storing the output for such data: rounding, and saturation where the range cannot hold the data.
// `blocks` remembers the errors of block formats whose length or rule is not the descriptor's, so that each is measured once.
double output_quantisation(const Problem& problem, const Sides& sides, std::map<std::string, double>& blocks);

// The relative L2 error of rounding and saturating to an element after this length of the transform
// is done. `input_rms` is the rms of the input in the passes.
double element_rounding(const Problem& problem, const FormatInfo& element, double length, double input_rms);

// The part of it that saturates.
double element_saturation(const Problem& problem, const FormatInfo& element, double length, double input_rms);

// The relative L2 error of rounding complex numbers of rms 1 to an element.
double rounding_of_unit_rms(const FormatInfo& element);

// The relative L2 error of a narrow storage between passes. `input_rms` is the rms of the input in the passes.
double stored_between(const Problem& problem, const Intermediate& stage, double input_rms, std::map<std::string, double>& blocks);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_STORED_ERROR_H_
