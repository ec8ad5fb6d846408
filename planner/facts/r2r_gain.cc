// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/facts/r2r_gain.h"

#include <cstddef>

namespace ulpfft {

double r2r_gain(R2rKind kind, std::int64_t n) {
  // A half-complex array has half of a spectrum.
  if (kind == R2rKind::kR2HC) return 0.5;
  if (kind == R2rKind::kHC2R) return 2.0;
  return static_cast<double>(logical_length(kind, n)) / static_cast<double>(n);
}

double r2r_gain(const Problem& problem) {
  double gain = 1;
  for (std::size_t d = 0; d < problem.kinds.size(); ++d) gain *= r2r_gain(problem.kinds[d], problem.dims[d].length);
  return gain;
}

}  // namespace ulpfft
