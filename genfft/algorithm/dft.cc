// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/algorithm/dft.h"

#include <numeric>
#include <stdexcept>

#include "codelets/contract/unit_root.h"
#include "genfft/algorithm/dft_13.h"

namespace ulpfft::genfft {
namespace {

// x_first, x_{first + step}, ...; indices modulo n.
Points every(const Points& x, int first, int step) {
  const int n = static_cast<int>(x.size());
  Points picked;
  for (int j = 0; j < n / step; ++j) picked.push_back(x[static_cast<std::size_t>((first + j * step + n) % n)]);
  return picked;
}

Points split_radix(Arithmetic& m, const Points& x) {
  const std::size_t n = x.size();
  if (n == 1) return x;
  if (n == 2) {
    const auto [sum, difference] = m.butterfly(x[0], x[1]);
    return {sum, difference};
  }
  // w^k on the points 1 mod 4 and its conjugate on the points -1 mod 4: one twiddle for two sub-transforms.
  const Points even = split_radix(m, every(x, 0, 2));
  const Points plus = split_radix(m, every(x, 1, 4));
  const Points minus = split_radix(m, every(x, -1, 4));
  Points y(n);
  for (std::size_t k = 0; k < n / 4; ++k) {
    const std::int64_t turn = static_cast<std::int64_t>(k);
    const Complex a = m.rotate(plus[k], turn, static_cast<std::int64_t>(n));
    const Complex b = m.rotate(minus[k], -turn, static_cast<std::int64_t>(n));
    const auto [sum, difference] = m.butterfly(a, b);
    const Complex turned = m.times_minus_i(difference);
    y[k] = m.add(even[k], sum);
    y[k + n / 2] = m.sub(even[k], sum);
    y[k + n / 4] = m.add(even[k + n / 4], turned);
    y[k + 3 * n / 4] = m.sub(even[k + n / 4], turned);
  }
  return y;
}

// x = first * second: `second` transforms of length `first`, twiddles, `first` transforms of length `second`.
Points cooley_tukey(Arithmetic& m, const Points& x, int first, int second) {
  const int n = first * second;
  std::vector<Points> rows;
  for (int j = 0; j < second; ++j) {
    Points row = dft(m, every(x, j, second));
    for (int k = 0; k < first; ++k) row[static_cast<std::size_t>(k)] = m.rotate(row[static_cast<std::size_t>(k)], j * k, n);
    rows.push_back(std::move(row));
  }
  Points y(x.size());
  for (int k = 0; k < first; ++k) {
    Points column;
    for (const Points& row : rows) column.push_back(row[static_cast<std::size_t>(k)]);
    const Points done = dft(m, column);
    for (int q = 0; q < second; ++q) y[static_cast<std::size_t>(k + first * q)] = done[static_cast<std::size_t>(q)];
  }
  return y;
}

// Good's map in, Chinese remainder map out: no twiddles between coprime factors.
Points prime_factor(Arithmetic& m, const Points& x, int first, int second) {
  const int n = first * second;
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  std::vector<Points> rows;
  for (int j2 = 0; j2 < second; ++j2) {
    Points row;
    for (int j1 = 0; j1 < first; ++j1) row.push_back(x[at((second * j1 + first * j2) % n)]);
    rows.push_back(dft(m, row));
  }
  Points y(x.size());
  for (int k1 = 0; k1 < first; ++k1) {
    Points column;
    for (const Points& row : rows) column.push_back(row[at(k1)]);
    const Points done = dft(m, column);
    for (int k = k1; k < n; k += first) y[at(k)] = done[at(k % second)];
  }
  return y;
}

Points dft_5(Arithmetic& m, const Points& x) {
  const auto [s1, d1] = m.butterfly(x[1], x[4]);
  const auto [s2, d2] = m.butterfly(x[2], x[3]);
  const Complex total = m.add(s1, s2);
  const DoubleDouble root5_over_4 = (unit_root(1, 5).re - unit_root(2, 5).re) * DoubleDouble(0.5);
  const Complex mean = m.sub(x[0], m.scale(DoubleDouble(0.25), total));
  const Complex half = m.scale(root5_over_4, m.sub(s1, s2));
  const Complex a1 = m.add(mean, half);
  const Complex a2 = m.sub(mean, half);
  const DoubleDouble sin1 = -unit_root(1, 5).im;
  const DoubleDouble sin2 = -unit_root(2, 5).im;
  const Complex d22 = m.scale(sin2, d2);
  const Complex d11 = m.scale(sin1, d1);
  const Complex b1 = m.times_i(m.add(d11, d22));
  const Complex d12 = m.scale(sin1, d2);
  const Complex d21 = m.scale(sin2, d1);
  const Complex b2 = m.times_i(m.sub(d21, d12));
  return {m.add(x[0], total), m.sub(a1, b1), m.sub(a2, b2), m.add(a2, b2), m.add(a1, b1)};
}

Points dft_by_pairs(Arithmetic& m, const Points& x) {
  const int n = static_cast<int>(x.size());
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  const int half = (n - 1) / 2;
  Points sums(x.size());
  Points differences(x.size());
  for (int j = 1; j <= half; ++j) {
    const auto [sum, difference] = m.butterfly(x[at(j)], x[at(n - j)]);
    sums[at(j)] = sum;
    differences[at(j)] = difference;
  }
  Complex total = sums[1];
  for (int j = 2; j <= half; ++j) total = m.add(total, sums[at(j)]);
  Points y(x.size());
  y[0] = m.add(x[0], total);
  for (int q = 1; q <= half; ++q) {
    Complex cosines = x[0];
    Complex sines;
    for (int j = 1; j <= half; ++j) {
      const UnitRoot w = unit_root(static_cast<std::uint64_t>(j * q), static_cast<std::uint64_t>(n));
      cosines = m.add(cosines, m.scale(w.re, sums[at(j)]));
      const Complex term = m.scale(-w.im, differences[at(j)]);
      sines = j == 1 ? term : m.add(sines, term);
    }
    const Complex turned = m.times_i(sines);
    y[at(q)] = m.sub(cosines, turned);
    y[at(n - q)] = m.add(cosines, turned);
  }
  return y;
}

}  // namespace

Points dft(Arithmetic& m, const Points& x) {
  switch (x.size()) {
    case 1:
    case 2:
    case 4:
    case 8:
    case 16:
    case 32:
    case 64: return split_radix(m, x);
    case 3:
    case 7:
    case 11:
    case 19:
    case 23: return dft_by_pairs(m, x);
    case 5: return dft_5(m, x);
    case 6: return prime_factor(m, x, 3, 2);
    case 9: return cooley_tukey(m, x, 3, 3);
    case 10: return prime_factor(m, x, 5, 2);
    case 12: return prime_factor(m, x, 4, 3);
    case 13: return dft_13(m, x);
    case 14: return prime_factor(m, x, 7, 2);
    case 15: return prime_factor(m, x, 5, 3);
    case 18: return prime_factor(m, x, 9, 2);
    case 20: return prime_factor(m, x, 5, 4);
    case 21: return prime_factor(m, x, 7, 3);
    case 24: return prime_factor(m, x, 8, 3);
    case 25: return cooley_tukey(m, x, 5, 5);
    case 27: return cooley_tukey(m, x, 9, 3);
    case 28: return prime_factor(m, x, 7, 4);
    case 30: return prime_factor(m, x, 15, 2);
    case 33: return prime_factor(m, x, 11, 3);
    case 35: return prime_factor(m, x, 7, 5);
    case 39: return prime_factor(m, x, 13, 3);
    default: break;
  }
  // Lengths of the extensions of real.cc, and bodies of pairs.
  const int n = static_cast<int>(x.size()), two = n & -n, odd = n / two;
  if (is_of_sums(n)) return dft_by_pairs(m, x);
  if (odd == 1) return split_radix(m, x);
  if (two > 1) return prime_factor(m, x, odd, two);
  throw std::invalid_argument("dft: no algorithm for length " + std::to_string(n));
}

Body make_body(const BodySpec& spec, std::shared_ptr<ConstantPool> constants) {
  Body body{.spec = spec, .dag = Dag(std::move(constants)), .table = {}};
  body.dag.stores.resize(static_cast<std::size_t>(spec.radix));
  Arithmetic m(body);
  Points x;
  for (int j = 0; j < spec.radix; ++j) x.push_back(Arithmetic::input(j));
  const Points y = dft(m, x);
  for (int q = 0; q < spec.radix; ++q) m.store(q, y[static_cast<std::size_t>(q)]);
  return body;
}

}  // namespace ulpfft::genfft
