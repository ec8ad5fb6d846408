// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Every body, as make_all_kernels() makes them: once for all tests of the program, because that takes seconds.
#ifndef ULPFFT_TESTS_GENFFT_ALL_KERNELS_H_
#define ULPFFT_TESTS_GENFFT_ALL_KERNELS_H_

#include <vector>

#include "genfft/pipeline.h"

namespace ulpfft::genfft {

inline const std::vector<Kernel>& all_kernels() {
  static const std::vector<Kernel> all = make_all_kernels();
  return all;
}

}  // namespace ulpfft::genfft

#endif  // ULPFFT_TESTS_GENFFT_ALL_KERNELS_H_
