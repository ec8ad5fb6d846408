// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Plans for CUDA in tests that have a driver without a device.
#ifndef ULPFFT_TESTS_CUDA_PLAN_ON_CUDA_H_
#define ULPFFT_TESTS_CUDA_PLAN_ON_CUDA_H_

#include <gtest/gtest.h>

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

inline void expect_no_faults(const FakeDriver& driver) { EXPECT_TRUE(driver.faults().empty()) << driver.faults().front(); }

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_CUDA_PLAN_ON_CUDA_H_
