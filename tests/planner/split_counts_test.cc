// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Operations of split passes: a golden table of every listed scheme and radix, and what counts have in common.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "planner/scheme/families.h"
#include "planner/scheme/split.h"
#include "planner/scheme/split_counts.h"

namespace ulpfft::test {
namespace {

SplitPass pass_of(const std::string& scheme, std::int64_t radix) {
  return split_pass(std::get<SplitScheme>(scheme_named(scheme).constants), radix, 1, 2 * radix, 2);
}

// Of a column, with the twiddles of a pass that follows.
std::string line_of(const std::string& scheme, std::int64_t radix) {
  const SplitPass pass = pass_of(scheme, radix);
  const SplitCounts counts = split_counts(pass);
  return scheme + " " + std::to_string(radix) + ": products " + std::to_string(counts.products) + ", sums " + std::to_string(counts.sums) +
         ", splits " + std::to_string(counts.splits) + ", norms " + std::to_string(counts.norms) + ", twiddles " + std::to_string(counts.twiddles) + "\n";
}

TEST(SplitCounts, AreThoseOfTheGoldenTable) {
  std::string table;
  for (const SchemeFamily::Listed& scheme : kSplitFamily.list()) {
    for (const std::int64_t radix : split_radices()) table += line_of(scheme.name, radix);
  }
  const std::string path = std::string(ULPFFT_GOLDEN_FOLDER) + "/split_counts.txt";
  std::ifstream file(path);
  const std::string known{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(known, table) << "Where the counts are meant to change, " << path << " becomes:\n" << table;
}

// A product of two parts takes four products of reals, and as many sums; only radix 2 and 4 have less.
TEST(SplitCounts, FollowTheProductsOfParts) {
  for (const std::string scheme : {"split:bf16", "split:bf16x2", "split:bf16x3", "split:bf16x2x3", "split:f16x2"}) {
    for (const std::int64_t radix : split_radices()) {
      const SplitPass pass = pass_of(scheme, radix);
      const SplitCounts counts = split_counts(pass);
      if (radix == 2 || radix == 4) {
        EXPECT_EQ(counts.products, 0) << scheme << ", " << radix;
        EXPECT_LT(counts.sums, pass.product_count * 4 * radix * radix) << scheme << ", " << radix;
      } else {
        EXPECT_EQ(counts.products, pass.product_count * 4 * radix * radix) << scheme << ", " << radix;
        EXPECT_GT(counts.sums, counts.products) << scheme << ", " << radix;
      }
      EXPECT_EQ(counts.splits, 2 * radix * pass.scheme.parts) << scheme << ", " << radix;
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
