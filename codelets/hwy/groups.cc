// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "codelets/hwy/groups.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace ulpfft::conversion {
namespace {

// Whole groups, at either end so many numbers apart.
template <int kGroup, typename From, typename To>
void move_whole(const From* from, std::int64_t from_stride, To* to, std::int64_t to_stride, std::int64_t groups) {
  for (std::int64_t g = 0; g < groups; ++g, from += from_stride, to += to_stride) {
    if constexpr (std::is_same_v<From, To>) {
      std::memcpy(to, from, kGroup * sizeof(To));
    } else {
      for (int l = 0; l < kGroup; ++l) to[l] = static_cast<To>(from[l]);
    }
  }
}

template <typename From, typename To>
void move_adjacent(const From* from, To* to, std::int64_t count) {
  if constexpr (std::is_same_v<From, To>) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(To));
  } else {
    std::transform(from, from + count, to, [](From x) { return static_cast<To>(x); });
  }
}

// From the number `inside` of a group on.
template <typename From, typename To>
void move(const From* from, std::int64_t from_stride, To* to, std::int64_t to_stride, std::int64_t group, std::int64_t inside, std::int64_t count) {
  if (inside == 0 && group == 1) return move_whole<1>(from, from_stride, to, to_stride, count);
  if (inside == 0 && group == 2 && count % 2 == 0) return move_whole<2>(from, from_stride, to, to_stride, count / 2);
  while (count > 0) {
    const std::int64_t length = std::min(group - inside, count);
    move_adjacent(from, to, length);
    from += length + from_stride - group;
    to += length + to_stride - group;
    count -= length;
    inside = 0;
  }
}

}  // namespace

template <typename From, typename To>
void gather(const From* row, std::int64_t group, std::int64_t stride, std::int64_t begin, std::int64_t count, To* to) {
  if (group == 0) return move_adjacent(row + begin, to, count);
  move(row + begin / group * stride + begin % group, stride, to, group, group, begin % group, count);
}

template <typename From, typename To>
void scatter(const From* from, std::int64_t group, std::int64_t stride, std::int64_t begin, std::int64_t count, To* row) {
  if (group == 0) return move_adjacent(from, row + begin, count);
  move(from, group, row + begin / group * stride + begin % group, stride, group, begin % group, count);
}

template void gather(const std::uint8_t*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::uint8_t*);
template void gather(const std::uint16_t*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::uint16_t*);
template void gather(const float*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, float*);
template void gather(const float*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, double*);
template void gather(const double*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, float*);
template void gather(const double*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, double*);
template void scatter(const std::uint8_t*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::uint8_t*);
template void scatter(const std::uint16_t*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::uint16_t*);
template void scatter(const float*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, float*);
template void scatter(const float*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, double*);
template void scatter(const double*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, float*);
template void scatter(const double*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, double*);

}  // namespace ulpfft::conversion
