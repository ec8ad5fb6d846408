// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Split schemes through the interface: equal bits everywhere, errors as stated and as predicted, ranges, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
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

// What the library lists, and variants that are planned for their names alone.
std::vector<std::string> schemes() {
  std::vector<std::string> names{"split:bf16x2x3", "split:f16x2:arbitrary", "split:f16x1x2",    "split:f16x2:whole",
                                 "split:e4m3x3",   "split:i8x2",            "split:e5m2:tile64"};
  for (std::size_t i = 0; i < ulpfft_scheme_count(); ++i) {
    auto scheme = sized<ulpfft_scheme>();
    EXPECT_EQ(ulpfft_scheme_get(i, &scheme), ULPFFT_OK);
    if (std::string(scheme.kind) == "split") names.emplace_back(scheme.name);
  }
  return names;
}

// Every radix, lines that straddle units and share them, every layout and placement.
const std::vector<SchemeCase> kCases = {
    {"64 f32", "dit(4 4 4)"},
    {"64*3 f32", "n64"},
    {"256 f32 inplace", "n256"},
    {"512 f32 inverse scale=1/n", "dit(8 8 8)"},
    {"256*5 f32 inplace", "dit(16 16)"},
    {"1000 f32 centered", "dit(8 5 5 5)"},
    {"13 f32", "n13"},
    {"7*700 f32 split", "n7"},
    {"693*2 f32", "dit(7 9 11)"},
    {"96 f32 in_strides=3 out_strides=5", "dit(3 2 4 2 2)"},
    {"60x24 f32 inverse centered scale=ortho", "rank(dit(4 3 5); dit(2 3 4))"},
    {"16384*3 f32 threads=2", "dit(128 128)"},
    {"4096*2 f32", "dit(16 16 16)"},
    {"256 f32 inverse split", "dit(2 2 2 2 2 2 2 2)"},
    {"128 mxfp8_e4m3->f16", "dit(2 8 8)"},
    {"48 f64", "dit(3 16)"},
    {"143*20 f64->f32", "dit(13 11)"},
    {"1 f32", "n1"},
    {"360*3 f32 chain=mul", "chain(dit(8 9 5); mul; dit(5 8 9))"},
    {"64x60 f32 inverse centered scale=1/n chain=mul", "chain(rank(dit(4 4 4); dit(4 3 5)); mul; rank(dit(8 8); dit(3 4 5)))"},
};

TEST(SplitPlans, HaveTheSameBitsOnEveryTarget) {
  for (const std::string& scheme : schemes()) expect_same_bits_on_every_target(scheme, kCases);
}

TEST(SplitPlans, KeepTheirBitsWhateverThreadsAndBatches) {
  for (const char* scheme : {"split:f16x2", "split:f16x2:tile16", "split:i8x4"}) expect_same_bits_in_batches(scheme, "dit(8 8 64)");
}

// The rows are of radix 4, of 16, or of matrices up to 256 by 256. Sums in f32 are added in blocks here, in those rows in other orders.
TEST(SplitPlans, ErrAsTheGoldenRowsAndAsPredicted) {
  struct Row {
    const char* name;
    const char* scheme;
    std::vector<const char*> nodes;  // of 64, 256, 1024, ... 65536 points
  };
  const std::vector<const char*> fours{"dit(4 4 4)",       "dit(4 4 4 4)",       "dit(4 4 4 4 4)",
                                       "dit(4 4 4 4 4 4)", "dit(4 4 4 4 4 4 4)", "dit(4 4 4 4 4 4 4 4)"};
  const std::vector<const char*> sixteens{"dit(16 4)",    "dit(16 16)",      "dit(16 16 4)",
                                          "dit(16 16 16)", "dit(16 16 16 4)", "dit(16 16 16 16)"};
  const std::vector<const char*> matrices{"n64", "n256", "dit(256 4)", "dit(256 16)", "dit(256 64)", "dit(256 256)"};
  const std::vector<Row> rows = {{"fp16x2 radix4", "split:f16x2:arbitrary", fours},
                                 {"fp16x2 radix4 pow2", "split:f16x2", fours},
                                 {"fp16x1 radix4", "split:f16", fours},
                                 {"fp16x2 radix16 W fp16", "split:f16x1x2", sixteens},
                                 {"fp16x2 radix16 W split", "split:f16x2", sixteens},
                                 {"bf16 gemm256", "split:bf16", matrices},
                                 {"ozaki gemm256", "split:bf16x2", matrices},
                                 {"ozaki_hq gemm256", "split:bf16x2x3", matrices},
                                 {"3x3_6 gemm256", "split:bf16x3", matrices},
                                 {"3x3_9 gemm256", "split:bf16x3x3", matrices}};
  const json table = golden("accuracy.json");
  for (const Row& row : rows) {
    ASSERT_EQ(row.nodes.size(), table["n"].size());
    for (std::size_t i = 0; i < row.nodes.size(); ++i) {
      const std::int64_t n = table["n"][i].get<std::int64_t>();
      const double expected = table["relative_l2"].at(row.name)[i].get<double>();
      const std::string recipe = std::string(row.scheme) + ":" + row.nodes[i];
      const PlanPtr plan = make_plan(default_target().context, sampled_problem(n, "f32", row.scheme), recipe);
      ASSERT_NE(plan, nullptr);
      EXPECT_NEAR(measured_error(plan.get()) / expected, 1, golden_margin(n, expected)) << row.name << ", n = " << n;
      expect_as_predicted(plan.get(), row.name);
    }
  }
}

// As many passes of `radix` as there are, then what remains; n is a power of two.
std::string passes_of(std::int64_t n, std::int64_t radix) {
  std::string text;
  for (const std::int64_t r : {256, 16, 8, 4, 2}) {
    for (; r <= radix && n % r == 0; n /= r) text += " " + std::to_string(r);
  }
  return text.find(' ', 1) == text.npos ? "n" + text.substr(1) : "dit(" + text.substr(1) + ")";
}

// By the planner's own recipe, and in radix 4 and 16. Matrices of 256 points round more: 1.8e-9 at 65536 points, as predicted.
TEST(SplitPlans, OfFourSlicesErrLessThanOneAndAHalfInABillion) {
  for (std::int64_t n = 64; n <= 65536; n *= 2) {
    const std::string problem = sampled_problem(n, "f64", "split:i8x4");
    for (const std::int64_t radix : {0, 4, 16, 256}) {
      const PlanPtr plan = radix == 0 ? make_plan(default_target().context, problem)
                                      : make_plan(default_target().context, problem, "split:i8x4:" + passes_of(n, radix));
      ASSERT_NE(plan, nullptr);
      if (radix < 256) {
        EXPECT_LE(measured_error(plan.get()), 1.5e-9) << problem << " " << recipe_of(plan.get());
      }
      expect_as_predicted(plan.get(), problem);
    }
  }
}

TEST(SplitPlans, AreMadeForLengthsOfPrimesUpTo13ByTheirNamesAlone) {
  for (const std::string& scheme : schemes()) {
    for (const char* problem : {"64 f32", "1000*3 f32", "360x49 f32 inverse centered", "2310 f64->f16", "1024*64 f32"}) {
      const std::string text = std::string(problem) + " scheme=" + scheme;
      const PlanPtr plan = make_plan(default_target().context, text);
      ASSERT_NE(plan, nullptr) << text;
      expect_as_predicted(plan.get(), text);
    }
  }
}

// Lengths of primes up to 13 and radices that multiply to them, in an order of their own.
TEST(SplitPlans, ErrAsPredictedOn300RandomProblems) {
  std::mt19937 random(26);
  const std::vector<std::string> names = schemes();
  const std::vector<std::int64_t> radices{2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 64, 128, 256};
  for (int i = 0; i < 300; ++i) {
    std::string node;
    std::int64_t n = 1;
    int passes = 0;
    for (const std::size_t wanted = 1 + random() % 4; static_cast<std::size_t>(passes) < wanted || n < 16;) {
      const std::int64_t radix = radices[random() % radices.size()];
      if (n * radix > 16384) break;
      n *= radix;
      node += (passes++ > 0 ? " " : "") + std::to_string(radix);
    }
    const std::string scheme = names[random() % names.size()];
    const bool slices = scheme.find("i8") != std::string::npos;
    const std::string problem = sampled_problem(n, slices ? "f64" : "f32", scheme) + (random() % 2 != 0 ? " inverse scale=1/n" : "");
    const PlanPtr plan = make_plan(default_target().context, problem, scheme + (passes > 1 ? ":dit(" + node + ")" : ":n" + node));
    ASSERT_NE(plan, nullptr) << problem;
    expect_as_predicted(plan.get(), problem);
  }
}

// Numbers up to `level`; 0: magnitudes from 1e-30 to 1e30 beside each other.
std::vector<float> wide_data(std::mt19937& random, std::size_t reals, double level) {
  std::uniform_real_distribution<double> exponent(-30, 30), uniform(-1, 1);
  std::vector<float> data(reals);
  for (float& x : data) x = static_cast<float>(uniform(random) * (level > 0 ? level : std::pow(10.0, exponent(random))));
  return data;
}

double energy(const std::vector<float>& data, double level) {
  double sum = 0;
  for (const float x : data) sum += std::pow(static_cast<double>(x) / level, 2);
  return sum;
}

// The energy of the spectrum is n times that of the data, but for twice the relative error: no line is lost.
TEST(SplitPlans, OfF16InTilesHoldEveryRange) {
  std::mt19937 random(5);
  const std::vector<std::pair<std::string, std::string>> plans = {
      {"4096", "dit(16 16 16)"}, {"4096", "dit(4 4 4 4 4 4)"}, {"65536", "dit(256 256)"},          {"1000", "dit(8 5 5 5)"},
      {"2310", "dit(2 3 5 7 11)"}, {"169", "dit(13 13)"},      {"64x64", "rank(dit(8 8); n64)"}, {"256", "n256"}};
  for (const char* tile : {"tile1", "tile4", "tile16", "tile64", "tile4096"}) {
    for (const auto& [lengths, node] : plans) {
      const std::string scheme = "split:f16x2:" + std::string(tile), problem = lengths + " f32 scheme=" + scheme;
      const PlanPtr plan = make_plan(default_target().context, problem, scheme + ":" + node);
      ASSERT_NE(plan, nullptr);
      const std::size_t n = lengths == "64x64" ? 4096 : std::stoul(lengths);
      std::vector<float> out(2 * n);
      for (const double level : {0.0, 1e-30, 1e-24, 1e-15, 1e-5, 1.0, 1e5, 1e15, 1e24, 1e30}) {
        const std::vector<float> in = wide_data(random, out.size(), level);
        ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), out.data()), ULPFFT_OK) << last_error_text();
        for (const float x : out) ASSERT_TRUE(std::isfinite(x)) << problem << ", numbers of " << level;
        if (level > 0) {
          const double ratio = energy(out, level) / (static_cast<double>(n) * energy(in, level));
          EXPECT_NEAR(ratio, 1, 2 * kPredictedWithin * ulpfft_plan_error(plan.get())) << problem << ", numbers of " << level;
        }
      }
    }
  }
}

// Numbers near both ends of the range of f32, and ties of bf16 there, have the bits of the reference.
TEST(SplitPlans, HaveTheSameBitsNearTheEndsOfTheRange) {
  std::mt19937 random(12);
  for (const std::string scheme : {"split:bf16", "split:bf16x2", "split:bf16x3", "split:f16x2", "split:f16x2:tile16", "split:e5m2x2", "split:i8x4"}) {
    for (const char* node : {"dit(4 4 4)", "dit(2 2 16)", "dit(4 2 8)"}) {
      for (const int exponent : {120, 99, 60, 0, -100, -126, -140}) {
        std::vector<float> in(128), expected(128), out(128);
        for (float& x : in) {
          const auto bits = static_cast<std::uint32_t>(random());
          x = std::ldexp(1 + static_cast<float>(bits % 256) / 128, exponent - static_cast<int>(bits >> 8 & 3)) * (bits >> 31 != 0 ? 1.0F : -1.0F);
        }
        const std::string problem = "64 f32 scheme=" + scheme, recipe = scheme + ":" + node;
        const PlanPtr reference = make_plan(ref_target().context, problem, recipe);
        ASSERT_NE(reference, nullptr);
        ASSERT_EQ(ulpfft_execute(reference.get(), in.data(), expected.data()), ULPFFT_OK);
        for (const Target& target : targets()) {
          const PlanPtr plan = make_plan(target.context, problem, recipe);
          ASSERT_NE(plan, nullptr);
          ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), out.data()), ULPFFT_OK);
          for (std::size_t i = 0; i < out.size(); ++i) {
            if (std::isnan(expected[i]) && std::isnan(out[i])) continue;
            ASSERT_EQ(std::bit_cast<std::uint32_t>(out[i]), std::bit_cast<std::uint32_t>(expected[i]))
                << recipe << " on " << target.name << ", 2^" << exponent << ", real " << i;
          }
        }
      }
    }
  }
}

TEST(SplitPlans, AreNaNWhereTheInputIs) {
  for (const std::string& scheme : schemes()) {
    for (const Target& target : targets()) {
      const PlanPtr plan = make_plan(target.context, "64 f32 scheme=" + scheme, scheme + ":dit(4 16)");
      ASSERT_NE(plan, nullptr);
      for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        std::vector<float> in(128, 1.0F), out(128);
        in[5] = bad;
        ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), out.data()), ULPFFT_OK);
        for (const float x : out) ASSERT_FALSE(std::isfinite(x)) << scheme << " on " << target.name;
      }
    }
  }
}

TEST(SplitPlans, RefuseWhatIsNoSplitScheme) {
  expect_refused({
      {"8 f32 scheme=split", "", "Give max_error"},
      {"8 f32 scheme=split:", "", "not a scheme name"},
      {"8 f32 scheme=split:x2", "", "no element format"},
      {"8 f32 scheme=split:bf17x2", "", "Did you mean 'bf16'"},
      {"8 f32 scheme=split:bf16x5", "", "1, 2, 3 or 4 parts"},
      {"8 f32 scheme=split:e8m0x2", "", "has no negative numbers"},
      {"8 f32 scheme=split:u8x2", "", "no integer of 8 bits"},
      {"8 f32 scheme=split:i16x2", "", "no integer of 8 bits"},
      {"8 f32 scheme=split:f32x2", "", "sums of products round to"},
      {"8 f32 scheme=split:bf16:tile16", "", "no norm"},
      {"8 f32 scheme=split:i8x4:tile16", "", "a norm for every column"},
      {"8 f32 scheme=split:f16:tile0", "", ":tileN"},
      {"34 f32 scheme=split:bf16", "", "primes up to 13"},
      {"r2c 64 f32 scheme=split:bf16", "", "scheme"},
      {"c2r 64 f32 scheme=split:bf16", "", "scheme"},
      {"r2c 64 f32 scheme=split:bf16 chain=mul", "", "scheme"},
      {"64 f32 scheme=split chain=mul", "", "Give max_error"},
      {"64 f32 scheme=rounded:f16 chain=mul", "", "a split scheme"},
      {"64 f32 precision=bf8", "", "bf16, ozaki, ozaki_hq, fp32"},
      {"64 f32 precision=bf16 scheme=f32", "", "leave one of them out"},
  });
  for (const char* node : {"dit(4:ds 4)", "dit(4 4:ds)", "dit(4|f16 4)", "cols(p4; n16)", "dit(4 4 stream)", "dit(4 / 4)",
                           "dit(4 4 encode)", "four(4x4 p4; n4; n4)", "n16:ds"}) {
    EXPECT_EQ(try_plan(default_target().context, "16 f32 scheme=split:bf16", "split:bf16:" + std::string(node)), nullptr) << node;
  }
  EXPECT_EQ(try_plan(default_target().context, "32 f32 scheme=split:bf16", "split:bf16:n32"), nullptr);
}

// Names that are in use elsewhere are read, and printed as the scheme.
TEST(SplitPlans, PrintTheNamesOfTheirSchemes) {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"split:fp16x2", "split:f16x2:"}, {"split:ozaki4", "split:i8x4:"}, {"split:bf16x1", "split:bf16:"}};
  for (const auto& [name, printed] : names) {
    const PlanPtr plan = make_plan(default_target().context, "64 f32 scheme=" + name);
    ASSERT_NE(plan, nullptr);
    EXPECT_EQ(recipe_of(plan.get()).substr(0, printed.size()), printed);
    EXPECT_NE(make_plan(default_target().context, "64 f32 scheme=" + name, name + ":dit(8 8)"), nullptr);
  }
}

void leave_as_is(void*, const ulpfft_tile*) {}

template <typename T>
std::vector<T> run_chain(const ulpfft_plan* plan, const std::vector<T>& in, const ulpfft_operation& operation) {
  std::vector<T> data = in, out(in.size());
  auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
  from.data[0] = data.data();
  to.data[0] = out.data();
  EXPECT_EQ(ulpfft_execute_chain(plan, &from, &to, &operation, nullptr), ULPFFT_OK) << last_error_text();
  return out;
}

// There and back as one plan, with an operation that changes nothing, with factors that are 1, and as two plans of the same recipes. (Chains of
// several dimensions go back through them in the other order.)
template <typename T>
void check_chain(const std::string& shape, std::size_t points, const std::string& scheme, const std::string& there, const std::string& back) {
  const std::string storage = sizeof(T) == 4 ? " f32" : " f64", ends = " scheme=" + scheme;
  const auto chain_of = [&](const std::string& operation) {
    return make_plan(default_target().context, shape + storage + ends + " chain=" + operation, scheme + ":chain(" + there + "; " + operation + "; " + back + ")");
  };
  const PlanPtr user = chain_of("user"), mul = chain_of("mul");
  const PlanPtr forward = make_plan(default_target().context, shape + storage + ends, scheme + ":" + there);
  const PlanPtr inverse = make_plan(default_target().context, shape + storage + ends + " inverse", scheme + ":" + back);
  ASSERT_TRUE(user != nullptr && mul != nullptr && forward != nullptr && inverse != nullptr) << scheme;
  std::vector<T> in(2 * points), spectrum(in.size()), apart(in.size()), ones(in.size(), T(0));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(std::sin(0.71 * static_cast<double>(i * i % 1013)));
  for (std::size_t i = 0; i < ones.size(); i += 2) ones[i] = 1;
  ASSERT_EQ(ulpfft_execute(forward.get(), in.data(), spectrum.data()), ULPFFT_OK);
  ASSERT_EQ(ulpfft_execute(inverse.get(), spectrum.data(), apart.data()), ULPFFT_OK);
  auto nothing = sized<ulpfft_operation>(), product = sized<ulpfft_operation>();
  nothing.apply = &leave_as_is;
  product.factors = ones.data();
  EXPECT_EQ(run_chain(user.get(), in, nothing), apart) << shape << ", " << scheme;
  EXPECT_EQ(run_chain(mul.get(), in, product), apart) << shape << ", " << scheme;
}

TEST(SplitPlans, GoThereAndBackAsOnePlanWithTheBitsOfTwo) {
  for (const std::string& scheme : schemes()) {
    const bool slices = scheme.find("i8") != std::string::npos;
    const auto check = [&](const std::string& shape, std::size_t points, const std::string& there, const std::string& back) {
      slices ? check_chain<double>(shape, points, scheme, there, back) : check_chain<float>(shape, points, scheme, there, back);
    };
    check("1024", 1024, "dit(4 4 4 4 4)", "dit(16 16 4)");
    check("360", 360, "dit(8 9 5)", "dit(5 8 9)");
    check("64*7", 448, "dit(4 16)", "dit(2 8 4)");
  }
}

template <typename T>
std::vector<T> transposed(const std::vector<T>& in, std::size_t rows, std::size_t columns) {
  std::vector<T> out(in.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) std::copy_n(&in[2 * (i * columns + j)], 2, &out[2 * (j * rows + i)]);
  }
  return out;
}

// A chain of two dimensions goes back through them in the other order. So its bits are those of forward, multiply and backward where the
// backward plan is of the transposed array. A plan of the array itself differs by the errors of both. Factors are
// powers of i and 2, whose products are exact.
template <typename T>
void check_chain_of_two_dimensions(const std::string& scheme) {
  constexpr std::size_t kRows = 32, kColumns = 60;
  const std::string ends = std::string(sizeof(T) == 4 ? " f32" : " f64") + " scheme=" + scheme, there = "rank(dit(4 8); dit(5 3 4))";
  const std::string back = "rank(dit(2 16); dit(4 3 5))", both = scheme + ":chain(" + there + "; mul; " + back + ")";
  const PlanPtr chain = make_plan(default_target().context, "32x60" + ends + " chain=mul", both);
  const PlanPtr forward = make_plan(default_target().context, "32x60" + ends, scheme + ":" + there);
  const PlanPtr backward = make_plan(default_target().context, "32x60" + ends + " inverse", scheme + ":" + back);
  const PlanPtr across = make_plan(default_target().context, "60x32" + ends + " inverse", scheme + ":rank(dit(4 3 5); dit(2 16))");
  ASSERT_TRUE(chain != nullptr && forward != nullptr && backward != nullptr && across != nullptr) << scheme;
  std::vector<T> in(2 * kRows * kColumns), factors(in.size(), T(0)), spectrum(in.size()), turned(in.size()), apart(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(std::sin(0.71 * static_cast<double>(i * i % 1013)));
  for (std::size_t i = 0; i < in.size(); i += 2) factors[i + i / 2 % 2] = i % 3 == 0 ? T(-0.5) : T(2);
  ASSERT_EQ(ulpfft_execute(forward.get(), in.data(), spectrum.data()), ULPFFT_OK);
  for (std::size_t i = 0; i < in.size(); i += 2) {
    turned[i] = spectrum[i] * factors[i] - spectrum[i + 1] * factors[i + 1];
    turned[i + 1] = spectrum[i] * factors[i + 1] + spectrum[i + 1] * factors[i];
  }
  auto product = sized<ulpfft_operation>();
  product.factors = factors.data();
  const std::vector<T> together = run_chain(chain.get(), in, product);
  const std::vector<T> columns = transposed(turned, kRows, kColumns);
  ASSERT_EQ(ulpfft_execute(across.get(), columns.data(), apart.data()), ULPFFT_OK);
  EXPECT_EQ(together, transposed(apart, kColumns, kRows)) << scheme;
  ASSERT_EQ(ulpfft_execute(backward.get(), turned.data(), apart.data()), ULPFFT_OK);
  double difference = 0, all = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    difference += std::pow(static_cast<double>(together[i]) - static_cast<double>(apart[i]), 2);
    all += std::pow(static_cast<double>(apart[i]), 2);
  }
  // Each of the two backward transforms errs as predicted.
  EXPECT_LE(std::sqrt(difference / all), 2 * kPredictedWithin * ulpfft_plan_error(backward.get())) << scheme;
}

TEST(SplitPlans, GoThereAndBackInTwoDimensionsAsForwardMultiplyAndBackward) {
  for (const std::string& scheme : schemes()) {
    scheme.find("i8") != std::string::npos ? check_chain_of_two_dimensions<double>(scheme) : check_chain_of_two_dimensions<float>(scheme);
  }
}

TEST(SplitPlans, OfChainsErrAsPredicted) {
  for (const std::string& scheme : schemes()) {
    const bool slices = scheme.find("i8") != std::string::npos;
    for (const char* shape : {"1024*4", "360", "32x48*2"}) {
      const std::string problem = std::string(shape) + (slices ? " f64" : " f32") + " scale=1/n chain=mul scheme=" + scheme;
      const PlanPtr plan = make_plan(default_target().context, problem);
      ASSERT_NE(plan, nullptr) << problem;
      expect_as_predicted(plan.get(), problem + " " + recipe_of(plan.get()));
    }
  }
}

// Modes of trnfft.
TEST(SplitPlans, AreNamedByPrecisions) {
  for (const auto& [mode, scheme] : {std::pair<std::string, std::string>{"bf16", "split:bf16:"}, {"ozaki", "split:bf16x2:"}, {"ozaki_hq", "split:bf16x2x3:"},
                                     {"fp32", "f32:"}, {"double", "f64:"}}) {
    const PlanPtr plan = make_plan(default_target().context, "64 f32 precision=" + mode);
    ASSERT_NE(plan, nullptr);
    EXPECT_EQ(recipe_of(plan.get()).substr(0, scheme.size()), scheme);
  }
}

// Judged by data, no limit given: within twice the error that f32 makes on them.
TEST(SplitPlans, AreChosenByDataAmongEachOther) {
  std::vector<float> data(2 * 1024);
  for (const bool wide_range : {false, true}) {
    // Of wide range, most of the numbers vanish beside a few.
    for (std::size_t i = 0; i < data.size(); ++i) {
      const double x = std::sin(0.37 * static_cast<double>(i * i % 1009));
      data[i] = static_cast<float>(wide_range ? x * std::pow(10.0, static_cast<double>(i % 41) - 20) : x);
    }
    auto judge = sized<ulpfft_array>();
    judge.data[0] = data.data();
    auto options = sized<ulpfft_plan_options>();
    options.judge = &judge;
    const auto plan_of = [&](const std::string& problem) {
      ulpfft_plan* made = nullptr;
      EXPECT_EQ(ulpfft_plan_parse_options(default_target().context, problem.c_str(), &options, &made), ULPFFT_OK) << last_error_text();
      return PlanPtr(made);
    };
    const auto error_of = [&](const ulpfft_plan* plan) {
      auto report = sized<ulpfft_error_report>();
      EXPECT_EQ(ulpfft_plan_assess(plan, &judge, ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK) << last_error_text();
      return report.relative_l2;
    };
    const PlanPtr wide = plan_of("1024 f32"), chosen = plan_of("1024 f32 scheme=split");
    ASSERT_TRUE(wide != nullptr && chosen != nullptr);
    EXPECT_EQ(recipe_of(chosen.get()).substr(0, 6), "split:");
    EXPECT_LE(error_of(chosen.get()), 2.5 * error_of(wide.get())) << recipe_of(chosen.get());
    EXPECT_NE(recipe_of(chosen.get()).substr(0, 11), "split:bf16:") << "it errs by 3e-3";
  }
}

// Of the family, by an error limit.
TEST(SplitPlans, AreChosenByAnErrorLimitAmongEachOther) {
  const std::vector<std::pair<double, std::string>> limits = {{5e-3, "split:bf16:"}, {2e-5, "split:bf16x2:"}, {5e-9, "split:i8x4:"}};
  for (const auto& [limit, scheme] : limits) {
    // Slices have f64 around them, which arrays in f32 are converted to and from.
    const std::string shape = limit < 1e-8 ? "1024*16 f64" : "1024*16 f32";
    const std::string problem = shape + " scheme=split max_error=" + std::to_string(limit * 1e9) + "e-9";
    const PlanPtr plan = make_plan(default_target().context, problem, ULPFFT_MEASURE, kNoHurry);
    ASSERT_NE(plan, nullptr);
    EXPECT_EQ(recipe_of(plan.get()).substr(0, scheme.size()), scheme) << limit;
    EXPECT_LE(ulpfft_plan_error(plan.get()), limit);
  }
  const PlanPtr plan = make_plan(default_target().context, "1024 f32 scheme=split max_error=4e-7", ULPFFT_MEASURE, kNoHurry);
  ASSERT_NE(plan, nullptr);
  EXPECT_EQ(recipe_of(plan.get()).substr(0, 6), "split:");
  EXPECT_LE(ulpfft_plan_error(plan.get()), 4e-7);
  EXPECT_EQ(try_plan(default_target().context, "8 f32 scheme=split max_error=1", "split:n8"), nullptr);
  EXPECT_NE(make_plan(default_target().context, "8 f32 scheme=split max_error=1", "split:bf16:n8"), nullptr);
}

}  // namespace
}  // namespace ulpfft::test
