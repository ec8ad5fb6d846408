// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What problems.h needs of transforms between real numbers (r2r): their names, definitions and exact results.
#ifndef ULPFFT_TESTS_SUPPORT_R2R_CASE_H_
#define ULPFFT_TESTS_SUPPORT_R2R_CASE_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/support/double_double.h"
#include "tests/support/problems.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::test {

// By the numbers of ULPFFT_R2HC, ...
inline constexpr std::array<std::string_view, 11> kR2rNames = {"r2hc", "hc2r", "dht",  "dct1", "dct3", "dct2",
                                                               "dct4", "dst1", "dst3", "dst2", "dst4"};
inline constexpr int kR2rKinds = static_cast<int>(kR2rNames.size());
inline bool is_type_1(int kind) { return kind == ULPFFT_REDFT00 || kind == ULPFFT_RODFT00; }

// What scale=1/n divides by, and whose factors decide which passes a length has.
std::int64_t logical_length(int kind, std::int64_t n);

// One line by the formula of its kind, unscaled: the sums of the definition, or one transform of the extension that the formula stands for.
std::vector<DoubleDouble> r2r_by_definition(int kind, const std::vector<DoubleDouble>& in);
std::vector<DoubleDouble> r2r_by_extension(int kind, const std::vector<DoubleDouble>& in);

// The exact output; im is 0 at either end.
std::vector<ComplexDD> exact_r2r(const Case& problem, const std::vector<ComplexDD>& in);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_R2R_CASE_H_
