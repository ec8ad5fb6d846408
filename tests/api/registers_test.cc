// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms in registers serve dense lines only: the same recipe with strides, which takes other codelets, and ref give the same bits,
// whatever happens at the ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/codelets.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

struct Pair {
  std::int64_t n;
  const char* node;
};
void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.n; }

// Every length that one target or another keeps in registers, and the nodes that are.
constexpr Pair kPairs[] = {{2, "n2"},        {3, "n3"},          {4, "n4"},          {5, "n5"},         {8, "dit(4 2)"},   {9, "n9"},
                           {12, "n12"},      {13, "n13"},        {15, "n15"},        {16, "dit(4 4)"},  {24, "dit(6 4)"},  {25, "dit(5 5)"},
                           {32, "dit(4 8)"}, {60, "dit(12 5)"},  {64, "dit(8 8)"},   {100, "dit(20 5)"}, {120, "dit(15 8)"}, {128, "dit(16 8)"},
                           {256, "dit(16 16)"}, {512, "dit(32 16)"}};

// On every target, by the codelets that each layout takes there.
void expect_equal_bits(const std::string& scheme, std::int64_t n, const std::string& recipe) {
  for (const std::string ends : {"", " inverse", " centered", " scale=0.3", " inverse scale=1/n", " inverse centered scale=0.3"}) {
    const std::string problem = std::to_string(n) + " " + scheme + ends;
    for (const bool fma : {false, true}) {
      std::uint64_t expected = 0;
      std::string by;
      for (const Target& target : targets()) {
        if (target.has_fma != fma || !has_bodies(target, recipe)) continue;
        for (const std::string layout : {"", " inplace", " in_strides=3 out_strides=2", " split", " inplace split"}) {
          const PlanPtr plan = make_plan(target.context, problem + layout, recipe);
          ASSERT_NE(plan, nullptr) << problem << layout << ' ' << recipe << " on " << target;
          if (by.empty()) {
            by = target.name + layout;
            expected = hash_of(plan.get());
          }
          EXPECT_EQ(hash_of(plan.get()), expected) << problem << layout << ' ' << recipe << " on " << target << " against " << by;
        }
      }
    }
  }
}

class Registers : public testing::TestWithParam<Pair> {};

TEST_P(Registers, GiveTheBitsOfOtherCodeletsAndOfRef) {
  const auto [n, node] = GetParam();
  for (const std::string scheme : {"f32", "f64"}) expect_equal_bits(scheme, n, scheme + ":" + node);
}

// Of every target: ref has the bodies of each.
TEST(RegisterPairs, GiveTheBitsOfRef) {
  std::map<std::string, RegisterPair> pairs;
  for (const Target& target : targets()) {
    for (const RegisterPair& pair : pairs_in_registers(target)) pairs.emplace(pair.recipe(), pair);
    for (const RegisterPair& body : bodies_in_registers(target)) pairs.emplace(body.recipe(), body);
  }
  for (const auto& [recipe, pair] : pairs) {
    EXPECT_TRUE(has_bodies(ref_target(), recipe)) << recipe;
    expect_equal_bits(pair.compute, pair.n(), recipe);
  }
}

// Batches stored past the caches, where the result of a transform leaves while the next one is computed; also with gaps between transforms.
TEST(RegisterPairs, GiveTheSameBitsPastTheCaches) {
  for (const Target& target : targets()) {
    for (const RegisterPair& pair : pairs_in_registers(target)) {
      const std::string plain = pair.recipe();
      const std::string streaming = plain.substr(0, plain.size() - 1) + " stream)";
      const std::int64_t n = pair.n();
      const std::string gaps = " batch_strides=" + std::to_string(n + 64) + "," + std::to_string(n + 128);
      for (const std::string& ends : {std::string(), " inverse" + gaps, gaps, std::string(" scale=0.3"), std::string(" centered"),
                                      std::string(" batch_strides=") + std::to_string(n + 1) + "," + std::to_string(n + 1)}) {
        const std::string problem = std::to_string(n) + "*5 " + pair.compute + ends;
        const PlanPtr expected = make_plan(target.context, problem, plain);
        const PlanPtr plan = make_plan(target.context, problem, streaming);
        ASSERT_TRUE(expected != nullptr && plan != nullptr) << problem << ' ' << streaming << " on " << target;
        EXPECT_EQ(hash_of(plan.get()), hash_of(expected.get())) << problem << ' ' << streaming << " on " << target;
      }
    }
  }
}

// Backward in two dimensions: rows exchange re and im at their input alone, columns at their output.
TEST_P(Registers, GiveTheBitsOfRefWhereOneEndIsExchanged) {
  const auto [n, node] = GetParam();
  for (const std::string scheme : {"f32", "f64"}) {
    const std::string recipe = scheme + ":rank(" + node + "; " + node + ")";
    const std::string problem = std::to_string(n) + "x" + std::to_string(n) + "*3 " + scheme + " inverse";
    const PlanPtr expected = make_plan(ref_target().context, problem, recipe);
    for (const Target& target : targets()) {
      if (target.has_fma != ref_target().has_fma || !has_bodies(target, recipe)) continue;
      const PlanPtr plan = make_plan(target.context, problem, recipe);
      ASSERT_NE(plan, nullptr);
      EXPECT_EQ(hash_of(plan.get()), hash_of(expected.get())) << problem << " on " << target;
    }
    if (n > 128) break;  // ref takes its time
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Registers, testing::ValuesIn(kPairs), testing::PrintToStringParamName());

// What the lists above count on: this build serves the powers of two among them.
TEST(PackedCodelets, HoldEveryShortPowerOfTwoWhereVectorsHoldTwoNumbers) {
  for (const Target& target : targets()) {
    if (target.backend != "hwy" || target.name == "sve_256") continue;
    std::vector<std::int64_t> lengths;
    for (std::size_t i = 0; i < target.codelets; ++i) {
      auto codelet = sized<ulpfft_codelet>();
      ASSERT_EQ(ulpfft_codelet_get(target.index, i, &codelet), ULPFFT_OK);
      if (std::string(codelet.kind) == "packed" && std::string(codelet.compute) == "f32") lengths.push_back(codelet.radix);
    }
    for (const std::int64_t n : {2, 4, 8, 16, 32, 64, 128}) EXPECT_TRUE(std::count(lengths.begin(), lengths.end(), n) > 0) << target << " " << n;
  }
}

}  // namespace
}  // namespace ulpfft::test
