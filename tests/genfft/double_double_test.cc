// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "codelets/contract/double_double.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <ostream>
#include <random>

namespace ulpfft {

void PrintTo(const DoubleDouble& value, std::ostream* out) { *out << value.hi << " + " << value.lo; }

namespace {

double relative(DoubleDouble a, DoubleDouble b) { return std::abs(((a - b) / b).hi); }

DoubleDouble random_value(std::mt19937_64& engine) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::uniform_int_distribution<int> exponent(-20, 20);
  const double high = std::ldexp(uniform(engine), exponent(engine));
  return two_sum(high, high * uniform(engine) * 0x1p-53);
}

TEST(DoubleDouble, TwoSumAndTwoProdAreExact) {
  const DoubleDouble sum = two_sum(1.0, 0x1p-80);
  EXPECT_EQ(sum.hi, 1.0);
  EXPECT_EQ(sum.lo, 0x1p-80);
  const DoubleDouble product = two_prod(1 + 0x1p-52, 1 + 0x1p-52);
  EXPECT_EQ(product.hi, 1 + 0x1p-51);
  EXPECT_EQ(product.lo, 0x1p-104);
}

TEST(DoubleDouble, AdditionStaysAccurateUnderCancellation) {
  const DoubleDouble a = {1.0, 0x1.8p-54};
  const DoubleDouble b = {-1.0, 0x1p-107};
  EXPECT_EQ(a + b, two_sum(0x1.8p-54, 0x1p-107));
}

TEST(DoubleDouble, InverseOperationsUndoEachOther) {
  std::mt19937_64 engine(1);
  for (int i = 0; i < 10000; ++i) {
    const DoubleDouble a = random_value(engine);
    const DoubleDouble b = random_value(engine);
    EXPECT_LE(relative(a * b / b, a), 0x1p-101) << i;
    EXPECT_LE(relative(a / b * b, a), 0x1p-101) << i;
    const DoubleDouble root = sqrt(abs(a));
    EXPECT_LE(relative(root * root, abs(a)), 0x1p-102) << i;
  }
}

TEST(DoubleDouble, IntegersConvertExactly) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(DoubleDouble(kLargest), (DoubleDouble{0x1p63, -1.0}));
  EXPECT_EQ(DoubleDouble(std::numeric_limits<std::int64_t>::min()), DoubleDouble(-0x1p63));
  EXPECT_EQ(DoubleDouble(std::numeric_limits<std::uint64_t>::max()), (DoubleDouble{0x1p64, -1.0}));
  EXPECT_EQ(DoubleDouble((std::int64_t{1} << 62) + 5), (DoubleDouble{0x1p62, 5.0}));
  EXPECT_EQ(DoubleDouble(-(std::int64_t{1} << 60) - 3), (DoubleDouble{-0x1p60, -3.0}));
  EXPECT_EQ(DoubleDouble(-1), DoubleDouble(-1.0));
  EXPECT_EQ(DoubleDouble(0), DoubleDouble());
}

TEST(DoubleDouble, ComparesByHighThenLow) {
  EXPECT_LT((DoubleDouble{1.0, -0x1p-60}), DoubleDouble(1.0));
  EXPECT_LT(DoubleDouble(1.0), (DoubleDouble{1.0, 0x1p-60}));
  EXPECT_EQ(abs(DoubleDouble{-1.0, 0x1p-60}), (DoubleDouble{1.0, -0x1p-60}));
}

TEST(RoundTo, FloatIsRoundedOnce) {
  // Just above and just below a tie of float: rounding hi alone sees the tie.
  const double tie = 1 + 0x1p-24;
  EXPECT_EQ(round_to<float>({tie, 0x1p-80}), 1 + 0x1p-23f);
  EXPECT_EQ(round_to<float>({tie, -0x1p-80}), 1.0f);
  EXPECT_EQ(round_to<float>({tie, 0}), 1.0f);
  const double odd_tie = 1 + 3 * 0x1p-24;
  EXPECT_EQ(round_to<float>({odd_tie, 0}), 1 + 0x1p-22f);
  EXPECT_EQ(round_to<float>({odd_tie, -0x1p-80}), 1 + 0x1p-23f);
  EXPECT_EQ(round_to<float>({-tie, 0x1p-80}), -1.0f);
  EXPECT_EQ(round_to<float>({-tie, -0x1p-80}), -(1 + 0x1p-23f));
  // The power of two below which the spacing of double halves.
  EXPECT_EQ(round_to<float>({1.0, -0x1p-60}), 1.0f);
  EXPECT_EQ(round_to<float>({0x1p-150, 0x1p-210}), 0x1p-149f);
  EXPECT_EQ(round_to<float>({0x1p-150, -0x1p-210}), 0.0f);
}

TEST(RoundTo, FloatAgreesWithDirectConversionAwayFromTies) {
  std::mt19937_64 engine(2);
  for (int i = 0; i < 10000; ++i) {
    const DoubleDouble value = random_value(engine);
    EXPECT_EQ(round_to<float>(value), static_cast<float>(value.hi)) << i;
  }
}

}  // namespace
}  // namespace ulpfft
