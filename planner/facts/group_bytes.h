// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How many bytes of a problem are in the workspace at once, and in the caches.
#ifndef ULPFFT_PLANNER_FACTS_GROUP_BYTES_H_
#define ULPFFT_PLANNER_FACTS_GROUP_BYTES_H_

#include <cstdint>

namespace ulpfft {

// A group of transforms that are decoded together, with the scratch of one of them. Calls and set-up take little time beside such a group,
// and it leaves half of L1 to the passes. A transform that takes more than half of it is decoded tile by tile (staged_line.h).
inline constexpr std::int64_t kStoredGroupBytes = 8 << 10;

// A group of transforms of a chain, whose whole spectra wait for the way back.
inline constexpr std::int64_t kChainGroupBytes = 2 * kStoredGroupBytes;

// Lines of a real node that go through its passes together: a group stays in L1, and short lines share the cost of a call.
inline constexpr std::int64_t kRealGroupBytes = kStoredGroupBytes;

// Lines of r2r side by side go through their passes together, so many that runs of memory are not shorter.
inline constexpr std::int64_t kLeastRunBytes = 64;

// The second cache of the machines measured.
inline constexpr std::int64_t kL2 = 1 << 20;

// The most elements that padding of one transform may take.
inline constexpr std::int64_t kWorkspacePadding = 64;

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_GROUP_BYTES_H_
