// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bodies of real transforms, out of complex ones whose inputs are real, symmetric or 0: what is known of an input folds away.
//
//   r2c              the complex transform of reals; points 0 .. n/2 are stored
//   c2r              the transpose of r2c, where the points between the first and the last count twice; or the complex transform of
//                    conjugate pairs
//   DHT              re - im of r2c
//   DCT-II           a rotated r2c: of x_0 x_2 x_4 .. x_5 x_3 x_1, by 4n-th roots; or the transform of length 4n of x at its odd points
//   DCT-III          the transpose of DCT-II, where the first output counts half
//   DCT-IV           r2c of neighbours' sums and differences, rotated before and after; or the transform of length 8n
//   DCT-I, DST-I     the transform of length 2 (n - 1) or 2 (n + 1) of the even or odd extension
// Which of two ways a body takes is decided by its operations after fusing (pipeline.cc).
// Source  J. Makhoul, IEEE Trans. ASSP 28 (1980) 27; M. Frigo, PLDI 1999, for the foldings.
#ifndef ULPFFT_GENFFT_ALGORITHM_REAL_H_
#define ULPFFT_GENFFT_ALGORITHM_REAL_H_

#include <memory>
#include <vector>

#include "genfft/kernel.h"

namespace ulpfft::genfft {

// Every way to compute it, before any pass but those a way consists of.
std::vector<Body> make_real_bodies(const BodySpec& spec, const std::shared_ptr<ConstantPool>& constants);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_ALGORITHM_REAL_H_
