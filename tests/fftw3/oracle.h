// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What FFTW's manual defines, summed up in long double from the definitions, over arrays of any strides. Nothing of ulpfft is
// used.
#ifndef ULPFFT_TESTS_FFTW3_ORACLE_H_
#define ULPFFT_TESTS_FFTW3_ORACLE_H_

#include <complex>
#include <cstdint>
#include <vector>

namespace ulpfft::test {

enum class Fftw3Kind { kC2C, kR2C, kC2R, kR2R };

// A length with its strides, which count real numbers on both sides.
struct Fftw3Dim {
  std::int64_t n = 1, is = 0, os = 0;
};

struct Fftw3Case {
  Fftw3Kind kind = Fftw3Kind::kC2C;
  int sign = -1;
  std::vector<Fftw3Dim> dims;
  std::vector<int> kinds;  // FFTW's r2r kinds
  std::vector<Fftw3Dim> loops;

  bool complex_in() const { return kind == Fftw3Kind::kC2C || kind == Fftw3Kind::kC2R; }
  bool complex_out() const { return kind == Fftw3Kind::kC2C || kind == Fftw3Kind::kR2C; }
  std::int64_t length(std::size_t d, bool out) const {
    const bool halved = d + 1 == dims.size() && kind == (out ? Fftw3Kind::kR2C : Fftw3Kind::kC2R);
    return halved ? dims[d].n / 2 + 1 : dims[d].n;
  }
};

// Positions, in reals from the first number, of all numbers of a side: loops outside, then dims, row-major.
std::vector<std::int64_t> positions(const Fftw3Case& problem, bool out);

// The outputs in the order of positions(), of inputs in that order. Real sides have imaginary parts of 0.
std::vector<std::complex<long double>> transform(const Fftw3Case& problem, const std::vector<std::complex<long double>>& in);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_FFTW3_ORACLE_H_
