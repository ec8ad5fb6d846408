// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The discrete Fourier transform of every small length, as arithmetic on complex expressions.
//
//   powers of two    conjugate-pair split radix (Kamar and Elcherif, 1989): 4 n log2 n - 6 n + 8 real operations
//   3 5 7 11 17..31  primes but 13: pairs x_j +- x_{n-j}; 5 by way of sqrt(5) / 4
//   13               pairs; cosines as a cyclic convolution of length 6 = 2 x 3, sines as a cyclic one of length 3 over z^2 + 1
//   6 10 .. 35 39    coprime factors: prime factor algorithm (no internal twiddles)
//   9, 25, 27        Cooley-Tukey
//   2^a times those  prime factor algorithm: the extensions of real.cc, of up to 256 points
#ifndef ULPFFT_GENFFT_ALGORITHM_DFT_H_
#define ULPFFT_GENFFT_ALGORITHM_DFT_H_

#include <vector>

#include "genfft/algorithm/complex_expr.h"

namespace ulpfft::genfft {

using Points = std::vector<Complex>;

// y_q = sum_j x_j exp(-2 pi i j q / n), n = x.size().
Points dft(Arithmetic& m, const Points& x);

// The whole body: inputs, transform, stores.
Body make_body(const BodySpec& spec, std::shared_ptr<ConstantPool> constants);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_ALGORITHM_DFT_H_
