// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Errors of narrow storage: what a quantisation of the output adds, and the data it is stated for.
#ifndef ULPFFT_PLANNER_FACTS_STORED_ERROR_H_
#define ULPFFT_PLANNER_FACTS_STORED_ERROR_H_

#include <map>
#include <string>

#include "planner/convert/intermediate.h"
#include "wisdom/problem.h"

namespace ulpfft {

// rms of the complex normal numbers that the error of a problem refers to: 1, unless a format of elements has another range, of storage or
// of a rounded scheme it names. Then less, so that neither end saturates, or (integers, whose step does not follow the data) what makes
// most of it. A prescale brings any data into the range of a scheme.
double error_data_rms(const Problem& problem);
// Of the values that such an input encodes.
double encoded_rms(const Problem& problem);

// Relative L2 error of storing the output for such data: rounding and, where the range cannot hold it, saturation.
// `blocks`: errors of block formats whose length or rule is not the descriptor's, measured once each.
double output_quantisation(const Problem& problem, std::map<std::string, double>& blocks);

// Of rounding data of this rms, as passes see the input, to an element, and saturating there, when this length of the transform is done.
double element_rounding(const Problem& problem, const FormatInfo& element, double length, double input_rms);

// Of complex numbers of rms 1.
double rounding_of_unit_rms(const FormatInfo& element);

// The same of what is stored between passes.
double stored_between(const Problem& problem, const Intermediate& stage, double input_rms, std::map<std::string, double>& blocks);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_STORED_ERROR_H_
