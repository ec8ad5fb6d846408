// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arrays for a case of the oracle: filled, transformed by a function, and compared, with all that must not change.
#ifndef ULPFFT_TESTS_FFTW3_RUN_CASE_H_
#define ULPFFT_TESTS_FFTW3_RUN_CASE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/fftw3/oracle.h"

namespace ulpfft::test {

// Errors of the interface: 10^-14 and 10^-6, relative, in L2.
template <typename Real>
constexpr double kBound = std::is_same_v<Real, double> ? 1e-14 : 1e-6;

// Where a side lies: re and im by their distance.
struct Lying {
  std::int64_t im = 1;     // reals from re to im
  std::int64_t shift = 0;  // reals in front of the array: any alignment
};

// One side of a case in memory.
template <typename Real>
class Fftw3Array {
 public:
  Fftw3Array(const Fftw3Case& problem, bool out, const Lying& lying) : at_(positions(problem, out)), im_(lying.im) {
    complex_ = out ? problem.complex_out() : problem.complex_in();
    std::int64_t low = 0, high = 0;
    for (const std::int64_t p : at_) {
      low = std::min({low, p, complex_ ? p + im_ : p});
      high = std::max({high, p, complex_ ? p + im_ : p});
    }
    // In place both sides are there.
    const std::vector<std::int64_t> other = positions(problem, !out);
    for (const std::int64_t p : other) {
      low = std::min({low, p, p + im_});
      high = std::max({high, p, p + im_});
    }
    first_ = -low + lying.shift;
    memory_.resize(static_cast<std::size_t>(first_ + high + 2), kUntouched);
  }

  Real* re() { return memory_.data() + first_; }
  Real* im() { return complex_ ? re() + im_ : re(); }
  std::vector<Real>& memory() { return memory_; }
  bool is_complex() const { return complex_; }

  std::vector<std::complex<long double>> read() const {
    std::vector<std::complex<long double>> values;
    for (const std::int64_t p : at_) values.emplace_back(number(p), complex_ ? number(p + im_) : 0);
    return values;
  }
  void write(std::int64_t p, Real value) { memory_[static_cast<std::size_t>(first_ + p)] = value; }
  void fill(std::mt19937_64& random) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (const std::int64_t p : at_) {
      write(p, static_cast<Real>(uniform(random)));
      if (complex_) write(p + im_, static_cast<Real>(uniform(random)));
    }
  }
  // Marks of what belongs to the array.
  std::vector<char> owned() const {
    std::vector<char> marks(memory_.size(), 0);
    for (const std::int64_t p : at_) {
      marks[static_cast<std::size_t>(first_ + p)] = 1;
      if (complex_) marks[static_cast<std::size_t>(first_ + p + im_)] = 1;
    }
    return marks;
  }

  static constexpr Real kUntouched = static_cast<Real>(77.25);

 private:
  long double number(std::int64_t p) const { return memory_[static_cast<std::size_t>(first_ + p)]; }

  std::vector<std::int64_t> at_;
  std::int64_t im_;
  std::int64_t first_ = 0;
  bool complex_ = false;
  std::vector<Real> memory_;
};

inline double relative_l2(const std::vector<std::complex<long double>>& got, const std::vector<std::complex<long double>>& want) {
  long double difference = 0, size = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    difference += std::norm(got[i] - want[i]);
    size += std::norm(want[i]);
  }
  if (std::isnan(static_cast<double>(difference))) return HUGE_VAL;
  return size > 0 ? static_cast<double>(std::sqrt(difference / size)) : static_cast<double>(std::sqrt(difference));
}

// The largest number that changed outside of the marks; -1 for none.
template <typename Real>
std::int64_t changed_outside(const std::vector<Real>& before, const std::vector<Real>& after, const std::vector<char>& marks) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (marks[i] == 0 && std::memcmp(&before[i], &after[i], sizeof(Real)) != 0) return static_cast<std::int64_t>(i);
  }
  return -1;
}

inline std::string describe(const Fftw3Case& problem) {
  static constexpr const char* kNames[] = {"c2c", "r2c", "c2r", "r2r"};
  std::string text = kNames[static_cast<int>(problem.kind)] + std::string(problem.sign < 0 ? " forward" : " backward");
  const auto add = [&](const std::vector<Fftw3Dim>& dims) {
    for (const Fftw3Dim& dim : dims) {
      text += " " + std::to_string(dim.n) + ":" + std::to_string(dim.is) + ":" + std::to_string(dim.os);
    }
  };
  add(problem.dims);
  for (const int kind : problem.kinds) text += " kind" + std::to_string(kind);
  text += " *";
  add(problem.loops);
  return text;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_FFTW3_RUN_CASE_H_
