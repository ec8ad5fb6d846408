// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What wisdom of narrow formats is tied to: the meaning of their codes.
#include "planner/facts/format_digest.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "codelets/registry.h"
#include "wisdom/problem_text.h"
#include "wisdom/recipe.h"

namespace ulpfft::test {
namespace {

std::uint64_t of(const std::string& problem, const std::string& recipe) { return formats_digest(parse_problem(problem), parse_recipe(recipe)); }

TEST(FormatDigest, ChangesWithEveryFieldThatAValueDependsOn) {
  FormatInfo f = *find_format(formats(), "e4m3");
  std::set<std::uint64_t> seen{digest_of(f)};
  const auto expect_new = [&](auto change, const char* field) {
    FormatInfo changed = f;
    change(changed);
    EXPECT_TRUE(seen.insert(digest_of(changed)).second) << field;
  };
  expect_new([](FormatInfo& g) { g.kind = FormatKind::kInteger; }, "kind");
  expect_new([](FormatInfo& g) { g.bits = 7; }, "bits");
  expect_new([](FormatInfo& g) { g.is_signed = false; }, "signed");
  expect_new([](FormatInfo& g) { g.exponent_bits = 5; }, "exponent");
  expect_new([](FormatInfo& g) { g.mantissa_bits = 2; }, "mantissa");
  expect_new([](FormatInfo& g) { g.bias = 8; }, "bias");
  expect_new([](FormatInfo& g) { g.has_zero = false; }, "zero");
  expect_new([](FormatInfo& g) { g.special = Special::kIeee; }, "special");
  expect_new([](FormatInfo& g) { g.nan ^= 1; }, "nan");
  expect_new([](FormatInfo& g) { g.fraction_bits = 3; }, "fraction");
  expect_new([](FormatInfo& g) { g.offset = 0.5; }, "offset");
  expect_new([](FormatInfo& g) { g.symmetric = true; }, "range");
  expect_new([](FormatInfo& g) { g.overflow = Overflow::kInfinity; }, "overflow");
  f.name = "renamed";
  f.source = "another standard";
  EXPECT_EQ(seen.count(digest_of(f)), 1U) << "a name means nothing";

  const FormatInfo& scale = *find_format(formats(), "e8m0");
  BlockInfo block{.length = 32, .rule = ScaleRule::kRceil};
  EXPECT_TRUE(seen.insert(digest_of(block, f, scale)).second);
  block.rule = ScaleRule::kFloor;
  EXPECT_TRUE(seen.insert(digest_of(block, f, scale)).second) << "rule";
  block.length = 16;
  EXPECT_TRUE(seen.insert(digest_of(block, f, scale)).second) << "length";
  EXPECT_TRUE(seen.insert(digest_of(block, *find_format(formats(), "e5m2"), scale)).second) << "element";
}

TEST(FormatDigest, IsOfEveryPlaceAFormatIsNamedIn) {
  EXPECT_EQ(of("64 f32", "f32:dit(8 8)"), 0U) << "nothing narrow: entries of wide problems stay as they are";
  const std::set<std::uint64_t> distinct{of("64 f32", "f32:dit(8 8)"),        of("64 f16->f32", "f32:dit(8 8)"),       of("64 f32->e4m3", "f32:dit(8 8)"),
                                         of("64 f32", "f32:dit(8|e5m2 8)"),   of("64 f32", "f32:dit(8|mxint8 8)"),     of("64 f32", "rounded:e2m3:dit(8 8)"),
                                         of("64 f32", "rounded:bf16/f32:dit(8 8)"), of("64 f32", "mx:mxfp8_e4m3:b8:floor:dit(8 8)"), of("64 mxfp4_e2m1:b8", "f32:dit(8 8)")};
  EXPECT_EQ(distinct.size(), 9U);
}

// A split scheme computes by its whole name, and its passes have codelets of no digest.
TEST(FormatDigest, ChangesWithEveryWordOfASplitScheme) {
  std::set<std::uint64_t> seen{of("64 f32", "f32:dit(8 8)")};
  for (const char* scheme : {"split:bf16", "split:bf16x2", "split:bf16x3", "split:f16x2", "split:f16x3", "split:f16x2x3", "split:f16x3x2",
                             "split:f16x2x2", "split:f16x2:tile64", "split:f16x2:tile128", "split:f16x2:whole", "split:f16x2:arbitrary",
                             "split:f16x2:whole:arbitrary", "split:i8x4", "split:e4m3x2"}) {
    EXPECT_TRUE(seen.insert(of("64 f32", std::string(scheme) + ":dit(8 8)")).second) << scheme;
    EXPECT_EQ(of("64 f32", std::string(scheme) + ":dit(8 8)"), of("4096 f64", std::string(scheme) + ":dit(64 64)")) << scheme;
  }
}

}  // namespace
}  // namespace ulpfft::test
