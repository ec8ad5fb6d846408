// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What tests of every kind and scheme ask of a plan through the interface: equal bits everywhere, errors as predicted, wisdom, refusals with
// a reason.
#ifndef ULPFFT_TESTS_SUPPORT_PLAN_CHECKS_H_
#define ULPFFT_TESTS_SUPPORT_PLAN_CHECKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ulpfft/ulpfft.h"

namespace ulpfft::test {

// The recipe given, or the reference's choice, has its hash on every target that has the codelets, for any threads.
void expect_one_hash(const std::string& problem, bool all_have_it, const std::string& given = "");
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
// The measured error is within `factor` of the prediction, or between `at_least` and `factor` of it.
void expect_as_predicted(const ulpfft_plan* plan, const std::string& what, double factor = kPredictedWithin,
                         std::optional<double> at_least = std::nullopt);
// The same of the planner's choice for a problem, or of a recipe.
void expect_predicted_within(double factor, const std::string& problem, const std::string& recipe = "",
                             std::optional<double> at_least = std::nullopt);
// Of a row of accuracy.json: 15 % from 1024 points on, 30 % below, 50 % under 1e-6 (section 9 of its README).
double golden_margin(std::int64_t n, double expected);

void expect_remembered_and_limited(ulpfft_context* context, const std::string& problem);

// A problem and a recipe, or a problem alone, that cannot be; words of the sentence that says so, and where given the field.
struct Refused {
  std::string problem, recipe, says;
  std::string field = {};
};
void expect_refused(const std::vector<Refused>& cases);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_PLAN_CHECKS_H_
