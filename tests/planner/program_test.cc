// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Programs as values: after each stage the verifier finds no fault, and what they compute is the transform.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codelets/registry.h"
#include "planner/lower/pipeline.h"
#include "planner/program/check.h"
#include "planner/program/print.h"
#include "planner/search/search.h"
#include "tests/planner/complex_definition.h"
#include "tests/planner/made_program.h"
#include "tests/planner/plan_golden/cases.h"
#include "tests/support/api.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

// ---- the corpus

struct Seen {
  std::size_t programs = 0, interpreted = 0, unfolded = 0;
};

constexpr std::int64_t kMostInterpreted = 1024;  // points, of all transforms

// After each stage: no fault. The transform at the end, and before the stage `fold` has made loops those of passes; without a full run
// only one of both, by turns.
void expect_sound(const Asked& one, Seen& seen, std::int64_t most_interpreted = kMostInterpreted) {
  std::string first_fault;
  Program unfolded;
  const Program program = made(one, [&](const Stage& stage, const Program& so_far) {
    if (std::string_view(stage.name) == "place") unfolded = so_far;
    if (!first_fault.empty() || !changes_body(stage)) return;
    const std::string fault = check_program(so_far, &one.problem);
    if (!fault.empty()) first_fault = std::string("after ") + stage.name + ": " + fault;
  });
  EXPECT_EQ(first_fault, "") << one.name;
  ++seen.programs;
  if (one.problem.kind != Kind::kC2C && one.problem.kind != Kind::kCzt) return;  // real_program_test.cc interprets those of real kinds
  const std::int64_t points = std::max(transform_points(one.problem), stored_points(one.problem, true));
  if (points * batch_count(one.problem) > most_interpreted ||
      !reason_not_interpreted(program, one.problem).empty())
    return;
  const bool folds = loops_in(unfolded.body) != loops_in(program.body), is_even = seen.interpreted++ % 2 == 0;
  if (!folds || is_even || full_run()) {
    EXPECT_TRUE(computes_the_transform(program, one.problem)) << one.name << "\n" << print_program(program);
  }
  if (!folds || (is_even && !full_run())) return;
  EXPECT_TRUE(computes_the_transform(unfolded, one.problem)) << one.name << "\n" << print_program(unfolded);
  ++seen.unfolded;
}

Recipe chosen_recipe(const GoldenCase& one, const CodeletTable& codelets) {
  if (!one.recipe.empty()) return parse_recipe(one.recipe);
  SearchOptions options;
  options.effort = Effort::kEstimate;
  options.memory = MemoryLimit::none();
  options.deterministic = one.deterministic;
  options.clock = [] { return 0.0; };
  return estimated_recipe(one.problem, codelets, options).recipe;
}

class Corpus : public testing::TestWithParam<const GoldenFamily*> {};

TEST_P(Corpus, IsSoundAfterEveryStageAndComputesTheTransform) {
  // Narrow storage makes long cases of few kinds.
  const std::string_view name = GetParam()->name;
  constexpr std::string_view kHalf[] = {"options", "columns", "fused_ends", "threads", "real_storages"};
  const bool half = name.starts_with("random") || std::find(std::begin(kHalf), std::end(kHalf), name) != std::end(kHalf);
  const std::size_t step = full_run() ? 1 : name == "storages" ? 7 : half ? 2 : 1;
  Seen seen;
  const std::vector<GoldenCase> cases = GetParam()->cases();
  for (std::size_t i = 0; i < cases.size(); i += step) {
    const CodeletTable* const codelets = find_table(cases[i].target);
    if (codelets == nullptr) continue;
    try {
      expect_sound({cases[i].name, cases[i].problem, chosen_recipe(cases[i], *codelets), codelets}, seen);
    } catch (const PlanError&) {
      // The recipe is refused there.
    }
  }
  EXPECT_GT(seen.programs, 5U);
  RecordProperty("programs", std::to_string(seen.programs));
  RecordProperty("interpreted", std::to_string(seen.interpreted));
  RecordProperty("interpreted before fold", std::to_string(seen.unfolded));
}

INSTANTIATE_TEST_SUITE_P(Families, Corpus, testing::ValuesIn([] {
                           std::vector<const GoldenFamily*> families;
                           for (const GoldenFamily& family : golden_families()) {
                             const std::string_view name = family.name;
                             if (name != "refusals" && (name != "long" || full_run())) families.push_back(&family);
                           }
                           return families;
                         }()),
                         [](const testing::TestParamInfo<const GoldenFamily*>& family) { return std::string(family.param->name); });

// ---- named ones, on every target

struct Named {
  const char *problem, *recipe;
};
constexpr Named kNamed[] = {
    {"16 f32", "f32:n16"},
    {"128 f32", "f32:dit(16 8)"},
    {"128 f32 inplace", "f32:dit(16 8)"},
    {"512 f64 split", "f64:dit(8 8 8)"},
    {"100 f32", "f32:dit(10 5 2)"},
    {"120 f64 centered", "f64:dit(5 4 3 2)"},
    {"200*3 f32 centered inverse", "f32:dit(5 5 8)"},
    {"256 f32", "f32:dit(16 / 4 / 4)"},
    {"512 f32", "f32:dit(8 4:ds 16:ds)"},
    {"256 f32", "f32:four(16x16 p8; n16; dit(4 4))"},
    {"240 f64 centered", "f64:four(16x15 p5; n16; dit(5 3))"},
    {"256 f32 inplace", "f32:four(16x16 p32 stream; dit(4 4); n16)"},
    {"260 f64", "f64:four(20x13 p7; dit(5 4); rader(13; dit(4 3)))"},
    {"130 f32", "f32:four(13x10 p4; rader(13; dit(4 3)); dit(5 2))"},
    {"24*10 f32", "f32:cols(p4; dit(6 4))"},
    {"16*33 f64 inplace", "f64:cols(p8; n16)"},
    {"20x12 f32", "f32:rank(cols(p5; dit(5 4)); dit(4 3))"},
    {"8x6x5 f64 inverse scale=ortho", "f64:rank(cols(p3; n8); cols(p4; n6); n5)"},
    {"17 f32", "f32:rader(17; n16)"},
    {"101 f64", "f64:rader(101; dit(10 5 2))"},
    {"23 f32 centered", "f32:rader(23; dit(8 8))"},
    {"31 f64", "f64:bluestein(31; 64; dit(8 8))"},
    {"45*2 f32 inverse", "f32:bluestein(45; 96; dit(8 4 3))"},
    {"64*5 f32 split inverse", "f32:dit(8 8)"},
    {"64*6 f32 threads=2", "f32:dit(4 4 4)"},
    {"256*2 f32 threads=2", "f32:four(16x16 p4; n16; n16)"},
    {"64 f32->f64", "f32:dit(8 8)"},
    {"60 f64->f32", "f64:dit(5 4 3)"},
    {"64 f32 in_strides=3 out_strides=2", "f32:dit(8 8)"},
    {"256 f32 chain=mul", "f32:chain(four(16x16 p8; n16; n16); mul; four(16x16 p8; n16; n16))"},
    {"12x16 f64 chain=mul inverse", "f64:chain(rank(cols(p4; dit(4 3)); n16); mul; rank(cols(p4; dit(4 3)); n16))"},
    {"64*3 f32 chain=user", "f32:chain(dit(8 8); user; dit(8 8))"},
    // Narrow ends: in the pass,
    {"256*3 f16", "f32:dit(16 16 decode encode)"},
    {"512*2 i16 inverse scale=1/n", "f32:dit(16 8 4 decode encode)"},
    {"640*2 e4m3->f32", "f32:dit(16 5 8 decode)"},
    {"1024*2 mxfp8_e4m3", "f32:dit(16 16 4 decode)"},
    {"256*3 mxint8->f32", "f32:dit(16 16 decode)"},
    // of groups,
    {"16*7 f16->f32", "f32:n16"},
    {"50*12 mxint8 centered", "f32:dit(10 5)"},
    {"60*3 e2m3 split inverse", "f32:dit(15 4)"},
    {"100*5 mxfp4_e2m1:b8 prescale=amax", "f32:dit(10 10)"},
    {"100*3 mxint8:b0 split prescale=8", "f32:dit(10 10)"},
    {"9*10 f16->f64 in_strides=30 out_strides=10 batch_strides=3,1", "f64:n9"},
    {"60*48 f16 in_strides=48 out_strides=48 batch_strides=1,1", "f32:dit(15 4)"},
    {"6x5x8*2 e2m3 inplace", "f32:rank(cols(p4; n6); n5; n8)"},
    {"64*3 bf16 threads=2", "f32:dit(8 8)"},
    {"4x6x20*2 f64->f16 prescale=amax", "f64:rank(n4; cols(p32; n6); dit(5 4))"},
    {"czt 20->13 f32 start=0.1 step=0.01", "f32:bluestein(20; 32; dit(8 4))"},
    {"czt 9->30*4 f64 inverse split step=-0.3 threads=2", "f64:bluestein(9; 40; dit(8 5))"},
    {"czt 20->5*7 f16->mxint8 start=0.4 in_strides=7 batch_strides=1,1", "f32:bluestein(20; 24; dit(6 4))"},
    {"czt 16*3 f32->f64 window=hann prescale=amax scale=1/n", "f64:bluestein(16; 32; four(8x4 p4; n8; n4))"},
    {"czt 5->40*3 i16->f32 step=1e-3 output=power", "f32:bluestein(5; 48; dit(8 6))"},
    {"60*3 f32 window=hann", "f32:dit(15 4)"},
    {"50*12 i16 window=hamming centered inverse", "f32:dit(10 5)"},
    {"100*5 mxfp4_e2m1:b8 prescale=amax window=nuttall:symmetric", "f32:dit(10 10)"},
    {"48*32 f32 in_strides=32 out_strides=32 batch_strides=1,1 window=blackman", "f32:dit(6 8)"},
    {"64*3 f32 split threads=2 window=kaiser:5", "f32:dit(8 8)"},
    {"4x6x20*2 f64->f16 window=gauss:3", "f64:rank(n4; cols(p32; n6); dit(5 4))"},
    {"1024*2 f16 window=flattop", "f32:four(32x32 p8; dit(8 4); n32)"},
    {"1000 i16->f32 window=hann", "f32:dit(10 10 10)"},
    // of lines,
    {"1000*2 i16->f32", "f32:dit(10 10 10)"},
    {"1024 mxfp4_e2m1:b8 centered", "f32:dit(16 8 8)"},
    {"600*3 e2m3 inverse", "f32:dit(15 8 5)"},
    {"1000 f16 split centered", "f32:dit(8 5 / 5 5)"},
    {"1024*2 mxfp6_e2m3 prescale=amax", "f32:dit(16 8 8)"},
    {"1000 bf16 in_strides=2 out_strides=3 inverse", "f32:dit(8 5 5 5)"},
    {"1024 f32->mxint8 centered inverse", "f32:dit(16 16 4)"},
    // by panels of a matrix,
    {"1024*2 f16", "f32:four(32x32 p8; dit(8 4); n32)"},
    {"512 mxfp4_e2m1:b8 centered", "f32:four(16x32 p8; n16; dit(8 4))"},
    {"512*2 i8->f32 inverse", "f32:four(16x32 p16 stream; dit(4 4); dit(8 4))"},
    {"1000 f32->bf16", "f32:four(20x50 p12; dit(5 4); dit(10 5))"},
    {"768 e2m3", "f32:four(24x32 p8 |mxint8; dit(6 4); dit(8 4))"},
    {"768 f32 centered", "f32:four(24x32 p8 |mxfp6_e2m3:b8; dit(6 4); dit(8 4))"},
    {"720 f32 centered", "f32:four(15x48 p5 |mxint8; dit(5 3); dit(12 4))"},
    {"720 f32 centered", "f32:four(48x15 p48 |mxint8; dit(12 4); dit(5 3))"},
    {"270 f32 centered", "f32:four(18x15 p18 |e2m3; dit(6 3); dit(5 3))"},
    {"2048 f16 centered", "f32:four(32x64 p16 stream |bf16; dit(8 4); dit(8 8))"},
    {"480*2 f32", "f32:four(20x24 p16 stream |f16; dit(5 4); dit(6 4))"},
    // and by rows and columns.
    {"32x64 f16", "f32:rank(cols(p16; dit(8 4)); dit(8 8))"},
    {"24x32*2 mxfp8_e4m3 centered", "f32:rank(cols(p16 stream; dit(6 4)); dit(8 4 stream))"},
    {"24x48 i16 inverse", "f32:rank(|mxint8:b16; cols(p16 stream; dit(6 4)); dit(8 6 stream))"},
    {"48x64 i16 in_strides=80,1", "f32:rank(|mxint8; cols(p16 stream; dit(12 4)); dit(8 8 stream))"},
    {"30x48 e2m3 inplace", "f32:rank(|e3m2; cols(p16; dit(6 5)); dit(8 6))"},
    // Powers: of groups, by panels of a matrix, by rows and columns.
    {"16*7 f32 output=power", "f32:n16"},
    {"60*3 e2m3->f16 split inverse output=power", "f32:dit(15 4)"},
    {"100*5 f32->mxfp4_e2m1:b8 prescale=amax output=power", "f32:dit(10 10)"},
    {"64 f32->f64 out_strides=3 output=power", "f32:dit(8 8)"},
    {"9*10 f32->f16 in_strides=10 out_strides=10 batch_strides=1,1 output=power", "f32:n9"},
    {"1000*2 i16->e4m3 centered output=power", "f32:dit(10 10 10)"},
    {"1024*2 f32 output=power", "f32:four(32x32 p8; dit(8 4); n32)"},
    {"1000 f32->bf16 centered output=power", "f32:four(20x50 p12; dit(5 4); dit(10 5))"},
    {"512*2 f32->mxfp4_e2m1:b8 inverse output=power", "f32:four(16x32 p16 stream; dit(4 4); dit(8 4))"},
    {"24x32*2 f32 centered output=power", "f32:rank(cols(p16 stream; dit(6 4)); dit(8 4 stream))"},
    {"32x48 f32->mxfp8_e4m3:b16 inverse output=power", "f32:rank(cols(p16 stream; dit(8 4)); dit(8 6 stream))"},
    {"48x64 i16->f16 output=power", "f32:rank(|mxint8; cols(p16 stream; dit(12 4)); dit(8 8 stream))"},
    {"6x5x8*2 f32->e2m3 output=power", "f32:rank(cols(p4; n6); n5; n8)"},
    // Schemes whose products are other ones.
    {"120*2 f32 centered", "rounded:f16:dit(6 5 4)"},
    {"128*3 f32 inverse", "mx:mxfp8_e4m3:dit(2 4 16)"},
    {"128*3 f32 inverse output=power", "mx:mxfp8_e4m3:dit(2 4 16)"},
    {"240 f32 centered", "mx:mxint8:dit(4 4 15)"},
    {"64*5 f32 in_strides=5 batch_strides=1,64", "split:bf16:dit(16 4)"},
    {"60*3 f64 centered inverse", "split:i8:dit(5 4 3)"},
};

TEST(Named, IsSoundAfterEveryStageAndComputesTheTransform) {
  Seen seen;
  for (const RegisteredTarget& target : registered_targets()) {
    if (target.table.codelets.empty()) continue;
    for (const Named& named : kNamed) {
      try {
        expect_sound(asked(named.problem, named.recipe, target.table.target), seen, 4096);
      } catch (const PlanError& error) {
        EXPECT_NE(std::string_view(target.table.backend), "ref") << named.recipe << ": " << error.message;
      }
    }
  }
  EXPECT_EQ(seen.programs, seen.interpreted);
  EXPECT_GE(seen.programs, std::size(kNamed));
  EXPECT_GT(seen.unfolded, 10U);
}

}  // namespace
}  // namespace ulpfft::test
