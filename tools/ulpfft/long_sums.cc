// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/long_sums.h"

#include <cmath>
#include <numbers>
#include <random>

namespace ulpfft_tool {
namespace {

std::int64_t smallest_factor(std::int64_t n) {
  for (std::int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

// The complex product of the standard library looks for infinities.
LongSums::Complex product(const LongSums::Complex& a, const LongSums::Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// exp(-2 pi i k / n); the angle is reduced to an eighth of a turn in integers.
LongSums::Complex circle_point(std::int64_t k, std::int64_t n) {
  const std::int64_t quarter = (8 * k + n) / (2 * n);        // nearest quarter turn
  const long double rest = static_cast<long double>(4 * k - quarter * n) / static_cast<long double>(n);  // quarter turns, -1/2 .. 1/2
  const long double angle = rest * std::numbers::pi_v<long double> / 2;
  const long double c = std::cos(angle);
  const long double s = std::sin(angle);
  switch (quarter % 4) {
    case 0: return {c, -s};
    case 1: return {-s, -c};
    case 2: return {-c, s};
    default: return {s, c};
  }
}

}  // namespace

LongSums::LongSums(std::int64_t n) : n_(n) {
  for (std::int64_t k = 0; k < n; ++k) roots_.push_back(circle_point(k, n));
  for (std::int64_t rest = n; rest > 1; rest /= smallest_factor(rest)) cost_ += static_cast<double>(n) * static_cast<double>(smallest_factor(rest));
}

void LongSums::transform(const Complex* in, std::int64_t stride, Complex* out, std::int64_t n) const {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  const std::int64_t p = smallest_factor(n);
  const std::int64_t m = n / p;
  for (std::int64_t q = 0; q < p; ++q) transform(in + q * stride, stride * p, out + q * m, m);
  if (p == 2) {  // half of the products, no column: 0.32 ms instead of 0.80 at 4096
    for (std::int64_t k = 0; k < m; ++k) {
      const Complex odd = product(root(k * (n_ / n)), out[m + k]);
      out[m + k] = out[k] - odd;
      out[k] += odd;
    }
    return;
  }
  std::vector<Complex> column(static_cast<std::size_t>(p));
  for (std::int64_t k = 0; k < m; ++k) {
    for (std::int64_t q = 0; q < p; ++q) column[static_cast<std::size_t>(q)] = out[q * m + k];
    for (std::int64_t at = k; at < n; at += m) {
      Complex sum = column[0];
      for (std::int64_t q = 1, turn = at; q < p; ++q, turn = (turn + at) % n) sum += product(root(turn * (n_ / n)), column[static_cast<std::size_t>(q)]);
      out[at] = sum;
    }
  }
}

std::vector<LongSums::Output> LongSums::some(const std::vector<Complex>& x, int count, std::uint64_t seed) const {
  std::vector<Output> list;
  std::mt19937_64 random(seed);
  for (int i = 0; i < count; ++i) {
    const auto k = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n_));
    Complex sum = 0;
    // In blocks: partial sums of all n terms would lose a few digits.
    constexpr std::int64_t kBlock = 256;
    for (std::int64_t begin = 0, turn = 0; begin < n_; begin += kBlock) {
      Complex block = 0;
      for (std::int64_t j = begin; j < std::min(begin + kBlock, n_); ++j, turn = (turn + k) % n_) block += product(root(turn), x[static_cast<std::size_t>(j)]);
      sum += block;
    }
    list.push_back({static_cast<std::size_t>(k), sum});
  }
  return list;
}

}  // namespace ulpfft_tool
