// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The exact transform, as far as any test here can tell: an O(n log n) FFT in double-double.
//
// Recursive mixed radix, decimation in time, naive DFT for odd primes up to kLongestNaive, a chirp convolution of power-of-two length
// beyond: none of it shared with the library. Correct for every n in O(n log n); n = 2^20 takes a few seconds, a prime of that size
// about ten times as long. support_test.cc checks it against the naive DFT.
//
// Error    about 1e-31 sqrt(log2 n) relative L2: fourteen digits below f64.
// Sign     forward: exp(-2 pi i j k / n), unnormalised.
// Threads  an Oracle is immutable once made; oracle_for() locks.
#ifndef ULPFFT_TESTS_SUPPORT_ORACLE_H_
#define ULPFFT_TESTS_SUPPORT_ORACLE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "tests/support/double_double.h"

namespace ulpfft::test {

// exp(-2 pi i k / n), 0 <= k < n: the angle is reduced to the first octant in integers, then Taylor series. Error below 2e-31.
ComplexDD circle_point(std::uint64_t k, std::uint64_t n);

class Chirp;

class Oracle {
 public:
  static constexpr std::int64_t kLongestNaive = 80;  // of a prime; beyond, two transforms of its padded length cost less


  explicit Oracle(std::int64_t n);
  std::int64_t length() const { return length_; }
  // in[0], in[stride], ... -> out[0..n); the arrays must not overlap.
  void forward(const ComplexDD* in, std::ptrdiff_t stride, ComplexDD* out) const;

 private:
  void transform(const ComplexDD* in, std::ptrdiff_t stride, ComplexDD* out, std::int64_t n, std::size_t level) const;
  void combine(ComplexDD* out, std::int64_t n, std::int64_t radix) const;

  std::int64_t length_;
  std::vector<std::int64_t> radices_;  // outermost level first: 4 while it divides, then primes
  std::vector<ComplexDD> roots_;       // exp(-2 pi i k / n), all k
  std::map<std::int64_t, std::shared_ptr<const Chirp>> chirps_;  // of the prime factors beyond kLongestNaive
};

// The oracle of a length, made on first use; the last few are kept.
std::shared_ptr<const Oracle> oracle_for(std::int64_t n);

// Forward transform of dense data along dimension `dimension` of row-major `shape`.
void transform_dimension(std::vector<ComplexDD>& data, std::span<const std::int64_t> shape, std::size_t dimension);

// By definition, O(n^2): the oracle's own judge.
std::vector<ComplexDD> naive_dft(std::span<const ComplexDD> in);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_ORACLE_H_
