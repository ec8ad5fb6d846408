// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Forward transforms in long double, to judge libraries whose plans the interface cannot assess.
//
// Error    about 2^-64 sqrt(log2 n) of the rms output where long double has 64 bits: 1/2000 of that of an f64 transform.
// Cost     n times the sum of the prime factors, some ns each; a few outputs by their definition where that is too much.
#ifndef ULPFFT_TOOLS_ULPFFT_LONG_SUMS_H_
#define ULPFFT_TOOLS_ULPFFT_LONG_SUMS_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ulpfft_tool {

class LongSums {
 public:
  using Complex = std::complex<long double>;
  struct Output {
    std::size_t index;
    Complex value;
  };

  explicit LongSums(std::int64_t n);
  // Complex multiplications of all(); 128 outputs by their definition take 128 n.
  double cost() const { return cost_; }
  void all(const Complex* in, Complex* out) const { transform(in, 1, out, n_); }
  // Outputs that depend on `seed`, by their definition.
  std::vector<Output> some(const std::vector<Complex>& x, int count, std::uint64_t seed) const;

 private:
  void transform(const Complex* in, std::int64_t stride, Complex* out, std::int64_t n) const;
  const Complex& root(std::int64_t k) const { return roots_[static_cast<std::size_t>(k)]; }

  std::int64_t n_;
  double cost_ = 0;
  std::vector<Complex> roots_;  // exp(-2 pi i k / n)
};

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_LONG_SUMS_H_
