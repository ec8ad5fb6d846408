// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The tests' own tools: an oracle that is wrong, or a guard that does not guard, would make every other test worthless.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <string_view>
#include <vector>

#include "tests/support/double_double.h"
#include "tests/support/gates.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/oracle.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

double distance(DoubleDouble a, DoubleDouble b) { return std::abs((a - b).value()); }
double distance(const ComplexDD& a, const ComplexDD& b) { return std::hypot((a.re - b.re).value(), (a.im - b.im).value()); }

double relative_distance(const std::vector<ComplexDD>& got, const std::vector<ComplexDD>& expected) {
  double error = 0;
  double size = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    error += std::pow(distance(got[i], expected[i]), 2);
    size += std::pow(distance(expected[i], {}), 2);
  }
  return std::sqrt(error / size);
}

// Both words filled: about 106 random bits.
std::vector<ComplexDD> random_points(std::int64_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<ComplexDD> points(static_cast<std::size_t>(n));
  for (ComplexDD& point : points) {
    point.re = two_sum(random.normal(), 0x1p-54 * random.normal());
    point.im = two_sum(random.normal(), 0x1p-54 * random.normal());
  }
  return points;
}

TEST(DoubleDouble, QuotientTimesDivisorIsTheDividendTo104Bits) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const DoubleDouble a = two_sum(random.normal(), 0x1p-55 * random.normal());
    const DoubleDouble b = two_sum(1.0 + random.uniform(), 0x1p-55 * random.normal());
    EXPECT_LE(distance(a / b * b, a), 0x1p-102 * std::abs(a.hi)) << i;
  }
}

TEST(DoubleDouble, SquareRootOfTwoSquaredIsTwo) {
  const DoubleDouble root{1.4142135623730951, -9.667293313452913e-17};
  EXPECT_LE(distance(root * root, 2.0), 1e-31);
}

TEST(CirclePoint, HasTheKnownValues) {
  const DoubleDouble half_root_two{0.7071067811865476, -4.833646656726457e-17};
  const DoubleDouble half_root_three{0.8660254037844386, 5.0175421109034514e-17};
  const DoubleDouble root_five{2.23606797749979, -1.0864230407365012e-16};
  EXPECT_EQ(circle_point(0, 7), (ComplexDD{1.0, -0.0}));
  EXPECT_LE(distance(circle_point(1, 8), {half_root_two, -half_root_two}), 2e-31);
  EXPECT_LE(distance(circle_point(5, 8), {-half_root_two, half_root_two}), 2e-31);
  EXPECT_LE(distance(circle_point(1, 12), {half_root_three, -0.5}), 2e-31);
  EXPECT_LE(distance(circle_point(1, 3), {-0.5, -half_root_three}), 2e-31);
  EXPECT_LE(distance(circle_point(1, 5).re, (root_five - 1.0) / 4.0), 2e-31);
  EXPECT_LE(distance(circle_point(3, 4), {0.0, 1.0}), 2e-31);
  EXPECT_LE(distance(circle_point(1, 2), {-1.0, 0.0}), 2e-31);
}

TEST(CirclePoint, LiesOnTheCircleAndAgreesWithLongDouble) {
  for (const std::uint64_t n : {3U, 5U, 8U, 13U, 100U, 1001U, 65536U, 1048576U}) {
    for (std::uint64_t k = 0; k < n; k += 1 + n / 97) {
      const ComplexDD point = circle_point(k, n);
      EXPECT_LE(distance(point.re * point.re + point.im * point.im, 1.0), 4e-31) << "k=" << k << " n=" << n;
      const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(n);
      EXPECT_NEAR(point.re.hi, static_cast<double>(std::cos(angle)), 1.2e-16) << "k=" << k << " n=" << n;
      EXPECT_NEAR(point.im.hi, static_cast<double>(std::sin(angle)), 1.2e-16) << "k=" << k << " n=" << n;
    }
  }
}

// Angle addition ties neighbouring points to each other to the last digits.
TEST(CirclePoint, MultipliesByAddingAngles) {
  for (const std::uint64_t n : {7U, 96U, 1000U, 999983U}) {
    Random random(n);
    for (int i = 0; i < 50; ++i) {
      const std::uint64_t a = random.below(n);
      const std::uint64_t b = random.below(n);
      EXPECT_LE(distance(circle_point(a, n) * circle_point(b, n), circle_point((a + b) % n, n)), 1e-30) << a << ' ' << b << ' ' << n;
    }
  }
}

// Independent of circle_point and of double-double: sums in long double.
TEST(NaiveDft, AgreesWithLongDouble) {
  for (const std::int64_t n : {1, 2, 3, 8, 15, 64, 77}) {
    const auto in = random_points(n, 5);
    const auto out = naive_dft(in);
    for (std::int64_t k = 0; k < n; ++k) {
      long double re = 0;
      long double im = 0;
      for (std::int64_t j = 0; j < n; ++j) {
        const long double angle =
            -2 * std::numbers::pi_v<long double> * static_cast<long double>(j * k % n) / static_cast<long double>(n);
        const ComplexDD& x = in[static_cast<std::size_t>(j)];
        re += std::cos(angle) * x.re.hi - std::sin(angle) * x.im.hi;
        im += std::sin(angle) * x.re.hi + std::cos(angle) * x.im.hi;
      }
      EXPECT_NEAR(out[static_cast<std::size_t>(k)].re.hi, static_cast<double>(re), 1e-14) << "k=" << k << " n=" << n;
      EXPECT_NEAR(out[static_cast<std::size_t>(k)].im.hi, static_cast<double>(im), 1e-14) << "k=" << k << " n=" << n;
    }
  }
}

TEST(Oracle, AgreesWithTheNaiveDftTo30Digits) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = 1; n <= 70; ++n) lengths.push_back(n);
  for (const std::int64_t n : {81, 97, 121, 128, 143, 169, 210, 225, 256, 343, 360, 512, 625, 79, 83, 166, 207, 249, 263, 581, 1009}) lengths.push_back(n);
  for (const std::int64_t n : lengths) {
    const auto in = random_points(n, static_cast<std::uint64_t>(n));
    std::vector<ComplexDD> out(in.size());
    Oracle(n).forward(in.data(), 1, out.data());
    EXPECT_LE(relative_distance(out, naive_dft(in)), 3e-31 * std::sqrt(static_cast<double>(n))) << "n=" << n;  // the naive sum's error
  }
}

// Energy sees every output; the impulse's transform is the table of roots itself. Together they check lengths beyond naive reach.
TEST(Oracle, KeepsEnergyAndTransformsAnImpulseAtLargeLengths) {
  for (const std::int64_t n : {4096, 30030, 65536, 371293, 65537, 131074, 60494}) {
    const auto in = random_points(n, 9);
    std::vector<ComplexDD> out(in.size());
    const auto oracle = oracle_for(n);
    oracle->forward(in.data(), 1, out.data());
    DoubleDouble before;
    DoubleDouble after;
    for (const ComplexDD& x : in) before = before + (x.re * x.re + x.im * x.im);
    for (const ComplexDD& x : out) after = after + (x.re * x.re + x.im * x.im);
    EXPECT_LE(distance(after / DoubleDouble(static_cast<double>(n)) / before, 1.0), 1e-29) << "n=" << n;

    const std::int64_t place = n / 3;
    std::vector<ComplexDD> one(in.size());
    one[static_cast<std::size_t>(place)] = {1.0, 0.0};
    oracle->forward(one.data(), 1, out.data());
    for (std::int64_t k = 0; k < n; k += 1 + n / 501) {
      const auto turn = static_cast<std::uint64_t>(k) * static_cast<std::uint64_t>(place) % static_cast<std::uint64_t>(n);
      EXPECT_LE(distance(out[static_cast<std::size_t>(k)], circle_point(turn, static_cast<std::uint64_t>(n))), 5e-30) << k << " of " << n;
    }
  }
}

TEST(Oracle, TransformsOneDimensionOfAShape) {
  const std::vector<std::int64_t> shape{3, 4, 5};
  const auto in = random_points(60, 2);
  auto data = in;
  transform_dimension(data, shape, 1);
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t c = 0; c < 5; ++c) {
      std::vector<ComplexDD> line;
      for (std::size_t b = 0; b < 4; ++b) line.push_back(in[a * 20 + b * 5 + c]);
      const auto expected = naive_dft(line);
      for (std::size_t b = 0; b < 4; ++b) EXPECT_LE(distance(data[a * 20 + b * 5 + c], expected[b]), 1e-30);
    }
  }
}

TEST(GuardedBuffer, FindsATouchedGapAndForgivesUsedElements) {
  GuardedBuffer buffer(12 * sizeof(float), Flush::kEnd, 0);
  std::vector<std::uint8_t> used(12, 0);
  used[3] = 1;
  buffer.as<float>()[3] = 1.0F;
  EXPECT_FALSE(buffer.first_touched_gap(used, sizeof(float)).has_value());
  buffer.as<float>()[5] = 2.0F;
  EXPECT_EQ(buffer.first_touched_gap(used, sizeof(float)).value_or(-1), 20);
  buffer.fill();
  buffer.data()[-3] = std::byte{1};
  EXPECT_EQ(buffer.first_touched_gap(used, sizeof(float)).value_or(0), -3);
}

TEST(GuardedBuffer, GapsReadAsNaN) {
  for (const std::size_t shift : {std::size_t{0}, std::size_t{8}, std::size_t{24}}) {
    GuardedBuffer buffer(64, Flush::kStart, shift);
    for (int i = 0; i < 16; ++i) EXPECT_TRUE(std::isnan(buffer.as<float>()[i])) << i;
    for (int i = 0; i < 8; ++i) EXPECT_TRUE(std::isnan(buffer.as<double>()[i])) << i;
  }
}

TEST(GuardedBufferDeathTest, TouchingEitherSideEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH({ GuardedBuffer buffer(40, Flush::kEnd); buffer.data()[40] = std::byte{1}; }, "");
  EXPECT_DEATH({ GuardedBuffer buffer(40, Flush::kStart); buffer.data()[-1] = std::byte{1}; }, "");
}

TEST(GuardedBufferDeathTest, TouchingOneThatIsGoneEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH({
    std::byte* gone = nullptr;
    {
      GuardedBuffer buffer(40);
      gone = buffer.data();
    }
    *gone = std::byte{1};
  }, "");
}

TEST(GuardedBuffer, StartsAsThePatternWhateverAnEarlierOneHeld) {
  const std::vector<std::uint8_t> used(40, 0);
  for (const Flush flush : {Flush::kEnd, Flush::kStart}) {
    GuardedBuffer buffer(40, flush);
    EXPECT_EQ(buffer.first_touched_gap(used, 1), std::nullopt);
    std::fill_n(buffer.data(), buffer.size(), std::byte{1});
  }
}

TEST(Signal, IsRandomNormalWithUnitVariance) {
  const auto signal = random_signal<double>(100000, 3);
  double mean = 0;
  double power = 0;
  for (const auto& x : signal) {
    mean += x.real() + x.imag();
    power += std::norm(x);
  }
  EXPECT_NEAR(mean / 200000, 0, 0.01);
  EXPECT_NEAR(power / 100000, 2, 0.03);
}

TEST(Signal, SmoothLengthsHaveNoPrimeAboveThirteen) {
  const auto lengths = smooth_lengths(34);
  const std::vector<std::int64_t> expected{1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                                           18, 20, 21, 22, 24, 25, 26, 27, 28, 30, 32, 33};
  EXPECT_EQ(lengths, expected);
  for (const std::int64_t n : random_smooth_lengths(50, 1024, 1 << 20, 4)) EXPECT_TRUE(is_smooth(n) && n >= 1024 && n <= 1 << 20) << n;
}

TEST(Gates, CountTheTransformsOfConvolutions) {
  const auto square = [](std::string_view recipe) { return square_of_convolutions(recipe, true); };
  EXPECT_EQ(square("f64:dit(16 8:ch 4 stream)"), 1);
  EXPECT_EQ(square("f64:n16"), 1);
  EXPECT_EQ(square("f64:bluestein(51; 105; dit(15 7))"), 4);
  EXPECT_EQ(square("f64:bluestein(4099; 9000; dit(25 8 9 5))"), 4) << "two transforms, products and a filter, whatever errs in them";
  EXPECT_EQ(square("f64:rank(bluestein(19; 40; dit(8 5)); n23)"), 4);
  EXPECT_EQ(square("f64:four(37x19 p8; rader(37; dit(12 3)); bluestein(19; 40; dit(8 5)))"), 8);
  EXPECT_EQ(square("f64:rader(103; bluestein(102; 204; dit(12 17)))"), 8);
  EXPECT_EQ(square("f64:bluestein(1931; 5000; bluestein(5000; 10240; dit(16 16 8 5)))"), 6 + 3 + 9);
  EXPECT_EQ(square_of_convolutions("f32:bluestein(1931; 5000; bluestein(5000; 10240; dit(16 16 8 5)))", false), 8);
  EXPECT_EQ(square("f64:bluestein(500; 1000; bluestein(1000; 2100; bluestein(2100; 8192; dit(16 16 16 2))))"), 12 + 16);
}

}  // namespace
}  // namespace ulpfft::test
