// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Recipes in rows of reals, and what they must compute on every target.
#ifndef ULPFFT_TESTS_API_ROWS_OF_REALS_H_
#define ULPFFT_TESTS_API_ROWS_OF_REALS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <string>

#include "tests/api/real_checks.h"
#include "tests/support/api.h"
#include "tests/support/real_case.h"
#include "tests/support/targets.h"

namespace ulpfft::test {

// The radices of real codelets that leave rows of more than one number.
inline std::set<std::int64_t> radices_of(std::int64_t n) {
  static const std::set<std::int64_t> all = [] {
    std::set<std::int64_t> found;
    for (std::int64_t radix = 3; radix < 64; radix += 2) {
      const std::string text = std::to_string(radix);
      if (try_plan(default_target().context, "r2c " + text + " f32", "f32:n" + text) != nullptr) found.insert(radix);
    }
    return found;
  }();
  std::set<std::int64_t> radices;
  for (const std::int64_t radix : all) {
    if (radix < n && n % radix == 0) radices.insert(radix);
  }
  return radices;
}

// In rows, whose child is what the default target chooses for them.
inline std::string recipe_in_rows(std::int64_t n, std::int64_t radix, bool f64) {
  const std::string scheme = f64 ? "f64" : "f32", row = std::to_string(n / radix);
  const std::string child = recipe_of(make_plan(default_target().context, row + " " + scheme).get());
  return scheme + ":real(" + std::to_string(radix) + "x" + row + "; " + child.substr(child.find(':') + 1) + ")";
}

template <typename T>
void check_recipe(const RealCase& problem, const std::string& recipe, Flush flush, double most) {
  const std::string text = text_of(problem);
  const auto in = real_case_input<T>(problem);
  const PlanPtr plan = make_plan(default_target().context, text, recipe);
  ASSERT_NE(plan, nullptr) << text << " " << recipe << ": " << last_error_text();
  const RealRun<T> run = run_real_case<T>(plan.get(), problem, in, flush, false);
  ASSERT_EQ(run.trouble, "") << text << " " << recipe;
  EXPECT_LE(error_of(run.out, exact_result(problem, widen(in))), most) << text << " " << recipe;
  if (!default_target().has_fma) return;
  for (const Target& target : targets()) {
    if (!target.has_fma) continue;
    const PlanPtr other = try_plan(target.context, text, recipe);
    if (other == nullptr) continue;  // no codelet of this radix there
    const RealRun<T> same = run_real_case<T>(other.get(), problem, in, Flush::kEnd, false);
    EXPECT_EQ(std::memcmp(same.out.data(), run.out.data(), run.out.size() * sizeof run.out[0]), 0)
        << target.name << " " << text << " " << recipe;
  }
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_API_ROWS_OF_REALS_H_
