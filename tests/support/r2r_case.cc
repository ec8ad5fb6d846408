// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/r2r_case.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tests/support/oracle.h"

namespace ulpfft::test {
namespace {

// The circle in 2 q steps; the last one is kept, since a kind of a length asks for no other.
const ComplexDD& point_of(std::int64_t p, std::int64_t q) {
  thread_local std::vector<ComplexDD> circle;
  const auto steps = static_cast<std::uint64_t>(2 * q);
  if (circle.size() != steps) {
    circle.clear();
    for (std::uint64_t k = 0; k < steps; ++k) circle.push_back(circle_point(k, steps));
  }
  return circle[static_cast<std::size_t>(p) % steps];
}
// cos and sin of pi p / q.
DoubleDouble cosine(std::int64_t p, std::int64_t q) { return point_of(p, q).re; }
DoubleDouble sine(std::int64_t p, std::int64_t q) { return -point_of(p, q).im; }

// What real j adds to real k, per unit: the header's formulas.
DoubleDouble coefficient(int kind, std::int64_t n, std::int64_t j, std::int64_t k) {
  const DoubleDouble one(1.0), two(2.0), sign(k % 2 == 0 ? 1.0 : -1.0);
  switch (kind) {
    case ULPFFT_R2HC: return 2 * k <= n ? cosine(2 * j * k, n) : -sine(2 * j * (n - k), n);
    case ULPFFT_HC2R:
      if (j == 0) return one;
      if (2 * j == n) return sign;
      return two * (2 * j < n ? cosine(2 * j * k, n) : -sine(2 * (n - j) * k, n));
    case ULPFFT_DHT: return cosine(2 * j * k, n) + sine(2 * j * k, n);
    case ULPFFT_REDFT00: return j == 0 ? one : j == n - 1 ? sign : two * cosine(j * k, n - 1);
    case ULPFFT_REDFT10: return two * cosine((2 * j + 1) * k, 2 * n);
    case ULPFFT_REDFT01: return j == 0 ? one : two * cosine(j * (2 * k + 1), 2 * n);
    case ULPFFT_REDFT11: return two * cosine((2 * j + 1) * (2 * k + 1), 4 * n);
    case ULPFFT_RODFT00: return two * sine((j + 1) * (k + 1), n + 1);
    case ULPFFT_RODFT10: return two * sine((2 * j + 1) * (k + 1), 2 * n);
    case ULPFFT_RODFT01: return j == n - 1 ? sign : two * sine((j + 1) * (2 * k + 1), 2 * n);
    default: return two * sine((2 * j + 1) * (2 * k + 1), 4 * n);
  }
}

// real k = Re(weight X[index]), where X is the transform of an array in which real j has a place and a weight.
struct Term {
  std::int64_t place = 0;
  ComplexDD weight;
};
std::int64_t extended_length(int kind, std::int64_t n) {
  switch (kind) {
    case ULPFFT_R2HC: case ULPFFT_HC2R: case ULPFFT_DHT: return n;
    case ULPFFT_REDFT00: return 2 * (n - 1);
    case ULPFFT_RODFT00: return 2 * (n + 1);
    case ULPFFT_REDFT11: case ULPFFT_RODFT11: return 8 * n;
    default: return 4 * n;
  }
}
Term input_term(int kind, std::int64_t n, std::int64_t j) {
  const auto real = [](double re) { return ComplexDD{DoubleDouble(re), DoubleDouble(0.0)}; };
  switch (kind) {
    case ULPFFT_R2HC: case ULPFFT_DHT: return {j, real(1)};
    case ULPFFT_HC2R: return {j, 2 * j > n ? ComplexDD{DoubleDouble(0.0), DoubleDouble(2.0)} : real(j == 0 || 2 * j == n ? 1 : 2)};
    case ULPFFT_REDFT00: return {j, real(j == 0 || j == n - 1 ? 1 : 2)};
    case ULPFFT_REDFT01: return {j, real(j == 0 ? 1 : 2)};
    case ULPFFT_RODFT00: return {j + 1, real(2)};
    case ULPFFT_RODFT01: return {j + 1, real(j == n - 1 ? 1 : 2)};
    default: return {2 * j + 1, real(2)};
  }
}
Term output_term(int kind, std::int64_t n, std::int64_t k) {
  const ComplexDD re{DoubleDouble(1.0), DoubleDouble(0.0)}, minus_im{DoubleDouble(0.0), DoubleDouble(1.0)};
  switch (kind) {
    case ULPFFT_R2HC: return {k, 2 * k > n ? minus_im : re};
    case ULPFFT_HC2R: case ULPFFT_REDFT00: case ULPFFT_REDFT10: return {k, re};
    case ULPFFT_DHT: return {k, re + minus_im};
    case ULPFFT_REDFT01: case ULPFFT_REDFT11: return {2 * k + 1, re};
    case ULPFFT_RODFT00: case ULPFFT_RODFT10: return {k + 1, minus_im};
    default: return {2 * k + 1, minus_im};
  }
}

// Whether sums cost less than transforms.
bool takes_sums(int kind, std::int64_t n) { return n <= (is_smooth(extended_length(kind, n)) ? 32 : 256); }

// The coefficients of a kind, row by row.
std::vector<DoubleDouble> matrix_of(int kind, std::int64_t n) {
  std::vector<DoubleDouble> matrix;
  for (std::int64_t k = 0; k < n; ++k) {
    for (std::int64_t j = 0; j < n; ++j) matrix.push_back(coefficient(kind, n, j, k));
  }
  return matrix;
}
std::vector<DoubleDouble> sums_of(const std::vector<DoubleDouble>& matrix, const std::vector<DoubleDouble>& in) {
  std::vector<DoubleDouble> out(in.size());
  for (std::size_t k = 0; k < in.size(); ++k) {
    for (std::size_t j = 0; j < in.size(); ++j) out[k] = out[k] + matrix[k * in.size() + j] * in[j];
  }
  return out;
}

DoubleDouble square_root(double value) {
  const double root = std::sqrt(value);
  const DoubleDouble rest = DoubleDouble(value) - DoubleDouble(root) * DoubleDouble(root);
  return DoubleDouble(root) + DoubleDouble(rest.value() / (2 * root));
}

// The weights of scale=ortho besides its factor.
void weight_ends(int kind, bool output, std::vector<DoubleDouble>& line) {
  const DoubleDouble weight = output ? DoubleDouble(1.0) / square_root(2) : square_root(2);
  const auto apply = [&](std::size_t at) { line[at] = line[at] * weight; };
  if (kind == ULPFFT_REDFT00) {
    apply(0);
    apply(line.size() - 1);
  }
  if (kind == (output ? ULPFFT_REDFT10 : ULPFFT_REDFT01)) apply(0);
  if (kind == (output ? ULPFFT_RODFT10 : ULPFFT_RODFT01)) apply(line.size() - 1);
}

}  // namespace

std::int64_t logical_length(int kind, std::int64_t n) {
  return kind <= ULPFFT_DHT ? n : kind == ULPFFT_REDFT00 ? 2 * (n - 1) : kind == ULPFFT_RODFT00 ? 2 * (n + 1) : 2 * n;
}

std::vector<DoubleDouble> r2r_by_definition(int kind, const std::vector<DoubleDouble>& in) {
  return sums_of(matrix_of(kind, static_cast<std::int64_t>(in.size())), in);
}

std::vector<DoubleDouble> r2r_by_extension(int kind, const std::vector<DoubleDouble>& in) {
  const auto n = static_cast<std::int64_t>(in.size());
  std::vector<ComplexDD> extended(static_cast<std::size_t>(extended_length(kind, n))), spectrum(extended.size());
  for (std::int64_t j = 0; j < n; ++j) {
    const Term term = input_term(kind, n, j);
    extended[static_cast<std::size_t>(term.place)] = in[static_cast<std::size_t>(j)] * term.weight;
  }
  oracle_for(static_cast<std::int64_t>(extended.size()))->forward(extended.data(), 1, spectrum.data());
  std::vector<DoubleDouble> out;
  for (std::int64_t k = 0; k < n; ++k) {
    const Term term = output_term(kind, n, k);
    out.push_back((term.weight * spectrum[static_cast<std::size_t>(term.place)]).re);
  }
  return out;
}

std::vector<ComplexDD> exact_r2r(const Case& problem, const std::vector<ComplexDD>& in) {
  std::vector<DoubleDouble> data;
  for (const ComplexDD& number : in) data.push_back(number.re);
  const bool weighted = problem.scale_kind == ULPFFT_SCALE_ORTHO;
  double divisor = 1;
  std::size_t stride = 1;
  for (std::size_t d = problem.dims.size(); d-- > 0;) {
    const auto n = static_cast<std::size_t>(problem.dims[d].length);
    const int kind = problem.kinds[d];
    divisor *= static_cast<double>(logical_length(kind, problem.dims[d].length));
    std::vector<DoubleDouble> line(n);
    const bool sums = takes_sums(kind, problem.dims[d].length);
    const std::vector<DoubleDouble> matrix = sums ? matrix_of(kind, problem.dims[d].length) : std::vector<DoubleDouble>();
    for (std::size_t first = 0; first < data.size(); ++first) {
      if (first / stride % n != 0) continue;
      for (std::size_t j = 0; j < n; ++j) line[j] = data[first + j * stride];
      if (weighted) weight_ends(kind, false, line);
      line = sums ? sums_of(matrix, line) : r2r_by_extension(kind, line);
      if (weighted) weight_ends(kind, true, line);
      for (std::size_t j = 0; j < n; ++j) data[first + j * stride] = line[j];
    }
    stride *= n;
  }
  DoubleDouble scale(problem.scale_kind == ULPFFT_SCALE_VALUE ? problem.scale_value : 1.0);
  if (weighted) scale = scale / square_root(divisor);
  if (problem.scale_kind == ULPFFT_SCALE_BY_N) scale = scale / DoubleDouble(divisor);
  std::vector<ComplexDD> out;
  for (const DoubleDouble& value : data) out.push_back({value * scale, DoubleDouble(0.0)});
  return out;
}

}  // namespace ulpfft::test
