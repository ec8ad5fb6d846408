// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the codelets of real transforms compute, by the definition of the transform.
#ifndef ULPFFT_TESTS_PLANNER_INTERPRET_REAL_H_
#define ULPFFT_TESTS_PLANNER_INTERPRET_REAL_H_

#include <algorithm>
#include <utility>
#include <vector>

#include "planner/program/program.h"
#include "tests/planner/interpret_dft.h"
#include "tests/support/r2r_case.h"

namespace ulpfft::test {

// A line of a real codelet between reals, by the definition of its kind.
inline std::vector<Complex> r2r_codelet_line(RealTransform transform, const std::vector<Complex>& line) {
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
inline std::vector<Complex> real_codelet_outputs(const Pass& pass, std::vector<Complex> values) {
  const BodyFacts& body = *pass.codelet->body;
  const bool complex_in = has_complex_input(body.transform), complex_out = has_complex_output(body.transform);
  const auto change_signs = [&](bool is_complex) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (is_complex) values[k] = std::conj(values[k]);
      else if (k % 2 != 0) values[k] = -values[k];
    }
  };
  if (pass.args.in.swap) change_signs(complex_in);
  for (Complex& value : values) value *= pass.args.scale;
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
  if (pass.args.out.swap) change_signs(complex_out);
  return values;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_INTERPRET_REAL_H_
