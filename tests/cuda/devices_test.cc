// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Plans on devices of every class: with less shared memory, another cache, or too old.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/backend/cuda/kernels.h"
#include "tests/cuda/plan_on_cuda.h"
#include "tests/support/sample.h"

namespace ulpfft::test {
namespace {

constexpr std::int64_t kMostPoints = std::int64_t{1} << 22;

// All products of 2, 3, 5 and 7. CUDA computes no other lengths.
std::vector<std::int64_t> smooth_lengths() {
  std::vector<std::int64_t> lengths = {1};
  for (const std::int64_t prime : {2, 3, 5, 7}) {
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      if (lengths[i] * prime <= kMostPoints) lengths.push_back(lengths[i] * prime);
    }
  }
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(lengths.begin());
  return lengths;
}

bool is_power_of_two(std::int64_t n) { return (n & (n - 1)) == 0; }

// One line, lines side by side, and matrices whose columns are as long.
std::vector<std::string> problems_of(std::int64_t n) {
  const std::string length = std::to_string(n);
  std::vector<std::string> problems;
  for (const char* storage : {" f64", " f32", " f16", " bf16", " f16->f32", " f32->bf16"}) {
    problems.push_back(length + storage);
    if (std::string(storage).find("->") == std::string::npos) problems.push_back(length + storage + " inverse inplace");
    problems.push_back(length + "*3" + storage);
    problems.push_back(length + "*3" + storage + " in_strides=3 out_strides=3 batch_strides=1,1");
    if (n <= 4096) problems.push_back(length + "x8" + storage);
  }
  return problems;
}

// What the device that has most plans, every device plans, and nothing else.
TEST(CudaDevices, OfEveryClassPlanEveryLength) {
  Sampler lengths(full_run() ? 1 : 23), problems(full_run() ? 1 : 17);
  int planned = 0;
  for (const std::int64_t n : smooth_lengths()) {
    const bool is_taken = lengths.next() || is_power_of_two(n);
    for (const std::string& problem : problems_of(n)) {
      if (!is_taken || !problems.next()) continue;
      std::optional<bool> is_planned;
      for (const FakeClass& of : kFakeClasses) {
        const FakeDriver driver({.device = of.device});
        const PlanPtr plan = plan_of(problem);
        const bool here = plan != nullptr;
        if (!is_planned) is_planned = here;
        EXPECT_EQ(here, *is_planned) << problem << " on " << of.name << ": " << last_error_text();
        if (!here) {
          EXPECT_EQ(last_error().status, ULPFFT_UNSUPPORTED) << problem << " on " << of.name << ": " << last_error_text();
        }
        expect_no_faults(driver);
      }
      EXPECT_TRUE(*is_planned || !is_power_of_two(n)) << problem;
      planned += *is_planned ? 1 : 0;
    }
  }
  EXPECT_GT(planned, 10);
}

// Lengths whose kernels take more shared memory than these devices have.
TEST(CudaDevices, OfLittleSharedMemoryGiveTheBitsOfRef) {
  for (const FakeClass& of : kFakeClasses) {
    if (of.device.shared_bytes > 101376) continue;
    const FakeDriver driver({.device = of.device});
    for (const char* problem : {"16384*2 f32", "8192 f64 inverse", "16384 f16 inplace", "4096*2 f32 in_strides=2 out_strides=2 "
                                "batch_strides=1,1", "2048*5 f32 in_strides=5 out_strides=5 batch_strides=1,1", "2048x8 f64",
                                "2048*9 f16 inverse inplace in_strides=9 out_strides=9 batch_strides=1,1",
                                "2048x8 bf16 centered", "2048x8 f16"}) {
      expect_bits_of_ref(problem);
    }
    expect_no_faults(driver);
  }
}

TEST(CudaDevices, OfLittleSharedMemoryRefuseARecipeByASentence) {
  const FakeDriver driver({.device = {.capability = 89, .shared_bytes = 101376}});
  for (const char* recipe : {"f32:dit(32 32 16)", "f32:dit(16 16 8 8)", "f32:dit(16 16 16 4)"}) {
    ulpfft_plan* plan = nullptr;
    EXPECT_NE(ulpfft_plan_from_recipe(context(), "16384 f32 backend=cuda", recipe, &plan), ULPFFT_OK) << recipe;
  }
  const cuda::KernelInfo& kernel = *cuda::find_kernel("f32_rows_16384");
  ulpfft_plan* plan = nullptr;
  EXPECT_NE(ulpfft_plan_from_recipe(context(), "16384 f32 backend=cuda", kernel.recipe, &plan), ULPFFT_OK);
  const char* const words = "A block of the kernel f32_rows_16384 takes 139264 bytes of shared memory, and the device has 101376";
  EXPECT_NE(last_error().message.find(words), std::string::npos) << last_error_text();
  expect_no_faults(driver);
}

TEST(CudaDevices, OfFewRegistersHaveNoLargeKernels) {
  const FakeDriver driver({.device = {.registers = 32768}});
  EXPECT_EQ(recipe_of(plan_of("16384 f32").get()).find("f32:four("), 0u);
  expect_no_faults(driver);
}

// The matrix between two sweeps takes a part of the cache. Bits do not depend on it.
TEST(CudaDevices, HoldWhatTheirCacheHolds) {
  const auto plan_with = [](std::size_t megabytes) {
    const FakeDriver driver({.device = {.cache_bytes = megabytes << 20}});
    const PlanPtr plan = plan_of("65536*100 f32");
    EXPECT_NE(plan, nullptr) << last_error_text();
    expect_bits_of_ref("32768*9 f32");
    expect_no_faults(driver);
    return ulpfft_plan_workspace_bytes(plan.get());
  };
  EXPECT_EQ(plan_with(50), std::size_t{24} << 20);
  EXPECT_EQ(plan_with(1), std::size_t{65536 * 8});
  EXPECT_LT(plan_with(6), std::size_t{3} << 20);
  EXPECT_EQ(plan_with(126), std::size_t{50} << 20) << "all of it";
}

TEST(CudaDevices, OlderThanTheKernelsAreNamed) {
  const FakeDriver driver({.device = {.capability = 75, .shared_bytes = 65536}});
  const PlanPtr plan = plan_of("16384 f32");
  ASSERT_NE(plan, nullptr) << last_error_text();
  std::vector<float> in(32768), out(32768);
  EXPECT_EQ(ulpfft_execute(plan.get(), in.data(), out.data()), ULPFFT_UNAVAILABLE);
  EXPECT_NE(last_error().message.find("it is an sm_75, and the kernels need sm_80 or later"), std::string::npos) << last_error_text();
  EXPECT_EQ(driver.live(), 0);
}

}  // namespace
}  // namespace ulpfft::test
