// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What passes over lines compute, as plain loops over the values of one line: the meaning of their kinds, whose bits every codelet has.
#ifndef ULPFFT_CODELETS_CONTRACT_PASS_DEFINITION_H_
#define ULPFFT_CODELETS_CONTRACT_PASS_DEFINITION_H_

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "codelets/contract/pass_rows.h"

namespace ulpfft {

// One line. Values are in the order in which the pass reads and writes them; reals have im = 0. T is the type of the arithmetic.
template <typename T>
struct LineDefinition {
  using Number = std::complex<T>;
  using Numbers = std::vector<Number>;

  PassKind kind = PassKind::kGather;
  std::int64_t lanes = 0, row = 1, pad = 0;  // as in PassArgs
  T scale = T(1);
  bool in_swap = false, out_swap = false;    // where parts change places: false, because values are not parts
  const T* table = nullptr;
  const std::uint32_t* rows = nullptr;       // of kPick
  bool fma = false;                          // the target has it

  Numbers operator()(Numbers in) const {
    const PassRow& facts = row_of(kind);
    const T factor = facts.scales && kind != PassKind::kPick ? scale : T(1), im_factor = conjugates(facts.in, in_swap) ? -factor : factor;
    for (Number& x : in) x = {x.real() * factor, x.imag() * im_factor};
    Numbers out = computed(std::move(in));
    for (Number& x : out) x = {x.real(), facts.out.real ? T(0) : conjugates(facts.out, out_swap) ? -x.imag() : x.imag()};
    if (facts.out.half || kind == PassKind::kMirror || kind == PassKind::kSplitRows) out[0].imag(T(0));
    if (kind == PassKind::kUntangle) out.back().imag(T(0));
    out.resize(out.size() + at(pad));
    return out;
  }

 private:
  static bool conjugates(const PassEnd& end, bool swap) { return swap && end.swap == PassSwap::kConjugates; }
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  // a b + c, rounded once where there is FMA.
  T fused(T a, T b, T c) const { return fma ? std::fma(a, b, c) : a * b + c; }
  Number product(Number a, Number b) const {
    const T x = a.real(), y = a.imag(), c = b.real(), s = b.imag();
    return {fused(-y, s, x * c), fused(y, c, x * s)};
  }
  Number entry(std::int64_t j) const { return {table[2 * j], table[2 * j + 1]}; }

  Numbers computed(Numbers in) const {
    switch (kind) {
      case PassKind::kPointwise:
        for (std::int64_t j = 0; j < lanes; ++j) in[at(j)] = product(in[at(j)], entry(j));
        return in;
      case PassKind::kConvolve: return convolved(std::move(in));
      case PassKind::kUntangle: return untangled(in);
      case PassKind::kTangle: return tangled(in);
      case PassKind::kFromReals:
        for (Number& x : in) x.imag(T(0));
        return in;
      case PassKind::kMirror:
        for (std::int64_t k = lanes / 2; k > 0; --k) in.push_back(std::conj(in[at(k)]));
        return in;
      case PassKind::kSplitRows: case PassKind::kJoinRows: return rearranged(in);
      case PassKind::kPick: return picked(in);
      case PassKind::kSplitOdds: case PassKind::kJoinOdds: return odds(in);
      case PassKind::kFold: return folded(in);
      case PassKind::kUnfold: return unfolded(in);
      case PassKind::kSplitPairs: case PassKind::kJoinPairs: return pairs(in);
      default: return in;  // points move
    }
  }

  Numbers convolved(Numbers x) const {
    const Number first = x[0], aside = x.back();
    for (std::int64_t j = 0; j < lanes; ++j) x[at(j)] = product(x[at(j)], entry(j));
    x[0] += aside;
    x.back() = aside + first;
    return x;
  }

  // Points k and h - k of Z become those of X; `half`: of w^k.
  void untangle(Number& a, Number& b, Number half) const {
    const Number sum = a + std::conj(b), difference = a - std::conj(b);
    const T re = fused(difference.imag(), half.real(), difference.real() * half.imag());
    const T im = fused(-difference.real(), half.real(), difference.imag() * half.imag());
    a = {fused(T(0.5), sum.real(), re), fused(T(0.5), sum.imag(), im)};
    b = {fused(T(0.5), sum.real(), -re), fused(T(-0.5), sum.imag(), im)};
  }
  // Points k and h - k of X become those of 2 Z.
  void tangle(Number& a, Number& b, Number root) const {
    const Number sum = a + std::conj(b), difference = a - std::conj(b);
    const T re = fused(-difference.imag(), root.real(), difference.real() * root.imag());
    const T im = fused(difference.real(), root.real(), difference.imag() * root.imag());
    a = {sum.real() + re, sum.imag() + im};
    b = {sum.real() - re, im - sum.imag()};
  }

  Numbers untangled(const Numbers& z) const {
    Numbers x = z;
    x.resize(z.size() + 1);
    x[0] = z[0].real() + z[0].imag();
    x[at(lanes)] = z[0].real() - z[0].imag();
    for (std::int64_t k = 1; 2 * k < lanes; ++k) untangle(x[at(k)], x[at(lanes - k)], entry(k));
    if (lanes % 2 == 0) x[at(lanes / 2)] = std::conj(z[at(lanes / 2)]);
    return x;
  }

  Numbers tangled(Numbers x) const {
    const T first = x[0].real(), last = x[at(lanes)].real();
    for (std::int64_t k = 1; 2 * k < lanes; ++k) tangle(x[at(k)], x[at(lanes - k)], entry(k));
    if (lanes % 2 == 0) x[at(lanes / 2)] = {2 * x[at(lanes / 2)].real(), -2 * x[at(lanes / 2)].imag()};
    x[0] = {first + last, first - last};
    x.resize(at(lanes));
    return x;
  }

  // Point k of row q is point r k + q of the line, whose second half are conjugates.
  Numbers rearranged(const Numbers& in) const {
    const bool splits = kind == PassKind::kSplitRows;
    Numbers out(at(line_points(row_of(kind).out, lanes, row)));
    for (std::int64_t q = 0, i = 0; 2 * q < row; ++q) {
      for (std::int64_t k = 0; k < lanes / row; ++k, ++i) {
        const std::int64_t point = row * k + q;
        const bool mirrored = 2 * point > lanes;
        const std::int64_t from = mirrored ? lanes - point : point;
        const Number x = in[at(splits ? from : i)];
        if (splits || q != 0 || !mirrored) out[at(splits ? i : from)] = mirrored ? std::conj(x) : x;
      }
    }
    return out;
  }

  Numbers picked(const Numbers& in) const {
    Numbers out;
    std::size_t next = 0;  // reals times 0 are not read
    for (std::int64_t j = 0; j < lanes; ++j) out.push_back(rows[j] % 4 == 0 ? T(0) : in[next++].real() * (table[rows[j] % 4] * scale));
    return out;
  }

  Numbers odds(const Numbers& in) const {
    const bool splits = kind == PassKind::kSplitOdds, negates = splits ? in_swap : out_swap;
    Numbers out(in.size());
    for (std::int64_t j = 0; j < lanes; ++j) {
      const std::int64_t other = j % 2 == 0 ? j / 2 : lanes - 1 - j / 2;
      const T x = in[at(splits ? j : other)].real();
      out[at(splits ? other : j)] = negates && j % 2 != 0 ? -x : x;
    }
    return out;
  }

  // The three lists of kFold and kUnfold.
  struct Roots {
    Number root, low, high;
  };
  Roots roots(std::int64_t k) const {
    const std::int64_t list = lanes / 4 + 1;
    return {entry(k), entry(list + k), entry(2 * list + k)};
  }

  Numbers folded(const Numbers& in) const {
    const std::int64_t n = lanes, h = n / 2;
    const auto z = [&](std::int64_t k) { return Number(in[at(2 * k)].real(), in[at(2 * k + 1)].real()); };
    const T sign = out_swap ? T(-1) : T(1);
    Numbers out(at(n));
    for (std::int64_t k = 1; k <= h / 2; ++k) {
      Number a = z(k), b = z(h - k);
      untangle(a, b, roots(k).root);
      a = product(a, roots(k).low);
      b = product(b, roots(k).high);
      out[at(k)] = a.real();
      out[at(n - k)] = a.imag() * sign;
      out[at(h - k)] = b.real();
      out[at(h + k)] = b.imag() * sign;
    }
    out[0] = (z(0).real() + z(0).imag()) * roots(0).low.real();
    out[at(h)] = (z(0).real() - z(0).imag()) * roots(0).low.imag();
    return out;
  }

  Numbers unfolded(const Numbers& in) const {
    const std::int64_t n = lanes, h = n / 2;
    const auto number = [&](std::int64_t k) { return Number(in[at(k)].real(), in_swap ? -in[at(n - k)].real() : in[at(n - k)].real()); };
    Numbers out(at(n));
    const auto put = [&](std::int64_t k, T re, T im) {
      out[at(2 * k)] = re;
      out[at(2 * k + 1)] = im;
    };
    for (std::int64_t k = 1; k <= h / 2; ++k) {
      Number a = product(number(k), std::conj(roots(k).low)), b = product(number(h - k), std::conj(roots(k).high));
      tangle(a, b, roots(k).root);
      put(k, a.real(), a.imag());
      put(h - k, b.real(), b.imag());
    }
    const T x = in[0].real() * roots(0).low.real(), y = in[at(h)].real() * roots(0).low.imag();
    put(0, x + y, x - y);
    return out;
  }

  Numbers pairs(const Numbers& in) const {
    Numbers out(at(lanes));
    for (std::int64_t j = 0; 2 * j < lanes; ++j) {
      const std::int64_t odd = lanes - 1 - 2 * j;
      if (kind == PassKind::kSplitPairs) {
        const T x = in[at(2 * j)].real(), y = in[at(odd)].real();
        const Number z = product(in_swap ? Number(y, x) : Number(x, y), entry(j));
        out[at(2 * j)] = z.real();
        out[at(2 * j + 1)] = z.imag();
      } else {
        const Number z = product({in[at(2 * j)].real(), in[at(2 * j + 1)].real()}, entry(j));
        out[at(2 * j)] = z.real();
        out[at(odd)] = out_swap ? z.imag() : -z.imag();
      }
    }
    return out;
  }
};

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_PASS_DEFINITION_H_
