// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The short forms: plans by lengths, memory for arrays, and operation counts as numbers.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "tests/support/api.h"

namespace ulpfft::test {
namespace {

std::string problem_of(ulpfft_plan* made) {
  const PlanPtr plan(made);
  return plan == nullptr ? last_error_text() : take(ulpfft_plan_problem(plan.get()));
}

TEST(ShortForms, SayTheProblemTheirTextSays) {
  EXPECT_EQ(problem_of(ulpfft_plan_1d(1000, "f64", ULPFFT_FORWARD, ULPFFT_ESTIMATE)), "1000 f64");
  EXPECT_EQ(problem_of(ulpfft_plan_1d(16, nullptr, ULPFFT_BACKWARD, ULPFFT_ESTIMATE)), "16 f32 inverse");
  EXPECT_EQ(problem_of(ulpfft_plan_2d(12, 20, "f32 inplace scale=1/n", ULPFFT_BACKWARD, ULPFFT_ESTIMATE)),
            "12x20 f32 inverse scale=1/n inplace");
  EXPECT_EQ(problem_of(ulpfft_plan_3d(4, 8, 16, "f16->f32", ULPFFT_FORWARD, ULPFFT_ESTIMATE)), "4x8x16 f16->f32");
}

TEST(ShortForms, MeasureWhereEffortIsZero) {
  const PlanPtr plan(ulpfft_plan_1d(64, "f32", ULPFFT_FORWARD, 0));
  ASSERT_NE(plan, nullptr) << last_error_text();
  EXPECT_GT(ulpfft_plan_seconds(plan.get()), 0);
}

TEST(ShortForms, ExecuteOnMemoryOfTheLibrary) {
  const PlanPtr plan(ulpfft_plan_2d(8, 8, "f32", ULPFFT_FORWARD, ULPFFT_ESTIMATE));
  ASSERT_NE(plan, nullptr) << last_error_text();
  auto* in = static_cast<float*>(ulpfft_malloc(128 * sizeof(float)));
  auto* out = static_cast<float*>(ulpfft_malloc(128 * sizeof(float)));
  ASSERT_TRUE(in != nullptr && out != nullptr);
  std::memset(in, 0, 128 * sizeof(float));
  in[0] = 1;
  ASSERT_EQ(ulpfft_execute(plan.get(), in, out), ULPFFT_OK) << last_error_text();
  for (int i = 0; i < 128; ++i) EXPECT_EQ(out[i], i % 2 == 0 ? 1.0F : 0.0F) << i;
  ulpfft_free(in);
  ulpfft_free(out);
}

TEST(ShortForms, NameTheArgumentAtFault) {
  const auto refused = [](ulpfft_plan* plan, const char* field) {
    EXPECT_EQ(plan, nullptr) << field;
    EXPECT_EQ(last_error().field, field) << last_error().message;
    ulpfft_plan_destroy(plan);
  };
  refused(ulpfft_plan_1d(0, "f32", ULPFFT_FORWARD, ULPFFT_ESTIMATE), "n");
  refused(ulpfft_plan_3d(4, 4, -4, "f32", ULPFFT_FORWARD, ULPFFT_ESTIMATE), "n2");
  refused(ulpfft_plan_1d(8, "f32", ULPFFT_FORWARD, 77), "effort");
  refused(ulpfft_plan_1d(8, "f32 inverse", ULPFFT_FORWARD, ULPFFT_ESTIMATE), "storage");
  refused(ulpfft_plan_1d(8, "", ULPFFT_FORWARD, ULPFFT_ESTIMATE), "storage_in");
  refused(ulpfft_plan_1d(8, "f32", -1, ULPFFT_ESTIMATE), "direction");
  EXPECT_NE(last_error().message.find("FFTW's -1"), std::string::npos) << last_error().message;
}

TEST(ShortForms, PointAtTheWordOfTheStorageAtFault) {
  const std::string storage = "f32 scheme=f99";
  ASSERT_EQ(ulpfft_plan_2d(1024, 1024, storage.c_str(), ULPFFT_FORWARD, ULPFFT_ESTIMATE), nullptr);
  const LastError error = last_error();
  ASSERT_LT(error.begin, error.end);
  ASSERT_LE(error.end, storage.size());
  EXPECT_NE(storage.substr(error.begin, error.end - error.begin).find("f99"), std::string::npos) << error.begin << ".." << error.end;
}

TEST(ArrayMemory, BeginsACacheLineAndFailsWithAnError) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{5} << 20}) {
    void* memory = ulpfft_malloc(bytes);
    ASSERT_NE(memory, nullptr) << bytes;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0U) << bytes;
    std::memset(memory, 1, bytes);
    ulpfft_free(memory);
  }
  ulpfft_free(nullptr);
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 2 - 64}) {
    EXPECT_EQ(ulpfft_malloc(bytes), nullptr) << bytes;
    EXPECT_EQ(last_error().status, ULPFFT_NO_MEMORY) << bytes;
    EXPECT_EQ(last_error().field, "bytes");
  }
}

TEST(OperationCounts, AreThoseThatDescribePrints) {
  for (const char* problem : {"8 f32", "1000*3 f64", "997 f32", "64x64 f16->f32", "256 f32 chain=mul", "7 f32 backend=ref"}) {
    const PlanPtr plan = make_plan(nullptr, problem);
    ASSERT_NE(plan, nullptr) << problem;
    ulpfft_operation_counts counts = ULPFFT_OPERATION_COUNTS_INIT;
    ASSERT_EQ(ulpfft_plan_operation_counts(plan.get(), &counts), ULPFFT_OK) << last_error_text();
    char line[200];
    const double total = counts.adds + counts.muls + counts.fmas;
    std::snprintf(line, sizeof line, "operations  %.0f (%.0f add, %.0f mul, %.0f fma)\n", total, counts.adds, counts.muls, counts.fmas);
    EXPECT_NE(take(ulpfft_plan_describe(plan.get())).find(line), std::string::npos) << problem << ": " << line;
  }
}

TEST(OperationCounts, AreOfTheWholeBatch) {
  const PlanPtr one = make_plan(nullptr, "8 f32", "f32:n8");
  const PlanPtr five = make_plan(nullptr, "8*5 f32", "f32:n8");
  ulpfft_operation_counts counts = ULPFFT_OPERATION_COUNTS_INIT, more = ULPFFT_OPERATION_COUNTS_INIT;
  ASSERT_EQ(ulpfft_plan_operation_counts(one.get(), &counts), ULPFFT_OK);
  ASSERT_EQ(ulpfft_plan_operation_counts(five.get(), &more), ULPFFT_OK);
  EXPECT_GT(counts.adds, 0);
  EXPECT_EQ(more.adds, 5 * counts.adds);
  EXPECT_EQ(more.muls, 5 * counts.muls);
  EXPECT_EQ(more.fmas, 5 * counts.fmas);
}

TEST(OperationCounts, RefuseNullAndASmallerStruct) {
  const PlanPtr plan = make_plan(nullptr, "8 f32");
  ulpfft_operation_counts counts = ULPFFT_OPERATION_COUNTS_INIT;
  EXPECT_EQ(ulpfft_plan_operation_counts(nullptr, &counts), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_plan_operation_counts(plan.get(), nullptr), ULPFFT_INVALID_ARGUMENT);
  counts.size = 8;
  EXPECT_EQ(ulpfft_plan_operation_counts(plan.get(), &counts), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "counts.size");
}

}  // namespace
}  // namespace ulpfft::test
