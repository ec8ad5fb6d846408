// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The sizes that the structs of the C interface were published with.
//
// A struct that grows gets the offset of its first new member here; ulpfft_problem has it in the row of that field
// (wisdom/problem_fields.cc). A size between two versions cuts a member, and is refused; one beyond today's comes from a later header, and
// the members that are not known here are ignored.
#ifndef ULPFFT_PLANNER_API_STRUCT_SIZES_H_
#define ULPFFT_PLANNER_API_STRUCT_SIZES_H_

#include <array>
#include <cstddef>
#include <type_traits>

#include "ulpfft/ulpfft.h"
#include "wisdom/problem_fields.h"

namespace ulpfft {

// Sizes of versions before today's, ascending.
template <typename T>
inline constexpr std::array<std::size_t, 0> kEarlierSizes{};
template <>
inline constexpr std::array<std::size_t, 2> kEarlierSizes<ulpfft_context_options>{offsetof(ulpfft_context_options, threads),
                                                                                  offsetof(ulpfft_context_options, max_memory)};
template <>
inline constexpr std::array<std::size_t, 3> kEarlierSizes<ulpfft_plan_options>{
    offsetof(ulpfft_plan_options, flags), offsetof(ulpfft_plan_options, judge), offsetof(ulpfft_plan_options, max_memory)};
template <>
inline constexpr std::array<std::size_t, 2> kEarlierSizes<ulpfft_array>{offsetof(ulpfft_array, saturated),
                                                                        offsetof(ulpfft_array, underflowed)};
template <>
inline constexpr std::array<std::size_t, 1> kEarlierSizes<ulpfft_candidate>{offsetof(ulpfft_candidate, kind)};
template <>
inline constexpr std::array<std::size_t, 1> kEarlierSizes<ulpfft_format>{offsetof(ulpfft_format, kind)};
template <>
inline constexpr std::array<std::size_t, 1> kEarlierSizes<ulpfft_wisdom_entry>{offsetof(ulpfft_wisdom_entry, threads)};

template <typename T>
constexpr decltype(auto) earlier_sizes() noexcept {
  if constexpr (std::is_same_v<T, ulpfft_problem>) {
    return earlier_problem_sizes();
  } else {
    return (kEarlierSizes<T>);
  }
}

template <typename T>
constexpr bool is_published_size(std::size_t size) noexcept {
  if (size >= sizeof(T)) return true;
  for (const std::size_t earlier : earlier_sizes<T>()) {
    if (size == earlier) return true;
  }
  return false;
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_API_STRUCT_SIZES_H_
