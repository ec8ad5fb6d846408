// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Large batches are timed on a slice: where slices lie, what a search reaches with them, and what stays a matter of the whole problem.
#include "planner/judge/problem_slice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "planner/search/candidates.h"
#include "planner/search/race.h"
#include "planner/search/search.h"
#include "tests/planner/fake_machine.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

// Bytes, relative to the address of the arrays, that an execution at a place may touch.
Extent touched(const Problem& slice, bool output, const SlicePlace& place) {
  const Side shape = side_of(slice, output);
  const std::int64_t begin = (output ? place.out : place.in) * shape.outer_bytes;
  return {begin + shape.codes.low, begin + shape.codes.high};
}

void expect_slices(const Problem& problem, std::int64_t largest, std::int64_t points, const std::string& where) {
  TimingSlice slice(problem);
  ASSERT_TRUE(timing_slice(problem, largest, points, slice)) << where;
  ASSERT_FALSE(slice.places.empty()) << where;
  EXPECT_EQ(slice.places[0].in, 0) << where;
  EXPECT_EQ(slice.places[0].out, 0) << where;
  const double transforms = static_cast<double>(batch_count(slice.problem)), all = static_cast<double>(batch_count(problem));
  EXPECT_NEAR(slice.share, transforms / all, 1e-12 * slice.share) << where;
  EXPECT_LE(batch_count(slice.problem), std::max(kLeastSliced, points / transform_points(problem))) << where;
  std::set<std::pair<std::int64_t, std::int64_t>> seen;
  for (const SlicePlace& place : slice.places) {
    EXPECT_TRUE(seen.insert({place.in, place.out}).second) << where << ": a place is listed twice";
    for (const bool output : {false, true}) {
      const Side shape = side_of(slice.arrays, output);
      const Extent at = touched(slice.problem, output, place);
      EXPECT_GE(at.low, shape.codes.low) << where << (output ? " out" : " in");
      EXPECT_LE(at.high, shape.codes.high) << where << (output ? " out" : " in");
      const std::int64_t strides = output ? place.out : place.in;
      EXPECT_EQ(strides * shape.outer_bytes % 64, 0) << where << (output ? " out" : " in");
      const std::int64_t scales = strides * shape.scale_bytes;
      EXPECT_EQ(scales % 64, 0) << where << (output ? " out" : " in");
      EXPECT_GE(scales + side_of(slice.problem, output).scales.low, shape.scales.low) << where;
      EXPECT_LE(scales + side_of(slice.problem, output).scales.high, shape.scales.high) << where;
    }
  }
}

constexpr const char* kProblems[] = {
    "1000*16777 f32", "1001*9999 f32", "7*300001 f64", "1024*4096 f32 inplace", "60*5x4000 f64", "4096*512 f16", "256*8192 bf16->f32", "1000*3000 i16->f32",
    "512*4096 mxfp8_e4m3", "1024*2048 mxint8->f32", "256*8192 f32 split", "r2c 1000*4000 f32", "c2r 1000*4000 f64", "r2c 1001*3000 f32", "64x64*700 f32",
    "r2r 8x8*40000 f32 kinds=dct2,dct2", "65536*40 f64", "1048576*6 f32", "300*4096 f32 in_strides=4096 batch_strides=1,300",
    "2*1000000 f32", "1024*4096 f32 scheme=f64", "r2c 1024*4096 f32 inplace"};

TEST(TimingSlice, NeverExceedsTheArraysAndBeginsAligned) {
  for (const char* const text : kProblems) {
    const Problem problem = parse_problem(text);
    for (const std::int64_t points : {std::int64_t{1} << 12, std::int64_t{1} << 16, std::int64_t{1} << 20}) {
      for (const std::int64_t largest : {std::int64_t{1} << 24, std::int64_t{1} << 30}) {
        const bool possible = largest >= 16 * transform_points(problem) * 2;
        if (possible) expect_slices(problem, largest, points, std::string(text) + ", " + std::to_string(points) + " points");
      }
    }
  }
}

// Columns of a plane lie in the whole array however few they are.
TEST(TimingSlice, OfEveryDimensionOfAVolumeTransformsAPartOfIt) {
  const Problem problem = parse_problem("128x256x192 f32");
  const std::vector<std::size_t> order = execution_order(problem);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Problem line = line_of(problem, order[i], i == 0);
    const std::string where = "dimension " + std::to_string(order[i]);
    expect_slices(line, std::int64_t{1} << 27, std::int64_t{1} << 18, where);
    TimingSlice slice(line);
    ASSERT_TRUE(timing_slice(line, std::int64_t{1} << 27, std::int64_t{1} << 18, slice));
    EXPECT_LE(slice.share, 0.05) << where;
    EXPECT_GE(static_cast<double>(slice.places.size()) * slice.share, 0.75) << where << ": places leave out a large part of the arrays";
  }
}

TEST(TimingSlice, OfASmallOrSingleTransformIsTheWhole) {
  for (const char* const text : {"4096 f32", "1000*1000 f32", "4194304 f32", "512x512 f64"}) {
    const Problem problem = parse_problem(text);
    TimingSlice slice(problem);
    ASSERT_TRUE(timing_slice(problem, std::int64_t{1} << 27, kPointsTimed, slice));
    EXPECT_EQ(slice.share, 1) << text;
    EXPECT_EQ(slice.places.size(), 1U) << text;
  }
}

FakeMachine::Cost by_the_point() {
  return [](const CodeletInfo&, double points) { return 20e-9 + 1e-9 * points; };
}

SearchOptions options_for(FakeMachine& machine, double seconds) {
  SearchOptions options;
  options.clock = machine.clock();
  options.time_limit_seconds = seconds;
  return options;
}

std::set<std::string> timed_kinds(const ulpfft_plan& plan) {
  std::set<std::string> kinds;
  for (const Candidate& candidate : plan.candidates) {
    if (candidate.seconds > 0) kinds.insert(candidate.kind);
  }
  return kinds;
}

// Four executions of the arrays, beyond the caches, take a third of the limit.
TEST(TimingSlice, LetsABatchsSearchReachEveryStrategyWithinASmallLimit) {
  FakeMachine machine(by_the_point());
  const auto plan = search_plan(parse_problem("1009*16000 f32"), machine.codelets(), options_for(machine, 0.3));
  const std::set<std::string> kinds = timed_kinds(*plan);
  EXPECT_TRUE(kinds.contains("rader"));
  EXPECT_TRUE(kinds.contains("bluestein"));
  const auto smooth = search_plan(parse_problem("1000*16777 f32"), machine.codelets(), options_for(machine, 0.3));
  const auto timed = std::count_if(smooth->candidates.begin(), smooth->candidates.end(), [](const Candidate& c) { return c.seconds > 0; });
  EXPECT_GE(timed, 10) << "as many as measure effort times of a line";
}

TEST(TimingSlice, SecondsAreThoseOfTheWhole) {
  FakeMachine machine(by_the_point());
  const std::string text = "1024*8000 f32";
  const auto plan = search_plan(parse_problem(text), machine.codelets(), options_for(machine, 10));
  TableCache cache;
  const Problem problem = parse_problem(text);
  const auto whole = make_plan(problem, plan->recipe, machine.codelets(), build_plan(problem, plan->recipe, machine.codelets(), cache));
  const double exact = time_plans(problem, {whole.get()}, machine.clock(), 1e9, [](std::size_t) { return true; })[0].seconds;
  EXPECT_NEAR(plan->seconds / exact, 1, 0.01);
}

// Recipes are predicted, and refused, as recipes of the whole; the arrays that they are timed on count against the caller's limit as well.
TEST(TimingSlice, LeavesTheLimitsOfMemoryToTheWhole) {
  FakeMachine machine(by_the_point());
  const Problem problem = parse_problem("65536*64 f32");
  const auto free = search_plan(problem, machine.codelets(), options_for(machine, 10));
  const double needed = static_cast<double>(free->facts->workspace_bytes) + free->facts->table_bytes;
  for (const double part : {1.1, 2.0, 30.0}) {
    SearchOptions options = options_for(machine, 10);
    options.memory = MemoryLimit::none(part * needed);
    const auto plan = search_plan(problem, machine.codelets(), options);
    for (const Candidate& candidate : plan->candidates) EXPECT_LE(candidate.bytes, part * needed) << print_recipe(candidate.recipe);
    EXPECT_LE(static_cast<double>(plan->facts->workspace_bytes) + plan->facts->table_bytes, part * needed);
    EXPECT_EQ(batch_count(plan->problem), 64);
    EXPECT_EQ(plan->seconds > 0, part * needed > 4e6) << "arrays of one transform, in half of the limit";
  }
}

TEST(TimingSlice, CancelsBetweenExecutions) {
  FakeMachine machine(by_the_point());
  SearchOptions options = options_for(machine, 100);
  int asked = 0;
  options.progress = [&](double, const std::string&) { return ++asked < 5; };
  EXPECT_THROW(search_plan(parse_problem("1000*16777 f32"), machine.codelets(), options), PlanError);
  EXPECT_EQ(asked, 5);
}

}  // namespace
}  // namespace ulpfft::test
