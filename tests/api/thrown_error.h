// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#ifndef ULPFFT_TESTS_API_THROWN_ERROR_H_
#define ULPFFT_TESTS_API_THROWN_ERROR_H_

#include <gtest/gtest.h>

#include "ulpfft/ulpfft.hpp"

namespace ulpfft::test {

// The error of a call that must fail.
template <typename Call>
Error error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_FALSE(error.message().empty());
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {Status::kInternal, "", ""};
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_API_THROWN_ERROR_H_
