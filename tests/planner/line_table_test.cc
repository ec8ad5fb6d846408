// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Tables of the passes without a body, against their definitions in the oracle's own double-double; roots beyond one table; generators.
#include "planner/table/line_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "planner/table/root_table.h"
#include "planner/table/row_list.h"
#include "tests/support/compare.h"
#include "tests/support/oracle.h"

namespace ulpfft::test {
namespace {

using Exact = ulpfft::test::DoubleDouble;  // the oracle's
using Table = ulpfft::DoubleDouble;        // the library's

Exact exact(float value) { return static_cast<double>(value); }
Exact exact(double value) { return value; }
Exact exact(const Table& value) { return two_sum(value.hi, value.lo); }

template <typename T>
constexpr ComputeType kCompute = sizeof(T) == 4 ? ComputeType::kF32 : sizeof(T) == 8 ? ComputeType::kF64 : ComputeType::kDoubleDouble;

// Half a unit of the last place of values in [1/2, 1), relative to 1: what rounding once may cost a part of a root.
template <typename T>
constexpr double kRounding = sizeof(T) == 4 ? 0x1p-25 : sizeof(T) == 8 ? 0x1p-54 : 0x1p-98;

// The part of `expected` in T: rounded once, so nothing is nearer; a double-double within 2^-98.
template <typename T>
::testing::AssertionResult is_rounded(T got, const Exact& expected) {
  const double distance = std::abs((exact(got) - expected).value());
  double bound = kRounding<T>;
  if constexpr (!std::is_same_v<T, Table>) {
    const T size = std::abs(got);
    bound = 0.5000001 * static_cast<double>(std::nextafter(size, T(2)) - size);  // half its own last place
    if (expected.value() == 0 || got == 0) bound = 0;
  }
  if (distance <= bound) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << expected.value() << " is off by " << distance << ", at most " << bound;
}

template <typename T>
::testing::AssertionResult is_rounded(const T* pair, const ComplexDD& expected) {
  const auto re = is_rounded(pair[0], expected.re);
  return re ? is_rounded(pair[1], expected.im) : re;
}

ComplexDD root(std::int64_t k, std::int64_t n) {
  return circle_point(static_cast<std::uint64_t>((k % n + n) % n), static_cast<std::uint64_t>(n));
}

template <typename T>
class LineTable : public testing::Test {};
using ComputeTypes = testing::Types<float, double, Table>;
TYPED_TEST_SUITE(LineTable, ComputeTypes);

TYPED_TEST(LineTable, OfAChirpIsRoundedOnce) {
  using T = TypeParam;
  RootCache roots;
  for (const std::int64_t n : {1, 2, 3, 17, 1000, 1009, 3001}) {
    const AlignedBuffer chirp = make_chirp(n, kCompute<T>, roots);
    for (std::int64_t j = 0; j < n; ++j) {
      ASSERT_TRUE(is_rounded(static_cast<const T*>(chirp.data()) + 2 * j, root(j * j, 2 * n))) << "j=" << j << " n=" << n;
    }
  }
}

TYPED_TEST(LineTable, OfRealTransformsIsRoundedOnceAndThenHalved) {
  using T = TypeParam;
  RootCache roots;
  for (const std::int64_t n : {2, 4, 6, 8, 34, 1000, 2018, 4096}) {
    const AlignedBuffer whole = make_real_twiddles(n, false, kCompute<T>, roots), halved = make_real_twiddles(n, true, kCompute<T>, roots);
    const T* const values = static_cast<const T*>(whole.data());
    for (std::int64_t k = 0; k <= n / 4; ++k) {
      ASSERT_TRUE(is_rounded(values + 2 * k, root(k, n))) << "k=" << k << " n=" << n;
      for (const std::int64_t part : {2 * k, 2 * k + 1}) {
        ASSERT_EQ(exact(static_cast<const T*>(halved.data())[part]), Exact(0.5) * exact(values[part])) << "k=" << k << " n=" << n;
      }
    }
  }
}

// j^2 modulo 2 n when j^2 needs more than 64 bits of care: the last of a long chirp.
TYPED_TEST(LineTable, OfALongChirpIsRoundedOnce) {
  using T = TypeParam;
  RootCache roots;
  const std::int64_t n = 1500007;
  const AlignedBuffer chirp = make_chirp(n, kCompute<T>, roots);
  for (std::int64_t j = 0; j < n; j += 9973) {
    ASSERT_TRUE(is_rounded(static_cast<const T*>(chirp.data()) + 2 * j, root(j * j, 2 * n))) << "j=" << j;
  }
}

TYPED_TEST(LineTable, OfLinesHoldsTheTwiddlesOfFour) {
  using T = TypeParam;
  RootCache roots;
  for (const auto& [rows, columns, kept] :
       {std::tuple<std::int64_t, std::int64_t, std::int64_t>{2, 3, 3}, {17, 4, 4}, {5, 37, 37}, {5, 37, 19}, {7, 3, 2}}) {
    const AlignedBuffer table = make_line_twiddles(rows, columns, kept, kCompute<T>, roots);
    for (std::int64_t c = 0; c < kept; ++c) {
      for (std::int64_t k = 0; k < rows; ++k) {
        ASSERT_TRUE(is_rounded(static_cast<const T*>(table.data()) + 2 * (c * rows + k), root(k * c, rows * columns)))
            << rows << 'x' << columns << ' ' << k << ' ' << c;
      }
    }
  }
}

// As Twist says: per vector of columns `split` fine values, then the coarse ones, the vectors in index_of_lane order.
TYPED_TEST(LineTable, OfATwistHoldsItsTwoFactors) {
  using T = TypeParam;
  RootCache roots;
  for (const int lanes : {1, 2, 4, 8, 16}) {
    for (const auto& [begin, end, panel] : {std::tuple<std::int64_t, std::int64_t, std::int64_t>{0, 40, 16}, {7, 40, 33}, {0, 5, 5}, {3, 40, 10}}) {
      TwistRequest request;
      request.rows = 21;
      request.n = request.rows * 40;
      request.split = 4;
      request.begin = begin;
      request.end = end;
      request.panel = panel;
      request.lanes = lanes;
      const AlignedBuffer table = make_twist_table(request, kCompute<T>, roots);
      const std::int64_t highs = (request.rows + request.split - 1) / request.split;
      for (std::int64_t c = begin; c < end; ++c) {
        const std::int64_t inside = (c - begin) % panel;
        std::int64_t lane = 0;
        while (index_of_lane(static_cast<int>(lane), lanes, 16 / static_cast<int>(sizeof(T))) != inside % lanes) ++lane;
        const T* const vector = static_cast<const T*>(table.data()) + (c - begin) / panel * twist_panel_values(request) +
                                inside / lanes * lanes * 2 * (request.split + highs);
        for (std::int64_t pair = 0; pair < request.split + highs; ++pair) {
          const std::int64_t k = pair < request.split ? pair : (pair - request.split) * request.split;
          const T values[2] = {vector[2 * lanes * pair + lane], vector[2 * lanes * pair + lanes + lane]};
          ASSERT_TRUE(is_rounded(values, root(k * c, request.n))) << "lanes " << lanes << " panel " << panel << " column " << c << " pair " << pair;
        }
      }
    }
  }
}

// Relative L2 of a spectrum. One rounding of f32 or f64 is at most u / sqrt(3) rms; f64 transforms of f64 filters add their own error.
template <typename T>
void check_spectrum(const AlignedBuffer& got, std::vector<ComplexDD> filter, const std::string& name) {
  const auto m = static_cast<std::int64_t>(filter.size());
  std::vector<ComplexDD> expected(filter.size());
  oracle_for(m)->forward(filter.data(), 1, expected.data());
  const Exact by_length = Exact(1.0) / Exact(static_cast<double>(m));
  const T* const values = static_cast<const T*>(got.data());
  double error = 0, size = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const ComplexDD value = by_length * expected[k];
    error += std::pow((exact(values[2 * k]) - value.re).value(), 2) + std::pow((exact(values[2 * k + 1]) - value.im).value(), 2);
    size += std::pow(value.re.value(), 2) + std::pow(value.im.value(), 2);
  }
  double bound = 2e-30;
  if constexpr (sizeof(T) <= 8) bound = Storage<T>::kUnitRoundoff / std::sqrt(3.0);
  if (sizeof(T) == 8 && m > 16384) bound = 0x1p-53 * std::sqrt(std::log2(static_cast<double>(m)));
  EXPECT_LE(std::sqrt(error / size), bound) << name;
}

TYPED_TEST(LineTable, OfABluesteinFilterIsTheSpectrumOfTheConjugateChirp) {
  using T = TypeParam;
  RootCache roots;
  for (const auto& [n, m] : {std::pair<std::int64_t, std::int64_t>{2, 3}, {3, 5}, {17, 40}, {101, 256}, {97, 221}, {1009, 2100}, {3001, 8192}, {7919, 16380}, {9001, 18432}}) {
    std::vector<ComplexDD> filter(static_cast<std::size_t>(m));
    for (std::int64_t j = 1 - n; j < n; ++j) filter[static_cast<std::size_t>((j + m) % m)] = root(-j * j, 2 * n);
    check_spectrum<T>(make_chirp_filter(n, m, kCompute<T>, roots), filter, "n=" + std::to_string(n) + " m=" + std::to_string(m));
  }
}

TYPED_TEST(LineTable, OfARaderFilterIsTheSpectrumOfTheRootsInOrderOfInversePowers) {
  using T = TypeParam;
  RootCache roots;
  for (const auto& [n, m] : {std::pair<std::int64_t, std::int64_t>{3, 2}, {3, 3}, {5, 4}, {17, 16}, {17, 31}, {17, 40}, {101, 100}, {263, 523}, {263, 600}, {1009, 1008}, {4099, 8400}, {8191, 8190}, {12289, 24576}}) {
    const std::int64_t g = primitive_root(n);
    std::vector<std::int64_t> powers(static_cast<std::size_t>(n - 1));  // g^q
    std::int64_t at = 1;
    for (std::int64_t& power : powers) {
      power = at;
      at = at * g % n;
    }
    std::vector<ComplexDD> filter(static_cast<std::size_t>(m));
    for (std::int64_t q = 0; q < n - 1; ++q) {
      const ComplexDD value = root(powers[static_cast<std::size_t>((n - 1 - q) % (n - 1))], n);  // g^-q
      filter[static_cast<std::size_t>(q)] = value;
      if (m > n - 1 && q > 0) filter[static_cast<std::size_t>(m - (n - 1) + q)] = value;
    }
    check_spectrum<T>(make_rader_filter(n, m, kCompute<T>, roots), filter, "n=" + std::to_string(n) + " m=" + std::to_string(m));
  }
}

TEST(PrimitiveRoot, IsTheSmallestThatGeneratesAllResiduesOfEveryPrimeBelow2000) {
  const auto order = [](std::int64_t g, std::int64_t n) {
    std::int64_t count = 1;
    for (std::int64_t at = g % n; at != 1; at = at * g % n) ++count;
    return count;
  };
  int primes = 0;
  for (std::int64_t n = 2; n < 2000; ++n) {
    bool prime = true;
    for (std::int64_t d = 2; d < n; ++d) prime = prime && n % d != 0;
    ASSERT_EQ(is_prime(n), prime) << n;
    if (!prime) continue;
    ++primes;
    const std::int64_t g = primitive_root(n);
    ASSERT_EQ(order(g, n), n - 1) << n;
    for (std::int64_t smaller = 2; smaller < g; ++smaller) ASSERT_LT(order(smaller, n), n - 1) << n;
  }
  EXPECT_EQ(primes, 303);
  EXPECT_FALSE(is_prime(1));
  EXPECT_FALSE(is_prime(0));
}

TEST(RowList, OfLogarithmsInvertsThatOfPowersBackwards) {
  Poll poll;
  for (const std::int64_t n : {3, 5, 101, 1009}) {
    const std::vector<std::uint32_t> powers = make_row_list({.kind = RowOrder::Kind::kPowers, .count = n - 1, .n = n}, poll);
    const std::vector<std::uint32_t> rows = make_row_list({.kind = RowOrder::Kind::kLogarithms, .count = n, .n = n, .none = 7000}, poll);
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(rows[0], 7000U) << "n=" << n;
    for (std::size_t q = 0; q < powers.size(); ++q) EXPECT_EQ(rows[powers[q]], (powers.size() - q) % powers.size()) << "n=" << n;
  }
}

// Beyond 2^20 points (2^17 entries an octant; odd lengths have eight times as many) a look-up is a product of two table values.
TEST(RootTable, OfTwoTablesIsWithinItsErrorAndSymmetricBitForBit) {
  for (const std::int64_t n : {(std::int64_t{1} << 20) + 8, std::int64_t{1} << 22, std::int64_t{3} << 20, std::int64_t{131075}, std::int64_t{1500007}}) {
    Poll poll;
    const RootTable table(n, poll);
    for (std::int64_t i = 0; i < 3000; ++i) {
      const std::int64_t k = i < 40 ? i : (n / 3001 * i + i * i) % n;
      const UnitRoot got = table.get(k);
      const ComplexDD expected = root(k, n);
      // 2^-99 of the larger part; the oracle itself is good to 2e-31.
      ASSERT_LE(std::abs((exact(got.re) - expected.re).value()), 0x1p-99 + 2e-31) << "k=" << k << " n=" << n;
      ASSERT_LE(std::abs((exact(got.im) - expected.im).value()), 0x1p-99 + 2e-31) << "k=" << k << " n=" << n;
      if (k == 0) continue;
      const UnitRoot mirrored = table.get(n - k);
      ASSERT_TRUE(mirrored.re.hi == got.re.hi && mirrored.re.lo == got.re.lo && mirrored.im.hi == -got.im.hi && mirrored.im.lo == -got.im.lo) << k << " of " << n;
      if (n % 4 != 0) continue;
      const UnitRoot turned = table.get((k + n / 4) % n);  // times -i
      ASSERT_TRUE(turned.re.hi == got.im.hi && turned.re.lo == got.im.lo && turned.im.hi == -got.re.hi && turned.im.lo == -got.re.lo) << k << " of " << n;
    }
    EXPECT_EQ(table.get(0).re.hi, 1.0);
    EXPECT_EQ(table.get(0).im.hi, 0.0);
  }
}

}  // namespace
}  // namespace ulpfft::test
