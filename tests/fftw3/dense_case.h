// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Cases of the oracle with dense arrays.
#ifndef ULPFFT_TESTS_FFTW3_DENSE_CASE_H_
#define ULPFFT_TESTS_FFTW3_DENSE_CASE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/fftw3/oracle.h"

namespace ulpfft::test {

// Row-major and dense.
inline Fftw3Case dense_case(Fftw3Kind kind, const std::vector<std::int64_t>& n, std::int64_t batch, int sign,
                            std::vector<int> kinds) {
  Fftw3Case problem;
  problem.kind = kind;
  problem.sign = sign;
  problem.kinds = std::move(kinds);
  for (const std::int64_t length : n) problem.dims.push_back({length, 0, 0});
  std::int64_t is = problem.complex_in() ? 2 : 1, os = problem.complex_out() ? 2 : 1;
  for (std::size_t d = n.size(); d-- > 0;) {
    problem.dims[d].is = is;
    problem.dims[d].os = os;
    is *= problem.length(d, false);
    os *= problem.length(d, true);
  }
  if (batch > 0) problem.loops.push_back({batch, is, os});
  return problem;
}

// The same with re and im in arrays of their own.
inline Fftw3Case apart(Fftw3Case problem) {
  for (auto* dims : {&problem.dims, &problem.loops}) {
    for (Fftw3Dim& dim : *dims) {
      if (problem.complex_in()) dim.is /= 2;
      if (problem.complex_out()) dim.os /= 2;
    }
  }
  return problem;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_FFTW3_DENSE_CASE_H_
