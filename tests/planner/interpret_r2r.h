// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the passes of r2r transforms compute, by their meaning and by that of their tables.
#ifndef ULPFFT_TESTS_PLANNER_INTERPRET_R2R_H_
#define ULPFFT_TESTS_PLANNER_INTERPRET_R2R_H_

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <variant>
#include <vector>

#include "planner/program/program.h"

namespace ulpfft::test {

class R2rPass {
 public:
  R2rPass(const Program& program, const Pass& pass) : program_(program), pass_(pass), n_(pass.args.lanes), h_(n_ / 2) {}

  // `in`: the reals that the pass reads, in order; of kPick those of its list that are not 0.
  std::vector<double> outputs(std::vector<double> in, const std::vector<std::uint32_t>* rows) const {
    const PassKind kind = pass_.codelet->kind;
    const bool scales = kind != PassKind::kJoinOdds && kind != PassKind::kFold && kind != PassKind::kJoinPairs;
    for (double& value : in) value *= scales ? pass_.args.scale : 1;
    switch (kind) {
      case PassKind::kPick: return picked(in, *rows);
      case PassKind::kSplitOdds: return odds(in, true);
      case PassKind::kJoinOdds: return odds(in, false);
      case PassKind::kFold: return folded(in);
      case PassKind::kUnfold: return unfolded(in);
      case PassKind::kSplitPairs: return split_pairs(in);
      case PassKind::kJoinPairs: return joined_pairs(in);
      default: return in;
    }
  }

 private:
  using Complex = std::complex<double>;

  template <typename Table>
  const Table& table() const {
    return std::get<Table>(program_.tables.at(static_cast<std::size_t>(pass_.table)));
  }
  static Complex turn(double turns) { return std::polar(1.0, -2 * std::numbers::pi * turns); }
  static double part(std::int64_t k, std::int64_t n) { return static_cast<double>(k) / static_cast<double>(n); }
  static std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

  std::vector<double> picked(const std::vector<double>& in, const std::vector<std::uint32_t>& rows) const {
    const PickFactors& factors = table<PickFactors>();
    const R2rKind kind = factors.kind;
    const double root = std::numbers::sqrt2;
    double factor = 1, end = 1;
    if (!factors.output) {
      if (kind == R2rKind::kDCT2 || ((kind == R2rKind::kDCT3 || kind == R2rKind::kHC2R) && !factors.half)) factor = 2;
      if (kind == R2rKind::kDCT4) factor = root;
      if (factors.weighted && (kind == R2rKind::kDCT1 || kind == R2rKind::kDCT3)) end = root;
    } else if (factors.weighted && (kind == R2rKind::kDCT1 || kind == R2rKind::kDCT2)) {
      end = 1 / root;
    }
    const double by_code[4] = {0, factor, -factor, end};
    std::vector<double> out;
    std::size_t next = 0;
    for (std::int64_t j = 0; j < n_; ++j) {
      const std::uint32_t row = rows[at(pass_.rows_begin + j)];
      out.push_back(row % 4 == 0 ? 0 : in[next++] * by_code[row % 4]);
    }
    return out;
  }

  std::vector<double> odds(const std::vector<double>& in, bool splits) const {
    const double sign = (splits ? pass_.args.in : pass_.args.out).swap ? -1 : 1;
    std::vector<double> out(in.size());
    for (std::int64_t j = 0; j < n_; ++j) {
      const std::int64_t other = j % 2 == 0 ? j / 2 : n_ - 1 - j / 2;
      out[at(splits ? other : j)] = in[at(splits ? j : other)] * (j % 2 == 0 ? 1 : sign);
    }
    return out;
  }

  // t of V[k].
  Complex factor(std::int64_t k) const {
    const FoldTwiddles& twiddles = table<FoldTwiddles>();
    const bool is_dct = twiddles.kind == R2rKind::kDCT2 || twiddles.kind == R2rKind::kDCT3;
    const double twice = twiddles.kind == R2rKind::kDCT2 ? 2 : 1;
    if (k == 0) return is_dct && twiddles.weighted ? std::numbers::sqrt2 : twice;
    if (k == h_) return is_dct ? std::numbers::sqrt2 : 1;
    if (is_dct) return twice * turn(part(k, 4 * n_));
    return twiddles.kind == R2rKind::kDHT ? Complex(1, 1) : Complex(1, 0);
  }
  static Complex number(const std::vector<double>& reals, std::int64_t k) { return {reals[at(2 * k)], reals[at(2 * k + 1)]}; }

  std::vector<double> folded(const std::vector<double>& in) const {
    std::vector<double> out(in.size());
    const double sign = pass_.args.out.swap ? -1 : 1;
    for (std::int64_t k = 0; k <= h_; ++k) {
      const Complex a = number(in, k % h_), b = std::conj(number(in, (h_ - k) % h_));
      const Complex y = factor(k) * (0.5 * (a + b) + turn(part(k, n_)) * Complex(0, -0.5) * (a - b));
      out[at(k)] = y.real();
      if (k > 0 && k < h_) out[at(n_ - k)] = sign * y.imag();
    }
    return out;
  }

  std::vector<double> unfolded(const std::vector<double>& in) const {
    const double sign = pass_.args.in.swap ? -1 : 1;
    std::vector<Complex> v;
    for (std::int64_t k = 0; k <= h_; ++k) {
      const bool is_end = k == 0 || k == h_;
      v.push_back(std::conj(factor(k)) * Complex(in[at(k)], is_end ? 0 : sign * in[at(n_ - k)]));
    }
    std::vector<double> out;
    for (std::int64_t k = 0; k < h_; ++k) {
      const Complex b = std::conj(v[at(h_ - k)]), z = v[at(k)] + b + Complex(0, 1) * std::conj(turn(part(k, n_))) * (v[at(k)] - b);
      out.push_back(z.real());
      out.push_back(z.imag());
    }
    return out;
  }

  Complex pair_factor(std::int64_t j) const { return turn(part(8 * j + 1, 16 * n_)); }

  std::vector<double> split_pairs(const std::vector<double>& in) const {
    std::vector<double> out;
    for (std::int64_t j = 0; j < h_; ++j) {
      const double even = in[at(2 * j)], odd = in[at(n_ - 1 - 2 * j)];
      const Complex y = pair_factor(j) * (pass_.args.in.swap ? Complex(odd, even) : Complex(even, odd));
      out.push_back(y.real());
      out.push_back(y.imag());
    }
    return out;
  }

  std::vector<double> joined_pairs(const std::vector<double>& in) const {
    std::vector<double> out(in.size());
    for (std::int64_t k = 0; k < h_; ++k) {
      const Complex y = pair_factor(k) * number(in, k);
      out[at(2 * k)] = y.real();
      out[at(n_ - 1 - 2 * k)] = pass_.args.out.swap ? y.imag() : -y.imag();
    }
    return out;
  }

  const Program& program_;
  const Pass& pass_;
  const std::int64_t n_, h_;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_INTERPRET_R2R_H_
