// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Images of reals: both dimensions of a two-dimensional transform in one pass, a few images at a time.
//
// An image is `columns.n` rows of `rows.n` adjacent reals, and images do not overlap. The pass has the bits of two passes of kReal, first
// along the rows, then along the columns, with what the ends of either multiply.
//   PassArgs   in, out: point_stride is the distance of rows, lane_stride 1. axes[0]: images. scale multiplies what is loaded. table: an
//              ImagePass. ahead.fetches: the next images, and where these go, are fetched. The two ends may be the same images.
#ifndef ULPFFT_CODELETS_CONTRACT_REAL_IMAGES_H_
#define ULPFFT_CODELETS_CONTRACT_REAL_IMAGES_H_

#include <algorithm>
#include <cstdint>

#include "codelets/contract/codelet.h"

namespace ulpfft {

// One dimension: its body, and what happens to its reals before and after that. A DST is a DCT whose ends change signs and run backwards
// (kReal in codelet.h).
struct ImageLines {
  WholeFn body = nullptr;  // CodeletInfo::whole of kReal
  int n = 0;
  bool negates_in = false, negates_out = false;      // reals of odd index
  bool backwards_in = false, backwards_out = false;  // the body's real j is real n - 1 - j
  double first_in = 1, last_in = 1;                  // multiply the first real and the last one
  double first_out = 1, last_out = 1;
};

struct ImagePass : ContextOf<ImagePass> {
  ImageLines rows, columns;
};

// Two tiles stay in L1. Rows of a tile hold a real of every line, and are whole vectors.
inline constexpr int kImageTileBytes = 8 << 10;

// Whether `images` of n0 rows of n1 reals fit the tiles of a target with `lanes` lanes.
constexpr bool images_fit(std::int64_t images, std::int64_t n0, std::int64_t n1, int lanes, int real_bytes) {
  const auto whole = [lanes](std::int64_t reals) { return (reals + lanes - 1) / lanes * lanes; };
  return std::max(n1 * whole(images * n0), n0 * whole(images * n1)) * real_bytes <= kImageTileBytes;
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_REAL_IMAGES_H_
