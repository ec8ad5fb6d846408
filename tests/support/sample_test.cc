// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "tests/support/api.h"

namespace ulpfft::test {
namespace {

TEST(Sample, TakesOneOfAnyKCasesInARowAndInAFullRunAll) {
  for (const std::uint64_t k : {1, 2, 3, 7}) {
    for (std::uint64_t first = 0; first < 20; ++first) {
      std::uint64_t taken = 0;
      for (std::uint64_t i = first; i < first + k; ++i) taken += is_sampled(i, k) ? 1 : 0;
      EXPECT_EQ(taken, full_run() ? k : 1) << k << " from " << first;
    }
  }
}

// The seed of the next day takes what follows: what is taken today of a sweep that begins one later.
TEST(Sample, IsThatOfTheSeed) {
  for (std::uint64_t i = 0; i < 30; ++i) EXPECT_EQ(is_sampled(i, 5), full_run() || i % 5 == sample_seed() % 5) << i;
}

TEST(Sample, OfAListKeepsItsOrderAndIsNeverEmpty) {
  for (std::size_t size = 1; size < 12; ++size) {
    std::vector<int> all(size);
    std::iota(all.begin(), all.end(), 0);
    const std::vector<int> some = sampled(all, 5);
    ASSERT_FALSE(some.empty()) << size;
    EXPECT_TRUE(std::is_sorted(some.begin(), some.end()));
    if (full_run()) {
      EXPECT_EQ(some, all);
    }
  }
  EXPECT_TRUE(sampled(std::vector<int>(), 3).empty());
}

TEST(Sample, CountsTheCasesOfASweep) {
  Sampler sampler(3);
  for (std::uint64_t i = 0; i < 12; ++i) EXPECT_EQ(sampler.next(), is_sampled(i, 3)) << i;
}

}  // namespace
}  // namespace ulpfft::test
