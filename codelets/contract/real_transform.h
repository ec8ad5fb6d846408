// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms of real numbers as bodies compute them: their definitions, unnormalised, and the shape of their ends.
//
//   r2c     X_k = sum_j x_j exp(-2 pi i j k / n), k = 0 .. n/2
//   c2r     x_j = X_0 + (n even: (-1)^j X_(n/2)) + sum over 0 < k < n/2 of 2 re(X_k exp(2 pi i j k / n)); im of X_0 and X_(n/2) is not read
//   DHT     X_k = sum_j x_j (cos(2 pi j k / n) + sin(2 pi j k / n))
//   REDFT00 (DCT-I)   X_k = x_0 + (-1)^k x_(n-1) + 2 sum_(0 < j < n-1) x_j cos(pi j k / (n - 1)), n > 1
//   REDFT10 (DCT-II)  X_k = 2 sum_j x_j cos(pi (j + 1/2) k / n)
//   REDFT01 (DCT-III) X_k = x_0 + 2 sum_(j > 0) x_j cos(pi j (k + 1/2) / n)
//   REDFT11 (DCT-IV)  X_k = 2 sum_j x_j cos(pi (j + 1/2) (k + 1/2) / n)
//   RODFT00 (DST-I)   X_k = 2 sum_j x_j sin(pi (j + 1) (k + 1) / (n + 1))
//   RODFT10 (DST-II)  X_k = 2 sum_j x_j sin(pi (j + 1/2) (k + 1) / n)
//   RODFT01 (DST-III) X_k = (-1)^k x_(n-1) + 2 sum_(j < n-1) x_j sin(pi (j + 1) (k + 1/2) / n)
//   RODFT11 (DST-IV)  X_k = 2 sum_j x_j sin(pi (j + 1/2) (k + 1/2) / n)
//
// R2HC and HC2R have no body: they are r2c and c2r whose complex end has another order (Edge::half_complex).
// DST-II to DST-IV have no body: they are DCTs at whose ends signs alternate and indices run backward (kReal in codelet.h).
#ifndef ULPFFT_CODELETS_CONTRACT_REAL_TRANSFORM_H_
#define ULPFFT_CODELETS_CONTRACT_REAL_TRANSFORM_H_

#include <cstdint>

namespace ulpfft {

enum class RealTransform : std::uint8_t {
  kNone, kR2C, kC2R, kR2HC, kHC2R, kDHT,
  kRedft00, kRedft10, kRedft01, kRedft11, kRodft00, kRodft10, kRodft01, kRodft11
};

// Whether an end of a body is complex; the other ends are n reals.
constexpr bool has_complex_input(RealTransform t) { return t == RealTransform::kC2R; }
constexpr bool has_complex_output(RealTransform t) { return t == RealTransform::kR2C; }

// Points of a complex end of n reals.
constexpr int half_points(int n) { return n / 2 + 1; }

// Points that a body of n reals reads and writes.
constexpr int input_points(RealTransform t, int n) { return has_complex_input(t) ? half_points(n) : n; }
constexpr int output_points(RealTransform t, int n) { return has_complex_output(t) ? half_points(n) : n; }

// Whether im of point k of a complex end is 0.
constexpr bool is_real_point(int k, int n) { return k == 0 || 2 * k == n; }

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_REAL_TRANSFORM_H_
