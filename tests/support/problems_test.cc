// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The reference for ranks, batches, centring and scale against the definition, written out once more for each axis.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "tests/support/compare.h"
#include "tests/support/oracle.h"
#include "tests/support/problems.h"

namespace ulpfft::test {
namespace {

std::int64_t modulo(std::int64_t value, std::int64_t n) { return (value % n + n) % n; }

TEST(ExactResult, OfACentredBatchedPlaneIsTheDefinition) {
  for (const bool backward : {false, true}) {
    for (const bool centered : {false, true}) {
      Case problem;
      problem.dims = {{4, 1, 1}, {5, 1, 1}};
      problem.batch = {{2, 1, 1}};
      set_dense(problem);
      problem.backward = backward;
      problem.centered = centered;
      problem.scale_kind = ULPFFT_SCALE_VALUE;
      problem.scale_value = 0.25;
      const auto data = widen(random_signal<double>(40, 7));
      const auto got = exact_result(problem, data);
      const std::int64_t ca = centered ? 2 : 0;
      const std::int64_t cb = centered ? 2 : 0;
      for (std::int64_t t = 0; t < 2; ++t) {
        for (std::int64_t ka = 0; ka < 4; ++ka) {
          for (std::int64_t kb = 0; kb < 5; ++kb) {
            ComplexDD sum;
            for (std::int64_t ja = 0; ja < 4; ++ja) {
              for (std::int64_t jb = 0; jb < 5; ++jb) {
                ComplexDD root = circle_point(static_cast<std::uint64_t>(modulo((ja - ca) * (ka - ca), 4)), 4) *
                                 circle_point(static_cast<std::uint64_t>(modulo((jb - cb) * (kb - cb), 5)), 5);
                if (backward) root.im = -root.im;
                sum = sum + root * data[static_cast<std::size_t>(t * 20 + ja * 5 + jb)];
              }
            }
            const ComplexDD value = got[static_cast<std::size_t>(t * 20 + ka * 5 + kb)];
            EXPECT_NEAR((value.re - DoubleDouble(0.25) * sum.re).value(), 0, 1e-29);
            EXPECT_NEAR((value.im - DoubleDouble(0.25) * sum.im).value(), 0, 1e-29);
          }
        }
      }
    }
  }
}

TEST(RandomCase, HasDistinctElementsOnBothSidesAndEqualStridesInPlace) {
  for (const int kind : {ULPFFT_C2C, ULPFFT_R2C, ULPFFT_C2R, ULPFFT_R2R}) {
    Random random(11);
    int negative = 0;
    int odd = 0;
    int rough = 0;
    int converting = 0;
    for (int i = 0; i < (kind == ULPFFT_C2C ? 300 : 600); ++i) {
      const Case problem = random_case(random, 2000, kind);
      for (const bool output : {false, true}) {
        const Footprint side = footprint_of(problem, output);
        const std::set<std::int64_t> distinct(side.offsets.begin(), side.offsets.end());
        ASSERT_EQ(distinct.size(), static_cast<std::size_t>(stored_elements(problem, output))) << text_of(problem);
        ASSERT_LE(side.elements(), 400000U) << text_of(problem);
        if (side.first < 0) ++negative;
      }
      if (problem.dims.back().in_stride % 2 != 0 && problem.dims.back().in_stride != 1) ++odd;
      if (!is_smooth(transform_points(problem))) ++rough;
      if (problem.converts) ++converting;
      ASSERT_LE(text_of(problem).size(), 256U) << "the library takes texts up to 256 bytes: " << text_of(problem);
      if (problem.in_place && !problem.dense) {
        for (const Dim& dim : problem.dims) ASSERT_EQ(dim.in_stride, dim.out_stride) << text_of(problem);
      }
    }
    EXPECT_GT(negative, 30);
    EXPECT_GT(odd, 30);
    EXPECT_GT(rough, 60);
    EXPECT_GT(converting, 30);
  }
}

}  // namespace
}  // namespace ulpfft::test
