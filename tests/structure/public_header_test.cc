// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The public headers from C++, in two translation units of one program, and each part of the C++ interface by itself.
#include "ulpfft/ulpfft.hpp"

#include <gtest/gtest.h>

int other_translation_unit();
extern "C" int ulpfft_header_is_self_contained_c(void);

TEST(PublicHeaders, CompileAloneInC11AndCpp20AndLinkFromTwoFiles) {
  EXPECT_EQ(other_translation_unit(), 0);
  EXPECT_EQ(ulpfft_header_is_self_contained_c(), static_cast<int>(sizeof(ulpfft_problem)));
}
