// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "codelets/contract/unit_root.h"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace ulpfft {
namespace {

struct Reference {
  std::uint64_t k;
  std::uint64_t n;
  UnitRoot value;
};

// From 80-digit decimal Taylor sums.
constexpr Reference kReferences[] = {
    {1u, 3u, {{-0x1.0000000000000p-1, -0x1.1c92155d88b11p-262}, {-0x1.bb67ae8584caap-1, -0x1.cec95d0b5c1e3p-55}}},
    {1u, 5u, {{0x1.3c6ef372fe950p-2, -0x1.f506319fcfd19p-56}, {-0x1.e6f0e134454ffp-1, -0x1.798ddb868c354p-55}}},
    {2u, 7u, {{-0x1.c7b90e3024582p-3, -0x1.a50bf75360795p-57}, {-0x1.f329c0558e969p-1, 0x1.c6ab5b10ae22ap-57}}},
    {1u, 9u, {{0x1.8836fa2cf5039p-1, 0x1.913ad5051e83cp-56}, {-0x1.491b7523c161dp-1, 0x1.518a0c6797c16p-55}}},
    {5u, 13u, {{-0x1.7f3ccd0032e0cp-1, -0x1.401490c8d7093p-56}, {-0x1.5384d024c2f84p-1, -0x1.58060767e9c36p-57}}},
    {1u, 1024u, {{0x1.fffd8858e8a92p-1, 0x1.359c71883bcf7p-55}, {-0x1.921f0fe670071p-8, -0x1.ab967fe6b7a9bp-64}}},
    {3u, 65536u, {{0x1.fffffe9cb1ba0p-1, -0x1.922ec5eeae721p-55}, {-0x1.2d97c7ad6e7fap-12, 0x1.31b3f096f57a3p-69}}},
    {777u, 1000u, {{0x1.59c5595c1904cp-3, 0x1.749f93960b1e5p-59}, {0x1.f8a6688b49c86p-1, -0x1.31ffa5b03742ep-56}}},
    {1u, 1099511627776u, {{0x1.0000000000000p+0, -0x1.3bd3cc9be45dep-76}, {-0x1.921fb54442d18p-38, -0x1.1a62609bce23bp-92}}},
    {549755813888u, 1099511627775u, {{-0x1.0000000000000p+0, 0x1.3bd3cc9be6d59p-78}, {0x1.921fb5444463ap-39, 0x1.07b373a4d0e0fp-93}}},
    {1099511627774u, 1099511627775u, {{0x1.0000000000000p+0, -0x1.3bd3cc9be6d59p-76}, {0x1.921fb5444463ap-38, 0x1.07b371b4b72b6p-92}}},
    {187976u, 388912u, {{-0x1.fd326311d608dp-1, -0x1.764645e1cfdaap-56}, {-0x1.ac0696b1f0529p-4, 0x1.9ee10fd921322p-58}}},
    {53539441628u, 55959151345u, {{0x1.ed38268350850p-1, -0x1.8f22b19f20daep-56}, {0x1.12cca901b55c0p-2, 0x1.7052e71c0ebd1p-57}}},
    {13594u, 170126u, {{0x1.c0d0bfb26a701p-1, -0x1.47754eb278475p-55}, {-0x1.ecc86383b5fc2p-2, -0x1.c46562876741ep-56}}},
    {381u, 929u, {{-0x1.b07ff8456576bp-1, 0x1.9d1408acab5e2p-55}, {-0x1.120589574b22fp-1, -0x1.5351baa13b619p-55}}},
    {1635342799u, 3729944834u, {{-0x1.da2bb08ed382fp-1, -0x1.f2b747cf048e5p-55}, {-0x1.824bd1b9ec832p-2, 0x1.bd8221ebf6dd5p-56}}},
    {1070867290u, 77747388041u, {{0x1.fe15778952bb0p-1, 0x1.7758abd44c81bp-55}, {-0x1.6209367b2a6bdp-4, 0x1.76802fcc11143p-65}}},
    {9159u, 26750u, {{-0x1.18cf85eba49c0p-1, 0x1.d48cca1dbe896p-56}, {-0x1.ac1f8345deaaep-1, -0x1.796ef43599b67p-58}}},
    {14213u, 15015u, {{0x1.e36fa37b320d7p-1, 0x1.3643b53c50168p-55}, {0x1.513eb8ba0ab3fp-2, -0x1.b6dbb002bdb15p-56}}},
    {2413629u, 21421716u, {{0x1.84f7d7ae13568p-1, 0x1.c62c9c45b265dp-57}, {-0x1.4cf0287942504p-1, -0x1.4ed1dfdb3e73fp-61}}},
    {1265u, 1267u, {{0x1.fff98d9fcebfcp-1, 0x1.c5a60bbf7a73fp-56}, {0x1.44fe9a1fa4f97p-7, 0x1.7e6867d1088abp-63}}},
    {70996272u, 272084533u, {{-0x1.1930e796849e1p-4, 0x1.679bb7f2ca526p-58}, {-0x1.fecac6391e1d1p-1, 0x1.f433be14054efp-56}}},
    {1u, 2u, {{-1.0, 0.0}, {0.0, 0.0}}},
    {10870u, 62924u, {{0x1.ddbfbb273c067p-2, -0x1.6f8209ac117d2p-56}, {-0x1.c4dc63428bffdp-1, -0x1.af96097c0ef71p-56}}},
};

double relative_distance(DoubleDouble a, DoubleDouble b) { return b.hi == 0 ? std::abs(a.hi) : std::abs((a - b).hi / b.hi); }

bool equal(const UnitRoot& a, const UnitRoot& b) { return a.re == b.re && a.im == b.im; }

TEST(UnitRoot, AgreesWithEightyDigitReferences) {
  for (const Reference& reference : kReferences) {
    const UnitRoot w = unit_root(reference.k, reference.n);
    EXPECT_LE(relative_distance(w.re, reference.value.re), 0x1p-103) << reference.k << "/" << reference.n;
    EXPECT_LE(relative_distance(w.im, reference.value.im), 0x1p-103) << reference.k << "/" << reference.n;
  }
}

TEST(UnitRoot, AgreesWithLongDoubleForEveryIndexUpTo200) {
  const long double tau = 2 * std::acos(-1.0L);
  for (std::uint64_t n = 1; n <= 200; ++n) {
    for (std::uint64_t k = 0; k < n; ++k) {
      const UnitRoot w = unit_root(k, n);
      const long double angle = tau * static_cast<long double>(k) / static_cast<long double>(n);
      EXPECT_NEAR(static_cast<double>(w.re.hi - std::cos(angle) + w.re.lo), 0, 1e-17) << k << "/" << n;
      EXPECT_NEAR(static_cast<double>(w.im.hi + std::sin(angle) + w.im.lo), 0, 1e-17) << k << "/" << n;
    }
  }
}

TEST(UnitRoot, ExactValuesComeOutExactly) {
  for (const std::uint64_t n : {std::uint64_t{24}, std::uint64_t{24} << 30}) {
    const auto at = [&](std::uint64_t k) { return unit_root(k * (n / 24), n); };
    EXPECT_TRUE(equal(at(0), {1.0, 0.0}));
    EXPECT_TRUE(equal(at(6), {0.0, -1.0}));
    EXPECT_TRUE(equal(at(12), {-1.0, 0.0}));
    EXPECT_TRUE(equal(at(18), {0.0, 1.0}));
    EXPECT_EQ(at(2).im, DoubleDouble(-0.5));
    EXPECT_EQ(at(4).re, DoubleDouble(0.5));
    EXPECT_EQ(at(8).re, DoubleDouble(-0.5));
    EXPECT_EQ(at(22).im, DoubleDouble(0.5));
    EXPECT_EQ(at(3).re, -at(3).im);
    EXPECT_EQ(at(9).re, at(9).im);
    EXPECT_FALSE(std::signbit(at(0).im.hi));
    EXPECT_FALSE(std::signbit(at(6).re.hi));
  }
}

TEST(UnitRoot, SymmetriesHoldBitForBit) {
  std::mt19937_64 engine(3);
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t n = 8 * (1 + engine() % (std::uint64_t{1} << (engine() % 37)));
    const std::uint64_t k = 1 + engine() % (n / 8);
    const UnitRoot w = unit_root(k, n);
    EXPECT_TRUE(equal(unit_root(n - k, n), {w.re, -w.im})) << k << "/" << n;
    EXPECT_TRUE(equal(unit_root(n / 4 - k, n), {-w.im, -w.re})) << k << "/" << n;
    EXPECT_TRUE(equal(unit_root(n / 4 + k, n), {w.im, -w.re})) << k << "/" << n;
    EXPECT_TRUE(equal(unit_root(n / 2 + k, n), {-w.re, -w.im})) << k << "/" << n;
    EXPECT_TRUE(equal(unit_root(n + k, n), w)) << k << "/" << n;
  }
}

TEST(UnitRoot, HasLengthOne) {
  std::mt19937_64 engine(4);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t n = 2 + engine() % (std::uint64_t{1} << 40);
    const UnitRoot w = unit_root(engine() % n, n);
    EXPECT_LE(std::abs((w.re * w.re + w.im * w.im - DoubleDouble(1.0)).hi), 0x1p-102) << n;
  }
}

TEST(DualSelect, RatioStaysWithinOneForEveryIndexUpTo4096) {
  for (std::uint64_t n = 2; n <= 4096; n *= 2) {
    for (std::uint64_t k = 0; k < n; ++k) {
      EXPECT_LE(abs(dual_select(k, n).ratio), DoubleDouble(1.0)) << "k=" << k << " n=" << n;
    }
  }
}

TEST(DualSelect, ScaleAndRatioGiveTheRoot) {
  for (std::uint64_t n : {12u, 20u, 64u, 1000u}) {
    for (std::uint64_t k = 0; k < n; ++k) {
      const UnitRoot w = unit_root(k, n);
      const DualSelect d = dual_select(k, n);
      const DoubleDouble other = d.scale * d.ratio;
      EXPECT_EQ(d.scale, d.sine_path ? w.im : w.re);
      EXPECT_LE(relative_distance(other, d.sine_path ? w.re : w.im), 0x1p-102) << k << "/" << n;
    }
  }
}

TEST(DualSelect, TiesTakeTheCosinePath) {
  for (const std::uint64_t k : {1u, 3u, 5u, 7u}) EXPECT_FALSE(dual_select(k, 8).sine_path) << k;
}

}  // namespace
}  // namespace ulpfft
