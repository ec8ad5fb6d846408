// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Test data: the same numbers on every machine and in every run for a seed.
#ifndef ULPFFT_TESTS_SUPPORT_SIGNALS_H_
#define ULPFFT_TESTS_SUPPORT_SIGNALS_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ulpfft::test {

// SplitMix64: small, good enough, and ours, so that no standard library changes the cases.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  // 0 <= result < bound; bound > 0.
  std::uint64_t below(std::uint64_t bound);
  // first <= result <= last
  std::int64_t between(std::int64_t first, std::int64_t last);
  bool chance(double probability) { return uniform() < probability; }
  // 0 < result < 1
  double uniform();
  double normal();

 private:
  std::uint64_t state_;
};

// Complex normal, variance 1 per component, rounded to T.
template <typename T>
std::vector<std::complex<T>> random_signal(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::complex<T>> signal(n);
  for (auto& value : signal) {
    const double re = random.normal();
    const double im = random.normal();
    value = {static_cast<T>(re), static_cast<T>(im)};
  }
  return signal;
}

template <typename T>
std::vector<std::complex<T>> impulse(std::size_t n, std::size_t position, std::complex<T> value = T{1}) {
  std::vector<std::complex<T>> signal(n);
  signal[position] = value;
  return signal;
}

// The lengths whose prime factors are at most 13, ascending.
std::vector<std::int64_t> smooth_lengths(std::int64_t last);
bool is_smooth(std::int64_t n);
// `count` different smooth lengths in first..last, uniform on a logarithmic scale, ascending.
std::vector<std::int64_t> random_smooth_lengths(std::size_t count, std::int64_t first, std::int64_t last, std::uint64_t seed);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_SIGNALS_H_
