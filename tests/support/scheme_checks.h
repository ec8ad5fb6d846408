// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What every emulated scheme promises, through the interface: equal bits everywhere, errors as predicted, refusals with a reason.
#ifndef ULPFFT_TESTS_SUPPORT_SCHEME_CHECKS_H_
#define ULPFFT_TESTS_SUPPORT_SCHEME_CHECKS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/api.h"

namespace ulpfft::test {

// A problem without its scheme, and a node of a recipe.
using SchemeCase = std::pair<std::string, std::string>;
// "SCHEME:NODE" has the bits of ref on every target.
void expect_same_bits_on_every_target(const std::string& scheme, const std::vector<SchemeCase>& cases);
// Three transforms of 4096 points by two threads have the bits of one alone.
void expect_same_bits_in_batches(const std::string& scheme, const std::string& node);

// "1024*16 f32 scheme=SCHEME": n points, as many transforms as make 16384 outputs or more.
std::string sampled_problem(std::int64_t n, const std::string& storage, const std::string& scheme);
// Relative L2, sampled.
double measured_error(const ulpfft_plan* plan);
// A predicted error is promised within this factor of the measured one.
inline constexpr double kPredictedWithin = 1.5;
void expect_as_predicted(const ulpfft_plan* plan, const std::string& what);
// Of a row of accuracy.json: 15 % from 1024 points on, 30 % below, 50 % under 1e-6 (section 9 of its README).
double golden_margin(std::int64_t n, double expected);

// Problems that the library refuses, and a word of each reason.
void expect_refused(const std::vector<std::pair<std::string, std::string>>& cases);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_SCHEME_CHECKS_H_
