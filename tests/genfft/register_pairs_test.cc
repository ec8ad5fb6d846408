// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which lengths have a pair of bodies, and that the rule finds the one with the fewest operations.
#include "genfft/register_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "genfft/codelet_list.h"
#include "genfft/pipeline.h"
#include "tests/genfft/all_kernels.h"

namespace ulpfft::genfft {
namespace {

int length_of(const RegisterPair& pair) { return std::stoi(pair.first.substr(1)) * std::stoi(pair.second.substr(1)); }

bool is_smooth(int n, int most) {
  for (int p = 2; p <= most; ++p) {
    while (n % p == 0) n /= p;
  }
  return n == 1;
}

TEST(RegisterPairs, EveryProductOfTwoBodiesUpTo1024PointsHasOnePair) {
  std::map<int, int> count;
  for (const RegisterPair& pair : register_pairs(all_kernels())) ++count[length_of(pair)];
  for (const Kernel& first : all_kernels()) {
    for (const Kernel& second : all_kernels()) {
      if (!begins_pairs(first.body.spec) || !ends_pairs(second.body.spec)) continue;
      const int n = first.body.spec.radix * second.body.spec.radix;
      const bool sums = is_of_sums(first.body.spec.radix) && n <= 512 && second.body.spec.radix <= 11;
      if (n <= 1024 && !is_one_body(n) && (n <= 200 || sums || is_smooth(n, 13))) {
        EXPECT_EQ(count[n], 1) << n;
      }
    }
  }
}

TEST(RegisterPairs, Every13SmoothLengthUpTo336HasOne) {
  std::map<int, int> count;
  for (const RegisterPair& pair : register_pairs(all_kernels())) ++count[length_of(pair)];
  for (int n = 18; n <= 336; ++n) {
    if (is_smooth(n, 13)) {
      EXPECT_EQ(count[n], 1) << n;
    }
  }
}

TEST(RegisterPairs, FewerVectorsOrOperationsCostLess) {
  const Kernel& n8 = kernel_named(all_kernels(), "n8");
  const Kernel& n16 = kernel_named(all_kernels(), "n16");
  const Kernel& t8 = kernel_named(all_kernels(), "t8");
  const Kernel& t11 = kernel_named(all_kernels(), "t11");
  EXPECT_LT(pair_cycles(n8, t8, 8, 4), pair_cycles(n8, t11, 8, 4));
  EXPECT_LT(pair_cycles(n8, t8, 8, 4), pair_cycles(n16, t8, 8, 4));
  EXPECT_LT(pair_cycles(n8, t8, 8, 4), pair_cycles(n8, t8, 4, 8));
}

}  // namespace
}  // namespace ulpfft::genfft
