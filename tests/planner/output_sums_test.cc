// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Outputs between real numbers straight from their definition: by combs and one by one they are those of the oracle.
#include "planner/judge/output_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/r2r_case.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

TEST(OutputSums, OfRealNumbersAreTheDefinitionByCombsAndOneByOne) {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 25, 31, 64, 97, 100, 1030}) {
    Random random(seed_of(std::to_string(n)));
    std::vector<double> x;
    std::vector<ulpfft::test::DoubleDouble> in;
    for (std::int64_t j = 0; j < n; ++j) {
      const double real = random.normal();
      x.insert(x.end(), {real, 0.0});
      in.emplace_back(real);
    }
    for (int kind = 0; kind < kR2rKinds; ++kind) {
      if (kind == ULPFFT_REDFT00 && n == 1) continue;
      const auto exact = r2r_by_definition(kind, in);
      ulpfft::Problem problem;
      problem.kind = ulpfft::Kind::kR2R;
      problem.kinds = {static_cast<ulpfft::R2rKind>(kind)};
      problem.dims = {{n, 1, 1}};
      ulpfft::Problem plane = problem;
      plane.kinds.push_back(ulpfft::R2rKind::kDHT);
      plane.dims.push_back({1, 1, 1});
      ulpfft::Poll poll;
      for (const bool ortho : {false, true}) {
        problem.scale_kind = plane.scale_kind = ortho ? ulpfft::ScaleKind::kOrtho : ulpfft::ScaleKind::kNone;
        const ulpfft::OutputSums line(problem), one_by_one(plane);
        ASSERT_EQ(line.teeth() * line.combs(), n);
        std::vector<int> seen(static_cast<std::size_t>(n));
        double difference2 = 0;
        for (std::int64_t comb = 0; comb < line.combs(); ++comb) {
          const auto sums = line.run(x.data(), comb, poll);
          ASSERT_EQ(static_cast<std::int64_t>(sums.size()), line.teeth());
          for (std::int64_t m = 0; m < line.teeth(); ++m) {
            const std::int64_t k = line.index(comb, m);
            ++seen.at(static_cast<std::size_t>(k));
            const ulpfft::DoubleDouble sum = sums[static_cast<std::size_t>(m)].re;
            if (n < 100 || k % 97 == 0 || k == n - 1) difference2 += std::pow((sum - one_by_one.run(x.data(), k, poll)[0].re).hi, 2);
            const auto& value = exact[static_cast<std::size_t>(k)];
            if (!ortho) difference2 += std::pow((ulpfft::test::DoubleDouble(sum.hi, sum.lo) - value).value(), 2);
          }
        }
        EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), n) << n << " kind " << kind << ": some output is in no comb, or in two";
        EXPECT_LE(std::sqrt(difference2 / static_cast<double>(n)), 0x1p-96 * std::sqrt(8.0 * static_cast<double>(n))) << n << " kind " << kind;
      }
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
