// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#ifndef ULPFFT_TESTS_PLANNER_MEMBERS_OF_H_
#define ULPFFT_TESTS_PLANNER_MEMBERS_OF_H_

#include <cstddef>
#include <utility>

namespace ulpfft::test {

struct AnyValue {
  template <typename T>
  operator T() const;
};

// How many members a struct without arrays has: the most values that one can begin with.
template <typename T, typename... Values>
constexpr std::size_t members_of() {
  if constexpr (requires { T{std::declval<Values>()..., AnyValue{}}; }) {
    return members_of<T, Values..., AnyValue>();
  } else {
    return sizeof...(Values);
  }
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_MEMBERS_OF_H_
