// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Codes and reals that lie in groups (ConversionArgs), from and to adjacent ones. Compiled once for all targets: no vectors here.
#ifndef ULPFFT_CODELETS_HWY_GROUPS_H_
#define ULPFFT_CODELETS_HWY_GROUPS_H_

#include <cstdint>

namespace ulpfft::conversion {

// Numbers begin .. begin + count - 1 of a row: groups of `group` adjacent ones, `stride` apart; group = 0: all adjacent. From and To are both
// std::uint8_t, both std::uint16_t, or types of reals.
template <typename From, typename To>
void gather(const From* row, std::int64_t group, std::int64_t stride, std::int64_t begin, std::int64_t count, To* to);
template <typename From, typename To>
void scatter(const From* from, std::int64_t group, std::int64_t stride, std::int64_t begin, std::int64_t count, To* row);

}  // namespace ulpfft::conversion

#endif  // ULPFFT_CODELETS_HWY_GROUPS_H_
