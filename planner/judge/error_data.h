// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The data on which errors are measured: one transform of an array, random or of a caller, as the input of a forward transform of complex
// numbers, to which every direction and kind is reduced.
#ifndef ULPFFT_PLANNER_JUDGE_ERROR_DATA_H_
#define ULPFFT_PLANNER_JUDGE_ERROR_DATA_H_

#include <complex>
#include <cstdint>
#include <vector>

#include "codelets/contract/double_double.h"
#include "planner/judge/stored_array.h"
#include "planner/system/poll.h"
#include "wisdom/problem.h"

namespace ulpfft {

// A value of the input or output as that of the forward transform: a transform with the sign + is the forward transform of the conjugate,
// conjugated.
std::complex<double> forward_value(const Problem& problem, std::complex<double> value);

// One transform of the input as the input of a forward transform of complex numbers, dense and in the order of the definition. The half of
// a spectrum that is not stored is made of conjugates. A stored element at its own mirrored place loses the imaginary part, which c2r
// ignores. Two stored elements at mirrored places stay as they are even if they are not conjugates: their mean might round, and their
// deviation from it changes the imaginary part of the output alone.
void gather(const Problem& problem, const StoredArray& in, std::int64_t transform, std::vector<double>& x, Poll& poll);

// The window of a problem, in double-double.
class InputWindow {
 public:
  InputWindow(const Problem& problem, Poll& poll);
  // Multiplies an input as gather() made it. `low` becomes what the products are beyond doubles; without a window it is empty.
  void multiply(std::vector<double>& x, std::vector<double>& low) const;

 private:
  const Problem& problem_;
  Poll& poll_;
  std::vector<std::vector<DoubleDouble>> factors_;  // along each length; empty: there is no window
};

// The mean square of the stored outputs of an input as gather() made it: the sum of its squares, times the gain of r2r, whose
// outputs have it in the mean: the ends of types 1 to 3 differ. Of c2r it is the sum over
// the part that has conjugates at mirrored places, because that part alone becomes real numbers.
double energy_of(const Problem& problem, const std::vector<double>& x, Poll* poll = nullptr);

// Fills a transform of the input with complex normal numbers. Of r2c and r2r they are real normal numbers, and of c2r the spectrum of real ones,
// with the same mean square. `number` counts the transforms of the measurement and seeds them.
void fill_normal(const Problem& problem, const StoredArray& in, std::int64_t transform, std::int64_t number, double rms, Poll& poll);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_JUDGE_ERROR_DATA_H_
