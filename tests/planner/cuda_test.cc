// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Plans for CUDA, from the C interface to the twins of kernels, over a driver without a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/fake_driver.h"
#include "tests/support/signals.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft::test {
namespace {

ulpfft_context* context() { return ref_target().context; }

PlanPtr plan_of(const std::string& problem, int effort = ULPFFT_ESTIMATE) {
  ulpfft_plan* plan = nullptr;
  auto options = sized<ulpfft_plan_options>();
  options.effort = effort;
  static_cast<void>(ulpfft_plan_parse_options(context(), (problem + " backend=cuda").c_str(), &options, &plan));
  return PlanPtr(plan);
}

// The same bits as ref has for the recipe.
void expect_bits_of_ref(const std::string& problem) {
  const PlanPtr plan = plan_of(problem);
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

// ---- bits

TEST(CudaPlans, HaveTheBitsOfRefForEveryLengthWithAKernel) {
  const FakeDriver driver;
  for (const char* storage : {"f32", "f64", "f16", "bf16"}) {
    for (const int n : {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192}) expect_bits_of_ref(std::to_string(n) + " " + storage);
  }
  for (const int n : {3, 5, 7, 9, 15, 25, 27, 49, 81, 100, 105, 125, 243, 315, 343, 360, 768, 729, 1280, 1920, 16384}) {
    expect_bits_of_ref(std::to_string(n) + "*3 f32");
  }
  EXPECT_TRUE(driver.faults().empty()) << driver.faults().front();
}

TEST(CudaPlans, HaveTheBitsOfRefInOneOfEveryShape) {
  const FakeDriver driver;
  for (const char* problem : {
           "64*1000 f32", "64*3 f32 inverse", "64*3 f32 inplace", "64*3 f32 scale=0.3", "64*3 f32 inverse scale=ortho inplace",
           "64*3 f32 batch_strides=70,80", "64*3 f32 in_strides=3 out_strides=3 batch_strides=1,1", "16*3x5x7 f32 batch_strides=800,150,20,900,160,21",
           "8*2x2x2x2x3 f64 batch_strides=4096,1024,300,80,16,4096,1024,300,80,16",
           "16x32 f32", "16x32*5 f64 inverse", "8x16x32 f32 inplace", "8x16x32 f64 scale=1/n", "1x64 f32", "64x1 f32", "16x16*3 f16", "32x8 bf16 inverse",
           "64*5 f16->f32", "64*5 f32->f16", "64*5 f16->bf16", "64*5 f64->f32", "64*5 f32->f64", "64*5 f64->f16", "64*5 bf16->f64 inverse scale=1/n",
           "64*5 f16 scheme=f64", "64*5 f32 scheme=f64", "16x64 f16->f32", "4096 f16", "16384 bf16",
           "32768 f32", "131072 f64 inplace", "32768 f16", "65536 f32->f64 scale=ortho", "1024x64 f32",
       }) {
    expect_bits_of_ref(problem);
  }
  EXPECT_TRUE(driver.faults().empty()) << driver.faults().front();
}

}  // namespace
}  // namespace ulpfft::test
