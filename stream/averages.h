// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Averages of rows of powers, in f64. Instruction sets change the speed alone: each operation is rounded, and std::max and std::min are
// taken as they are written.
#ifndef ULPFFT_STREAM_AVERAGES_H_
#define ULPFFT_STREAM_AVERAGES_H_

#include <cstdint>

namespace ulpfft {

// A row that joins the sums of those before it, by ULPFFT_AVERAGE_..., or is the first of them.
template <typename T>
struct AverageStep {
  const T* row;
  double* sums;
  std::int64_t count;
  int average;
  bool first;
  double weight;  // of the row, in exponential averages
};
template <typename T>
void add_row(const AverageStep<T>& step);

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_AVERAGES_H_
