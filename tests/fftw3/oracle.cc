// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/fftw3/oracle.h"

#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

namespace ulpfft::test {

namespace {

using Value = std::complex<long double>;
constexpr long double kPi = std::numbers::pi_v<long double>;

using Line = std::vector<Value>;

// Applies a function to all lines along dimension d of an array with these lengths; the line may change its length.
std::vector<Value> along(const std::vector<Value>& in, std::vector<std::int64_t>& lengths, std::size_t d, std::int64_t out_length,
                         const std::function<Line(const Line&)>& apply) {
  std::int64_t before = 1, after = 1;
  for (std::size_t i = 0; i < d; ++i) before *= lengths[i];
  for (std::size_t i = d + 1; i < lengths.size(); ++i) after *= lengths[i];
  const std::int64_t n = lengths[d];
  std::vector<Value> out(static_cast<std::size_t>(before * after * out_length));
  for (std::int64_t b = 0; b < before; ++b) {
    for (std::int64_t a = 0; a < after; ++a) {
      Line line;
      for (std::int64_t i = 0; i < n; ++i) line.push_back(in[static_cast<std::size_t>((b * n + i) * after + a)]);
      const Line result = apply(line);
      for (std::int64_t i = 0; i < out_length; ++i)
        out[static_cast<std::size_t>((b * out_length + i) * after + a)] = result[static_cast<std::size_t>(i)];
    }
  }
  lengths[d] = out_length;
  return out;
}

Value root(std::int64_t k, std::int64_t n, int sign) {
  const long double angle = 2 * kPi * static_cast<long double>(k % n) / static_cast<long double>(n);
  return {std::cos(angle), sign * std::sin(angle)};
}

Line dft(const Line& in, int sign) {
  const auto n = static_cast<std::int64_t>(in.size());
  std::vector<Value> roots;
  for (std::int64_t k = 0; k < n; ++k) roots.push_back(root(k, n, sign));
  Line out(in.size());
  for (std::int64_t k = 0; k < n; ++k) {
    for (std::int64_t j = 0; j < n; ++j)
      out[static_cast<std::size_t>(k)] += in[static_cast<std::size_t>(j)] * roots[static_cast<std::size_t>(j * k % n)];
  }
  return out;
}

// Half a spectrum to n real numbers. Imaginary parts that would make the result complex are ignored.
Line real_of(const Line& half, std::int64_t n) {
  Line whole(static_cast<std::size_t>(n));
  for (std::int64_t k = 0; k < n; ++k) {
    const Value value = half[static_cast<std::size_t>(k <= n / 2 ? k : n - k)];
    whole[static_cast<std::size_t>(k)] = k == 0 || 2 * k == n ? Value(value.real()) : k <= n / 2 ? value : std::conj(value);
  }
  Line out = dft(whole, 1);
  for (Value& value : out) value = value.real();
  return out;
}

long double real_kernel(int kind, long double j, long double k, long double n) {
  switch (kind) {
    case 3: return (j == 0 ? 1.0L : j == n - 1 ? std::cos(kPi * k) : 2 * std::cos(kPi * j * k / (n - 1)));
    case 4: return j == 0 ? 1.0L : 2 * std::cos(kPi * j * (k + 0.5L) / n);
    case 5: return 2 * std::cos(kPi * (j + 0.5L) * k / n);
    case 6: return 2 * std::cos(kPi * (j + 0.5L) * (k + 0.5L) / n);
    case 7: return 2 * std::sin(kPi * (j + 1) * (k + 1) / (n + 1));
    case 8: return j == n - 1 ? std::cos(kPi * k) : 2 * std::sin(kPi * (j + 1) * (k + 0.5L) / n);
    case 9: return 2 * std::sin(kPi * (j + 0.5L) * (k + 1) / n);
    case 10: return 2 * std::sin(kPi * (j + 0.5L) * (k + 0.5L) / n);
    default: return std::cos(2 * kPi * j * k / n) + std::sin(2 * kPi * j * k / n);  // 2: the Hartley transform
  }
}

Line r2r(const Line& in, int kind) {
  const std::size_t n = in.size();
  Line out(n);
  if (kind == 0) {  // real numbers to half-complex order
    const Line spectrum = dft(in, -1);
    for (std::size_t k = 0; k < n; ++k) out[k] = k <= n / 2 ? spectrum[k].real() : spectrum[n - k].imag();
    return out;
  }
  if (kind == 1) {
    Line half(n / 2 + 1);
    for (std::size_t k = 0; k <= n / 2; ++k) half[k] = {in[k].real(), k == 0 || 2 * k == n ? 0.0L : in[n - k].real()};
    return real_of(half, static_cast<std::int64_t>(n));
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) {
      out[k] +=
          in[j].real() * real_kernel(kind, static_cast<long double>(j), static_cast<long double>(k), static_cast<long double>(n));
    }
  }
  return out;
}

}  // namespace

std::vector<std::int64_t> positions(const Fftw3Case& problem, bool out) {
  std::vector<std::int64_t> at{0};
  const auto extend = [&](std::int64_t n, std::int64_t stride) {
    std::vector<std::int64_t> next;
    for (const std::int64_t base : at) {
      for (std::int64_t i = 0; i < n; ++i) next.push_back(base + i * stride);
    }
    at = std::move(next);
  };
  for (const Fftw3Dim& loop : problem.loops) extend(loop.n, out ? loop.os : loop.is);
  for (std::size_t d = 0; d < problem.dims.size(); ++d)
    extend(problem.length(d, out), out ? problem.dims[d].os : problem.dims[d].is);
  return at;
}

std::vector<Value> transform(const Fftw3Case& problem, const std::vector<Value>& in) {
  std::vector<std::int64_t> lengths{1};
  for (const Fftw3Dim& loop : problem.loops) lengths[0] *= loop.n;
  const std::size_t rank = problem.dims.size();
  for (std::size_t d = 0; d < rank; ++d) lengths.push_back(problem.length(d, false));
  std::vector<Value> values = in;
  if (problem.kind == Fftw3Kind::kC2R && rank == 0) {
    for (Value& value : values) value = value.real();
  }
  const bool halved = problem.kind == Fftw3Kind::kR2C || problem.kind == Fftw3Kind::kC2R;
  const int sign = problem.kind == Fftw3Kind::kC2C ? problem.sign : problem.kind == Fftw3Kind::kC2R ? 1 : -1;
  for (std::size_t d = 0; d < rank; ++d) {
    if (halved && d + 1 == rank) continue;
    values = along(values, lengths, d + 1, lengths[d + 1], [&](const Line& line) {
      return problem.kind == Fftw3Kind::kR2R ? r2r(line, problem.kinds[d]) : dft(line, sign);
    });
  }
  if (!halved || rank == 0) return values;
  const std::int64_t n = problem.dims.back().n;
  if (problem.kind == Fftw3Kind::kC2R) return along(values, lengths, rank, n, [&](const Line& line) { return real_of(line, n); });
  return along(values, lengths, rank, n / 2 + 1, [&](const Line& line) { return dft(line, -1); });
}

}  // namespace ulpfft::test
