// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/table/table_transform.h"

#include <utility>
#include <vector>

namespace ulpfft {
namespace {

// Sums and products whose error is a few 2^-104 of the larger operand: terms of a transform are of one size.
double sum(double a, double b) { return a + b; }
DoubleDouble sum(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble s = two_sum(a.hi, b.hi);
  return quick_two_sum(s.hi, s.lo + (a.lo + b.lo));
}
double product(double a, double b) { return a * b; }
DoubleDouble product(const DoubleDouble& a, const DoubleDouble& b) {
  constexpr double kSplit = 0x1p27 + 1;  // 26 bits in each half
  const double as = kSplit * a.hi, bs = kSplit * b.hi;
  const double ah = as - (as - a.hi), bh = bs - (bs - b.hi), al = a.hi - ah, bl = b.hi - bh;
  const double p = a.hi * b.hi;
  const double rest = al * bl - (((p - ah * bh) - al * bh) - ah * bl);
  return quick_two_sum(p, rest + (a.hi * b.lo + a.lo * b.hi));
}

template <typename R>
struct Complex {
  R re, im;
};
template <typename R>
Complex<R> operator+(const Complex<R>& a, const Complex<R>& b) {
  return {sum(a.re, b.re), sum(a.im, b.im)};
}
template <typename R>
Complex<R> operator-(const Complex<R>& a, const Complex<R>& b) {
  return {sum(a.re, -b.re), sum(a.im, -b.im)};
}
template <typename R>
Complex<R> operator*(const Complex<R>& a, const Complex<R>& b) {
  return {sum(product(a.re, b.re), -product(a.im, b.im)), sum(product(a.re, b.im), product(a.im, b.re))};
}

// x[0 .. r-1] becomes its transform; roots are those of r points, `step` apart.
template <typename R>
void butterfly(std::vector<Complex<R>>& x, std::vector<Complex<R>>& y, const std::vector<Complex<R>>& roots, std::size_t step) {
  const std::size_t r = x.size();
  if (r == 2) {
    y[0] = x[0] + x[1];
    y[1] = x[0] - x[1];
  } else if (r == 4) {
    const Complex<R> s = x[0] + x[2], d = x[0] - x[2], t = x[1] + x[3], u = x[1] - x[3];
    const Complex<R> turned{u.im, -u.re};
    y[0] = s + t;
    y[1] = d + turned;
    y[2] = s - t;
    y[3] = d - turned;
  } else {
    for (std::size_t q = 0; q < r; ++q) {
      y[q] = x[0];
      for (std::size_t j = 1; j < r; ++j) y[q] = y[q] + x[j] * roots[j * q % r * step];
    }
  }
}

// Before a pass row j of `from` has outputs j of the transforms of every (m / rows)-th point. After it there are
// `radix` times as many rows.
template <typename R>
void pass(const std::vector<Complex<R>>& from, std::vector<Complex<R>>& to, std::size_t rows, std::size_t radix,
          const std::vector<Complex<R>>& roots, Poll& poll) {
  const std::size_t m = from.size(), columns = m / (rows * radix);
  std::vector<Complex<R>> x(radix), y(radix);
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t k = 0; k < columns; ++k) {
      poll.count(static_cast<std::int64_t>(radix * radix));
      for (std::size_t p = 0; p < radix; ++p) {
        const Complex<R>& value = from[(j * radix + p) * columns + k];
        x[p] = j == 0 || p == 0 ? value : value * roots[j * p * columns];
      }
      butterfly(x, y, roots, m / radix);
      for (std::size_t q = 0; q < radix; ++q) to[(j + q * rows) * columns + k] = y[q];
    }
  }
}

template <typename R>
void transform(R* values, std::int64_t m, RootCache& roots) {
  const RootTable& table = roots.get(m);
  std::vector<Complex<R>> all, from, to(static_cast<std::size_t>(m));
  all.reserve(to.size());
  from.reserve(to.size());
  for (std::int64_t k = 0; k < m; ++k) {
    roots.poll.count(1);
    const UnitRoot w = table.get(k);
    all.push_back({round_to<R>(w.re), round_to<R>(w.im)});
    from.push_back({values[2 * k], values[2 * k + 1]});
  }
  std::int64_t rows = 1;
  for (std::int64_t rest = m; rest > 1;) {
    std::int64_t radix = rest % 4 == 0 ? 4 : 2;
    while (rest % radix != 0) radix = radix * radix > rest ? rest : radix + 1;
    pass(from, to, static_cast<std::size_t>(rows), static_cast<std::size_t>(radix), all, roots.poll);
    std::swap(from, to);
    rows *= radix;
    rest /= radix;
  }
  for (std::int64_t k = 0; k < m; ++k) {
    values[2 * k] = from[static_cast<std::size_t>(k)].re;
    values[2 * k + 1] = from[static_cast<std::size_t>(k)].im;
  }
}

}  // namespace

void transform_for_table(double* values, std::int64_t m, RootCache& roots) { transform(values, m, roots); }
void transform_for_table(DoubleDouble* values, std::int64_t m, RootCache& roots) { transform(values, m, roots); }

}  // namespace ulpfft
