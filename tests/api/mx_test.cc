// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// mx schemes through the interface: golden transforms on every target, equal bits everywhere, errors as stated.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/golden.h"
#include "tests/support/plan_checks.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

using nlohmann::json;

// Of the golden file's element name.
std::string scheme_of(const std::string& element, int length, const std::string& rule, const std::string& product) {
  const char* bits = element == "e4m3" || element == "e5m2" ? "mxfp8_" : element == "e2m1" ? "mxfp4_" : "mxfp6_";
  const std::string block = element == "int8" ? "mxint8" : bits + element;
  return "mx:" + block + ":b" + std::to_string(length) + ":" + rule + (product == "fresh" ? ":fresh" : "");
}

std::string all_of_radix(const std::string& scheme, std::int64_t n, std::int64_t radix) {
  std::string recipe = scheme + ":dit(";
  for (std::int64_t l = 1; l < n; l *= radix) recipe += (l > 1 ? " " : "") + std::to_string(radix);
  return recipe + ")";
}

TEST(MxPlans, GiveTheGoldenTransformsOnEveryTarget) {
  const json file = golden("mx_fft.json");
  for (const Target& target : targets()) {
    for (const json& one : file["cases"]) {
      const std::int64_t n = one["n"].get<std::int64_t>();
      const std::string scheme =
          scheme_of(one["fmt"].get<std::string>(), one["B"].get<int>(), one["rule"].get<std::string>(), one["product"].get<std::string>());
      const std::string problem = std::to_string(n) + " f32 scheme=" + scheme + (one["inverse"].get<int>() != 0 ? " inverse" : "");
      const PlanPtr plan = make_plan(target.context, problem, all_of_radix(scheme, n, 2));
      ASSERT_NE(plan, nullptr);
      const std::vector<float> in = golden_reals<float>(file["inputs"][std::to_string(n)]), wanted = golden_reals<float>(one["out"]);
      std::vector<float> out(in.size());
      ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), out.data()), ULPFFT_OK) << last_error_text();
      for (std::size_t i = 0; i < out.size(); ++i) {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(out[i]), std::bit_cast<std::uint32_t>(wanted[i]))
            << problem << " on " << target.name << ", real " << i;
      }
    }
  }
}

// Radices whose sums have FMAs, blocks that straddle transforms, every layout: what ref computes, everywhere.
TEST(MxPlans, HaveTheSameBitsOnEveryTarget) {
  const std::vector<SchemeCase> cases = {
      {"64 f32", "dit(4 4 4)"},
      {"512 f32 inverse scale=1/n", "dit(8 8 8)"},
      {"256 f32 inplace", "dit(16 16)"},
      {"1000 f32 centered", "dit(10 10 2 5)"},
      {"13 f32", "n13"},
      {"7*9 f32 split", "n7"},
      {"693*2 f32", "dit(7 9 11)"},
      {"96 f32 in_strides=3 out_strides=5", "dit(3 2 4 2 2)"},
      {"60x24 f32 inverse centered scale=ortho", "rank(dit(4 3 5); dit(2 3 4))"},
      {"1024*3 f32 threads=2", "dit(2 2 4 8 8)"},
      {"256 f32", "dit(16 16)"},
      {"512 f32 inverse scale=0.25 inplace", "dit(16 2 16)"},
      {"4096*2 f32", "dit(16 16 16)"},
      {"256 f32 inverse split", "dit(2 2 2 2 2 2 2 2)"},
      {"384 f32 inverse scale=3", "dit(2 3 4 16)"},
      {"240 f32 inplace", "dit(15 16)"},
      {"128 mxfp8_e4m3->f16", "dit(2 8 8)"},
      {"48 f64", "dit(3 4 4)"},
      {"1 f32", "n1"},
  };
  for (const char* scheme : {"mx:mxfp8_e4m3", "mx:mxint8:b8:floor:fresh", "mx:mxfp4_e2m1:b2", "mx:mxfp6_e3m2:b64:fit"}) {
    expect_same_bits_on_every_target(scheme, cases);
  }
}

TEST(MxPlans, KeepTheirBitsWhateverThreadsAndBatches) { expect_same_bits_in_batches("mx:mxfp8_e5m2", "dit(8 8 8 8)"); }

TEST(MxPlans, ErrAsTheGoldenRowsAndAsPredicted) {
  const json table = golden("accuracy.json");
  const std::int64_t largest = full_run() ? 65536 : 4096;
  std::size_t compared = 0;
  for (const char* element : {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "int8"}) {
    for (const char* rule : {"floor", "rceil", "fit"}) {
      const std::string row = "mx-" + std::string(element) + " butterfly carry " + rule;
      for (std::size_t i = 0; i < table["n"].size(); ++i) {
        const std::int64_t n = table["n"][i].get<std::int64_t>();
        if (n > largest) continue;
        const std::string scheme = scheme_of(element, 32, rule, "carry");
        const PlanPtr plan = make_plan(default_target().context, sampled_problem(n, "f32", scheme), all_of_radix(scheme, n, 2));
        ASSERT_NE(plan, nullptr);
        const double expected = table["relative_l2"].at(row)[i].get<double>();
        EXPECT_NEAR(measured_error(plan.get()) / expected, 1, golden_margin(n, expected)) << row << ", n = " << n;
        if (std::string(rule) != "floor") expect_as_predicted(plan.get(), row);  // floor saturates more from pass to pass
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 6U * 3 * 4);
}

// Radix 4 and more quantise per pass: fewer passes, smaller errors. Mixed radices, partial blocks, both products, every rule but floor,
// which saturates.
TEST(MxPlans, OfOtherRadicesErrAsPredictedAndLessThanRadix2) {
  struct Case { std::int64_t n; const char* node; };
  const std::vector<Case> cases = {{4096, "dit(4 4 4 4 4 4)"}, {4096, "dit(8 8 8 8)"}, {4096, "dit(16 16 16)"}, {4096, "dit(2 8 16 16)"}};
  const std::vector<Case> mixed = {
      {45, "dit(9 5)"}, {2310, "dit(2 3 5 7 11)"}, {1000, "dit(10 10 10)"}, {1183, "dit(13 7 13)"}, {48, "dit(3 4 4)"}};
  for (const std::string block : {"mxfp8_e4m3", "mxint8:b8", "mxfp4_e2m1:b16:even", "mxfp6_e2m3:b64:ceil"}) {
    for (const char* product : {"", ":fresh"}) {
      const std::string scheme = "mx:" + block + product;
      const PlanPtr two = make_plan(default_target().context, "4096*4 f32 scheme=" + scheme, all_of_radix(scheme, 4096, 2));
      ASSERT_NE(two, nullptr);
      const double error_of_two = measured_error(two.get());
      for (const Case& one : cases) {
        const PlanPtr plan = make_plan(default_target().context, "4096*4 f32 inverse scheme=" + scheme, scheme + ":" + one.node);
        ASSERT_NE(plan, nullptr);
        EXPECT_LT(measured_error(plan.get()), error_of_two) << scheme << ":" << one.node;
        expect_as_predicted(plan.get(), scheme);
      }
      for (const Case& one : mixed) {
        const PlanPtr plan = make_plan(default_target().context, sampled_problem(one.n, "f32", scheme), scheme + ":" + one.node);
        ASSERT_NE(plan, nullptr);
        expect_as_predicted(plan.get(), scheme);
      }
    }
  }
}

TEST(MxPlans, AreMadeForSmoothLengthsByTheirNamesAlone) {
  for (const char* problem : {"64 f32 scheme=mx:mxfp8_e4m3", "1000*3 f32 scheme=mx:mxint8:b8:floor:fresh",
                              "17 f32 scheme=mx:mxfp6_e2m3:b16", "360x49 mxfp8_e4m3 scheme=mx:mxfp8_e4m3 inverse centered",
                              "2310 f64->f16 scheme=mx:mxfp4_e2m1"}) {
    const PlanPtr plan = make_plan(default_target().context, problem);
    ASSERT_NE(plan, nullptr);
    EXPECT_GT(ulpfft_plan_error(plan.get()), 0.01) << problem;
    expect_as_predicted(plan.get(), problem);
  }
}

TEST(MxPlans, AreMadeForBatchesBeyondTheCaches) {
  // From 1 MiB on, other schemes stream, which no pass of these can.
  for (const char* problem : {"1024*64 f32 scheme=mx:mxint8", "1024*128 f32 scheme=mx:mxfp8_e4m3:b8:floor:fresh threads=2",
                              "256x256*2 f32 scheme=mx:mxfp4_e2m1", "100x1000*2 f32->f16 scheme=mx:mxint8",
                              "1024*64 f64 max_error=0.1 scheme=mx:mxint8"}) {
    const PlanPtr plan = make_plan(default_target().context, problem);
    ASSERT_NE(plan, nullptr) << problem;
    expect_as_predicted(plan.get(), problem);
  }
}

TEST(MxPlans, RefuseWhatHasNoMxArithmetic) {
  expect_refused({
      {"8 f32 scheme=mx", "", "mxfp8_e4m3"},
      {"8 f32 scheme=mx:e4m3", "", "no blocks"},
      {"8 f32 scheme=mx:mxfp8_e4m4", "", "Did you mean 'mxfp8_e4m3'"},
      {"8 f32 scheme=mx:mxfp8_e4m3:b7", "", "b7"},
      {"8 f32 scheme=mx:mxfp8_e4m3:b0", "", "one scale per row"},
      {"8 f32 scheme=mx:mxfp8_e4m3:rare", "", "rare"},
      {"38 f32 scheme=mx:mxfp8_e4m3", "", "primes up to 13"},
  });
  for (const char* node : {"dit(2:ds 2)", "dit(2 2:ds)", "dit(2|f16 2)", "cols(p4; n4)", "dit(2 2 stream)", "dit(2 / 2)"}) {
    EXPECT_EQ(try_plan(default_target().context, "4 f32 scheme=mx:mxint8", "mx:mxint8:" + std::string(node)), nullptr) << node;
  }
}

}  // namespace
}  // namespace ulpfft::test
