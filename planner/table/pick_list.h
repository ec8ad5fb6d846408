// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Lists of kPick passes: how an r2r line of real numbers becomes numbers, whose complex transform holds the result, and where it lies there.
//
// An entry is 4 * (index of a real of the source) + factor, where factor 0 leaves a 0, and 1, 2 and 3 are those of PickFactors. The numbers
// are 2 reals each, re first.
//   odd n    The transform is one of n numbers. cos and sin of 2 pi q p / (4 n) and of 2 pi q p / (8 n) are those of 2 pi q' p' / n but for
//            a sign, because n has an inverse modulo 4 and 8: the lists permute, and their factors have the sign.
//   half     The same for odd n, where one end of the transform is n reals and the other one half of a spectrum: numbers 0 .. n/2. A number
//            j > n/2 is the conjugate of number n - j there.
//   dct1     n - 1 numbers are the 2 (n - 1) reals of the even extension.
//   dst1     n + 1 numbers are the 2 (n + 1) reals of the odd extension.
// Source     M. T. Heideman, IEEE Trans. Signal Processing 40 (1992) 54; S. C. Chan and K. L. Ho, IEEE Trans. CAS 39 (1992) 185.
#ifndef ULPFFT_PLANNER_TABLE_PICK_LIST_H_
#define ULPFFT_PLANNER_TABLE_PICK_LIST_H_

#include <cstdint>
#include <vector>

#include "planner/system/poll.h"
#include "wisdom/r2r_kind.h"

namespace ulpfft {

// Whether a line of n reals goes to numbers and back by lists.
constexpr bool is_picked(R2rKind kind, std::int64_t n) { return n % 2 == 1 || kind == R2rKind::kDCT1 || kind == R2rKind::kDST1; }
// The numbers that are transformed for n reals: n or n/2, but n - 1 of dct1 and n + 1 of dst1.
constexpr std::int64_t numbers_of(R2rKind kind, std::int64_t n) {
  if (kind == R2rKind::kDCT1 || kind == R2rKind::kDST1) return logical_length(kind, n) / 2;
  return n % 2 == 1 ? n : n / 2;
}
// Kinds of odd n whose numbers have im parts of 0, so that their transform is one from reals to half of a spectrum.
constexpr bool picks_reals(R2rKind kind) { return kind == R2rKind::kR2HC || kind == R2rKind::kDCT2 || kind == R2rKind::kDST2; }
// Kinds of odd n whose result is the re parts alone, so that their transform is one from half of a spectrum to reals.
constexpr bool picks_spectrum(R2rKind kind) { return kind == R2rKind::kHC2R || kind == R2rKind::kDCT3 || kind == R2rKind::kDST3; }
// The longest line that an entry of a list can index.
inline constexpr std::int64_t kLongestPick = std::int64_t{1} << 28;

// From the line to the 2 numbers_of() reals; `half`: to n reals, or to the n + 1 reals of half of a spectrum, of the kinds above.
std::vector<std::uint32_t> pick_to_numbers(R2rKind kind, std::int64_t n, bool half, Poll& poll);
// From the transformed numbers (dct1, dst1: from the spectrum of the extension) to the n reals of the line; `half`: from half of
// a spectrum, or from n reals.
std::vector<std::uint32_t> pick_from_numbers(R2rKind kind, std::int64_t n, bool half, Poll& poll);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_PICK_LIST_H_
