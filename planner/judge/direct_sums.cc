// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/judge/direct_sums.h"

#include <algorithm>
#include <cmath>

#include "codelets/contract/unit_root.h"

namespace ulpfft {
namespace {

constexpr std::int64_t kMostTeeth = 256;
constexpr std::int64_t kWorkOfALine = 16;  // its root and its arrays take the time of this many products
constexpr std::int64_t kBlock = 1024;  // products between two roots taken anew; the table of a block stays in L1 and L2

std::int64_t largest_divisor(std::int64_t n, std::int64_t limit) {
  for (std::int64_t d = std::min(n, limit); d > 1; --d) {
    if (n % d == 0) return d;
  }
  return 1;
}

ComplexDD root(std::int64_t k, std::int64_t n) {
  const UnitRoot w = unit_root(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(n));
  return {w.re, w.im};
}

ComplexDD product(const ComplexDD& a, const ComplexDD& b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

void add(ComplexDD& sum, const ComplexDD& term) {
  sum.re += term.re;
  sum.im += term.im;
}

// sum += w x. The bits that the high part loses go to the low part; settled() puts the two in order at the end.
inline void add_product(DoubleDouble& sum, const DoubleDouble& w, double x) {
  const DoubleDouble p = two_prod(w.hi, x);
  const DoubleDouble s = two_sum(sum.hi, p.hi);
  sum.hi = s.hi;
  sum.lo += s.lo + std::fma(w.lo, x, p.lo);
}

// part[j mod teeth] += w[j] x[j]
[[gnu::always_inline]] inline void add_products(const ComplexDD* w, const double* x, std::int64_t count, std::int64_t teeth,
                                                ComplexDD* part) {
  for (std::int64_t j = 0, r = 0; j < count; ++j) {
    ComplexDD& sum = part[r];
    const double re = x[2 * j];
    const double im = x[2 * j + 1];
    add_product(sum.re, w[j].re, re);
    add_product(sum.re, w[j].im, -im);
    add_product(sum.im, w[j].re, im);
    add_product(sum.im, w[j].im, re);
    if (++r == teeth) r = 0;
  }
}

// out[k] = sum_j in[j stride] w^(j k step), where w holds the roots of n step. Takes n times the sum of the prime factors of n products.
void short_transform(const ComplexDD* in, std::int64_t stride, ComplexDD* out, std::int64_t n, const std::vector<ComplexDD>& w,
                     std::int64_t step) {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  std::int64_t p = 2;
  while (n % p != 0) ++p;
  const std::int64_t m = n / p;
  for (std::int64_t q = 0; q < p; ++q) short_transform(in + q * stride, stride * p, out + q * m, m, w, step * p);
  std::vector<ComplexDD> column(static_cast<std::size_t>(p));
  for (std::int64_t k = 0; k < m; ++k) {
    for (std::int64_t q = 0; q < p; ++q) column[static_cast<std::size_t>(q)] = out[q * m + k];
    for (std::int64_t at = k; at < n; at += m) {
      ComplexDD sum = column[0];
      for (std::int64_t q = 1; q < p; ++q) {
        add(sum, product(w[static_cast<std::size_t>(q * at % n * step)], column[static_cast<std::size_t>(q)]));
      }
      out[at] = sum;
    }
  }
}

using AddProducts = void (*)(const ComplexDD* w, const double* x, std::int64_t count, std::int64_t teeth, ComplexDD* part);

void add_products_anywhere(const ComplexDD* w, const double* x, std::int64_t count, std::int64_t teeth, ComplexDD* part) {
  add_products(w, x, count, teeth, part);
}

#if defined(__x86_64__)
// Gives the same bits without a call of the C library for each product: 16 ns instead of 43.
[[gnu::target("fma")]] void add_products_fma(const ComplexDD* w, const double* x, std::int64_t count, std::int64_t teeth, ComplexDD* part) {
  add_products(w, x, count, teeth, part);
}
AddProducts best_add_products() { return __builtin_cpu_supports("fma") ? &add_products_fma : &add_products_anywhere; }
#else
AddProducts best_add_products() { return &add_products_anywhere; }
#endif

DoubleDouble settled(const DoubleDouble& sum) { return quick_two_sum(sum.hi, sum.lo); }

}  // namespace

// The first output of a comb, and the powers of the innermost line's root.
struct DirectSums::Roots {
  std::vector<std::int64_t> first;  // per line
  std::vector<ComplexDD> fine;      // w^(b k0) of a block
  std::vector<ComplexDD> coarse;    // w^(a kBlock k0)
};

DirectSums::DirectSums(std::vector<std::int64_t> lengths) {
  std::int64_t points = 1;
  lines_.resize(lengths.size());
  for (std::size_t i = lengths.size(); i-- > 0;) {
    Line& line = lines_[i];
    line.length = line.inputs = lengths[i];
    line.points = points;
    line.inner_teeth = teeth_;
    // The teeth left are shared evenly among the lines left.
    const double share = std::pow(static_cast<double>(kMostTeeth / teeth_), 1.0 / static_cast<double>(i + 1));
    line.teeth = largest_divisor(line.length, static_cast<std::int64_t>(share + 1e-9));
    teeth_ *= line.teeth;
    combs_ *= line.length / line.teeth;
    points *= line.length;
  }
}

DirectSums::DirectSums(std::int64_t length, std::int64_t teeth, std::int64_t inputs)
    : lines_{{.length = length, .teeth = teeth, .inputs = inputs}}, teeth_(teeth), combs_(length / teeth) {}

DirectSums::DirectSums(const ZoomTurns& turns, std::int64_t inputs, std::int64_t outputs)
    : lines_{{.length = outputs, .inputs = inputs}}, combs_(outputs), turns_(turns) {}

std::int64_t DirectSums::most_teeth(std::int64_t n, std::int64_t times) { return largest_divisor(n, kMostTeeth / times); }

std::vector<std::int64_t> DirectSums::first_outputs(std::int64_t comb) const {
  std::vector<std::int64_t> first(lines_.size());
  for (std::size_t i = lines_.size(); i-- > 0;) {
    const std::int64_t starts = lines_[i].length / lines_[i].teeth;
    first[i] = comb % starts;
    comb /= starts;
  }
  return first;
}

std::int64_t DirectSums::index(std::int64_t comb, std::int64_t tooth) const {
  const std::vector<std::int64_t> first = first_outputs(comb);
  std::int64_t at = 0;
  for (std::size_t i = lines_.size(); i-- > 0;) {
    const Line& line = lines_[i];
    at += (first[i] + line.length / line.teeth * (tooth % line.teeth)) * line.points;
    tooth /= line.teeth;
  }
  return at;
}

void DirectSums::fold_row(const double* x, const Roots& roots, ComplexDD* sums, Poll& poll) const {
  const Line& line = lines_.back();
  const std::int64_t block = static_cast<std::int64_t>(roots.fine.size());  // a multiple of the teeth, or the line
  const AddProducts sum_products = best_add_products();
  std::vector<ComplexDD> part(static_cast<std::size_t>(line.teeth));
  for (std::int64_t begin = 0, a = 0; begin < line.inputs; begin += block, ++a) {
    std::fill(part.begin(), part.end(), ComplexDD());
    const std::int64_t count = std::min(block, line.inputs - begin);
    poll.count(count);
    sum_products(roots.fine.data(), x + 2 * begin, count, line.teeth, part.data());
    for (std::int64_t r = 0; r < line.teeth; ++r) {
      const ComplexDD& sum = part[static_cast<std::size_t>(r)];
      add(sums[r], product(roots.coarse[static_cast<std::size_t>(a)], {settled(sum.re), settled(sum.im)}));
    }
  }
}

void DirectSums::fold(std::size_t at, const double* x, const Roots& roots, ComplexDD* sums, Poll& poll) const {
  if (at + 1 == lines_.size()) return fold_row(x, roots, sums, poll);
  const Line& line = lines_[at];
  std::vector<ComplexDD> inner(static_cast<std::size_t>(line.inner_teeth));
  for (std::int64_t j = 0, k = 0, r = 0; j < line.length; ++j) {
    poll.count(kWorkOfALine + line.inner_teeth);
    std::fill(inner.begin(), inner.end(), ComplexDD());
    fold(at + 1, x + 2 * j * line.points, roots, inner.data(), poll);
    const ComplexDD w = root(k, line.length);
    for (std::int64_t q = 0; q < line.inner_teeth; ++q) add(sums[r * line.inner_teeth + q], product(w, inner[static_cast<std::size_t>(q)]));
    k = (k + roots.first[at]) % line.length;
    if (++r == line.teeth) r = 0;
  }
}

DirectSums::Roots DirectSums::chirp_roots(std::int64_t output, Poll& poll) const {
  Roots roots;
  const Turn step = turns_->of_output(output);
  const auto add_root = [](std::vector<ComplexDD>& list, Turn angle) {
    const UnitRoot w = unit_root_of(angle);
    list.push_back({w.re, w.im});
  };
  const std::int64_t inputs = lines_.back().inputs, block = std::min(inputs, kBlock);
  for (std::int64_t b = 0; b < block; ++b) add_root(roots.fine, step * static_cast<Turn>(b));
  for (std::int64_t a = 0; a < inputs; a += block) {
    poll.count(block);
    add_root(roots.coarse, step * static_cast<Turn>(a));
  }
  return roots;
}

DirectSums::Roots DirectSums::roots_of(std::int64_t comb, Poll& poll) const {
  if (turns_) return chirp_roots(comb, poll);
  Roots roots;
  roots.first = first_outputs(comb);
  const Line& last = lines_.back();
  const std::int64_t block = std::min(last.length, (kBlock + last.teeth - 1) / last.teeth * last.teeth);
  for (std::int64_t b = 0, k = 0; b < block; ++b, k = (k + roots.first.back()) % last.length) roots.fine.push_back(root(k, last.length));
  // Lengths are at most 2^40 (unit_root), so this product and the sums of two residues do not overflow.
  const std::int64_t step = block * roots.first.back() % last.length;
  for (std::int64_t a = 0, k = 0; a < last.inputs; a += block, k = (k + step) % last.length) {
    poll.count(block);
    roots.coarse.push_back(root(k, last.length));
  }
  return roots;
}

std::vector<ComplexDD> DirectSums::run(const double* x, std::int64_t comb, Poll& poll) const {
  const Roots roots = roots_of(comb, poll);
  std::vector<ComplexDD> sums(static_cast<std::size_t>(teeth_));
  fold(0, x, roots, sums.data(), poll);
  // The teeth of each line are transformed, line by line.
  for (const Line& line : lines_) {
    std::vector<ComplexDD> w;
    for (std::int64_t k = 0; k < line.teeth; ++k) w.push_back(root(k, line.teeth));
    std::vector<ComplexDD> column(static_cast<std::size_t>(line.teeth));
    for (std::int64_t outer = 0; outer < teeth_; outer += line.teeth * line.inner_teeth) {
      for (std::int64_t inner = 0; inner < line.inner_teeth; ++inner) {
        ComplexDD* const from = sums.data() + outer + inner;
        short_transform(from, line.inner_teeth, column.data(), line.teeth, w, 1);
        for (std::int64_t m = 0; m < line.teeth; ++m) from[m * line.inner_teeth] = column[static_cast<std::size_t>(m)];
      }
    }
  }
  return sums;
}

}  // namespace ulpfft
