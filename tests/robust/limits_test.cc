// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Cancelling and max_memory in every phase of planning, and the memory of problems whose strides leave gaps.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/watched_planning.h"

namespace ulpfft::test {
namespace {

constexpr double kHeard = 0.1;                   // seconds in which a cancel is answered
constexpr std::int64_t kNotes = 8 << 20;         // bytes of what a search notes
constexpr std::int64_t kLittle = 4 << 20;        // bytes that 21 numbers may take, with reference and tables

struct Sparse {
  std::string problem, dense;
};

TEST(SparseArrays, TakeTheMemoryOfTheirPointsAndHaveTheResultsOfDenseOnes) {
  for (const Sparse& one : std::vector<Sparse>{
           {"7*3 i8 batch_strides=7,2147483648", "7*3 i8"},
           {"7*3 f32 in_strides=1 out_strides=1 batch_strides=1000000000,7", "7*3 f32"},
           {"12*2 f64 in_strides=-1000000 out_strides=3 batch_strides=40000000,100000000", "12*2 f64"},
           {"8x6 f32 inplace in_strides=1,3000000 out_strides=1,3000000", "8x6 f32 inplace"},
           {"r2c 6x10 f32 out_strides=1000000,1 in_strides=1,6", "r2c 6x10 f32"},
           {"c2r 10*4 f32 inplace batch_strides=1000000,2000000", "c2r 10*4 f32 inplace"},
           {"r2r 9x5 f64 kinds=dct2,dst3 in_strides=500000,7 out_strides=1,9000000", "r2r 9x5 f64 kinds=dct2,dst3"},
           {"5x16 mxfp8_e4m3 in_strides=300000,1 out_strides=1000000,1", "5x16 mxfp8_e4m3"},
           {"16*3 f16->f32 chain=mul batch_strides=900000,16", "16*3 f16->f32 chain=mul"}}) {
    SCOPED_TRACE(one.problem);
    const PlanPtr dense = make_plan(nullptr, one.dense);
    ASSERT_NE(dense, nullptr) << last_error_text();
    const PlanPtr sparse = try_plan(nullptr, one.problem, recipe_of(dense.get()));
    ASSERT_NE(sparse, nullptr) << last_error_text();
    std::uint64_t hash = 0, dense_hash = 1;
    auto error = sized<ulpfft_error_report>(), dense_error = sized<ulpfft_error_report>();
    {
      const Allocations memory;
      EXPECT_EQ(ulpfft_plan_hash(sparse.get(), &hash), ULPFFT_OK) << last_error_text();
      EXPECT_EQ(ulpfft_plan_measure_error(sparse.get(), ULPFFT_ERROR_SAMPLED, &error), ULPFFT_OK) << last_error_text();
      ulpfft_string_free(ulpfft_plan_describe(sparse.get()));
      EXPECT_LE(memory.peak_bytes(), kLittle);
    }
    EXPECT_EQ(ulpfft_plan_hash(dense.get(), &dense_hash), ULPFFT_OK);
    EXPECT_EQ(ulpfft_plan_measure_error(dense.get(), ULPFFT_ERROR_SAMPLED, &dense_error), ULPFFT_OK);
    EXPECT_EQ(hash, dense_hash);
    EXPECT_EQ(error.relative_l2, dense_error.relative_l2);
  }
}

// The output of this plan spans 4 GiB, its input 21 bytes.
TEST(SparseArrays, AreAssessedByTheirPoints) {
  const PlanPtr plan = make_plan(nullptr, "7*3 i8 batch_strides=7,2147483648"), dense = make_plan(nullptr, "7*3 i8");
  ASSERT_NE(plan, nullptr);
  std::int8_t codes[42];
  for (int i = 0; i < 42; ++i) codes[i] = static_cast<std::int8_t>(i * 37 % 61 - 30);
  auto in = sized<ulpfft_array>();
  in.data[0] = codes;
  auto error = sized<ulpfft_error_report>(), dense_error = sized<ulpfft_error_report>();
  {
    const Allocations memory;
    EXPECT_EQ(ulpfft_plan_assess(plan.get(), &in, ULPFFT_ERROR_FULL, &error), ULPFFT_OK) << last_error_text();
    EXPECT_LE(memory.peak_bytes(), kLittle);
  }
  EXPECT_EQ(ulpfft_plan_assess(dense.get(), &in, ULPFFT_ERROR_FULL, &dense_error), ULPFFT_OK);
  EXPECT_EQ(error.relative_l2, dense_error.relative_l2);
}

struct Sampled {
  const char* problem;
  int effort;
  double cancel_after;
};

TEST(Samples, HearACancelAndKeepMaxMemory) {
  const ContextPtr context = make_context();
  for (const Sampled& one :
       {Sampled{"r2c 11x7x7x16x7x5x20*7 f64 inverse scale=ortho chain=mul max_error=1e-14", ULPFFT_ESTIMATE, 0.5},
        Sampled{"r2c 5x4x65536*8x4 i8 scheme=rounded:e4m3/f32 scale=1/n max_error=0.001 backend=ref", ULPFFT_ESTIMATE, 0.5},
        Sampled{"r2c 1000003x5*3 e4m3 scale=1/n max_error=2 intermediate=mxfp4_e2m1:b0 destroy_input", ULPFFT_MEASURE, 0.5},
        Sampled{"8x11x9*4x65537 mxfp8_e4m3 max_error=1e-14", ULPFFT_ESTIMATE, 0.5}}) {
    const Watched heard = watch(context.get(), one.problem, one.effort, 0.01, one.cancel_after, 0);
    EXPECT_LE(heard.longest, kHeard) << one.problem;
    EXPECT_LE(heard.seconds, one.cancel_after + kHeard) << one.problem;
    constexpr std::uint64_t kMost = std::uint64_t{64} << 20;
    const Watched small = watch(context.get(), one.problem, one.effort, 0.01, one.cancel_after, kMost);
    EXPECT_LE(small.peak, static_cast<std::int64_t>(kMost) + kNotes) << one.problem << ": " << small.message;
    EXPECT_LE(small.longest, kHeard) << one.problem;
  }
}

TEST(PredictMemory, TellsWhatAProblemNeedsWhoseWorkspaceIsTooSmall) {
  for (const char* problem : {"1000 f32 max_workspace=1", "r2c 30030 f64 max_workspace=100", "1009*3 mxfp8_e4m3 max_workspace=16"}) {
    auto memory = sized<ulpfft_memory>();
    EXPECT_EQ(ulpfft_predict_memory_text(nullptr, problem, &memory), ULPFFT_OK) << problem << ": " << last_error_text();
    EXPECT_GT(memory.workspace_bytes, 100u) << problem;
  }
}

}  // namespace
}  // namespace ulpfft::test
