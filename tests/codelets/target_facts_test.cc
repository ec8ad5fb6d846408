// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which targets run here, found without Highway's library, beside what that library finds.
#include <gtest/gtest.h>

#include "codelets/hwy/processor.h"
#include "codelets/hwy/target_facts.h"
#include "hwy/targets.h"

namespace ulpfft::test {
namespace {

TEST(TargetFacts, TheTargetsThatRunHereAreThoseOfHighway) {
  for (const TargetFacts& target : hwy_targets()) {
    if (target.bit == HWY_NEON) continue;  // Highway asks for AES, which no codelet uses
    EXPECT_EQ(target.supported, (hwy::SupportedTargets() & target.bit) != 0) << target.name << ": " << target.extensions;
  }
}

TEST(TargetFacts, AListOfExtensionsHoldsOnlyIfEachOfThemDoes) {
  const auto has = [](std::string_view name) { return name == "a" || name == "bc"; };
  EXPECT_TRUE(all_of_list("a", has));
  EXPECT_TRUE(all_of_list("bc,a", has));
  EXPECT_FALSE(all_of_list("a,b", has));
  EXPECT_FALSE(all_of_list("b,a", has));
  EXPECT_FALSE(all_of_list("a,", has));
  EXPECT_FALSE(all_of_list("", has));
  EXPECT_FALSE(has_x86_extension("avx1024"));
}

}  // namespace
}  // namespace ulpfft::test
