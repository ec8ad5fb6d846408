// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/algorithm/dft_13.h"

#include "codelets/contract/unit_root.h"

namespace ulpfft::genfft {
namespace {

int power_of_2_mod_13(int a) {
  int power = 1;
  for (int i = 0; i < a % 12; ++i) power = power * 2 % 13;
  return power;
}

DoubleDouble cosine(int a) { return unit_root(static_cast<std::uint64_t>(power_of_2_mod_13(a)), 13).re; }
DoubleDouble sine(int a) { return -unit_root(static_cast<std::uint64_t>(power_of_2_mod_13(a)), 13).im; }

// A_a for output 2^a, a = 0..5; total = x_0 + sum of all sums.
struct Cosines {
  Complex total;
  Points values;
};

Cosines cosines(Arithmetic& m, const Complex& x0, const Points& s) {
  Points u;
  Points v;
  for (int i = 0; i < 3; ++i) {
    const auto [sum, difference] = m.butterfly(s[at(i)], s[at(i + 3)]);
    u.push_back(sum);
    v.push_back(difference);
  }
  const Complex all = m.add(m.add(u[0], u[1]), u[2]);
  const DoubleDouble twelfth = DoubleDouble(1.0) / DoubleDouble(12.0);
  const Complex base = m.sub(x0, m.scale(twelfth, all));
  const Complex e0 = m.sub(u[0], u[2]);
  const Complex e1 = m.sub(u[1], u[2]);
  const DoubleDouble half(0.5);
  const auto even_kernel = [&](int k) { return (cosine(k % 3) + cosine(k % 3 + 3)) * half + twelfth; };
  // v_{k+3} = -v_k, which cosine(k) - cosine(k + 3) gives by itself.
  const auto odd_kernel = [&](int k) { return (cosine(k) - cosine(k + 3)) * half; };
  Cosines result{.total = m.add(x0, all), .values = Points(6)};
  for (int l = 0; l < 3; ++l) {
    const Complex even1 = m.scale(even_kernel(l + 1), e1);
    const Complex even0 = m.scale(even_kernel(l), e0);
    const Complex even = m.add(m.add(base, even0), even1);
    const Complex odd2 = m.scale(odd_kernel(l + 2), v[2]);
    const Complex odd1 = m.scale(odd_kernel(l + 1), v[1]);
    const Complex odd0 = m.scale(odd_kernel(l), v[0]);
    const Complex odd = m.add(m.add(odd0, odd1), odd2);
    const auto [first, second] = m.butterfly(even, odd);
    result.values[at(l)] = first;
    result.values[at(l + 3)] = second;
  }
  return result;
}

// Exponent with a mod 4 = alpha and a mod 3 = beta.
int exponent(int alpha, int beta) { return (9 * alpha + 4 * beta) % 12; }

// B_a for output 2^a, a = exponent(alpha, beta), at index 3 * alpha + beta.
Points sines(Arithmetic& m, const Points& d) {
  Points p;
  Points q;
  const auto signed_difference = [&](int a) { return a < 6 ? d[at(a)] : m.times_i(m.times_i(d[at(a - 6)])); };
  for (int beta = 0; beta < 3; ++beta) {
    p.push_back(signed_difference(exponent(0, beta)));
    q.push_back(signed_difference(exponent(1, beta)));
  }
  const DoubleDouble third = DoubleDouble(1.0) / DoubleDouble(3.0);
  const auto mean = [&](int alpha) {
    return (sine(exponent(alpha, 0)) + sine(exponent(alpha, 1)) + sine(exponent(alpha, 2))) * third;
  };
  const DoubleDouble mean_p = mean(0);
  const DoubleDouble mean_q = mean(1);
  const auto kernel_p = [&](int k) { return sine(exponent(0, k % 3)) - mean_p; };
  const auto kernel_q = [&](int k) { return sine(exponent(1, k % 3)) - mean_q; };
  // (kp + kq z~) (x, y): (kp x + kq y, kq x - kp y)
  const auto first_row = [&](DoubleDouble kp, DoubleDouble kq, const Complex& x, const Complex& y) {
    const Complex second = m.scale(kq, y);
    const Complex first = m.scale(kp, x);
    return m.add(first, second);
  };
  const auto second_row = [&](DoubleDouble kp, DoubleDouble kq, const Complex& x, const Complex& y) {
    const Complex second = m.scale(kp, y);
    const Complex first = m.scale(kq, x);
    return m.sub(first, second);
  };
  const Complex all_p = m.add(m.add(p[0], p[1]), p[2]);
  const Complex all_q = m.add(m.add(q[0], q[1]), q[2]);
  const Complex p0 = m.sub(p[0], p[2]);
  const Complex p1 = m.sub(p[1], p[2]);
  const Complex q0 = m.sub(q[0], q[2]);
  const Complex q1 = m.sub(q[1], q[2]);
  Points result(6);
  for (int alpha = 0; alpha < 2; ++alpha) {
    const auto row = [&](DoubleDouble kp, DoubleDouble kq, const Complex& x, const Complex& y) {
      return alpha == 0 ? first_row(kp, kq, x, y) : second_row(kp, kq, x, y);
    };
    const Complex base = row(mean_p, mean_q, all_p, all_q);
    const Complex row11 = row(kernel_p(1), kernel_q(1), p1, q1);
    const Complex row00 = row(kernel_p(0), kernel_q(0), p0, q0);
    const Complex part0 = m.add(row00, row11);
    const Complex row21 = row(kernel_p(2), kernel_q(2), p1, q1);
    const Complex row10 = row(kernel_p(1), kernel_q(1), p0, q0);
    const Complex part1 = m.add(row10, row21);
    result[at(3 * alpha)] = m.add(base, part0);
    result[at(3 * alpha + 1)] = m.add(base, part1);
    result[at(3 * alpha + 2)] = m.sub(base, m.add(part0, part1));
  }
  return result;
}

}  // namespace

Points dft_13(Arithmetic& m, const Points& x) {
  Points s(6);
  Points d(6);
  for (int a = 0; a < 6; ++a) {
    const int j = power_of_2_mod_13(a);
    const auto [sum, difference] = m.butterfly(x[at(j)], x[at(13 - j)]);
    s[at(a)] = sum;
    d[at(a)] = difference;
  }
  const Cosines even = cosines(m, x[0], s);
  const Points odd = sines(m, d);
  Points y(13);
  y[0] = even.total;
  for (int alpha = 0; alpha < 2; ++alpha) {
    for (int beta = 0; beta < 3; ++beta) {
      const int a = exponent(alpha, beta);
      const int q = power_of_2_mod_13(a);
      const Complex turned = m.times_i(odd[at(3 * alpha + beta)]);
      y[at(q)] = m.sub(even.values[at(a % 6)], turned);
      y[at(13 - q)] = m.add(even.values[at(a % 6)], turned);
    }
  }
  return y;
}

}  // namespace ulpfft::genfft
