// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// kFold, kUnfold and kPick of dct2 and dct3 in rounded arithmetic (rounded.h), where PassArgs::rounded is set; every target runs these.
//
// Sums and products are those of the scheme. In rounded:<element>/f32 a sum is rounded to the element where it becomes a factor. Tables hold
// no value beyond 1 (FoldTwiddles): kFold computes 2 V, and products with 2 are sums. Signs of results are those of table values, because
// a change of sign would be an operation.
#ifndef ULPFFT_CODELETS_REF_ROUNDED_R2R_H_
#define ULPFFT_CODELETS_REF_ROUNDED_R2R_H_

#include <cstdint>
#include <limits>

#include "codelets/contract/r2r_passes.h"
#include "codelets/ref/rounded.h"

namespace ulpfft::ref {

struct RoundedPair {
  double re, im;
};

// One line of a pass; T is what lines and tables hold.
template <typename T>
class RoundedR2rLine {
 public:
  RoundedR2rLine(const PassArgs& args, RoundedMachine& machine, const T* from, T* to) : args_(args), m_(machine), from_(from), to_(to) {}

  void fold() {
    const std::int64_t n = args_.lanes, h = n / 2, out = args_.out.point_stride;
    const FoldTable<T> table(args_.table, h);
    const double sign = args_.out.swap ? -1 : 1;
    for (std::int64_t k = 1; k <= h / 2; ++k) {
      RoundedPair a = number(k), b = number(h - k);
      combine(a, b, value(table.roots[2 * k]), value(table.roots[2 * k + 1]), 1);
      a = turned(a, value(table.low[2 * k]), value(table.low[2 * k + 1]), sign);
      b = turned(b, value(table.high[2 * k]), value(table.high[2 * k + 1]), sign);
      put(k * out, a.re);
      put((n - k) * out, a.im);
      put((h - k) * out, b.re);
      put((h + k) * out, b.im);
    }
    const RoundedPair first = number(0);
    const double sum = m_sum(first.re, first.im), difference = m_sum(first.re, -first.im);
    const double twice = m_sum(sum, sum), twice_difference = m_sum(difference, difference);
    put(0, table.low[0] == 1 ? twice : product(factor(twice), value(table.low[0])));
    put(h * out, product(factor(twice_difference), value(table.low[1])));
  }

  void unfold() {
    const std::int64_t n = args_.lanes, h = n / 2, in = args_.in.point_stride;
    const FoldTable<T> table(args_.table, h);
    const double sign = args_.in.swap ? -1 : 1;
    for (std::int64_t k = 1; k <= h / 2; ++k) {
      RoundedPair a = back(input(k * in), input((n - k) * in), value(table.low[2 * k]), value(table.low[2 * k + 1]), sign);
      RoundedPair b = back(input((h - k) * in), input((h + k) * in), value(table.high[2 * k]), value(table.high[2 * k + 1]), sign);
      combine(a, b, value(table.roots[2 * k]), value(table.roots[2 * k + 1]), -1);
      put(2 * k, a.re);
      put(2 * k + 1, a.im);
      put(2 * (h - k), b.re);
      put(2 * (h - k) + 1, b.im);
    }
    double x = input(0);
    if (table.low[0] != 1) x = twice_the_product(x, value(table.low[0]));
    const double y = twice_the_product(input(h * in), value(table.low[1]));
    put(0, m_sum(x, y));
    put(1, m_sum(x, -y));
  }

  void pick() {
    const T* const table = static_cast<const T*>(args_.table);
    const std::int64_t in = args_.in.point_stride, out = args_.out.point_stride;
    for (std::int64_t j = 0; j < args_.lanes; ++j) {
      const std::uint32_t row = args_.rows[j];
      put(j * out, row % 4 == 0 ? 0 : picked(from_[row / 4 * in], table[row % 4]));
    }
  }

 private:
  static double value(T x) { return static_cast<double>(x); }
  RoundedPair number(std::int64_t k) const { return {value(from_[2 * k]), value(from_[2 * k + 1])}; }
  double input(std::int64_t at) {
    const double x = value(from_[at] * static_cast<T>(args_.scale));
    return context_of<RoundedPass>(args_).rounds_input ? m_.input(x) : x;
  }
  // One NaN for all: which of two a sum hands on is the processor's choice.
  void put(std::int64_t at, double x) { to_[at] = x != x ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(x); }

  double picked(T x, T factor_of_x) {
    if (context_of<RoundedPass>(args_).rounds_input || args_.scale != 1.0) return m_.input(value(x * (factor_of_x * static_cast<T>(args_.scale))));
    if (factor_of_x == 1) return value(x);
    if (factor_of_x == -1) return m_.f32_sums() ? -value(x) : m_.negate(value(x));
    return product(factor(value(x)), value(factor_of_x));
  }

  double m_sum(double a, double b) { return m_.f32_sums() ? m_.wide_add(a, b) : m_.add(a, b); }
  double factor(double x) { return m_.f32_sums() ? m_.input(x) : x; }
  double product(double a, double b) { return m_.multiply(a, b); }
  double product_and_sum(double a, double b, double c) {
    return m_.f32_sums() ? m_.wide_add(m_.multiply(a, b), c) : m_.fma(a, b, c);
  }
  double twice_the_product(double x, double table) {
    const double half = product(factor(x), table);
    return m_sum(half, half);
  }

  // The points k and h - k of Z become those of 2 V (way 1), or those of V those of 2 Z (-1); (c, s) is w^k.
  void combine(RoundedPair& a, RoundedPair& b, double c, double s, double way) {
    const double sum_re = m_sum(a.re, b.re), sum_im = m_sum(a.im, -b.im);
    const double p = factor(m_sum(a.re, -b.re)), q = factor(m_sum(a.im, b.im));
    const double x = product_and_sum(q, way * c, product(p, s)), y = product_and_sum(p, -way * c, product(q, s));
    a = {m_sum(sum_re, x), m_sum(sum_im, y)};
    b = {m_sum(sum_re, -x), m_sum(y, -sum_im)};
  }
  // Times re + i im; `sign`: of the im part of the result.
  RoundedPair turned(RoundedPair a, double re, double im, double sign) {
    const double x = factor(a.re), y = factor(a.im);
    return {product_and_sum(y, -im, product(x, re)), product_and_sum(y, sign * re, product(x, sign * im))};
  }
  // a + i sign b times the conjugate of re + i im.
  RoundedPair back(double a, double b, double re, double im, double sign) {
    const double x = factor(a), y = factor(b);
    return {product_and_sum(y, sign * im, product(x, re)), product_and_sum(y, sign * re, product(x, -im))};
  }

  const PassArgs& args_;
  RoundedMachine& m_;
  const T* from_;
  T* to_;
};

template <typename T>
using RoundedR2rPass = void (RoundedR2rLine<T>::*)();
template <typename T>
[[gnu::noinline]] void run_rounded_r2r(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count,
                                       RoundedR2rPass<T> pass) {
  RoundedMachine machine(context_of<RoundedPass>(args), buffers.narrow);
  const T* const from = parts_of<T>(args.in, buffers).re;
  T* const to = parts_of<T>(args.out, buffers).re;
  for_each_line(args, first, count, [&](std::int64_t i, std::int64_t o, std::int64_t) {
    RoundedR2rLine<T> line(args, machine, from + i, to + o);
    (line.*pass)();
  });
}

}  // namespace ulpfft::ref

#endif  // ULPFFT_CODELETS_REF_ROUNDED_R2R_H_
