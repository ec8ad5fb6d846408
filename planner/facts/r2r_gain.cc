// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/facts/r2r_gain.h"

#include <cstddef>

namespace ulpfft {

double r2r_gain(const Problem& problem) {
  double gain = 1;
  for (std::size_t d = 0; d < problem.kinds.size(); ++d) {
    const R2rKind kind = problem.kinds[d];
    const auto n = static_cast<double>(problem.dims[d].length);
    // A half-complex array has half of a spectrum.
    const auto logical = static_cast<double>(logical_length(kind, problem.dims[d].length));
    gain *= kind == R2rKind::kR2HC ? 0.5 : kind == R2rKind::kHC2R ? 2.0 : logical / n;
  }
  return gain;
}

}  // namespace ulpfft
