// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What real_case.h needs of transforms between real numbers (r2r): their definitions, exact results and random problems.
#ifndef ULPFFT_TESTS_SUPPORT_R2R_CASE_H_
#define ULPFFT_TESTS_SUPPORT_R2R_CASE_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/support/double_double.h"
#include "tests/support/problems.h"
#include "tests/support/real_case.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::test {

// By the numbers of ULPFFT_R2HC, ...
inline constexpr std::array<std::string_view, 11> kR2rNames = {"r2hc", "hc2r", "dht",  "dct1", "dct3", "dct2",
                                                               "dct4", "dst1", "dst3", "dst2", "dst4"};
inline constexpr int kR2rKinds = static_cast<int>(kR2rNames.size());
inline bool is_type_1(int kind) { return kind == ULPFFT_REDFT00 || kind == ULPFFT_RODFT00; }

// A dense problem of one kind along every length.
RealCase dense_r2r_case(int kind, const std::vector<std::int64_t>& lengths, std::int64_t batch);
// Kinds and lengths of every sort, rank 1..3, batch rank 0..2, dense strides or gaps; at most `max_points` points.
RealCase random_r2r_case(Random& random, std::int64_t max_points);

// One line by the formula of its kind, unscaled: the sums of the definition, or one transform of the extension that the formula stands for.
std::vector<DoubleDouble> r2r_by_definition(int kind, const std::vector<DoubleDouble>& in);
std::vector<DoubleDouble> r2r_by_extension(int kind, const std::vector<DoubleDouble>& in);

// The exact output; im is 0 at either end.
std::vector<ComplexDD> exact_r2r(const RealCase& problem, const std::vector<ComplexDD>& in);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_R2R_CASE_H_
