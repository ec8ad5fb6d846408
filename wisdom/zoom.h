// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The frequencies of a chirp transform: y[k] = sum_j x[j] exp(-2 pi i j (start + k step)), k = 0 .. points - 1.
//
// Units    start and step are fractions of the sampling rate, as exact as they are given. Whole numbers of turns do not matter, and both
//          may be negative. turn.h has their angles.
#ifndef ULPFFT_WISDOM_ZOOM_H_
#define ULPFFT_WISDOM_ZOOM_H_

#include <cstdint>

namespace ulpfft {

struct Zoom {
  std::int64_t points = 0;  // 0: as many as there are inputs
  double start = 0;
  double step = 0;          // 0: 1 / points, exactly
  bool operator==(const Zoom&) const = default;
};

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_ZOOM_H_
