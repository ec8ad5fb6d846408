// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the passes of transforms between real and complex numbers compute, by their meaning and by that of their tables.
#ifndef ULPFFT_TESTS_PLANNER_INTERPRET_REAL_H_
#define ULPFFT_TESTS_PLANNER_INTERPRET_REAL_H_

#include <algorithm>
#include <utility>
#include <vector>

#include "planner/program/program.h"
#include "tests/planner/interpret_dft.h"
#include "tests/support/r2r_case.h"

namespace ulpfft::test {

class RealPass {
 public:
  RealPass(const Program& program, const Pass& pass) : program_(program), pass_(pass) {}

  // `values`: the numbers that the pass reads; reals have im = 0.
  std::vector<Complex> outputs(std::vector<Complex> values) const {
    if (pass_.codelet->kind == PassKind::kReal) return real_codelet_outputs(std::move(values));
    const auto n = static_cast<std::size_t>(pass_.args.lanes);
    const auto conjugate = [&](bool wanted) {
      if (wanted) std::for_each(values.begin(), values.end(), [](Complex& x) { x = std::conj(x); });
    };
    conjugate(pass_.args.in.swap);
    for (Complex& value : values) value *= pass_.args.scale;
    switch (pass_.codelet->kind) {
      case PassKind::kUntangle: values = untangled(values); break;
      case PassKind::kTangle: values = tangled(values); break;
      case PassKind::kHalf: values[0] = values[0].real(); break;
      case PassKind::kMirror:
        values[0] = values[0].real();
        values.resize(n);
        for (std::size_t k = 1; k <= n / 2; ++k) values[n - k] = std::conj(values[k]);
        break;
      case PassKind::kSplitRows: values = split_in_rows(values); break;
      case PassKind::kJoinRows: values = joined_rows(values); break;
      default: break;  // reals move
    }
    conjugate(pass_.args.out.swap);
    return values;
  }

 private:
  Complex twiddle_value(std::int64_t i) const {
    const auto& table = std::get<RealTwiddles>(program_.tables.at(static_cast<std::size_t>(pass_.table)));
    return (table.halved ? 0.5 : 1.0) * root(i, table.n);
  }

  // w^k of a pass whose table holds `share` of it up to h/2; n = 2h.
  Complex real_twiddle(std::int64_t k, double share) const {
    const std::int64_t h = pass_.args.lanes;
    return k <= h / 2 ? twiddle_value(k) / share : -std::conj(twiddle_value(h - k)) / share;
  }

  // X[k] = E[k] + w^k O[k]: the spectra of the reals of even and of odd index, of which Z = E + i O is made.
  std::vector<Complex> untangled(const std::vector<Complex>& z) const {
    std::vector<Complex> x;
    const std::size_t h = z.size();
    for (std::size_t k = 0; k <= h; ++k) {
      const Complex a = z[k % h], b = std::conj(z[(h - k) % h]);
      x.push_back(0.5 * (a + b) + real_twiddle(static_cast<std::int64_t>(k), 0.5) * Complex{0, -0.5} * (a - b));
    }
    return x;
  }

  // 2 Z.
  std::vector<Complex> tangled(std::vector<Complex> x) const {
    std::vector<Complex> z;
    const std::size_t h = x.size() - 1;
    x[0] = x[0].real();
    x[h] = x[h].real();
    for (std::size_t k = 0; k < h; ++k) {
      const Complex even = x[k] + std::conj(x[h - k]);
      const Complex odd = (x[k] - std::conj(x[h - k])) * std::conj(real_twiddle(static_cast<std::int64_t>(k), 1));
      z.push_back(even + Complex{0, 1} * odd);
    }
    return z;
  }

  // A line of a real codelet between reals, by the definition of its kind.
  static std::vector<Complex> r2r_codelet_line(RealTransform transform, const std::vector<Complex>& line) {
    constexpr std::pair<RealTransform, int> kKinds[] = {
        {RealTransform::kDHT, ULPFFT_DHT},          {RealTransform::kRedft00, ULPFFT_REDFT00}, {RealTransform::kRedft10, ULPFFT_REDFT10},
        {RealTransform::kRedft01, ULPFFT_REDFT01}, {RealTransform::kRedft11, ULPFFT_REDFT11}, {RealTransform::kRodft00, ULPFFT_RODFT00}};
    const auto* const kind = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& one) { return one.first == transform; });
    std::vector<DoubleDouble> reals;
    for (const Complex& value : line) reals.emplace_back(value.real());
    std::vector<Complex> out;
    for (const DoubleDouble& value : r2r_by_definition(kind->second, reals)) out.emplace_back(value.value());
    return out;
  }

  // A real codelet. Reals have im = 0.
  std::vector<Complex> real_codelet_outputs(std::vector<Complex> values) const {
    const BodyFacts& body = *pass_.codelet->body;
    const bool complex_in = has_complex_input(body.transform), complex_out = has_complex_output(body.transform);
    const auto change_signs = [&](bool is_complex) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (is_complex) values[k] = std::conj(values[k]);
        else if (k % 2 != 0) values[k] = -values[k];
      }
    };
    if (pass_.args.in.swap) change_signs(complex_in);
    for (Complex& value : values) value *= pass_.args.scale;
    const auto n = static_cast<std::size_t>(body.radix);
    if (complex_in) {
      values.resize(n);
      for (std::size_t k = 0; 2 * k <= n; ++k) {
        if (is_real_point(static_cast<int>(k), body.radix)) values[k] = values[k].real();
        values[(n - k) % n] = values[k];  // of the transform of conjugates the result is the same
        values[k] = std::conj(values[k]);
      }
    }
    if (complex_in || complex_out) {
      values = dft(values);
      values.resize(complex_out ? n / 2 + 1 : n);
    } else {
      values = r2r_codelet_line(body.transform, values);
    }
    if (pass_.args.out.swap) change_signs(complex_out);
    return values;
  }

  // Calls visit(number in rows, number of the whole line).
  template <typename Visit>
  void each_in_rows(const Visit& visit) const {
    const auto r = static_cast<std::size_t>(pass_.args.row), points = static_cast<std::size_t>(pass_.args.lanes) / r;
    for (std::size_t q = 0; 2 * q < r; ++q) {
      for (std::size_t k = 0; k < points; ++k) visit(q * points + k, r * k + q);
    }
  }

  std::vector<Complex> split_in_rows(std::vector<Complex> half) const {
    const auto n = static_cast<std::size_t>(pass_.args.lanes);
    half[0] = half[0].real();
    std::vector<Complex> rows;
    each_in_rows([&](std::size_t, std::size_t i) { rows.push_back(2 * i < n ? half[i] : std::conj(half[n - i])); });
    return rows;
  }

  std::vector<Complex> joined_rows(const std::vector<Complex>& rows) const {
    const auto n = static_cast<std::size_t>(pass_.args.lanes);
    std::vector<Complex> half(n / 2 + 1);
    each_in_rows([&](std::size_t at, std::size_t i) {
      if (2 * i < n) half[i] = rows[at];
      else if (i % static_cast<std::size_t>(pass_.args.row) != 0) half[n - i] = std::conj(rows[at]);
    });
    half[0] = half[0].real();
    return half;
  }

  const Program& program_;
  const Pass& pass_;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_INTERPRET_REAL_H_
