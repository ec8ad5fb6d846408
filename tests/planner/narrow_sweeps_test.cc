// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Sweeps of `four` whose lines have no loop of their own, only a body in registers: at narrow arrays they are as accurate as others, for
// every such body of every target, and every way of a narrow array into the recipe.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

#include "codelets/registry.h"
#include "tests/support/api.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

// Radices of bodies in registers that no other loop of the target has.
std::set<int> radices_without_loops(const CodeletTable& table) {
  std::set<int> packed, others;
  for (const CodeletInfo& codelet : table.codelets) {
    if (codelet.compute != ComputeType::kF32 || codelet.body == nullptr) continue;
    if (codelet.kind == PassKind::kPacked && codelet.second == nullptr) packed.insert(codelet.body->radix);
    if (codelet.kind == PassKind::kWhole) others.insert(codelet.body->radix);
  }
  for (const int radix : others) packed.erase(radix);
  return packed;
}

// Four standard errors of a measurement on 2^14 numbers, and codes whose errors have little in common with normal ones.
constexpr double kMost = 1.6;

TEST(NarrowSweeps, AreAsAccurateAsTheyStateWhereLinesHaveNoLoop) {
  std::size_t measured = 0;
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    const ContextPtr context = make_context(target.table.target);
    for (const int radix : radices_without_loops(target.table)) {
      const std::string r = std::to_string(radix);
      const struct {
        int points;
        std::string node;
      } cases[] = {{radix * radix, r + "x" + r + " p64; n" + r + "; n" + r},
                   {radix * 8, r + "x8 p64; n" + r + "; n8"},
                   {radix * 8, "8x" + r + " p64; n8; n" + r},
                   {radix * 16, std::to_string(2 * radix) + "x8 p64; dit(" + r + " 2); n8"},
                   {radix * radix, r + "x" + r + " p16 |bf16; n" + r + "; n" + r}};
      for (const auto& [points, node] : cases) {
        for (const char* const storage : {" i16->f32 scale=ortho", " f32->bf16", " f16"}) {
          const std::string problem = std::to_string(points) + storage, recipe = "f32:four(" + node + ")";
          const PlanPtr plan = try_plan(context.get(), problem, recipe);
          if (plan == nullptr) {  // lines that are a body and nothing else are refused for the narrow matrix alone
            EXPECT_TRUE(node.find("bf16") != std::string::npos || node.find("dit") != std::string::npos) << problem << " by " << recipe;
            continue;
          }
          auto report = sized<ulpfft_error_report>();
          ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK) << last_error_text();
          EXPECT_LE(report.relative_l2, kMost * ulpfft_plan_error(plan.get())) << target.table.target << ": " << problem << " by " << recipe;
          ++measured;
        }
      }
    }
  }
  EXPECT_GT(measured, 0U);
}

}  // namespace
}  // namespace ulpfft::test
