// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/machine.h"

#include "tests/wisdom/testing.h"

namespace ulpfft {
namespace {

TEST(Machine, SlugIsProcessorAndTarget) {
  const std::string slug = machine_slug("avx3");
  EXPECT_EQ(slug, machine_slug("AVX3"));
  EXPECT_EQ(std::count(slug.begin(), slug.end(), '.'), 3) << slug;
  EXPECT_EQ(slug.substr(slug.rfind('.')), ".avx3");
  EXPECT_NE(slug, machine_slug("ref"));
#if defined(__x86_64__)
  EXPECT_EQ(slug.find("x86."), 0u) << slug;
#elif defined(__aarch64__)
  EXPECT_EQ(slug.find("arm64."), 0u) << slug;
#endif
}

TEST(Machine, TargetsAreShownAsPeopleCallThem) {
  EXPECT_EQ(shown_target("avx3"), "avx3 (AVX-512)");
  EXPECT_EQ(shown_target("avx2"), "avx2");
}

TEST(Machine, AnyTargetNameMakesASlugThatCanBeRemembered) {
  for (const std::string& target : {std::string(), std::string("a b/../c\n"), std::string(1000, 'X')}) {
    EXPECT_EQ(entry_fault(testing::entry_of("8 f32", machine_slug(target))), "") << target;
  }
}

}  // namespace
}  // namespace ulpfft
