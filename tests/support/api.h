// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The C interface as tests use it: owners, the last error as a value, texts freed.
#ifndef ULPFFT_TESTS_SUPPORT_API_H_
#define ULPFFT_TESTS_SUPPORT_API_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ulpfft/ulpfft.h"

namespace ulpfft::test {

struct ContextDelete {
  void operator()(ulpfft_context* context) const { ulpfft_context_destroy(context); }
};
struct PlanDelete {
  void operator()(ulpfft_plan* plan) const { ulpfft_plan_destroy(plan); }
};
using ContextPtr = std::unique_ptr<ulpfft_context, ContextDelete>;
using PlanPtr = std::unique_ptr<ulpfft_plan, PlanDelete>;

struct LastError {
  ulpfft_status status = ULPFFT_OK;
  std::string message;
  std::string field;
  std::size_t begin = 0;
  std::size_t end = 0;
};
LastError last_error();

// "status name: message [field]", of the last error.
std::string last_error_text();

// Copies and frees a text of the library; "" for NULL.
std::string take(char* text);

// Null, and a test failure naming the request, when the library refuses.
ContextPtr make_context(const char* target = nullptr);
// Most tests want a choice made by timing, not the best one; where all that measure effort times shall be timed, however busy the machine, kNoHurry.
inline constexpr double kNoHurry = 60;
PlanPtr make_plan(ulpfft_context* context, const std::string& problem, int effort = ULPFFT_ESTIMATE, double seconds = 0.1);
PlanPtr make_plan(ulpfft_context* context, const std::string& problem, const std::string& recipe);
// Null, without a failure, when the library refuses.
PlanPtr try_plan(ulpfft_context* context, const std::string& problem, const std::string& recipe);

std::string recipe_of(const ulpfft_plan* plan);
std::uint64_t hash_of(const ulpfft_plan* plan);
std::vector<std::string> candidates_of(const ulpfft_plan* plan);

// A struct of the interface, zeroed, `size` set.
template <typename T>
T sized() {
  T value{};
  value.size = sizeof(T);
  return value;
}

template <typename T>
struct Storage;
template <>
struct Storage<float> {
  static constexpr const char* kName = "f32";
  static constexpr double kUnitRoundoff = 0x1p-24;
};
template <>
struct Storage<double> {
  static constexpr const char* kName = "f64";
  static constexpr double kUnitRoundoff = 0x1p-53;
};

// True when ULPFFT_TEST_FULL is set in the environment: the long sweeps.
bool full_run();

// A seed for a case, from its text: cases keep their data when others come and go.
std::uint64_t seed_of(std::string_view text);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_API_H_
