// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How many bytes of a problem are in the workspace at once, and in the caches.
#ifndef ULPFFT_PLANNER_FACTS_GROUP_BYTES_H_
#define ULPFFT_PLANNER_FACTS_GROUP_BYTES_H_

#include <cstdint>

#include "planner/convert/side.h"

namespace ulpfft {

// A group of transforms that are decoded together, with the scratch of one of them. Calls and set-up take little time beside such a group,
// and it leaves half of L1 to the passes. A transform that takes more than half of it is decoded tile by tile (staged.h).
inline constexpr std::int64_t kStoredGroupBytes = 8 << 10;

// A group of transforms whose powers are stored: more of them, because passes over several lines fetch those that follow.
inline constexpr std::int64_t kPowerGroupBytes = 4 * kStoredGroupBytes;
// A group of transforms whose input is multiplied by a window, where short rows share loads of factors.
inline constexpr std::int64_t kWindowGroupBytes = 2 * kStoredGroupBytes;
inline std::int64_t group_bytes(const Sides& sides) {
  return sides.out.power ? kPowerGroupBytes : sides.in.windowed ? kWindowGroupBytes : kStoredGroupBytes;
}

// A group of transforms of a chain, whose whole spectra wait for the way back.
inline constexpr std::int64_t kChainGroupBytes = 2 * kStoredGroupBytes;

// Rows longer than this are cut where threads share them.
inline constexpr std::int64_t kPiecePoints = 4096;

// Lines of a real node that go through its passes together: a group stays in L1, and short lines share the cost of a call.
inline constexpr std::int64_t kRealGroupBytes = kStoredGroupBytes;

// Real numbers of one transform that are decoded whole, in the place of their spectrum, stay in the caches up to so many bytes, and that is
// faster: 1024x1024 i16->f16 in groups of lines 1.03, 2^20 panel by panel 1.04; 2048x2048 0.92, 4096x4096 0.87, 2^22 0.85.
inline constexpr std::int64_t kDecodedInPlace = 8 << 20;
// The same of one line that would be a copy beside the caller's spectrum: 2^18 panel by panel 1.03, 2^20 0.86, 2^22 0.82. Groups of lines
// are never slower than such a copy: 256x256 0.97, 1024x1024 0.87, 4096x4096 0.83.
inline constexpr std::int64_t kDecodedBeside = 2 << 20;

// Lines of r2r side by side go through their passes together, so many that runs of memory are not shorter.
inline constexpr std::int64_t kLeastRunBytes = 64;

// The second cache of the machines measured.
inline constexpr std::int64_t kL2Bytes = 1 << 20;

// The most elements that padding of one transform may take.
inline constexpr std::int64_t kWorkspacePadding = 64;

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_GROUP_BYTES_H_
