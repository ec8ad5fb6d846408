// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Angles in 128 bits: those of exact frequencies are exact, however often they are added, and their roots are those of integers.
#include "planner/table/turn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

constexpr Turn kHalf = static_cast<Turn>(1) << 127;

double distance(const UnitRoot& a, const UnitRoot& b) { return std::max(std::abs((a.re - b.re).hi), std::abs((a.im - b.im).hi)); }

TEST(Turn, OfAFrequencyIsItsFractionToTheLastBit) {
  EXPECT_EQ(turn_of(0.5), kHalf);
  EXPECT_EQ(turn_of(-0.5), kHalf);
  EXPECT_EQ(turn_of(0.25) * 2, kHalf);
  EXPECT_EQ(turn_of(-0.125), kHalf + (kHalf >> 1) + (kHalf >> 2));
  EXPECT_EQ(turn_of(0), Turn{0});
  EXPECT_EQ(turn_of(3), Turn{0});
  EXPECT_EQ(turn_of(-1e300), Turn{0});
  EXPECT_EQ(turn_of(1e15 + 0.125), kHalf >> 2);
  EXPECT_EQ(turn_of(0x1p-128), Turn{1});
  EXPECT_EQ(turn_of(0x1.8p-128), Turn{2});
  EXPECT_EQ(turn_of(0x1p-129), Turn{1});
  EXPECT_EQ(turn_of(0x1p-130), Turn{0});
  EXPECT_EQ(turn_of(5e-324), Turn{0});
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const double turns = std::ldexp(random.uniform() - 0.5, static_cast<int>(random.between(-70, 50)));
    EXPECT_EQ(turn_of(turns) * 1024, turn_of(turns * 1024)) << turns;
    EXPECT_EQ(turn_of(turns) + turn_of(-turns), Turn{0}) << turns;
    EXPECT_EQ(turn_of(turns), turn_of(turns - std::trunc(turns))) << turns;
  }
}

TEST(Turn, RootsAreThoseOfIntegers) {
  Random random(4);
  for (int i = 0; i < 2000; ++i) {
    const auto n = static_cast<std::uint64_t>(random.between(1, i % 2 == 0 ? 100 : std::int64_t{1} << 40));
    const auto k = static_cast<std::uint64_t>(random.between(0, static_cast<std::int64_t>(n) - 1));
    // k / n of a turn, to the nearest unit.
    const Turn unit = ~Turn{0} / n, rest = ~Turn{0} % n + 1;
    const Turn angle = unit * k + (rest * k + n / 2) / n;
    EXPECT_LE(distance(unit_root_of(angle), unit_root(k, n)), 0x1p-98) << k << "/" << n;
  }
  for (const double turns : {0.0, 0.25, -0.25, 0.5, 0.125}) {
    const UnitRoot root = unit_root_of(turn_of(turns)), exact = unit_root(static_cast<std::uint64_t>(8 * (turns + 1)), 8);
    EXPECT_TRUE(root.re == exact.re && root.im == exact.im) << turns;
  }
}

TEST(Turn, ChirpsAreProductsOfTheDefinition) {
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    const ZoomTurns turns({random.between(1, 1 << 20), random.uniform() - 0.5, i % 3 == 0 ? 0 : random.uniform() * 1e-3}, 1);
    const std::int64_t j = random.between(0, 1 << 22), k = random.between(0, 1 << 22);
    EXPECT_EQ(turns.of_input(j) + turns.chirp(k) - turns.chirp(k - j), turns.of_output(k) * static_cast<Turn>(j));
  }
  const ZoomTurns whole({}, 360);
  for (std::int64_t j = 0; j < 360; ++j) {
    for (const std::int64_t k : {1, 7, 359}) {
      EXPECT_LE(distance(unit_root_of(whole.of_output(k) * static_cast<Turn>(j)), unit_root(static_cast<std::uint64_t>(j * k), 360)), 0x1p-98);
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
