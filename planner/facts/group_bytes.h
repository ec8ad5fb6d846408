// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How much of a problem is in the workspace at once.
#ifndef ULPFFT_PLANNER_FACTS_GROUP_BYTES_H_
#define ULPFFT_PLANNER_FACTS_GROUP_BYTES_H_

#include <cstdint>

namespace ulpfft {

// A group of transforms that are decoded together, with what one of them works in: calls and set-up are small against it, and half of L1 is
// left to the passes. One that takes more than half of it is decoded tile by tile (stored_tiles.h).
inline constexpr std::int64_t kStoredGroupBytes = 8 << 10;

// Of a chain whole spectra wait for the way back.
inline constexpr std::int64_t kChainGroupBytes = 2 * kStoredGroupBytes;

// What padding of one transform may take, in elements.
inline constexpr std::int64_t kWorkspacePadding = 64;

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_GROUP_BYTES_H_
