// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The transform of length 13 by cyclic convolutions over the powers of the generator 2.
//
// With pairs s_j, d_j = x_j +- x_{13-j} and j = +-2^a:
//   cosines   A_b = sum_a c_{a+b} s_a, cyclic of length 6 = 2 x 3; the half symmetric under a -> a + 3 has a kernel whose
//             mean is -1/12, so one mean and two differences remain
//   sines     B_b = sum_a sigma_{a+b} d_a with sigma_{a+6} = -sigma_a: cyclic of length 3 over pairs (p, q) = p + q z,
//             z^2 = -1, as a mod 12 is (a mod 4, a mod 3); again mean and two differences
// 240 real operations, against 336 by pairs alone; no constant exceeds 1 and no difference of near-equal values is taken that
// the pairs do not take.
#ifndef ULPFFT_GENFFT_ALGORITHM_DFT_13_H_
#define ULPFFT_GENFFT_ALGORITHM_DFT_13_H_

#include "genfft/algorithm/dft.h"

namespace ulpfft::genfft {

Points dft_13(Arithmetic& m, const Points& x);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_ALGORITHM_DFT_13_H_
