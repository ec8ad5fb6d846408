// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Powers of two of whole transforms, against one number after the other.
#include "planner/convert/exponents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "codelets/registry.h"
#include "planner/convert/prescale.h"

namespace ulpfft::test {
namespace {

template <typename T>
class Exponents : public testing::Test {
 public:
  // Normal, of any size; where wished with what is not finite.
  std::vector<T> numbers(std::int64_t count, bool strange) {
    std::normal_distribution<T> normal;
    std::vector<T> reals(static_cast<std::size_t>(count));
    for (T& x : reals) x = std::ldexp(normal(generator_), static_cast<int>(generator_() % 5));
    if (strange && count > 0) {
      reals[generator_() % reals.size()] = std::numeric_limits<T>::infinity();
      reals[generator_() % reals.size()] = std::numeric_limits<T>::quiet_NaN();
    }
    return reals;
  }
  static T largest(const std::vector<T>& reals) {
    T most = 0;
    for (const T x : reals) most = std::isfinite(x) ? std::max(most, std::abs(x)) : most;
    return most;
  }
  std::mt19937_64 generator_{5};
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Exponents, Types);

TYPED_TEST(Exponents, FindTheLargestWhereverItIs) {
  for (std::int64_t count = 0; count < 40; ++count) {
    for (int i = 0; i < 50; ++i) {
      const auto reals = this->numbers(count, i % 2 == 1);
      EXPECT_EQ(largest_finite(reals.data(), count), this->largest(reals)) << count;
    }
  }
}

TYPED_TEST(Exponents, MultiplyEveryNumber) {
  for (std::int64_t count = 0; count < 40; ++count) {
    for (const int exponent : {0, 1, -7, 125, -125, 126, -126, 300, -300}) {
      auto reals = this->numbers(count, false);
      auto expected = reals;
      for (TypeParam& x : expected) x = std::ldexp(x, exponent);
      multiply_by_power(reals.data(), count, exponent);
      EXPECT_EQ(reals, expected) << count << " numbers, exponent " << exponent;
    }
  }
}

TYPED_TEST(Exponents, AcrossAreThoseOfTransformsByThemselves) {
  const Storage storage = find_storage({.format = "e4m3"}, formats(), block_formats()).storage;
  constexpr std::int64_t kPoints = 9, kTransforms = 23;
  for (const std::int64_t first : {0, 3}) {
    for (std::int64_t count = 1; count <= kTransforms - first; ++count) {
      auto reals = this->numbers(2 * kPoints * kTransforms, false);
      for (std::int64_t p = 0; p < kPoints; ++p) reals[static_cast<std::size_t>(2 * (p * kTransforms + 4))] = 0, reals[static_cast<std::size_t>(2 * (p * kTransforms + 4) + 1)] = 0;
      auto expected = reals;
      std::vector<std::int32_t> exponents(kTransforms, 99), expected_exponents = exponents;
      const auto each = [&](auto act) {
        for (std::int64_t t = first; t < first + count; ++t) {
          std::vector<TypeParam> one;
          for (std::int64_t p = 0; p < kPoints; ++p) one.insert(one.end(), &expected[static_cast<std::size_t>(2 * (p * kTransforms + t))], &expected[static_cast<std::size_t>(2 * (p * kTransforms + t))] + 2);
          act(one, expected_exponents[static_cast<std::size_t>(t)]);
          for (std::int64_t p = 0; p < kPoints; ++p) std::copy_n(&one[static_cast<std::size_t>(2 * p)], 2, &expected[static_cast<std::size_t>(2 * (p * kTransforms + t))]);
        }
      };
      const Across lie{kPoints, kTransforms, count};
      each([&](std::vector<TypeParam>& one, std::int32_t& exponent) {
        exponent = fitting_exponent(storage, one.data(), 2 * kPoints).value_or(0);
        multiply_by_power(one.data(), 2 * kPoints, -exponent);
      });
      fit_exponents_across(lie, storage, reals.data() + 2 * first, exponents.data() + first);
      EXPECT_EQ(exponents, expected_exponents) << first << ' ' << count;
      ASSERT_EQ(reals, expected) << first << ' ' << count;

      for (std::int32_t& exponent : expected_exponents) exponent = static_cast<std::int32_t>(this->generator_() % 7) == 0 ? -130 : static_cast<std::int32_t>(this->generator_() % 9) - 4;
      each([&](std::vector<TypeParam>& one, std::int32_t exponent) { multiply_by_power(one.data(), 2 * kPoints, exponent); });
      multiply_by_powers_across(lie, reals.data() + 2 * first, expected_exponents.data() + first);
      ASSERT_EQ(reals, expected) << first << ' ' << count;
    }
  }
}

// A format whose largest value is 1.5 * 2^top; nothing else of it matters here.
FormatInfo format_up_to(int top) {
  FormatInfo format;
  format.kind = FormatKind::kFloat;
  format.bits = 16;
  format.exponent_bits = 8;
  format.mantissa_bits = 7;
  format.bias = 254 - top;
  format.largest = std::ldexp(2 - std::ldexp(1.0, -7), top);
  format.smallest_normal = std::ldexp(1.0, 1 - format.bias);
  return format;
}

TYPED_TEST(Exponents, AimAtTheSmallerRangeOfFormatAndType) {
  constexpr int kHighest = std::numeric_limits<TypeParam>::max_exponent - 1;
  for (const int top : {-100, 0, 100, 120, 126, 127, 128, 145, 200, 1000, 1022}) {
    const FormatInfo format = format_up_to(top);
    const Storage storage{.element = &format};
    for (int place = std::max(-kHighest, -900); place < kHighest; place += 7) {
      for (const TypeParam mantissa : {TypeParam(1), TypeParam(1.5), TypeParam(1.999)}) {
        std::vector<TypeParam> reals = {std::ldexp(mantissa, place), -std::ldexp(TypeParam(1), place - 3), 0, 0};
        const int exponent = fitting_exponent(storage, reals.data(), 4).value();
        multiply_by_power(reals.data(), 4, -exponent);
        const double largest = static_cast<double>(std::abs(reals[0]));
        const std::string text = "format to 2^" + std::to_string(top) + ", numbers near 2^" + std::to_string(place);
        const bool reaches_further = largest_value(format) > static_cast<double>(std::numeric_limits<TypeParam>::max());
        const double limit = reaches_further ? std::ldexp(1.0, kHighest) : largest_value(format);
        EXPECT_LE(largest, limit) << text;
        EXPECT_GE(largest, limit / 4) << text << ": digits are given away";
        EXPECT_EQ(static_cast<double>(reals[1]), std::ldexp(-1.0, place - 3 - exponent)) << text;
      }
    }
  }
}

// Scales with a mantissa reach over few binades: 6 * 448 is the largest number of nvfp4, and 4 * 448 the largest whose block has both
// scales that search compares.
TYPED_TEST(Exponents, LeaveTheLargestBlockAScaleInTheHighestBinade) {
  for (const ScaleRule rule : {ScaleRule::kTe, ScaleRule::kTorchao, ScaleRule::kSearch}) {
    Storage storage = find_storage({.format = "nvfp4"}, formats(), block_formats()).storage;
    storage.rule = rule;
    const double most = rule == ScaleRule::kSearch ? 1792 : 2688;
    for (const double amax : {1.0, 1.3125, 2688.0, 2688.5, 1344.0, 1792.0, 1792.25, 0x1p-100, 0x1.5p-60, 0x1.500001p-60, 0x1p100, 0x1.cp100}) {
      const auto largest = static_cast<TypeParam>(amax);
      const TypeParam reals[] = {TypeParam(0), -largest, largest / 2, TypeParam(0)};
      const int exponent = fitting_exponent(storage, reals, 4).value();
      EXPECT_LE(static_cast<double>(largest), std::ldexp(most, exponent)) << amax;
      EXPECT_GT(static_cast<double>(largest), std::ldexp(most, exponent - 1)) << amax;
    }
  }
}

TYPED_TEST(Exponents, OfAmaxAreThoseOfPrescale) {
  // Numbers of one size and of many, blocks and what is left over; a partner of what is not finite does not count.
  for (const std::int64_t points : {1, 3, 63, 64, 65, 128, 200, 1000}) {
    for (int i = 0; i < 30; ++i) {
      auto reals = this->numbers(2 * points, i % 3 == 2);
      if (i % 3 == 1) {
        for (std::int64_t p = 0; p < points; ++p) {
          reals[static_cast<std::size_t>(2 * p)] = static_cast<TypeParam>(std::cos(static_cast<double>(p)));
          reals[static_cast<std::size_t>(2 * p + 1)] = static_cast<TypeParam>(std::sin(static_cast<double>(p)));
        }
      }
      if (i % 3 == 2 && points > 1) reals[1] = std::numeric_limits<TypeParam>::infinity(), reals[0] = TypeParam(1e6);
      EXPECT_EQ(amax_exponent(reals.data(), points, 1.0).value_or(0), prescale_exponent(reals.data(), reals.data() + 1, 2, points, {})) << points << " points, case " << i;
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
