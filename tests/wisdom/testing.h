// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the tests of this folder share.
#ifndef ULPFFT_TESTS_WISDOM_TESTING_H_
#define ULPFFT_TESTS_WISDOM_TESTING_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "wisdom/entry.h"
#include "wisdom/error.h"
#include "wisdom/store.h"

namespace ulpfft::testing {

// The PlanError a call throws; a test failure where it throws none.
template <typename Call>
PlanError error_of(Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (const PlanError& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ULPFFT_OK, "", ""};
}

// True when ULPFFT_TEST_FULL is set in the environment: the long runs.
inline bool full_run() { return std::getenv("ULPFFT_TEST_FULL") != nullptr; }

inline std::int64_t draw(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

inline Entry entry_of(std::string problem, std::string machine = "x86.25.17.avx3") {
  Entry entry;
  entry.problem_key = std::move(problem);
  entry.machine = std::move(machine);
  entry.recipe = "f32:dit(16 16)";
  entry.digest = 0x0123456789abcdef;
  entry.seconds = 1.25e-7;
  entry.spread = 0.01;
  entry.error = 1.1e-7;
  entry.library_version = "0.1.0";
  return entry;
}

// Everything of entry_of() is usable here.
inline ImportPolicy policy_here() {
  return {{"x86.25.17.avx3"},
          [](const Problem&, const Recipe&, const std::string&) { return std::optional<std::uint64_t>(0x0123456789abcdef); }};
}

}  // namespace ulpfft::testing

#endif  // ULPFFT_TESTS_WISDOM_TESTING_H_
