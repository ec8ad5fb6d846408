// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The kinds of transforms between real numbers. include/ulpfft/c/problem.h has their formulas.
#ifndef ULPFFT_WISDOM_R2R_KIND_H_
#define ULPFFT_WISDOM_R2R_KIND_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace ulpfft {

// The numbers are those of ULPFFT_R2HC, ULPFFT_HC2R, ...
enum class R2rKind : std::uint8_t { kR2HC, kHC2R, kDHT, kDCT1, kDCT3, kDCT2, kDCT4, kDST1, kDST3, kDST2, kDST4 };

// "r2hc", "hc2r", "dht", "dct1" .. "dct4", "dst1" .. "dst4".
std::string_view name_of(R2rKind kind);
// By one of these names, FFTW's (redft00, ...), or hartley.
std::optional<R2rKind> r2r_kind_named(std::string_view name);

// The kind that inverts it, up to a factor.
R2rKind inverse_of(R2rKind kind);

constexpr bool is_cosine_transform(R2rKind kind) { return kind >= R2rKind::kDCT1 && kind <= R2rKind::kDCT4; }
constexpr bool is_sine_transform(R2rKind kind) { return kind >= R2rKind::kDST1; }

// The kind of cosines whose transform, with signs and in another order, is that of a kind of sines; other kinds are their own.
R2rKind cosines_of(R2rKind kind);

// Whether scale=ortho gives ends of a line a weight of their own.
constexpr bool has_weighted_ends(R2rKind kind) {
  return kind >= R2rKind::kDCT1 && kind != R2rKind::kDCT4 && kind != R2rKind::kDST1 && kind != R2rKind::kDST4;
}

// The period of the input as the formula continues it: n of r2hc, hc2r and dht, 2 (n - 1) of dct1, 2 (n + 1) of dst1, else 2 n. A transform
// and then its inverse multiply by it.
constexpr std::int64_t logical_length(R2rKind kind, std::int64_t n) {
  return kind <= R2rKind::kDHT ? n : kind == R2rKind::kDCT1 ? 2 * (n - 1) : kind == R2rKind::kDST1 ? 2 * (n + 1) : 2 * n;
}

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_R2R_KIND_H_
