// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Programs for CUDA, as values.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "planner/backend/cuda/kernels.h"
#include "planner/lower/pipeline.h"
#include "planner/program/check.h"
#include "planner/search/search.h"
#include "wisdom/problem_text.h"

namespace ulpfft {
namespace {

void visit_passes_of(std::vector<Item>& body, const std::function<void(Launch&)>& visit) {
  for (Item& item : body) {
    if (Pass* const pass = item.pass()) visit(std::get<Launch>(pass->op));
    if (Loop* const loop = item.loop()) visit_passes_of(loop->body, visit);
  }
}

// The verifier of programs sees every number read where it was written, and the whole output written.
TEST(CudaPrograms, PassTheVerifier) {
  for (const char* text : {"64*3 f32 inverse", "16*3x5x7 f32 batch_strides=800,150,20,900,160,21", "8x16x32 f32 inplace", "64*5 f64->f32",
                           "4096*2 f32", "32768*3 f32", "16x64*3 f32->f64", "15*2 f32 centered", "8x16 f64 centered inverse inplace",
                           "32768*2 f32 centered", "64x128*3 f16", "64x64x64 bf16->f16 inverse", "32768*2 f16", "64x16*3 f16"}) {
    Problem problem = parse_problem(text);
    TableCache cache;
    SearchOptions options;
    options.effort = Effort::kEstimate;
    const CodeletTable& codelets = cuda::codelets_of_kernels();
    const Candidate candidate = estimated_recipe(problem, codelets, options);
    Program program = make_program(problem, candidate.recipe, {codelets}, cache);
    EXPECT_EQ(check_program(program, &problem), "") << text << " " << print_recipe(candidate.recipe);
    // The check is one: an output that is moved by a number is noticed.
    visit_passes_of(program.body, [](Launch& launch) { launch.out.offset += launch.out.array == ArrayId::kOut ? 1 : 0; });
    EXPECT_NE(check_program(program, &problem), "") << text;
  }
}

// Both arithmetics have the same.
TEST(CudaPrograms, HaveSweepsAsLongAsTheKernels) {
  for (const bool is_f64 : {false, true}) {
    std::int64_t longest = 0;
    for (const cuda::KernelInfo& kernel : cuda::kernels()) {
      if (kernel.kind == cuda::KernelKind::kTurned && kernel.is_f64 == is_f64) longest = std::max<std::int64_t>(longest, kernel.n);
    }
    EXPECT_EQ(longest, cuda::longest_sweep());
  }
}

}  // namespace
}  // namespace ulpfft
