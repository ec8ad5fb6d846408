// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Plans for CUDA in tests that have a driver without a device.
#ifndef ULPFFT_TESTS_CUDA_PLAN_ON_CUDA_H_
#define ULPFFT_TESTS_CUDA_PLAN_ON_CUDA_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/support/api.h"
#include "tests/support/fake_driver.h"
#include "tests/support/targets.h"

namespace ulpfft::test {

inline ulpfft_context* context() { return ref_target().context; }

// Null where the library refuses.
inline PlanPtr plan_of(const std::string& problem, int effort = ULPFFT_ESTIMATE, double time_limit_seconds = 0) {
  ulpfft_plan* plan = nullptr;
  auto options = sized<ulpfft_plan_options>();
  options.effort = effort;
  options.time_limit_seconds = time_limit_seconds;
  static_cast<void>(ulpfft_plan_parse_options(context(), (problem + " backend=cuda").c_str(), &options, &plan));
  return PlanPtr(plan);
}

// The bits and the predicted error that ref has for the recipe; without one, for the recipe that is planned.
inline void expect_bits_of_ref(const std::string& problem, const std::string& given = "") {
  const PlanPtr plan = given.empty() ? plan_of(problem) : make_plan(context(), problem + " backend=cuda", given);
  ASSERT_NE(plan, nullptr) << problem << ": " << last_error_text();
  const std::string recipe = recipe_of(plan.get());
  const PlanPtr judge = make_plan(context(), problem, recipe);
  ASSERT_NE(judge, nullptr) << problem << " " << recipe;
  std::uint64_t hash = 0, expected = 0;
  ASSERT_EQ(ulpfft_plan_hash(plan.get(), &hash), ULPFFT_OK) << problem << " " << recipe << ": " << last_error_text();
  ASSERT_EQ(ulpfft_plan_hash(judge.get(), &expected), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(hash, expected) << problem << " " << recipe;
  EXPECT_DOUBLE_EQ(ulpfft_plan_error(plan.get()), ulpfft_plan_error(judge.get())) << problem << " " << recipe;
}

inline void expect_no_faults(const FakeDriver& driver) { EXPECT_TRUE(driver.faults().empty()) << driver.faults().front(); }

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_CUDA_PLAN_ON_CUDA_H_
