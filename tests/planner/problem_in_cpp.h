// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Problems of the C++ interface, whose names are those of the library inside: a file of its own keeps the two apart.
#ifndef ULPFFT_TESTS_PLANNER_PROBLEM_IN_CPP_H_
#define ULPFFT_TESTS_PLANNER_PROBLEM_IN_CPP_H_

#include <cstddef>
#include <functional>
#include <string_view>

#include "ulpfft/ulpfft.h"

namespace ulpfft::test {

// Calls `use` with "8 f32", or the other problem that a word needs, and the member of that word set in the C++ interface. False: this file
// has no member for the word.
bool use_problem_in_cpp(std::string_view word, const std::function<void(const ulpfft_problem&)>& use);
std::size_t members_in_cpp();

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_PROBLEM_IN_CPP_H_
