// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/r2r_sums.h"

#include <array>
#include <numbers>

#include "ulpfft/ulpfft.h"

namespace ulpfft_tool {
namespace {

using Complex = LongSums::Complex;

constexpr std::array<std::string_view, 11> kR2rNames = {"r2hc", "hc2r", "dht",  "dct1", "dct3", "dct2",
                                                       "dct4", "dst1", "dst3", "dst2", "dst4"};

constexpr std::array<std::string_view, 11> kOtherNames = {"",        "",        "hartley", "redft00", "redft01", "redft10",
                                                        "redft11", "rodft00", "rodft01", "rodft10", "rodft11"};

// Where number j of a line lies in its extension, and what it is multiplied by; or of which number of the transform, times that, result k
// is the real part.
struct Term {
  std::int64_t place;
  Complex weight;
};

Term input_term(int kind, std::int64_t n, std::int64_t j) {
  const auto weighs = [](bool once) { return Complex(once ? 1 : 2, 0); };
  switch (kind) {
    case ULPFFT_R2HC: case ULPFFT_DHT: return {j, 1};
    case ULPFFT_HC2R: return {j, 2 * j > n ? Complex(0, 2) : weighs(j == 0 || 2 * j == n)};
    case ULPFFT_REDFT00: return {j, weighs(j == 0 || j == n - 1)};
    case ULPFFT_REDFT01: return {j, weighs(j == 0)};
    case ULPFFT_RODFT00: return {j + 1, 2};
    case ULPFFT_RODFT01: return {j + 1, weighs(j == n - 1)};
    default: return {2 * j + 1, 2};
  }
}

Term output_term(int kind, std::int64_t n, std::int64_t k) {
  const Complex re(1, 0), minus_im(0, 1);
  switch (kind) {
    case ULPFFT_R2HC: return {k, 2 * k > n ? minus_im : re};
    case ULPFFT_HC2R: case ULPFFT_REDFT00: case ULPFFT_REDFT10: return {k, re};
    case ULPFFT_DHT: return {k, re + minus_im};
    case ULPFFT_REDFT01: case ULPFFT_REDFT11: return {2 * k + 1, re};
    case ULPFFT_RODFT00: case ULPFFT_RODFT10: return {k + 1, minus_im};
    default: return {2 * k + 1, minus_im};
  }
}

// The numbers that scale=ortho multiplies by sqrt 2 in the input, or divides by it in the output.
bool is_end_of_input(int kind, std::int64_t n, std::int64_t j) {
  if (kind == ULPFFT_REDFT00) return j == 0 || j == n - 1;
  return (kind == ULPFFT_REDFT01 && j == 0) || (kind == ULPFFT_RODFT01 && j == n - 1);
}
bool is_end_of_output(int kind, std::int64_t n, std::int64_t k) {
  if (kind == ULPFFT_REDFT00) return k == 0 || k == n - 1;
  return (kind == ULPFFT_REDFT10 && k == 0) || (kind == ULPFFT_RODFT10 && k == n - 1);
}

}  // namespace

std::optional<int> r2r_kind(std::string_view name) {
  for (std::size_t kind = 0; kind < kR2rNames.size() && !name.empty(); ++kind) {
    if (name == kR2rNames[kind] || name == kOtherNames[kind]) return static_cast<int>(kind);
  }
  return {};
}

std::int64_t extended_length(int kind, std::int64_t n) {
  switch (kind) {
    case ULPFFT_R2HC: case ULPFFT_HC2R: case ULPFFT_DHT: return n;
    case ULPFFT_REDFT00: return 2 * (n - 1);
    case ULPFFT_RODFT00: return 2 * (n + 1);
    case ULPFFT_REDFT11: case ULPFFT_RODFT11: return 8 * n;
    default: return 4 * n;
  }
}

std::int64_t logical_length(int kind, std::int64_t n) {
  switch (kind) {
    case ULPFFT_R2HC: case ULPFFT_HC2R: case ULPFFT_DHT: return n;
    case ULPFFT_REDFT00: return 2 * (n - 1);
    case ULPFFT_RODFT00: return 2 * (n + 1);
    default: return 2 * n;
  }
}

std::vector<Complex> r2r_line(int kind, const LongSums& sums, const std::vector<Complex>& line, bool weighted) {
  const auto n = static_cast<std::int64_t>(line.size());
  std::vector<Complex> extended(static_cast<std::size_t>(extended_length(kind, n))), spectrum(extended.size());
  for (std::int64_t j = 0; j < n; ++j) {
    const Term term = input_term(kind, n, j);
    const long double weight = weighted && is_end_of_input(kind, n, j) ? std::numbers::sqrt2_v<long double> : 1.0L;
    extended[static_cast<std::size_t>(term.place)] = line[static_cast<std::size_t>(j)].real() * weight * term.weight;
  }
  sums.all(extended.data(), spectrum.data());
  std::vector<Complex> out;
  for (std::int64_t k = 0; k < n; ++k) {
    const Term term = output_term(kind, n, k);
    const long double weight = weighted && is_end_of_output(kind, n, k) ? std::numbers::sqrt2_v<long double> / 2 : 1.0L;
    out.emplace_back(weight * (term.weight * spectrum[static_cast<std::size_t>(term.place)]).real(), 0);
  }
  return out;
}

}  // namespace ulpfft_tool
